"""A call: what a handler knows about one request."""

from collections.abc import Callable, Mapping
from typing import TypeVar
from uuid import UUID

from msgspec import Struct

from cartagena.server.http.address import Headers
from cartagena.server.http.template import PathValue
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.session import Session

_Message = TypeVar("_Message", bound=Struct)


class Call(Struct, frozen=True, kw_only=True):
    """Who asks, for what, and from where; read, checked and within its limits.

    `peer` is the other end of the connection, perhaps a proxy; `address` is the client it speaks for. `abort`
    cuts the connection of a stream. `search` is the raw query string, for a route that must not refuse any of
    it. The accessors assert what the route promises: a handler needs no casts.
    """

    request_id: str
    address: str
    peer: str
    session: Session | None
    places: Mapping[str, PathValue]
    content: Struct | None
    asked: Struct | None
    headers: Headers
    search: bytes = b""
    abort: Callable[[], None] | None = None

    @property
    def player(self) -> Session:
        """The session of a route that needs one; raises UNAUTHENTICATED without one."""
        if self.session is None:
            raise ServiceError(Problem.UNAUTHENTICATED, "this needs a session")
        return self.session

    def uuid(self, name: str) -> UUID:
        """The id at a place of the path."""
        value = self.places[name]
        assert isinstance(value, UUID)
        return value

    def number(self, name: str) -> int:
        """The number at a place of the path."""
        value = self.places[name]
        assert isinstance(value, int)
        return value

    def text(self, name: str) -> str:
        """The text at a place of the path."""
        value = self.places[name]
        assert isinstance(value, str)
        return value

    def body(self, kind: type[_Message]) -> _Message:
        """The body, which the route has read as this type."""
        assert isinstance(self.content, kind)
        return self.content

    def query(self, kind: type[_Message]) -> _Message:
        """The query string, which the route has read as this type."""
        assert isinstance(self.asked, kind)
        return self.asked

    def header(self, name: str) -> str | None:
        """A header of the request by its lower-case name."""
        value = self.headers.get(name.encode("ascii"))
        return None if value is None else value.decode("latin-1")

    def __repr__(self) -> str:
        # Bodies, headers and paths carry tokens and invite codes; a repr may end up in a log.
        return f"Call(request_id={self.request_id!r})"
