"""Sweeping: what is old and wanted by nobody is dropped now and then."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

EVERY: Final = 600.0
"""Seconds between two rounds."""

Broom = Callable[[], Awaitable[None]]
"""Drops what is old; to be called as often as one likes, by several at once."""

logger = structlog.get_logger(__name__)


class Sweeping:
    """Calls every broom by turns; a `Service`."""

    def __init__(self, brooms: Mapping[str, Broom], *, every: float = EVERY) -> None:
        self._brooms = brooms
        self._every = every
        self._is_stopping = asyncio.Event()
        self._is_done = asyncio.Event()
        self._is_done.set()

    async def run(self) -> None:
        """Work until stopped."""
        self._is_done.clear()
        try:
            while not self._is_stopping.is_set():
                for name, broom in self._brooms.items():
                    await _sweep(name, broom)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._every):
                        await self._is_stopping.wait()
        finally:
            self._is_done.set()

    async def stop(self) -> None:
        """Finish the round that is under way."""
        self._is_stopping.set()
        await self._is_done.wait()


async def _sweep(name: str, broom: Broom) -> None:
    try:
        await broom()
    except Exception as error:  # noqa: BLE001 - the next round comes; what is old can wait
        logger.warning("not_swept", what=name, error=type(error).__name__)
