"""The headers of every answer: what browsers may do with it, and what they may not."""

from typing import Final

from cartagena.server.http.origin import RawLines
from cartagena.server.http.settings import HttpSettings

DATA_POLICY: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""An answer that is data shows nothing and runs nothing, wherever it ends up."""
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""A page loads only from this origin, has nothing inline, and cannot be framed."""

ALWAYS: Final = (
    ("Content-Security-Policy", DATA_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cache-Control", "no-store"),
)
"""What every answer carries, even one that is sent before the request is known."""
HTTPS_ONLY: Final = ("Strict-Transport-Security", "max-age=31536000")
"""For a year a browser comes back only by https; sent where players use https."""


def usual_lines(settings: HttpSettings) -> RawLines:
    """Return the headers of every answer; the answer itself may override them."""
    return encoded((*ALWAYS, HTTPS_ONLY) if settings.https else ALWAYS)


def encoded(headers: tuple[tuple[str, str], ...]) -> RawLines:
    """Headers as ASGI sends them."""
    return [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in headers]


def overlaid(usual: RawLines, own: RawLines) -> RawLines:
    """Return the usual headers, except where an answer has its own; `Vary` lines add up."""
    named = {name.lower() for name, _ in own} - {b"vary"}
    return [*(line for line in usual if line[0] not in named), *own]


def wire_text(lines: RawLines) -> bytes:
    """Headers as they go over the wire."""
    return b"".join([b"%s: %s\r\n" % line for line in lines])
