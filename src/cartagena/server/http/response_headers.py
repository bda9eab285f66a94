"""What every response carries, and what is answered while a database does not."""

from typing import Final, TypeAlias

from cartagena.endpoints.responses import RefusedAnswer, refusal_for
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.store.databases import AWAY
from cartagena.tables.errors import Problem, ServiceError

RawLines: TypeAlias = list[tuple[bytes, bytes]]
"""Headers as ASGI sends them."""


def refusal_of(error: Exception) -> RefusedAnswer:
    """Map an error to its answer, also one that says that a database does not answer."""
    if isinstance(error, AWAY):
        error = ServiceError(Problem.UNAVAILABLE, "the database does not answer: try again")
    return refusal_for(error)


DATA_POLICY: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""An answer that is data shows nothing and runs nothing, wherever it ends up."""
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""A page loads only from this origin, has nothing inline, and cannot be framed."""

WORKER_POLICY: Final = PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""The worker that runs Python on the reader's device compiles WebAssembly; no page may."""

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
