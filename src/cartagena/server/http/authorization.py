"""The guard: who is asking, and whether they may."""

import functools
from typing import Final, Protocol

from msgspec import Struct

from cartagena.endpoints.callers import Scope, Session, check_scope
from cartagena.endpoints.request import Headers
from cartagena.endpoints.responses import SESSION_COOKIE, HeaderLines, cookie_name
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.response_headers import RawLines
from cartagena.tables.errors import Problem, ServiceError

# Origins: from which pages a browser may change things here, and which pages may read our answers.

_ALLOWED_HEADERS: Final = "authorization, content-type, last-event-id, prefer"
_SEEN_HEADERS: Final = b"retry-after, x-request-id"
_PREFLIGHT_SECONDS: Final = "600"


class Origins:
    """The origins that we know: our own, and others that the operator named."""

    def __init__(self, settings: HttpSettings) -> None:
        self._own = frozenset(origin.encode("ascii") for origin in settings.own_origins)
        self._with_cookie = frozenset(origin.encode("ascii") for origin in settings.cookie_origins)
        self._readers = frozenset(origin.encode("ascii") for origin in settings.cors_origins)
        self._credentials = settings.cors_credentials
        self._home = settings.home

    def check_change(self, headers: Headers, *, by_cookie: bool) -> None:
        """Refuse a change that another site's page wants to make with the player's browser.

        A browser adds the cookie by itself, but it also tells the truth about the page; a request with the
        cookie that says nothing about its page is refused too.
        """
        origin = headers.get(b"origin")
        if origin is not None:
            known = origin in self._with_cookie if by_cookie else self._may_ask(origin)
            trusted = known or self._is_own(origin, headers)
        else:
            trusted = not by_cookie or headers.get(b"sec-fetch-site") == b"same-origin"
        if not trusted:
            sentence = "a page of another site may not do this"
            where = "" if self._home is None else f": open {self._home}"
            raise ServiceError(Problem.WRONG_ORIGIN, sentence + where, home=self._home)

    def cors_lines(self, headers: Headers) -> RawLines:
        """Return the headers that let a page of a named origin read the answer; no other page may."""
        if not self._readers:
            return []
        origin = headers.get(b"origin", b"")
        # Caches must know that the answer differs even where this one allows nothing.
        lines = [(b"vary", b"origin")]
        if origin in self._readers:
            lines += [
                (b"access-control-allow-origin", origin),
                (b"access-control-expose-headers", _SEEN_HEADERS),
            ]
            if self._credentials:
                lines.append((b"access-control-allow-credentials", b"true"))
        return lines

    def preflight_lines(self, headers: Headers, allow: str) -> HeaderLines:
        """Return the headers that answer a browser's CORS preflight; `cors_lines` are added to them."""
        if headers.get(b"origin") not in self._readers or b"access-control-request-method" not in headers:
            return ()
        return (
            ("Access-Control-Allow-Methods", allow),
            ("Access-Control-Allow-Headers", _ALLOWED_HEADERS),
            ("Access-Control-Max-Age", _PREFLIGHT_SECONDS),
        )

    def _may_ask(self, origin: bytes) -> bool:
        return origin in self._own or origin in self._readers

    def _is_own(self, origin: bytes, headers: Headers) -> bool:
        # Without a configured origin, our own is the host that the browser asked for.
        return not self._own and origin.partition(b"://")[2] == headers.get(b"host")


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
    """Checks every request before it reaches its endpoint."""

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
            check_scope(session, scope, has_token=shown is not None)
        return session
