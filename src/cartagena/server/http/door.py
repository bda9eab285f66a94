"""A door: a route prepared to serve thousands of requests a second."""

from collections.abc import Sequence

import msgspec

from cartagena.server.http.answers import JSON
from cartagena.server.http.problems import codes_by_status
from cartagena.server.http.reading import QueryReader
from cartagena.server.http.route import EVENT_STREAM, Route
from cartagena.server.http.template import PathValue, places_of

_SAFE = frozenset({"GET", "HEAD"})


class Door:
    """What can be worked out about a route before the first request."""

    __slots__ = (
        "codes", "content_type", "decoder", "is_safe", "is_stream", "media_type", "names", "query_reader",
        "route", "template",
    )  # fmt: skip

    def __init__(self, route: Route) -> None:
        self.route = route
        self.template = route.template
        self.names = tuple(place.name for place in places_of(route.path))
        self.is_safe = route.method in _SAFE
        self.decoder = None if route.body is None else msgspec.json.Decoder(route.body)
        self.query_reader = None if route.query is None else QueryReader(route.query)
        self.media_type = route.answer if isinstance(route.answer, str) else JSON
        self.content_type = self.media_type.encode("ascii")
        self.is_stream = self.media_type == EVENT_STREAM
        self.codes = codes_by_status(route)

    def places(self, values: Sequence[PathValue]) -> dict[str, PathValue]:
        """The values of a path by the names of their places."""
        return dict(zip(self.names, values, strict=True))
