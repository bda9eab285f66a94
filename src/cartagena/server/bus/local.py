"""The bus of a club whose one process is the whole service."""

import asyncio

from cartagena.server.bus.interface import Handler, Handlers
from cartagena.server.bus.messages import AnyMessage, BusMessage


class LocalBus:
    """Hands messages over within the process, in the next round of the event loop."""

    unreadable = 0
    """Nothing is encoded, so nothing can be misread."""

    def __init__(self) -> None:
        self._handlers = Handlers()
        self._lost = 0
        self._is_closed = False

    @property
    def connected(self) -> bool:
        """Whether it is still open: there are no other nodes to reach."""
        return not self._is_closed

    @property
    def lost(self) -> int:
        """How many messages were published after it was closed."""
        return self._lost

    def publish(self, message: BusMessage) -> None:
        """Send a message to all listeners in this process."""
        if self._is_closed:
            self._lost += 1
            return
        # Not at once: the publisher must not run the handlers, nor fail with them.
        asyncio.get_running_loop().call_soon(self._handlers.hand_over, message)

    async def subscribe(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Listen to all messages of a kind from now on."""
        self._handlers.add(kind, handler)

    async def close(self) -> None:
        """Deliver everything published so far; later messages are lost."""
        self._is_closed = True
        # Callbacks run in the order in which they were asked for, so all messages are out after one round.
        await asyncio.sleep(0)
