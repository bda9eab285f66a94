"""One request: its body and query as values, and what a handler knows about it."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
from msgspec import Struct

from cartagena.endpoints.callers import Session
from cartagena.endpoints.path_templates import PathValue
from cartagena.endpoints.responses import unreadable
from cartagena.tables.errors import Problem, ServiceError

Headers = Mapping[bytes, bytes]
"""The headers of a request by lower-case name; if one is repeated, the last counts."""

_MOST_QUERY_FIELDS: Final = 50
_PREFER: Final = "prefer"
_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def decode_body(decoder: msgspec.json.Decoder[Struct], body: bytes) -> Struct:
    """The struct in a JSON body; raises `unreadable`, with the place where it goes wrong."""
    # PostgreSQL has no text with NUL in it; better refused here than failing there.
    if b"\\u0000" in body and _NUL.search(body):
        raise unreadable("a text holds the character NUL")
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise unreadable(str(error)) from None
    except UnicodeDecodeError:
        raise unreadable("this is not UTF-8") from None
    except RecursionError:
        raise unreadable("this is nested too deeply") from None


class QueryReader:
    """Reads query strings into one kind of struct."""

    def __init__(self, kind: type[Struct]) -> None:
        self._kind = kind
        self._lists = frozenset(
            field.encode_name
            for field in msgspec.structs.fields(kind)
            if isinstance(
                msgspec.inspect.type_info(field.type), msgspec.inspect.ListType | msgspec.inspect.VarTupleType
            )
        )

    def read(self, query: bytes) -> Struct:
        """The struct; raises `unreadable`."""
        try:
            pairs = parse_qsl(
                query.decode("latin-1"), keep_blank_values=True, max_num_fields=_MOST_QUERY_FIELDS
            )
        except ValueError:
            raise unreadable("the query has too many fields") from None
        try:
            return msgspec.convert(self._gathered(pairs), self._kind, strict=False)
        except msgspec.ValidationError as error:
            raise unreadable(f"query: {error}") from None

    def _gathered(self, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        # Any: msgspec is about to say what these values are.
        values: dict[str, Any] = {}
        for name, value in pairs:
            if "\0" in value:
                raise unreadable("the query holds the character NUL")
            if name in self._lists:
                values.setdefault(name, []).append(value)
            elif name in values:
                raise unreadable("a field of the query is given twice")
            else:
                values[name] = value
        return values


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

    def prefers(self, wish: str) -> bool:
        """Whether the client prefers something (RFC 7240), such as `return=minimal`."""
        wishes = (self.header(_PREFER) or "").split(",")
        return wish in {each.strip().lower() for each in wishes}

    def __repr__(self) -> str:
        # Bodies, headers and paths carry tokens and invite codes; a repr may end up in a log.
        return f"Call(request_id={self.request_id!r})"
