"""Server-Sent Events: the connection that carries them to one client."""

import asyncio
import types
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final

from cartagena.endpoints.asgi import Message, Receive, Send

HEARTBEAT: Final = b":\n\n"
"""A comment, so that no proxy on the way takes the connection for dead."""


_START: Final[Message] = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """The two ends of ASGI, and how to cut the connection if the server knows a way."""

    receive: Receive
    send: Send
    abort: Callable[[], None] | None = None


class SseConnection:
    """Pushes bytes to one client, without waiting for it."""

    __slots__ = ("_connection", "_rest", "_task", "has_begun", "was_cut")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rest: asyncio.Task[None] | None = None
        self._task = asyncio.current_task()
        self.has_begun = False
        self.was_cut = False

    @property
    def is_busy(self) -> bool:
        """Whether the client has not yet taken what was sent before."""
        return self._rest is not None

    async def begin(self) -> None:
        """Send the headers."""
        await self._connection.send(_START)
        self.has_begun = True

    def push(self, body: bytes) -> bool:
        """Send bytes; False if the client has not yet taken what was sent before, or is gone."""
        return self._push({"type": "http.response.body", "body": body, "more_body": True})

    def finish(self, body: bytes) -> None:
        """Send the last bytes and end the answer; a client that does not take them at once is cut off."""
        if not self._push({"type": "http.response.body", "body": body}) or self._rest is not None:
            self.cut()

    def cut(self) -> None:
        """Cut the connection without a farewell."""
        self.was_cut = True
        if self._connection.abort is not None:
            self._connection.abort()
        elif self._task is not None:
            # A server that offers no way to cut does so itself when the app stops in the middle.
            self._task.cancel()

    async def until_gone(self) -> None:
        """Wait until the client has left or the answer has ended."""
        try:
            while (await self._connection.receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if not self.was_cut or self._task is None:
                raise
            self._task.uncancel()

    async def stop(self) -> None:
        """Leave nothing running."""
        if self._rest is not None:
            self._rest.cancel()
            await asyncio.gather(self._rest, return_exceptions=True)

    def _push(self, message: Message) -> bool:
        if self._rest is not None:
            return False
        # Nearly always the server takes the bytes without waiting. A task for each delivery would cost as
        # much as the delivery, so the first step is made here, and only what is left over becomes a task.
        steps = self._connection.send(message).__await__()
        try:
            awaited = next(steps)
        except StopIteration:
            return True
        except (OSError, RuntimeError):
            # This is how a server reports that the client is gone.
            return False
        self._rest = asyncio.ensure_future(_go_on(steps, awaited))
        self._rest.add_done_callback(self._forget_rest)
        return True

    def _forget_rest(self, rest: "asyncio.Task[None]") -> None:
        self._rest = None
        if not rest.cancelled():
            # An error means that the client is gone, which `receive` reports too.
            rest.exception()


# What is awaited, and what comes of it, is between the server and the event loop.
@types.coroutine
def _go_on(steps: Generator[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    try:
        yield awaited
    except BaseException:
        steps.close()
        raise
    yield from steps
