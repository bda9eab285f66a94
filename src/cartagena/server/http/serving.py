"""How uvicorn runs the app."""

from typing import Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from cartagena.server.http.connections import Connections
from cartagena.server.http.protocol import CarefulProtocol
from cartagena.server.shared.overrides import require_parts

_KEEP_ALIVE_SECONDS: Final = 30
"""Longer than players think about most moves, so that the next one needs no new connection."""


OVERRIDDEN: Final = {
    "connection_made": ("transport",),
    "connection_lost": ("exc",),
    "data_received": ("data",),
    "on_message_begin": (),
    "on_headers_complete": (),
    "on_message_complete": (),
    "on_response_complete": (),
    "pause_writing": (),
    "resume_writing": (),
}
"""Methods of uvicorn's protocol that ours builds on."""
ANSWERED_BY: Final = {
    "__init__": (
        *("scope", "transport", "flow", "logger", "access_logger", "access_log", "default_headers"),
        *("message_event", "expect_100_continue", "keep_alive", "on_response"),
    ),
}
"""What uvicorn makes an answer of; ours is written in one go with the same parts."""


class ServiceConfig(uvicorn.Config):
    """The settings of uvicorn, and the connections that its protocol counts."""

    connections: Connections
    secure: bool
    """Whether players use https."""


def uvicorn_config(  # noqa: PLR0913 (each by its name)
    app: ASGIApp,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    uds: str | None = None,
    fd: int | None = None,
    graceful_seconds: int = 10,
    connections: Connections | None = None,
    secure: bool = False,
) -> ServiceConfig:
    """The settings of uvicorn: our log instead of its own, our reading of proxies, our protocol."""
    require_parts("uvicorn", HttpToolsProtocol, OVERRIDDEN)
    require_parts("uvicorn", RequestResponseCycle, ANSWERED_BY)
    config = ServiceConfig(
        app,
        host=host,
        port=port,
        uds=uds,
        fd=fd,
        http=CarefulProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=graceful_seconds,
    )
    config.connections = Connections() if connections is None else connections
    config.secure = secure
    return config
