"""Bots at the table: each choice is made by the level that sits there, or by a substitute if it fails."""

import asyncio
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Final, Protocol

import structlog

from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.rules.hidden.view import View, view
from cartagena.server.shared.processes import ProcessLost
from cartagena.server.worker.bot_pool import BotPool
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.tables.creating import Chance
from cartagena.tables.table import Table
from cartagena.tables.thinking import choose

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


SUBSTITUTE: Final = "sailor"
"""The level that chooses when another one failed: it never thinks long."""
GRACE: Final = 5.0
"""How many seconds beyond its budget a bot may take before it is given up."""
SEED_BYTES: Final = 16
MOST_WAITING: Final = 6
"""The most bots of one household that wait here; the rest go to other workers, or wait until later."""

logger = structlog.get_logger(__name__)


class Players:
    """The bots of all tables; they are shown the view of their seat, never the position."""

    def __init__(
        self, minds: BotPool, *, seconds: float, chance: Chance, metrics: WorkerMetrics, grace: float = GRACE
    ) -> None:
        self._minds = minds
        self._seconds = seconds
        self._grace = grace
        self._chance = chance
        self._metrics = metrics

    async def choose(self, table: Table) -> int:
        """A legal code for the bot that is to act; there always is one, whatever the bot does."""
        position, seat, level = table.position, table.to_act, table.bot_to_act
        assert position is not None and seat is not None and level is not None  # noqa: PT018 - one state
        seen = view(position, seat)
        assert seen.legal
        if len(seen.legal) == 1:
            return seen.legal[0]
        async with self._minds.turns.of(table.sheet.share):
            for name in dict.fromkeys((level, SUBSTITUTE)):
                code = await self._chosen(name, str(table.id), seen)
                if code is not None:
                    return code
        return Random(self._seed()).choice(seen.legal)

    def end(self) -> None:
        """Let bots that think finish; those that wait get their turn elsewhere."""
        self._minds.turns.end()

    def are_crowded(self, table: Table) -> bool:
        """Whether enough bots of a table's household wait already, so that one more should come later."""
        return self._minds.turns.waiting(table.sheet.share.household) >= MOST_WAITING

    async def _chosen(self, level: str, game: str, seen: View) -> int | None:
        """What a level chooses, None if that is not a legal code."""
        message = encode(view_message(seen))
        began = perf_counter()
        try:
            code, trouble = await self._minds.think(
                game, self._seconds + self._grace, choose, level, game, message, self._seed(), self._seconds
            )
        except ProcessLost as lost:
            code, trouble = None, type(lost.__cause__).__name__
        self._metrics.bot_seconds.labels(level).observe(perf_counter() - began)
        assert seen.legal is not None
        if code in seen.legal:
            return code
        trouble = trouble or "IllegalAction"
        logger.error("bot_failed", level=level, game=game, trouble=trouble)
        self._metrics.bot_troubles.labels(level, trouble).inc()
        return None

    def _seed(self) -> int:
        return int.from_bytes(self._chance(SEED_BYTES))
