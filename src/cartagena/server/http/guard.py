"""The guard: who is asking, and whether he may."""

from typing import Final, Protocol

from msgspec import Struct

from cartagena.server.http.address import Headers
from cartagena.server.http.answers import SESSION_COOKIE
from cartagena.server.http.origin import Origins
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.shared.session import Scope, Session

_COOKIE: Final = f"{SESSION_COOKIE}=".encode("ascii")
_BEARER: Final = b"bearer "
_LONGEST_TOKEN: Final = 128


class Sessions(Protocol):
    """Knows the session behind a token."""

    async def find(self, token: str) -> Session | None:
        """The session, or None if there is none, or no longer."""


class Credentials(Struct, frozen=True, kw_only=True):
    """A token that was shown: a browser adds a cookie by itself, a bearer sends his on purpose."""

    token: str
    by_cookie: bool

    def __repr__(self) -> str:
        return f"Credentials(by_cookie={self.by_cookie})"


def credentials_of(headers: Headers) -> Credentials | None:
    """What a request shows; what was sent on purpose goes before the cookie."""
    shown = headers.get(b"authorization", b"")
    if shown[: len(_BEARER)].lower() == _BEARER:
        return _credentials(shown[len(_BEARER) :].strip(), by_cookie=False)
    cookies = headers.get(b"cookie")
    if cookies is not None and _COOKIE in cookies:
        for cookie in cookies.split(b";"):
            if cookie.strip().startswith(_COOKIE):
                return _credentials(cookie.strip()[len(_COOKIE) :], by_cookie=True)
    return None


def _credentials(token: bytes, *, by_cookie: bool) -> Credentials | None:
    if not token.isascii() or not 0 < len(token) <= _LONGEST_TOKEN:
        return None
    return Credentials(token=token.decode("ascii"), by_cookie=by_cookie)


class Guard:
    """Stands before every door."""

    def __init__(self, sessions: Sessions, origins: Origins) -> None:
        self._sessions = sessions
        self._origins = origins

    async def admit(self, headers: Headers, scope: Scope | None, *, is_safe: bool) -> Session | None:
        """Who is asking, None for nobody; raises if that needs a session or scope that he has not."""
        shown = credentials_of(headers)
        if not is_safe and (shown is None or shown.by_cookie):
            self._origins.check_change(headers, by_cookie=shown is not None)
        session = None if shown is None else await self._sessions.find(shown.token)
        if scope is not None:
            check_scope(session, scope)
        return session


def check_scope(session: Session | None, scope: Scope) -> None:
    """Raises unless there is a session that may be used for this."""
    if session is None:
        raise ServiceError(Problem.UNAUTHENTICATED, "this needs a session: a cookie or a bearer token")
    if scope not in session.scopes:
        raise ServiceError(Problem.MISSING_SCOPE, f"this session lacks the scope {scope.value}")
