"""The bus of a club whose one process is the whole service."""

import asyncio

from cartagena.server.bus.contract import Handler, Handlers
from cartagena.server.bus.messages import AnyMessage, Message


class LocalBus:
    """Hands messages over within the process, in the next round of the event loop."""

    unreadable = 0
    """Nothing is written, so nothing can be misread."""

    def __init__(self) -> None:
        self._handlers = Handlers()
        self._lost = 0
        self._is_closed = False

    @property
    def connected(self) -> bool:
        """Whether it has not been closed: there is nobody else to reach."""
        return not self._is_closed

    @property
    def lost(self) -> int:
        """How many messages came after the end."""
        return self._lost

    def publish(self, message: Message) -> None:
        """Say something to everybody in this process who listens."""
        if self._is_closed:
            self._lost += 1
            return
        # Not at once: who publishes must not run the handlers, nor fail with them.
        asyncio.get_running_loop().call_soon(self._handlers.hand_over, message)

    async def subscribe(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Listen to all messages of a kind from now on."""
        self._handlers.add(kind, handler)

    async def close(self) -> None:
        """Let everything that was said be heard; what is published later is lost."""
        self._is_closed = True
        # Callbacks run in the order in which they were asked for, so all messages are out after one round.
        await asyncio.sleep(0)
