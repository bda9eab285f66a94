"""Slow jobs: a hint for a seat that asks for one, and the analysis of a game that is over."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final

import msgspec

from cartagena.bots.analysis.annotation import SIMULATIONS as ANALYSIS_SIMULATIONS
from cartagena.bots.analysis.comparison import SIMULATIONS as HINT_SIMULATIONS
from cartagena.messages.replays import AnalysisOrder, HintOrder
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.notation import format_record
from cartagena.rules.hidden.view import View, view
from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.processes import OutOfTime, in_thread
from cartagena.server.store.analyses import ANALYSIS, HINT, DirectoryAnalyses, DirectoryHints
from cartagena.server.store.job_queue import Hopeless, LeftOff
from cartagena.server.worker.bot_pool import BotPool
from cartagena.server.worker.fair_share import NoShareLeft
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.tables.creating import Chance
from cartagena.tables.errors import ServiceError
from cartagena.tables.ports import Store
from cartagena.tables.records import require_short, whole_record
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Share, Stage
from cartagena.tables.table import Table
from cartagena.tables.thinking import JobResult, find_analysis, find_hint, seed_from

HINT_SECONDS: Final = 60.0
ANALYSIS_SECONDS: Final = 3_600.0
"""Far more than either takes; a job that has not ended by then never will."""


class JobFailed(CartagenaError):
    """A job could not be done; the sentence names only the kind of error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintJob:
    """Finds a hint from what the seat sees, never from the position."""

    name = HINT

    tables: Tables
    hints: DirectoryHints
    pool: BotPool
    chance: Chance
    metrics: WorkerMetrics
    simulations: int = HINT_SIMULATIONS

    async def do(self, payload: bytes) -> None:
        """Find the requested hint; after the next event of its game it is no longer needed."""
        order = msgspec.json.decode(payload, type=HintOrder)
        if not await self.hints.is_wanted(order.hint):
            return
        seen = seen_by(await self.tables.newest(order.table), order)
        if seen is None:
            await self.hints.fail(order.hint)
            self.metrics.jobs.labels(self.name, "overtaken").inc()
            return
        seed = seed_from(self.chance)
        message = encode(view_message(seen))
        async with _turn(self, order):
            result = await self.pool.work(
                str(order.table), HINT_SECONDS, find_hint, message, seed, self.simulations
            )
        await self.hints.keep(order.hint, found_in(result))
        self.metrics.jobs.labels(self.name, "found").inc()

    async def give_up(self, payload: bytes) -> None:
        """Record that there will be no hint."""
        await self.hints.fail(msgspec.json.decode(payload, type=HintOrder).hint)
        self.metrics.jobs.labels(self.name, "failed").inc()

    def end(self) -> None:
        """Release the jobs that wait for a turn to think; another worker takes them."""
        self.pool.turns.end()


def seen_by(table: Table, order: HintOrder) -> View | None:
    """What the seat of a hint sees, None if it is no longer to act or the game is rated."""
    stands = (table.game_seq, table.to_act) == (order.seq, order.seat)
    if table.position is None or not stands or table.sheet.rated:
        return None
    return view(table.position, order.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisJob:
    """Analyses the whole record of a game that is over."""

    name = ANALYSIS

    tables: Tables
    store: Store
    analyses: DirectoryAnalyses
    pool: BotPool
    metrics: WorkerMetrics
    simulations: int = ANALYSIS_SIMULATIONS
    seconds: float = ANALYSIS_SECONDS

    async def do(self, payload: bytes) -> None:
        """Analyse the game of a table, unless that has been done already."""
        order = msgspec.json.decode(payload, type=AnalysisOrder)
        if not await self.analyses.is_wanted(order.table):
            return
        table = await self.tables.newest(order.table)
        if table.sheet.stage is not Stage.OVER:
            raise JobFailed("the game is not over")
        try:
            await require_short(self.store, table)
        except ServiceError as error:
            raise Hopeless(error.sentence) from None
        record = await whole_record(self.store, table, aside=in_thread)
        await self.analyses.keep(order.table, found_in(await self._found(order, format_record(record))))
        self.metrics.jobs.labels(self.name, "found").inc()

    async def _found(self, order: AnalysisOrder, record: str) -> JobResult:
        """What the analysis finds; after each decision the share with the least time goes on."""
        left = self.seconds
        while True:
            async with _turn(self, order):
                began = monotonic()
                result = await self.pool.work(str(order.table), left, find_analysis, record, self.simulations)
                left -= monotonic() - began
            if result.is_done:
                return result

    async def give_up(self, payload: bytes) -> None:
        """Record that there will be no analysis."""
        await self.analyses.fail(msgspec.json.decode(payload, type=AnalysisOrder).table)
        self.metrics.jobs.labels(self.name, "failed").inc()

    def end(self) -> None:
        """Release the jobs that wait for a turn to think; another worker takes them."""
        self.pool.turns.end()


@asynccontextmanager
async def _turn(job: HintJob | AnalysisJob, order: HintOrder | AnalysisOrder) -> AsyncIterator[None]:
    """The turn of the player who asked for the job."""
    share = Share(order.household, str(order.player))
    try:
        async with job.pool.turn(share, job.metrics.waits(job.name)):
            yield
    except NoShareLeft:
        raise LeftOff("the worker ends") from None
    except OutOfTime as error:
        raise Hopeless("it took too long") from error


def found_in(result: JobResult) -> bytes:
    """What was found; raises JobFailed if nothing was."""
    if result.found is None:
        raise JobFailed(result.trouble or "nothing was found")
    return result.found
