"""Bots at the table: each choice is made by the level that sits there, or by a substitute if it fails."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeAlias
from uuid import UUID

import structlog

from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.rules.hidden.view import View
from cartagena.server.shared.processes import ProcessLost
from cartagena.server.worker.bot_pool import BotPool
from cartagena.server.worker.metrics import CHOICE, WorkerMetrics
from cartagena.server.worker.thinking_time import is_hurried, thinking_seconds
from cartagena.tables.creating import Chance
from cartagena.tables.table import Table
from cartagena.tables.thinking import BOTS_KEPT, BotChoice, choose, seed_from, settled, turn_of_bot

# Services: parts of a worker that run beside each other until they are stopped.


class Service(Protocol):
    """Something that runs for as long as its process."""

    async def run(self) -> None:
        """Work until stopped; when cancelled, end at once and leave nothing running."""

    async def stop(self) -> None:
        """Take on nothing new, and return when what is under way is finished."""


class Worker:
    """Several services as one; if one of them fails, all end and `run` raises."""

    def __init__(self, services: Sequence[Service]) -> None:
        self._services = tuple(services)

    async def run(self) -> None:
        """Run all of them."""
        async with asyncio.TaskGroup() as group:
            for service in self._services:
                group.create_task(service.run())

    async def stop(self) -> None:
        """Stop all of them at once."""
        await asyncio.gather(*(service.stop() for service in self._services))


GRACE: Final = 5.0
"""How many seconds beyond its budget a bot may take before it is given up."""
MOST_WAITING: Final = 6
"""The most bots of one player, or of a household, that wait here; the rest go to other workers, or wait until
later. One bot of each player of a household may wait beside them,"""
MOST_OF_HOUSEHOLD: Final = 24
"""as long as these are no more: guests cost nothing, and a household must not fill the worker."""

logger = structlog.get_logger(__name__)


class Chosen(NamedTuple):
    """A legal code, whether the turn began with less time to think than usual, and what is planned next."""

    code: int
    hurried: bool = False
    ahead: tuple[int, ...] = ()


class Players:
    """The bots of all tables; they are shown the view of their seat, never the position."""

    def __init__(
        self, pool: BotPool, *, seconds: float, chance: Chance, metrics: WorkerMetrics, grace: float = GRACE
    ) -> None:
        self._pool = pool
        self._seconds = seconds
        self._grace = grace
        self._chance = chance
        self._metrics = metrics
        self._plans = _Plans()

    async def choose(self, table: Table) -> Chosen:
        """What the bot does that is to act: something legal, whatever comes of the bot."""
        level, _, seen = turn_of_bot(table)
        planned = self._plans.next(table, seen)
        if planned:
            return Chosen(planned[0], ahead=planned[1:])
        begun, share = bool(table.running_game().events), table.sheet.share
        if len(seen.legal) == 1:
            # Told like any other choice: that nothing needed thought would say what the bot holds.
            seconds = self._seconds_for(share.household)
            return Chosen(seen.legal[0], self._is_hurried(level, seconds, begun=begun))
        async with self._pool.turn(share, self._metrics.waits(CHOICE), begun=begun):
            seconds = self._seconds_for(share.household)
            thought = BotChoice(None)

            async def attempt(name: str) -> int | None:
                nonlocal thought
                thought = await self._thought(name, table, seen, seconds)
                return thought.code

            code = await settled(level, seen.legal, attempt, self._chance)
        return Chosen(code, self._is_hurried(level, seconds, begun=begun), thought.ahead)

    def keep(self, table: Table, ahead: tuple[int, ...]) -> None:
        """Keep what is planned for a table as it is now, after the choice that the plan began with."""
        self._plans.keep(table, ahead)

    def _is_hurried(self, level: str, seconds: float, *, begun: bool) -> bool:
        # A turn is planned when it begins, and what follows mostly keeps to the plan.
        hurried = not begun and is_hurried(level, seconds, usual=self._seconds)
        if hurried:
            self._metrics.hurried.labels(level).inc()
        return hurried

    def _seconds_for(self, household: str) -> float:
        turns = self._pool.turns
        waiting = turns.waiting_beside(household)
        return thinking_seconds(self._seconds, waiting=waiting, places=turns.places)

    def end(self) -> None:
        """Let bots that think finish; those that wait get their turn elsewhere."""
        self._pool.turns.end()

    def are_crowded(self, table: Table) -> bool:
        """Whether enough bots of a table's household wait already, so that one more should come later.

        One of each player may wait all the same: only among those who wait is a turn dealt out fairly.
        """
        share, turns = table.sheet.share, self._pool.turns
        waiting = turns.waiting(share.household)
        return waiting >= (MOST_WAITING if turns.awaits(share) else MOST_OF_HOUSEHOLD)

    async def _thought(self, level: str, table: Table, seen: View, seconds: float) -> BotChoice:
        """What a level chooses; its code is None if it chose nothing legal."""
        game, message = str(table.id), encode(view_message(seen))
        seed, began = seed_from(self._chance), perf_counter()
        try:
            code, trouble, ahead = await self._pool.work(
                game,
                seconds + self._grace,
                choose,
                level,
                game,
                message,
                seed,
                seconds,
            )
        except ProcessLost as lost:
            code, trouble, ahead = None, type(lost.__cause__).__name__, ()
        self._metrics.bot_seconds.labels(level).observe(perf_counter() - began)
        if code in seen.legal:
            return BotChoice(code, ahead=ahead)
        trouble = trouble or "IllegalAction"
        logger.error("bot_failed", level=level, game=game, trouble=trouble)
        self._metrics.bot_troubles.labels(level, trouble).inc()
        return BotChoice(None, trouble)


class _Plans:
    """What bots will choose next, each at one table while nothing else happens there.

    Without it each choice would wait in the queue, and might reach a process that does not know the plan.
    """

    def __init__(self) -> None:
        self._plans: OrderedDict[UUID, tuple[_Moment, tuple[int, ...]]] = OrderedDict()

    def keep(self, table: Table, ahead: tuple[int, ...]) -> None:
        """Keep what is planned for a table as it is now."""
        if ahead:
            self._plans[table.id] = (_moment(table), ahead)
            if len(self._plans) > BOTS_KEPT:
                self._plans.popitem(last=False)

    def next(self, table: Table, seen: View) -> tuple[int, ...]:
        """What was planned for this moment; nothing if something else has happened."""
        moment, ahead = self._plans.pop(table.id, (None, ()))
        return ahead if moment == _moment(table) and ahead[0] in seen.legal else ()


_Moment: TypeAlias = tuple[int, str]


def _moment(table: Table) -> _Moment:
    # After a failover other events may have the same numbers, on another timeline.
    return table.seq, table.timeline
