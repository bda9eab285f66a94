"""Rounds: the same work over and over, at once while there is some and after a pause otherwise."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

Step: TypeAlias = Callable[[asyncio.TaskGroup], Awaitable[int]]
"""Does what there is to do and returns how much that was; long work may go to tasks of the group."""

logger = structlog.get_logger(__name__)


class Rounds:
    """Makes rounds until it is stopped; what fails is retried in the next one. A `Service`."""

    def __init__(self, name: str, step: Step, *, pause: float) -> None:
        self._name = name
        self._step = step
        self._pause = pause
        self._is_failing = False
        self._stopping = asyncio.Event()
        self._is_done = asyncio.Event()
        self._is_done.set()

    async def run(self) -> None:
        """Go on until stopped, then wait for everything that was begun."""
        self._is_done.clear()
        try:
            async with asyncio.TaskGroup() as group:
                while not self._stopping.is_set():
                    if not await self._go_round(group):
                        await self._rest()
        finally:
            self._is_done.set()

    async def stop(self) -> None:
        """Begin nothing new, and return when what was begun is done."""
        self._stopping.set()
        await self._is_done.wait()

    async def _go_round(self, group: asyncio.TaskGroup) -> int:
        try:
            done = await self._step(group)
        except Exception as error:  # noqa: BLE001 (whatever it is, the next round may go better)
            if not self._is_failing:
                logger.warning("rounds_failing", rounds=self._name, error=type(error).__name__)
            self._is_failing = True
            return 0
        if self._is_failing:
            logger.info("rounds_going_on", rounds=self._name)
        self._is_failing = False
        return done

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pause):
                await self._stopping.wait()
