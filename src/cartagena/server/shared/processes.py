"""Processes and threads beside ours, for work that would keep the event loop from everything else."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing.connection import wait
from typing import Final, ParamSpec, TypeVar

import structlog

from cartagena.rules.refusals import CartagenaError

SUBJECTS_KEPT: Final = 256
"""How many things a process may remember something about, as a bot remembers what it planned."""
STARTING_SECONDS: Final = 60.0
"""How long a process may take to start: a busy machine imports slowly."""

Asked = ParamSpec("Asked")
Found = TypeVar("Found")

logger = structlog.get_logger(__name__)


async def in_thread(work: Callable[[], Found]) -> Found:
    """Implements the port `tables.ports.Aside`."""
    return await asyncio.to_thread(work)


class ProcessLost(CartagenaError):
    """A process died or did not answer in time; another one takes its place."""


class OutOfTime(ProcessLost):
    """What a process was asked for took too long: it would take as long again."""


def _settle_in() -> None:
    """Prepare a process: only its parent decides when it ends."""
    # A service is often stopped by a signal to all its processes, but work under way must be finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A killed parent cannot tell its processes; without this they would wait for work forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class WorkProcess:
    """One process that does one thing at a time, or a thread if there are to be no processes.

    Each has its own executor: when one dies, only what it was working on is lost.
    """

    def __init__(self, *, apart: bool) -> None:
        self._apart = apart
        self._executor = _process() if apart else ThreadPoolExecutor(1, thread_name_prefix="work")
        self._process_id: int | None = None
        self._subjects: OrderedDict[str, None] = OrderedDict()

    def knows(self, subject: str) -> bool:
        """Whether it has worked on a subject lately, and may remember something about it."""
        return subject in self._subjects

    def note(self, subject: str) -> None:
        """Remember what it is working on."""
        self._subjects[subject] = None
        self._subjects.move_to_end(subject)
        if len(self._subjects) > SUBJECTS_KEPT:
            self._subjects.popitem(last=False)

    async def start(self) -> None:
        """Wait until the process has started."""
        if self._apart and self._process_id is None:
            async with asyncio.timeout(STARTING_SECONDS):
                self._process_id = await asyncio.wrap_future(self._executor.submit(os.getpid))

    async def work(
        self, seconds: float, work: Callable[Asked, Found], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Found:
        """Work something out within `seconds`; raises OutOfTime."""
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(self._executor.submit(work, *args, **kwargs))
        except TimeoutError as error:
            raise _lost(error, OutOfTime) from error

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
    return ProcessPoolExecutor(1, mp_context=fresh, initializer=_settle_in)


class ProcessPool:
    """At most `processes` processes, each started when needed; with none, a thread."""

    def __init__(self, processes: int) -> None:
        self._apart = processes > 0
        self._free = asyncio.Semaphore(max(1, processes))
        self._idle: list[WorkProcess] = []

    async def work(
        self,
        subject: str,
        seconds: float,
        work: Callable[Asked, Found],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Found:
        """Work something out about a subject, waiting until a process is free; raises ProcessLost."""
        async with self._free, self._process(subject) as process:
            await process.start()
            return await process.work(seconds, work, *args, **kwargs)

    @asynccontextmanager
    async def _process(self, subject: str) -> AsyncIterator[WorkProcess]:
        """A free process, if possible the one that has worked on this subject before."""
        process = self._taken(subject)
        process.note(subject)
        try:
            yield process
        except BrokenExecutor as error:
            process.forget()
            raise _lost(error) from error
        except BaseException as error:
            # Also if no caller waits for the answer any more: the next caller must not wait for it either.
            process.end_at_once()
            if isinstance(error, TimeoutError):
                raise _lost(error) from error
            raise
        self._idle.append(process)

    def _taken(self, subject: str) -> WorkProcess:
        if not self._idle:
            return WorkProcess(apart=self._apart)
        process = next((process for process in self._idle if process.knows(subject)), self._idle[-1])
        self._idle.remove(process)
        return process

    async def close(self) -> None:
        """End all idle processes, each after it has finished."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(process.close() for process in idle))


def _lost(error: Exception, kind: type[ProcessLost] = ProcessLost) -> ProcessLost:
    logger.warning("process_lost", error=type(error).__name__)
    return kind(f"a process was lost: {type(error).__name__}")
