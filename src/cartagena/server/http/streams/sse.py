"""Server-Sent Events: how frames are written, and the connection that carries them to one client."""

import asyncio
import re
import types
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import msgspec

from cartagena.server.http.asgi import Message, Receive, Send

HEARTBEAT: Final = b":\n\n"
"""A comment, so that no proxy on the way takes the connection for dead."""

_PLACE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


class StreamPlace(NamedTuple):
    """How far a client has been told: the numbers of its last update and its last line of chat."""

    seq: int
    chat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """An update or a line of chat as one audience is told it; `data` is its JSON.

    `seq` is the number of an update, `chat` that of a line of chat. The frame of a whole state has both.
    """

    event: Literal["update", "chat"]
    seq: int
    chat: int
    data: bytes = field(repr=False)


def place_of(text: str | None) -> StreamPlace | None:
    """Read the place that a client says it has reached; None if it is missing or unreadable.

    >>> place_of("12.3")
    StreamPlace(seq=12, chat=3)
    """
    found = None if text is None else _PLACE.fullmatch(text)
    return None if found is None else StreamPlace(int(found[1]), int(found[2]))


def written(event: str, data: bytes, place: StreamPlace | None = None) -> bytes:
    r"""Write an event for the wire; `place`, if given, is where the client goes on when it comes back.

    >>> written("update", b"{}", StreamPlace(12, 3))
    b'event: update\nid: 12.3\ndata: {}\n\n'
    """
    if b"\n" in data or b"\r" in data:
        data = b"\ndata: ".join(data.splitlines())
    if place is None:
        return b"event: %b\ndata: %b\n\n" % (event.encode(), data)
    return b"event: %b\nid: %d.%d\ndata: %b\n\n" % (event.encode(), place.seq, place.chat, data)


def retry_after(milliseconds: int) -> bytes:
    """Tell a client how long to wait before it comes back after the connection broke."""
    return b"retry: %d\n\n" % milliseconds


def farewell(code: str) -> bytes:
    """The last event of a stream that is ended on purpose."""
    return written("closed", msgspec.json.encode({"code": code}))


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
