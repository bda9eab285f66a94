"""The bridge of a worker in a browser: JavaScript calls in, and is called back with answers and streams."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from cartagena.local.config import DeviceConfig
from cartagena.local.device import Device
from cartagena.local.store import Append
from cartagena.messages.streams import EVENT_STREAM

IN_A_BROWSER: Final = DeviceConfig(hint_simulations=100, analysis_simulations=40)
"""Interpreted in a browser, Python is some thirty times slower than compiled: a hint may take two seconds."""

Reply = Callable[[int, str, str], object]
"""Takes the status, the media type and the text of an answer."""


class WorkerBridge:
    """Answers what a page asks; each request is a task of the loop that the browser turns."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._followed: dict[str, asyncio.Task[None]] = {}
        self._answering: set[asyncio.Task[None]] = set()

    def answer(self, method: str, path: str, body: str | None, name: str | None, reply: Reply) -> None:
        """Answer a request."""
        task = _begin(self._answer(method, path, body, name, reply))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def follow(
        self, key: str, path: str, reply: Reply, hear: Callable[[str], object], end: Callable[[], object]
    ) -> None:
        """Follow a stream under a key of the page's; `end` is called after its last piece, or a refusal."""
        self._followed[key] = _begin(self._follow(key, path, _StreamListener(reply, hear), end))

    def leave(self, key: str) -> None:
        """Follow a stream no longer."""
        task = self._followed.pop(key, None)
        if task is not None:
            task.cancel()

    async def _answer(self, method: str, path: str, body: str | None, name: str | None, reply: Reply) -> None:
        answer = await self._device.answer(method, path, (body or "").encode(), name)
        reply(answer.status, answer.media_type or "", answer.body.decode())

    async def _follow(
        self, key: str, path: str, listener: "_StreamListener", end: Callable[[], object]
    ) -> None:
        try:
            refused = await self._device.follow(path, listener)
            if refused is not None:
                listener.reply(refused.status, refused.media_type or "", refused.body.decode())
            end()
        finally:
            # `leave` may have made room for another stream of this key.
            if self._followed.get(key) is asyncio.current_task():
                del self._followed[key]


def _begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.get_event_loop().create_task(work)


class _StreamListener:
    """Passes a stream on as text; what it hears first says that the stream was granted."""

    def __init__(self, reply: Reply, hear: Callable[[str], object]) -> None:
        self.reply = reply
        self._hear = hear
        self._is_granted = False

    def hear(self, words: bytes) -> None:
        if not self._is_granted:
            self._is_granted = True
            self.reply(200, EVENT_STREAM, "")
        self._hear(words.decode())


def open_door(append: Append, lines: str) -> WorkerBridge:
    """Start answering for the tables that these lines tell.

    Pages of an earlier release, still open when a new one is fetched, call this by its name.
    """
    return WorkerBridge(Device(append, lines.splitlines(), IN_A_BROWSER))
