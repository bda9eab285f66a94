"""Thinking: processes beside the worker, so that no bot keeps the event loop from its other work."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, ParamSpec, TypeVar

import structlog

from cartagena.rules.refusals import CartagenaError
from cartagena.server.worker.bot_tasks import BOTS_KEPT, settle_in
from cartagena.server.worker.fair_share import FairShare

STARTING_SECONDS: Final = 60.0
"""How long a process may take to start: a busy machine imports slowly."""

Asked = ParamSpec("Asked")
Found = TypeVar("Found")

logger = structlog.get_logger(__name__)


class MindLost(CartagenaError):
    """A process died or did not answer in time; another one takes its place."""


class BotProcess:
    """One process that thinks about one thing at a time, or a thread if there are to be no processes.

    Each mind has its own process: when one dies, only what it was thinking about is lost.
    """

    def __init__(self, *, apart: bool) -> None:
        self._apart = apart
        self._executor = _process() if apart else ThreadPoolExecutor(1, thread_name_prefix="mind")
        self._process_id: int | None = None
        self._games: OrderedDict[str, None] = OrderedDict()

    def knows(self, game: str) -> bool:
        """Whether it has thought about a game lately, and may remember its plan."""
        return game in self._games

    def note(self, game: str) -> None:
        """Remember which game it is thinking about."""
        self._games[game] = None
        self._games.move_to_end(game)
        if len(self._games) > BOTS_KEPT:
            self._games.popitem(last=False)

    async def start(self) -> None:
        """Wait until the process has started."""
        if self._apart and self._process_id is None:
            async with asyncio.timeout(STARTING_SECONDS):
                self._process_id = await asyncio.wrap_future(self._executor.submit(os.getpid))

    async def think(
        self, seconds: float, work: Callable[Asked, Found], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Found:
        """Work something out within `seconds`."""
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(self._executor.submit(work, *args, **kwargs))

    def end_at_once(self) -> None:
        """End a process that hangs; a thread cannot be ended and is left behind."""
        if self._process_id is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process_id, signal.SIGKILL)
        self.forget()

    def forget(self) -> None:
        """Drop the executor without waiting for it."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def close(self) -> None:
        """Let it finish and end."""
        await asyncio.to_thread(self._executor.shutdown)


def _process() -> Executor:
    # A fresh interpreter: a copy of this one could hold a lock of some other thread.
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, mp_context=fresh, initializer=settle_in)


class BotPool:
    """At most `processes` minds, each started when needed; `turns` decides who may ask them next."""

    def __init__(self, processes: int) -> None:
        self.turns = FairShare(max(1, processes))
        self._apart = processes > 0
        self._free = asyncio.Semaphore(max(1, processes))
        self._idle: list[BotProcess] = []

    async def think(
        self,
        game: str,
        seconds: float,
        work: Callable[Asked, Found],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Found:
        """Work something out about a game, waiting until a mind is free; raises MindLost."""
        async with self._free, self._mind(game) as mind:
            await mind.start()
            return await mind.think(seconds, work, *args, **kwargs)

    @asynccontextmanager
    async def _mind(self, game: str) -> AsyncIterator[BotProcess]:
        """A free mind, if possible the one that has thought about this game before."""
        mind = self._taken(game)
        mind.note(game)
        try:
            yield mind
        except BrokenExecutor as error:
            mind.forget()
            raise _lost(error) from error
        except BaseException as error:
            # Also if no caller waits for the answer any more: the next caller must not wait for it either.
            mind.end_at_once()
            if isinstance(error, TimeoutError):
                raise _lost(error) from error
            raise
        self._idle.append(mind)

    def _taken(self, game: str) -> BotProcess:
        if not self._idle:
            return BotProcess(apart=self._apart)
        mind = next((mind for mind in self._idle if mind.knows(game)), self._idle[-1])
        self._idle.remove(mind)
        return mind

    async def close(self) -> None:
        """End all idle minds, each after it has finished."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(mind.close() for mind in idle))


def _lost(error: Exception) -> MindLost:
    logger.warning("mind_lost", error=type(error).__name__)
    return MindLost(f"a mind was lost: {type(error).__name__}")
