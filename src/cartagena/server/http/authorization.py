"""The guard: who is asking, and whether they may."""

import functools
from typing import Final, Protocol

from msgspec import Struct

from cartagena.server.http.client_address import Headers
from cartagena.server.http.cross_origin import Origins
from cartagena.server.http.responses import SESSION_COOKIE, cookie_name
from cartagena.server.shared.callers import Scope, Session
from cartagena.server.shared.errors import Problem, ServiceError

_BEARER: Final = b"bearer "
_LONGEST_TOKEN: Final = 128


class SessionLookup(Protocol):
    """Knows the session behind a token."""

    async def find(self, token: str) -> Session | None:
        """Return the session; None if it does not exist or has ended."""


class Credentials(Struct, frozen=True, kw_only=True):
    """A token in a request: a browser adds a cookie by itself, a bearer token is sent on purpose."""

    token: str
    by_cookie: bool

    def __repr__(self) -> str:
        return f"Credentials(by_cookie={self.by_cookie})"


def credentials_of(headers: Headers, *, secure: bool) -> Credentials | None:
    """Return the credentials of a request; a bearer token takes precedence over the cookie.

    Where players use https (`secure`), only the cookie that no other host can set counts.
    """
    shown = headers.get(b"authorization", b"")
    if shown[: len(_BEARER)].lower() == _BEARER:
        return _credentials(shown[len(_BEARER) :].strip(), by_cookie=False)
    token = cookie_of(headers, SESSION_COOKIE, secure=secure)
    return None if token is None else _credentials(token, by_cookie=True)


def cookie_of(headers: Headers, name: str, *, secure: bool) -> bytes | None:
    """Return the value of a cookie, found by its name on the wire; None if the request has no such cookie."""
    cookies, start = headers.get(b"cookie"), _start_of(name, secure)
    if cookies is not None and start in cookies:
        for cookie in cookies.split(b";"):
            if cookie.strip().startswith(start):
                return cookie.strip()[len(start) :]
    return None


@functools.cache
def _start_of(name: str, secure: bool) -> bytes:  # noqa: FBT001 (a cache is slower with names)
    return f"{cookie_name(name, secure=secure)}=".encode("ascii")


def _credentials(token: bytes, *, by_cookie: bool) -> Credentials | None:
    if not token.isascii() or not 0 < len(token) <= _LONGEST_TOKEN:
        return None
    return Credentials(token=token.decode("ascii"), by_cookie=by_cookie)


class Authorizer:
    """Checks every request before it reaches its door."""

    def __init__(self, sessions: SessionLookup, origins: Origins, *, secure: bool) -> None:
        self._sessions = sessions
        self._origins = origins
        self._secure = secure

    async def admit(self, headers: Headers, scope: Scope | None, *, is_safe: bool) -> Session | None:
        """Return the session, if any; raises for a foreign origin or a missing session or scope."""
        shown = credentials_of(headers, secure=self._secure)
        if not is_safe and (shown is None or shown.by_cookie):
            self._origins.check_change(headers, by_cookie=shown is not None)
        session = None if shown is None else await self._sessions.find(shown.token)
        if scope is not None:
            check_scope(session, scope)
        return session


def check_scope(session: Session | None, scope: Scope) -> None:
    """Raise unless there is a session with this scope."""
    if session is None:
        raise ServiceError(Problem.UNAUTHENTICATED, "this needs a session: a cookie or a bearer token")
    if scope not in session.scopes:
        raise ServiceError(Problem.MISSING_SCOPE, f"this session lacks the scope {scope.value}")
