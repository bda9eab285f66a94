"""ASGI: what a server and an app say to each other (https://asgi.readthedocs.io), as far as we need it."""

import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

# Any: the specification gives each kind of message its own keys.
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

Lifespan = Callable[[object], AbstractAsyncContextManager[None]]
"""What is opened before the first request and closed after the last."""


async def live(app: object, lifespan: Lifespan | None, receive: Receive, send: Send) -> None:
    """Open what an app needs when the server starts, and close it when the server ends.

    What fails is told to the server, which logs it and stops.
    """
    await receive()
    phase = "startup"
    try:
        async with nullcontext() if lifespan is None else lifespan(app):
            await send({"type": "lifespan.startup.complete"})
            phase = "shutdown"
            await receive()
    except BaseException:
        await send({"type": f"lifespan.{phase}.failed", "message": traceback.format_exc()})
        raise
    await send({"type": "lifespan.shutdown.complete"})
