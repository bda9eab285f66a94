"""The outbox: what happened at tables is told to the directory, again and again; full tables are started."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final, TypeAlias
from uuid import UUID

import structlog
from asyncpg import Pool
from prometheus_client import CollectorRegistry, Counter

from cartagena.messages.accounts import NoticeMessage
from cartagena.server.accounts.notices.delivery import Delivery
from cartagena.server.bus import Bus, LobbyChange, PlayerChange
from cartagena.server.lobby.listings import SummarySource, TableSummary
from cartagena.server.lobby.matchmaking import start_if_full
from cartagena.server.lobby.repair import forget_old, tell
from cartagena.server.lobby.turn_notices import Waiting, claim, done, try_later, turn_of
from cartagena.server.shared.moments import milliseconds
from cartagena.server.store.outbox import ShardOutbox
from cartagena.server.worker.bot_players import Worker
from cartagena.tables.service import Tables

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


SWEEP_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxPace:
    """How often to look for news, how much to claim, and after how long (ms) another worker may claim it."""

    poll_seconds: float = 0.25
    batch: int = 64
    at_once: int = 4
    lease: int = 30_000


class OutboxMetrics:
    """The metrics of news."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.told = Counter(
            "cartagena_news_told", "Tables of which the directory was told", registry=registry
        )
        self.failures = Counter(
            "cartagena_news_failed", "Tables of which it could not be told", registry=registry
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryWriter:
    """Tells the directory, and the lobby, how tables stand."""

    directory: Pool
    tables: Tables
    bus: Bus
    metrics: OutboxMetrics
    pace: OutboxPace = OutboxPace()

    async def tell_due(self, shard: ShardOutbox) -> int:
        """Tell the directory all that one database has to tell now; returns how many tables were told."""
        claimed = await shard.claim(self.pace.batch, lease=self.pace.lease)
        standings = await shard.standings(claimed) if claimed else []
        gate = asyncio.Semaphore(self.pace.at_once)
        told = await asyncio.gather(*(self._tell(shard, standing, gate) for standing in standings))
        return sum(told)

    async def _tell(self, shard: ShardOutbox, standing: TableSummary, gate: asyncio.Semaphore) -> bool:
        async with gate:
            try:
                await self.tell_one(shard, standing)
            except Exception as error:  # noqa: BLE001 (its mark stays, so it is told when the lease ends)
                self.metrics.failures.inc()
                logger.warning("news_not_told", game=str(standing.game_id), error=type(error).__name__)
                return False
        self.metrics.told.inc()
        return True

    async def tell_one(self, shard: ShardOutbox, standing: TableSummary) -> None:
        """Tell of one table; the mark is removed last, so that nothing is forgotten on the way."""
        change = await tell(self.directory, standing)
        if change is not None:
            self.bus.publish(LobbyChange(frame=change.frame()))
        if standing.people:
            self.bus.publish(PlayerChange(players=standing.people))
        await start_if_full(self.tables, standing.game_id, standing.sheet)
        await shard.told(standing)


class OutboxWorker(Worker):
    """Tells the news of every database until it is stopped; a `Service`."""

    def __init__(self, teller: DirectoryWriter, shards: Sequence[ShardOutbox]) -> None:
        async def tell_due(shard: ShardOutbox, _: asyncio.TaskGroup) -> int:
            return await teller.tell_due(shard)

        async def sweep(_: asyncio.TaskGroup) -> int:
            return await forget_old(teller.directory)

        pause = teller.pace.poll_seconds
        super().__init__(
            [
                *(Rounds("news", partial(tell_due, shard), pause=pause) for shard in shards),
                Rounds("news sweep", sweep, pause=SWEEP_SECONDS),
            ]
        )


# Sending notices: a player whose turn it is by correspondence is told in their browsers and program.

LEASE: Final = timedelta(minutes=1)
"""Longer than any address may take to answer."""

POLL_SECONDS: Final = 1.0
MOST_AT_ONCE: Final = 64

Tell: TypeAlias = Callable[[UUID, NoticeMessage], Awaitable[Sequence[Delivery]]]
"""Tells a player in every way they asked for, such as `accounts.notices.delivery.Notices.tell`."""


class NoticeMetrics:
    """The metrics of notices."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.notices = Counter(
            "cartagena_notices", "Notices by what came of them", ("end",), registry=registry
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Messenger:
    """Delivers notices to players, each as long as it is still true."""

    directory: Pool
    source: SummarySource
    tell: Tell
    metrics: NoticeMetrics

    async def deliver(self, waiting: Waiting, standing: TableSummary | None) -> None:
        """Tell a player that it is their turn, unless they have acted meanwhile."""
        if standing is None:
            # Perhaps its rules are newer than this program, and another worker knows them.
            await self._conclude(waiting, (Delivery.FAILED,))
            return
        turn = turn_of(standing)
        if turn is None or turn.since != waiting.turn.since:
            await done(self.directory, waiting.turn)
            self.metrics.notices.labels("overtaken").inc()
            return
        notice = NoticeMessage(
            kind="your_turn", table=turn.game_id, seq=turn.seq, at=milliseconds(turn.since)
        )
        try:
            outcomes = await self.tell(turn.player_id, notice)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is tried again, and not for ever)
            logger.warning("notice_failed", game=str(turn.game_id), error=type(error).__name__)
            outcomes = (Delivery.FAILED,)
        await self._conclude(waiting, outcomes)

    async def _conclude(self, waiting: Waiting, outcomes: Sequence[Delivery]) -> None:
        # A player who was reached in one way is not told again because another way failed.
        if Delivery.FAILED in outcomes and Delivery.DELIVERED not in outcomes:
            again = await try_later(self.directory, waiting)
            self.metrics.notices.labels("failed" if again else "given_up").inc()
            return
        await done(self.directory, waiting.turn)
        self.metrics.notices.labels("told" if Delivery.DELIVERED in outcomes else "nobody").inc()


class NoticeRounds(Rounds):
    """Sends what is due until it is stopped; an address that answers late delays nobody else. A `Service`."""

    def __init__(
        self, messenger: Messenger, *, pause: float = POLL_SECONDS, most: int = MOST_AT_ONCE
    ) -> None:
        super().__init__("notices", self._send_due, pause=pause)
        self._messenger = messenger
        self._free = most

    async def _send_due(self, group: asyncio.TaskGroup) -> int:
        if not self._free:
            return 0
        messenger = self._messenger
        due = await claim(messenger.directory, self._free, lease=LEASE)
        if not due:
            return 0
        found = await messenger.source.standings([waiting.turn.game_id for waiting in due])
        standings = {standing.game_id: standing for standing in found}
        for waiting in due:
            self._free -= 1
            group.create_task(self._send(waiting, standings.get(waiting.turn.game_id)))
        return len(due)

    async def _send(self, waiting: Waiting, standing: TableSummary | None) -> None:
        try:
            await self._messenger.deliver(waiting, standing)
        except Exception as error:  # noqa: BLE001 (the lease ends, and then it is tried again)
            logger.warning("notice_failed", game=str(waiting.turn.game_id), error=type(error).__name__)
        finally:
            self._free += 1
