"""A simulated event loop: it owns the clock, and chance decides which machine goes on next.

Time stands still while any machine has something to do, and jumps to the next timer when none has. Each step
belongs to the machine whose code scheduled it, so that a machine can be paused or lost between any two of its
steps.
"""

import asyncio
import contextlib
import contextvars
import heapq
import itertools
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from random import Random
from typing import Any, Final, TypeVar, TypeVarTuple, cast

Args = TypeVarTuple("Args")
Result = TypeVar("Result")

MOST_AT_ONCE: Final = 200_000
"""This many steps without the clock moving mean that some code runs in circles."""


class Stuck(Exception):
    """The simulation makes no progress."""


class Machine:
    """A computer: its code runs, stands still for a while, or is lost for good."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_lost = False
        self.is_paused = False
        self.resumed_at = 0.0
        self.ready: deque[_Step] = deque()
        self.at_its_end: list[Callable[[], None]] = []
        """What others notice when it is lost: the ends of its connections."""

    def __repr__(self) -> str:
        return self.name

    def context(self) -> contextvars.Context:
        """The context in which its code runs."""
        context = contextvars.copy_context()
        context.run(MACHINE.set, self)
        return context

    def lose(self) -> None:
        """Stop it for good: not one more step of its code runs."""
        self.is_lost = True
        self.ready.clear()
        for notice in self.at_its_end:
            notice()
        self.at_its_end.clear()


NOBODY: Final = Machine("nobody")
"""The machine that runs the simulation's own code."""
MACHINE: Final = contextvars.ContextVar("MACHINE", default=NOBODY)


class _Step:
    """Something for a machine to do; it is cancelled like an asyncio handle, and costs half as much."""

    __slots__ = ("_when", "args", "callback", "context", "is_cancelled", "machine")

    def __init__(
        self,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: contextvars.Context | None,
        when: float,
    ) -> None:
        self.callback = callback
        self.args = args
        self.context = contextvars.copy_context() if context is None else context
        self.machine = self.context.get(MACHINE, NOBODY)
        self.is_cancelled = False
        self._when = when

    def cancel(self) -> None:
        """Do nothing when its moment comes."""
        self.is_cancelled = True

    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self.is_cancelled

    def when(self) -> float:
        """When it is to be done."""
        return self._when


class SimulatedLoop(asyncio.AbstractEventLoop):
    """The part of an event loop that the service needs."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._now = 0.0
        self._machines: list[Machine] = [NOBODY]
        self._awake: list[Machine] = []
        """Those that have something to do."""
        self._timers: list[tuple[float, int, _Step]] = []
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[Any]] = []
        self.steps = 0
        self.has_ended = False
        self.troubles: list[str] = []
        """Errors that no code handled."""

    # What asyncio asks of a loop.

    def time(self) -> float:
        """Seconds since the simulation began."""
        return self._now

    def call_soon(
        self,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """Do something as the next step of the machine whose code asks for it."""
        step = _Step(callback, args, context, self._now)
        self._give(step)
        return cast("asyncio.Handle", step)

    def _give(self, step: _Step) -> None:
        machine = step.machine
        if not machine.is_lost:
            if not machine.ready and not machine.is_paused:
                self._awake.append(machine)
            machine.ready.append(step)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Do something after `delay` seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """Do something at a moment."""
        step = _Step(callback, args, context, when)
        heapq.heappush(self._timers, (when, next(self._numbers), step))
        return cast("asyncio.TimerHandle", step)

    def create_future(self) -> "asyncio.Future[Any]":
        """A future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: "Generator[Any, None, Result] | Coroutine[Any, Any, Result]",
        *,
        name: str | None = None,
        context: contextvars.Context | None = None,
    ) -> "asyncio.Task[Result]":
        """A task of the machine whose code makes it."""
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        return task

    def get_debug(self) -> bool:
        """Never: asyncio's debug mode reads the real clock."""
        return False

    def is_running(self) -> bool:
        """Always true while there is code to ask."""
        return True

    def is_closed(self) -> bool:
        """Never true while there is code to ask."""
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Keep unhandled errors; tasks that end with a lost machine are no trouble."""
        error = context.get("exception")
        if error is not None:
            self.troubles.append(f"{context['message']}: {error!r}")

    # Machines.

    def add(self, machine: Machine) -> Machine:
        """Give a machine its turns."""
        self._machines.append(machine)
        return machine

    def on(self, machine: Machine, work: "Coroutine[Any, Any, object]") -> None:
        """Begin something on a machine."""
        self._tasks.append(asyncio.Task(work, loop=self, context=machine.context()))

    def pause(self, machine: Machine, seconds: float) -> None:
        """Pause a machine for `seconds`, as if its process had been stopped."""
        machine.is_paused = True
        if machine in self._awake:
            self._awake.remove(machine)
        context = contextvars.Context()
        self.call_later(seconds, self._resume, machine, context=context)

    def _resume(self, machine: Machine) -> None:
        machine.is_paused = False
        machine.resumed_at = self._now
        if machine.ready and machine not in self._awake:
            self._awake.append(machine)

    # Running.

    def run(self, work: "Coroutine[Any, Any, Result]") -> Result:
        """Simulate until some work is done; raises Stuck if it never will be."""
        asyncio._set_running_loop(self)  # noqa: SLF001  # made for loops, says asyncio
        try:
            task = self.create_task(work)
            while not task.done():
                self._run_one_moment()
            return task.result()
        finally:
            self._end()
            asyncio._set_running_loop(None)  # noqa: SLF001

    def _run_one_moment(self) -> None:
        """Run every step that is due, machine by machine in random order; then let time go on."""
        awake = self._awake
        for _ in range(MOST_AT_ONCE):
            if not awake:
                break
            number = int(self._chance.random() * len(awake)) if len(awake) > 1 else 0
            machine = awake[number]
            if machine.ready:
                self._do(machine.ready.popleft())
            if not machine.ready and machine in awake:
                awake.remove(machine)
        else:
            raise Stuck(f"no end of steps at {self._now:.3f} seconds")
        self._go_on_in_time()

    def _do(self, step: _Step) -> None:
        if step.is_cancelled:
            return
        self.steps += 1
        try:
            step.context.run(step.callback, *step.args)
        except Exception as error:  # noqa: BLE001 - a loop goes on, whatever a callback did
            self.call_exception_handler({"message": "a callback failed", "exception": error})

    def _go_on_in_time(self) -> None:
        if not self._timers:
            raise Stuck(f"nobody has anything to do at {self._now:.3f} seconds")
        self._now = max(self._now, self._timers[0][0])
        while self._timers and self._timers[0][0] <= self._now:
            step = heapq.heappop(self._timers)[2]
            if not step.is_cancelled:
                self._give(step)

    def failed_tasks(self, *expected: type[BaseException]) -> list[str]:
        """The errors that ended tasks, except those of `expected` types."""
        ended = (task for task in self._tasks if task.done() and not task.cancelled())
        errors = [(task, error) for task in ended if (error := task.exception()) is not None]
        return [
            f"{task.get_coro()!r}: {error!r}" for task, error in errors if not isinstance(error, expected)
        ]

    def _end(self) -> None:
        """Close everything that would otherwise wake up when it is garbage-collected."""
        self.has_ended = True
        for machine in self._machines[1:]:
            machine.lose()
        NOBODY.ready.clear()
        self._awake.clear()
        for task in self._tasks:
            coroutine = task.get_coro()
            if not task.done() and coroutine is not None:
                with contextlib.suppress(BaseException):
                    coroutine.close()
        self._timers.clear()
