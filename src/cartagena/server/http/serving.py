"""How uvicorn runs the app."""

from typing import Final

import uvicorn
from starlette.types import ASGIApp

from cartagena.server.http.connections import Connections
from cartagena.server.http.protocol import CarefulProtocol

_KEEP_ALIVE_SECONDS: Final = 30
"""Longer than a player thinks about most moves, so that his next one needs no new connection."""


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
