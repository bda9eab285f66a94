"""Requests as values, and how their answers are read; sending them is up to the clients."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar
from uuid import UUID, uuid4

from msgspec import Struct

from cartagena.fairness import Finding
from cartagena.messages.accounts import SignedInMessage
from cartagena.messages.cards import MessageError
from cartagena.messages.tables import ProblemMessage
from cartagena.messages.updates import VERSION, ErrorMessage, TableAnswer, Update, decode, encode, read
from cartagena.rules.refusals import CartagenaError

# What can go wrong between a client and a service.
#
# ClientError
#     Unreachable      the service does not answer, however often it is asked
#     Misunderstood    an answer that the service would not give
#     Refused          the service or the rules say no: a code, a rule, where the table really is
#         Stale        another player was quicker, or the clock ran out
#     StreamEnded      the service ended a stream for good
#     BrokenPromise    the shuffle is not the one that was promised

STALE_CODES: Final = frozenset({"stale", "too_late"})
"""The codes of a choice that came after something else."""


class ClientError(CartagenaError):
    """The root of everything that can go wrong on the way to a service and back."""


class Unreachable(ClientError):
    """The service did not answer, however often it was asked."""


class Misunderstood(ClientError):
    """An answer that no service of this version gives; something in between may have answered."""


class Refused(ClientError):
    """The service, or the rules, refuse.

    `code` is for programs and `rule` the sentence of the rulebook, if one says so. `current` is the table
    as it really is, seen from the seat that asked; it comes with a choice that was refused.
    """

    def __init__(self, status: int, problem: ProblemMessage, current: Update | None = None) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.status = status
        self.code = problem.code
        self.rule = problem.rule
        self.retry_after = problem.retry_after
        self.current = current


class Stale(Refused):
    """The choice was made of a table that has moved on; `current` says to where."""


class StreamEnded(ClientError):
    """The service ended a stream for good; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the stream was ended: {code}")
        self.code = code


class BrokenPromise(ClientError):
    """The shuffle is not what was promised before the game; `findings` say how it differs."""

    def __init__(self, message: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


def refusal_of(status: int, problem: ProblemMessage, current: Update | None) -> Refused:
    """Return the error for a refusal."""
    kind = Stale if problem.code in STALE_CODES else Refused
    return kind(status, problem, current)


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


def bearer(token: str | None) -> dict[str, str]:
    """The header that says who is asking."""
    return {} if token is None else {"authorization": f"Bearer {token}"}


def token_of(signed_in: SignedInMessage) -> str:
    """The token of a new session."""
    if signed_in.token is None:
        raise Misunderstood("a session was opened without its token")
    return signed_in.token


# Patience: how often to ask again, and how long to wait before.

TOO_MANY: Final = 429
AWAY: Final = frozenset({502, 503, 504})
"""What a service, or a proxy before it, answers while it cannot do its work."""

Chance = Callable[[], float]
"""A number from 0 to 1, below 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait, in seconds.

    `tries` bounds how often a request is sent; a stream comes back for ever. Pauses grow from `first` to
    `longest`, and chance spreads them, so that not all come back at once. A request
    to wait longer than `obedience` is not followed. A stream silent for `heartbeat` is taken for dead.
    """

    tries: int = 10
    first: float = 0.1
    longest: float = 10.0
    obedience: float = 60.0
    answer: float = 30.0
    heartbeat: float = 40.0

    def pause(self, failures: int, chance: Chance = random.random) -> float:
        """How long to wait after `failures` failures in a row: twice as long each time, half of it by chance.

        >>> [Patience().pause(failures, lambda: 1.0) for failures in (1, 2, 3, 20)]
        [0.1, 0.2, 0.4, 10.0]
        """
        doublings = min(failures - 1, 30)
        whole = min(self.first * (1 << doublings), self.longest)
        return whole * (1 + chance()) / 2


def seconds_of(retry_after: str | None) -> float:
    """The seconds of a Retry-After header, 0 if it has none; our service never sends a date."""
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() else 0.0
