"""What every bus promises, the registry of handlers that all share, and the bus within one process."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol

import structlog

from cartagena.server.bus.messages import AnyMessage, BusMessage

Handler = Callable[[AnyMessage], None]
"""What is called in the event loop with each message that was heard; it must not wait."""

logger = structlog.get_logger(__name__)


class Bus(Protocol):
    """Carries hints from node to node: each arrives at most once, and may get lost.

    A node hears its own messages too. Messages that one node publishes under one subject (one game, for
    announcements) are heard in their order.
    """

    @property
    def connected(self) -> bool:
        """Whether other nodes can hear us now."""

    @property
    def lost(self) -> int:
        """How many messages are known not to have arrived everywhere."""

    @property
    def unreadable(self) -> int:
        """How many incoming messages could not be read, such as those of another version."""

    def publish(self, message: BusMessage) -> None:
        """Send a message to all listeners; never waits and never fails. Called in the event loop."""

    async def subscribe(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Listen to all messages of a kind from now on."""

    async def close(self) -> None:
        """Deliver everything published so far, then hang up; later messages are lost."""


class Handlers:
    """The handlers of each kind; one that fails is logged and does not stop the others."""

    def __init__(self) -> None:
        # A handler is kept under the kind it asked for, so it gets only what it can take.
        self._of_kind: dict[type[BusMessage], list[Callable[[Any], None]]] = defaultdict(list)

    @property
    def kinds(self) -> tuple[type[BusMessage], ...]:
        """The kinds that have a handler."""
        return tuple(self._of_kind)

    def add(self, kind: type[AnyMessage], handler: Handler[AnyMessage]) -> None:
        """Add a handler of messages of a kind."""
        self._of_kind[kind].append(handler)

    def hand_over(self, message: BusMessage) -> None:
        """Call every handler of messages of this kind."""
        for handler in self._of_kind.get(type(message), ()):
            try:
                handler(message)
            except Exception:
                logger.exception("bus_handler_failed", kind=type(message).__name__)


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
