"""Routes: everything there is to know about one thing that can be asked, and the way from a path to it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

import msgspec
from msgspec import Struct

from cartagena.endpoints.asgi import Receive, Send
from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import READING, Limit
from cartagena.endpoints.path_templates import PathPlace, PathValue, PlaceKind, parts_of, places_of, plain
from cartagena.endpoints.request import Call, QueryReader
from cartagena.endpoints.responses import INTERNAL, JSON, Answer
from cartagena.messages.streams import EVENT_STREAM
from cartagena.rules.refusals import Refusal
from cartagena.tables.errors import Problem

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler = Callable[[Call], Awaitable[Struct | Answer | None]]
"""Turns a call into a command and its result into an answer; None is an answer without content."""
RawHandler = Callable[[Call, Receive, Send], Awaitable[None]]
"""Speaks ASGI directly after guard and limits have run; for streams."""

USUAL_BODY_LIMIT: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A body that could be sent, and the answer to it."""

    body: Struct | None = None
    answer: Struct | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One method of one path. Exactly one of `handler` and `raw` is given.

    `answer` is a struct, a media type for anything else, or None for an answer without content. `problems`
    are those that the handler may raise; what guard, limits and reading may refuse is added for it.
    """

    method: Method
    path: str
    name: str
    tag: str
    summary: str
    handler: Handler | None = None
    raw: RawHandler | None = None
    description: str = ""
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    answer: type[Struct] | str | None = None
    status: int | None = None
    """The status of a success; usually 200, or 204 without content."""
    scope: Scope | None = None
    anonymous: bool = False
    """Never asks who is calling, so that it works when sessions cannot be read."""
    quiet: bool = False
    """Asked by machines all day; logged only when it fails."""
    limit: Limit = READING
    body_limit: int = USUAL_BODY_LIMIT
    problems: tuple[Problem, ...] = ()
    other_answers: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further statuses of a success, each with a sentence; their content is of the same type."""
    answer_headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Headers that only this route sends, each with a sentence."""
    example: Example = Example()

    def __post_init__(self) -> None:
        assert (self.handler is None) != (self.raw is None), f"{self.name}: one of handler and raw"
        assert not (self.anonymous and self.scope), f"{self.name}: who needs a scope must say who he is"
        assert not self.anonymous or self.method == "GET", f"{self.name}: a change is somebody's"
        assert self.body is None or self.method != "GET", f"{self.name}: a GET has no body"

    @property
    def success(self) -> int:
        """The status of a success."""
        return self.status or (204 if self.answer is None else 200)

    @property
    def template(self) -> str:
        """The path as people and logs write it."""
        return plain(self.path)


def problems_of(route: Route) -> tuple[Problem, ...]:
    """Return every problem that a route may answer, each once."""
    found = dict.fromkeys(route.problems)
    found |= dict.fromkeys(_of_reading(route) + _of_guarding(route))
    found[Problem.TOO_MANY] = None
    if not route.anonymous:
        found[Problem.UNAVAILABLE] = None
    return tuple(found)


def codes_by_status(route: Route) -> dict[int, tuple[str, ...]]:
    """The codes that a route may answer with each status; the rules' refusals have codes of their own."""
    codes: dict[int, dict[str, None]] = {}
    for problem in problems_of(route):
        words = _CODES_OF_THE_RULES if problem is Problem.REFUSED else (problem.code,)
        codes.setdefault(problem.status, {}).update(dict.fromkeys(words))
    codes[500] = {INTERNAL: None}
    return {status: tuple(codes[status]) for status in sorted(codes)}


def _of_reading(route: Route) -> list[Problem]:
    problems = []
    if places_of(route.path):
        problems.append(Problem.NO_SUCH_THING)
    if route.body is not None or route.query is not None:
        problems.append(Problem.UNREADABLE)
    if route.body is not None:
        problems += [Problem.TOO_LARGE, Problem.NOT_JSON]
    return problems


def _of_guarding(route: Route) -> list[Problem]:
    problems = []
    if route.scope is not None:
        problems += [Problem.UNAUTHENTICATED, Problem.MISSING_SCOPE]
    if route.method != "GET" and not route.anonymous:
        problems.append(Problem.WRONG_ORIGIN)
    return problems


_CODES_OF_THE_RULES = tuple(dict.fromkeys(refusal.code for refusal in Refusal))

_SAFE = frozenset({"GET", "HEAD"})


class Endpoint:
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


_API: Final = "/api"
"""For programs: an unknown path below it is never answered with a page."""


class RouteNode:
    """One step of a path: the words and the one kind of place that may follow, and the methods known here."""

    __slots__ = ("beyond", "endpoints", "kind", "words")

    def __init__(self) -> None:
        self.words: dict[str, RouteNode] = {}
        self.kind: PlaceKind | None = None
        self.beyond: RouteNode | None = None
        self.endpoints: dict[str, Endpoint] = {}

    def step(self, part: str | PathPlace) -> "RouteNode":
        """Return the node behind a word or a place; it is made if missing."""
        if isinstance(part, str):
            return self.words.setdefault(part, RouteNode())
        assert self.kind in {None, part.kind}, f"two kinds of {part.name} at one place"
        self.kind = part.kind
        self.beyond = self.beyond or RouteNode()
        return self.beyond

    @property
    def allow(self) -> str:
        """The methods of this path, as the Allow header lists them."""
        methods = {*self.endpoints, "OPTIONS", *(["HEAD"] if "GET" in self.endpoints else [])}
        return ", ".join(sorted(methods))


class Routing:
    """Finds the routes of a path. A word takes precedence over a place, and there is no backtracking."""

    def __init__(self, endpoints: Iterable[Endpoint], *, elsewhere: Endpoint | None = None) -> None:
        self._root = RouteNode()
        self._elsewhere = RouteNode()
        if elsewhere is not None:
            self._elsewhere.endpoints[elsewhere.route.method] = elsewhere
        for endpoint in endpoints:
            node = self._root
            for part in parts_of(endpoint.route.path):
                node = node.step(part)
            assert endpoint.route.method not in node.endpoints, f"{endpoint.route.name}: this path is taken"
            node.endpoints[endpoint.route.method] = endpoint

    def find(self, path: str) -> tuple[RouteNode, list[PathValue]] | None:
        """Return the node of a path and the values of its places; None if no route has that path."""
        found = self._in_tree(path)
        if found is not None or not self._elsewhere.endpoints or f"{path}/".startswith(f"{_API}/"):
            return found
        return self._elsewhere, [path]

    def _in_tree(self, path: str) -> tuple[RouteNode, list[PathValue]] | None:
        node, values = self._root, []
        for part in path.split("/")[1:]:
            child = node.words.get(part)
            if child is None:
                if node.kind is None or (value := node.kind.read(part)) is None:
                    return None
                values.append(value)
                child = node.beyond
                assert child is not None
            node = child
        return (node, values) if node.endpoints else None
