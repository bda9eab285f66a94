"""How uvicorn runs the app."""

from typing import Final

import uvicorn
from starlette.types import ASGIApp

from cartagena.server.http.protocol import CarefulProtocol

_KEEP_ALIVE_SECONDS: Final = 30
"""Longer than a player thinks about most moves, so that his next one needs no new connection."""


def uvicorn_config(
    app: ASGIApp,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    uds: str | None = None,
    fd: int | None = None,
    graceful_seconds: int = 10,
) -> uvicorn.Config:
    """The settings of uvicorn: our log instead of its own, our reading of proxies, our protocol."""
    return uvicorn.Config(
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
