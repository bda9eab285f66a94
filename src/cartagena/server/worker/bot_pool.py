"""Thinking: processes beside the worker, so that no bot keeps the event loop from its other work."""

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
from functools import lru_cache
from multiprocessing.connection import wait
from random import Random
from typing import Final, NamedTuple, ParamSpec, TypeVar

import structlog

from cartagena.bots.analysis.annotation import AnalysedMoment, Analysis, analyse
from cartagena.bots.analysis.comparison import Hint, Prospect, hint
from cartagena.bots.analysis.marks import Judgement
from cartagena.bots.players.interface import Bot, Budget
from cartagena.bots.players.registry import make
from cartagena.messages.replays import (
    AnalysedStep,
    AnalysisFound,
    DecisionMessage,
    HintFound,
    ProspectMessage,
)
from cartagena.messages.updates import encode, read
from cartagena.messages.views import ViewMessage, view_of
from cartagena.notation import Record, Step, format_action, parse_record
from cartagena.rules.hidden.view import View
from cartagena.rules.refusals import CartagenaError
from cartagena.server.worker.fair_share import FairShare

# What a separate process works out, from nothing but what it is handed, and its results as messages.

DIGITS: Final = 4
"""How many decimals of a chance are meaningful."""


def hint_message(family: str, hint: Hint) -> HintFound:
    """A hint as it is kept and sent."""
    return HintFound(best=_prospect(family, hint.best), alternatives=_prospects(family, hint.alternatives))


def analysis_message(record: Record, analysis: Analysis) -> AnalysisFound:
    """The analysis of a record as it is kept and sent."""
    family = record.headers.ruleset.family
    steps = zip(record.steps[analysis.skipped :], analysis.moments, strict=True)
    return AnalysisFound(
        simulations=analysis.simulations,
        seed=analysis.seed,
        before=_rounded(analysis.before),
        steps=tuple(_step(family, step, moment) for step, moment in steps),
    )


def _step(family: str, step: Step, moment: AnalysedMoment) -> AnalysedStep:
    assert step.code is not None, "a whole record knows every action"
    return AnalysedStep(
        turn=step.turn,
        seat=step.seat,
        code=step.code,
        action=format_action(family, step.code),
        chances=_rounded(moment.chances),
        decision=None if moment.judgement is None else _decision(family, moment.judgement),
    )


def _decision(family: str, judgement: Judgement) -> DecisionMessage:
    return DecisionMessage(
        mark=judgement.mark.value,
        cost=judgement.cost,
        luck=judgement.luck,
        played=_prospect(family, judgement.played),
        alternatives=_prospects(family, judgement.alternatives),
    )


def _prospects(family: str, prospects: tuple[Prospect, ...]) -> tuple[ProspectMessage, ...]:
    return tuple(_prospect(family, prospect) for prospect in prospects)


def _prospect(family: str, prospect: Prospect) -> ProspectMessage:
    return ProspectMessage(
        codes=prospect.codes,
        actions=tuple(format_action(family, code) for code in prospect.codes),
        chances=_rounded(prospect.chances),
    )


def _rounded(chances: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(chance, DIGITS) for chance in chances)


BOTS_KEPT: Final = 256
"""How many bots keep what they planned for the rest of their turn."""

Returned = TypeVar("Returned")


class BotChoice(NamedTuple):
    """The code that a bot chose, or the kind of error that kept it from choosing."""

    code: int | None
    trouble: str | None = None


class JobResult(NamedTuple):
    """The JSON that a job found, or the kind of error that kept it from finding anything."""

    found: bytes | None
    trouble: str | None = None

    def __repr__(self) -> str:
        return f"Result(trouble={self.trouble!r})"


def settle_in() -> None:
    """Prepare a process that thinks: only its parent decides when it ends."""
    # A worker is often stopped by a signal to all its processes, but a choice under way must be finished.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A killed parent cannot tell its processes; without this they would wait for work forever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def choose(level: str, game: str, view: bytes, seed: int, seconds: float) -> BotChoice:
    """Let a bot of the given level choose for the seat of a view."""
    try:
        seen = view_of(read(ViewMessage, view))
        bot = _bot(level, game, seen.seat)
        return BotChoice(int(bot.choose(seen, Random(seed), Budget(seconds=seconds))))
    except BaseException as error:  # noqa: BLE001 - a bot may raise anything, also the wish to end the process
        # The state that it keeps may be corrupt.
        _bot.cache_clear()
        return BotChoice(None, type(error).__name__)


@lru_cache(maxsize=BOTS_KEPT)
def _bot(level: str, game: str, seat: int | None) -> Bot:  # noqa: ARG001 - each seat of each game has its own
    return make(level)


def find_hint(view: bytes, seed: int, simulations: int) -> JobResult:
    """Work out a hint for the seat of a view."""
    return _result(lambda: _hint(view_of(read(ViewMessage, view)), seed, simulations))


def _hint(view: View, seed: int, simulations: int) -> bytes:
    found = hint(view, chance=Random(seed), simulations=simulations)
    return encode(hint_message(view.ruleset.family, found))


def find_analysis(record: str, simulations: int) -> JobResult:
    """Analyse the record of a game that is over."""
    return _result(lambda: _analysis(record, simulations))


def _analysis(text: str, simulations: int) -> bytes:
    record = parse_record(text)
    return encode(analysis_message(record, analyse(record, simulations=simulations)))


def _result(work: Callable[[], bytes]) -> JobResult:
    try:
        return JobResult(work())
    except Exception as error:  # noqa: BLE001 - its words may tell a card, its kind does not
        return JobResult(None, type(error).__name__)


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
