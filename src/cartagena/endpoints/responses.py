"""Responses: answers and cookies, and errors as answers."""

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias
from uuid import UUID

from msgspec import Struct

from cartagena.messages import MessageError, ProblemMessage, error_body
from cartagena.notation.tokens import NotationError
from cartagena.rules.refusals import IllegalAction
from cartagena.tables.errors import Problem, ServiceError, WithCurrent

SESSION_COOKIE: Final = "cartagena"
HOST_ONLY: Final = "__Host-"
"""Browsers accept a cookie with this prefix only from this host, over https: no other host can plant one."""
INTERNAL: Final = "internal"
JSON: Final = "application/json"
SAVED: Final = {"Content-Disposition": "The name under which a browser keeps it."}

HeaderLines: TypeAlias = tuple[tuple[str, str], ...]

_LONGEST_REASON: Final = 70
_LONGEST_PLACE: Final = 50
_LONGEST_SENTENCE: Final = 300
_USUAL_WAIT: Final = 1
_WAITING: Final = frozenset({Problem.TOO_MANY, Problem.UNAVAILABLE})


def cookie_name(name: str, *, secure: bool) -> str:
    """Return the name of a cookie on the wire, for setting it and for reading it."""
    return f"{HOST_ONLY}{name}" if secure else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookie:
    """A cookie that the browser keeps for `seconds`; 0 deletes it."""

    name: str
    value: str = field(repr=False)
    seconds: int

    def line(self, *, secure: bool) -> str:
        """The text of a Set-Cookie header; scripts never see our cookies, other sites never send them.

        >>> Cookie(name="cartagena", value="x", seconds=60).line(secure=True)
        '__Host-cartagena=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure'
        """
        assert not set(self.value) & set(' ",;\\\r\n'), "a cookie's value is plain"
        name = cookie_name(self.name, secure=secure)
        line = f"{name}={self.value}; Path=/; Max-Age={self.seconds}; HttpOnly; SameSite=Lax"
        return f"{line}; Secure" if secure else line


def session_cookie(token: str, *, seconds: int) -> Cookie:
    """The cookie that keeps a player known."""
    return Cookie(name=SESSION_COOKIE, value=token, seconds=seconds)


def no_session_cookie() -> Cookie:
    """Return a cookie that deletes the session's cookie."""
    return Cookie(name=SESSION_COOKIE, value="", seconds=0)


def kept_as(name: str) -> tuple[str, str]:
    """Return the header that makes a browser save an answer as the file `name` instead of showing it.

    >>> kept_as("cartagena.json")
    ('Content-Disposition', 'attachment; filename="cartagena.json"')
    """
    assert not set(name) & set('"\\\r\n'), "a file's name is plain"
    return ("Content-Disposition", f'attachment; filename="{name}"')


class Answer(Struct, frozen=True, kw_only=True):
    """A response: a struct, or bytes that are already encoded; the route supplies what is left out."""

    content: Struct | bytes | None = None
    status: int | None = None
    media_type: str | None = None
    headers: HeaderLines = ()
    cookies: tuple[Cookie, ...] = ()
    admitted: UUID | None = None
    """The player whom this answer signs in, for the log."""

    def __repr__(self) -> str:
        # An answer may hold a new token or a player's cards; a repr may end up in a log.
        return f"Answer(status={self.status!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAnswer:
    """How an error is answered."""

    status: int
    problem: ProblemMessage
    headers: HeaderLines = ()
    current: bytes | None = field(default=None, repr=False)

    def answer(self) -> Answer:
        """Return the answer that reports the error."""
        content = error_body(self.problem, self.current)
        return Answer(content=content, status=self.status, media_type=JSON, headers=self.headers)


def refusal_for(error: Exception) -> RefusedAnswer:
    """Map an error to its answer; one that is not listed is our own fault, and its text is not disclosed."""
    match error:
        case WithCurrent():
            return replace(refusal_for(error.error), current=error.current)
        case ServiceError():
            return _service_refused(error)
        case IllegalAction(refusal=refusal):
            sentence = f"the rules refuse that: {refusal.code}"
            problem = ProblemMessage(code=refusal.code, message=sentence, rule=refusal.rule)
            return RefusedAnswer(status=Problem.REFUSED.status, problem=problem)
        case NotationError():
            return _service_refused(ServiceError(Problem.UNREADABLE, str(error)[:_LONGEST_SENTENCE]))
        case MessageError():
            return _service_refused(unreadable(str(error)))
        case _:
            problem = ProblemMessage(code=INTERNAL, message="something went wrong on our side")
            return RefusedAnswer(status=500, problem=problem)


def unreadable(reason: str) -> ServiceError:
    """Return an error that says what cannot be read and where, quoting little of what was sent.

    >>> unreadable("Invalid UUID - at `$.key`").sentence
    'Invalid UUID - at `$.key`'
    """
    # msgspec puts the place last; the client's text may come before it, and may look like a place.
    told, at, place = reason.rpartition(" - at `") if " - at `" in reason else (reason, "", "")
    return ServiceError(Problem.UNREADABLE, f"{_cut(told, _LONGEST_REASON)}{at}{_cut(place, _LONGEST_PLACE)}")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}..."


def _service_refused(error: ServiceError) -> RefusedAnswer:
    problem = error.problem
    wait = error.retry_after or (_USUAL_WAIT if problem in _WAITING else None)
    headers: HeaderLines = () if wait is None else (("Retry-After", str(wait)),)
    if problem is Problem.UNAUTHENTICATED:
        headers = (*headers, ("WWW-Authenticate", "Bearer"))
    if error.hangs_up:
        headers = (*headers, ("Connection", "close"))
    told = ProblemMessage(code=problem.code, message=error.sentence, retry_after=wait, home=error.home)
    return RefusedAnswer(status=problem.status, problem=told, headers=headers)
