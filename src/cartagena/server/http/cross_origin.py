"""Origins: from which pages a browser may change things here, and which pages may read our answers."""

from typing import Final

from cartagena.server.http.client_address import Headers
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.responses import HeaderLines, RawLines
from cartagena.server.shared.errors import Problem, ServiceError

_ALLOWED_HEADERS: Final = "authorization, content-type, last-event-id"
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
