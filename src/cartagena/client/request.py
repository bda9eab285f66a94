"""Requests as values, and how their answers are read; sending them is up to the clients."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Generic, Literal, TypeVar
from uuid import UUID, uuid4

import httpx
from msgspec import Struct

from cartagena import __version__
from cartagena.client.errors import ClientError, Misunderstood, refusal_of
from cartagena.messages.accounts import SignedInMessage
from cartagena.messages.errors import MessageError
from cartagena.messages.updates import VERSION, ErrorMessage, TableAnswer, Update, decode, encode, read


def read_table(content: bytes) -> TableAnswer:
    """A table as it was answered."""
    answer = read(TableAnswer, content)
    if understood(answer.current).table is None:
        raise MessageError("this is not the whole state of a table")
    return answer


Answer = TypeVar("Answer")
_Message = TypeVar("_Message", bound=Struct)

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Query = dict[str, str]

JSON_HEADERS: Final = {"content-type": "application/json"}
FIRST_ERROR: Final = 400
_LONGEST_QUOTE: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[Answer]):
    """One thing to ask of a service.

    A request is `repeatable` if asking twice does what asking once does: one that only looks, or one with a
    key, which the service recognises. `body` may hold a secret and stays out of its repr.
    """

    method: Method
    path: str
    read: Callable[[bytes], Answer] = field(repr=False)
    query: Query = field(default_factory=dict, repr=False)
    body: Struct | None = field(default=None, repr=False)
    repeatable: bool = True

    @property
    def content(self) -> bytes | None:
        """The body as it is sent; the same bytes each time."""
        return None if self.body is None else encode(self.body)

    @property
    def headers(self) -> dict[str, str]:
        """What a request with a body says about it."""
        return {} if self.body is None else JSON_HEADERS

    def answer(self, status: int, content: bytes) -> Answer:
        """What the service said; raises Refused, or Misunderstood if it was not the service."""
        if status >= FIRST_ERROR:
            raise error_of(status, content)
        try:
            return self.read(content)
        except MessageError as error:
            raise Misunderstood(f"{self.method} {self.path} was answered strangely: {error}") from error


def error_of(status: int, content: bytes) -> ClientError:
    """The error that an answer tells."""
    try:
        told = read(ErrorMessage, content)
    except MessageError:
        quoted = content[:_LONGEST_QUOTE].decode("ascii", "replace")
        return Misunderstood(f"status {status} without the words of a service: {quoted!r}")
    return refusal_of(status, told.error, told.current)


def reading(kind: type[_Message]) -> Callable[[bytes], _Message]:
    """How messages of a kind are read."""
    return lambda content: read(kind, content)


def understood(update: Update) -> Update:
    """An update of our version; raises MessageError for any other."""
    if update.version != VERSION:
        raise MessageError(f"this is an update of version {update.version}; version {VERSION} is understood")
    return update


def look(path: str, read: Callable[[bytes], Answer], query: Query | None = None) -> Request[Answer]:
    """A request that changes nothing."""
    return Request(method="GET", path=path, read=read, query=query or {})


def post(path: str, read: Callable[[bytes], Answer], body: Struct | None = None) -> Request[Answer]:
    """A request that may be sent twice: its key shows that it is the same, or it has none and only asks."""
    return Request(method="POST", path=path, read=read, body=body)


def given(**values: str | None) -> Query:
    """Return the parts of a query that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def key_or_new(key: UUID | None) -> UUID:
    """Return the key that the caller gave, or a new one."""
    return uuid4() if key is None else key


def read_update(content: bytes) -> Update:
    """How most changes of a table are answered: with the update that they brought about."""
    return decode(content)


USER_AGENT: Final = {"user-agent": f"cartagena/{__version__}"}


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that clients trust, read once: that takes longer than opening a connection."""
    return httpx.create_ssl_context()


def bearer(token: str | None) -> dict[str, str]:
    """The header that says who is asking."""
    return {} if token is None else {"authorization": f"Bearer {token}"}


def token_of(signed_in: SignedInMessage) -> str:
    """The token of a new session."""
    if signed_in.token is None:
        raise Misunderstood("a session was opened without its token")
    return signed_in.token
