"""Sending notices: a player whose turn it is by correspondence is told in their browsers and program."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias
from uuid import UUID

import structlog
from asyncpg import Pool
from prometheus_client import CollectorRegistry, Counter

from cartagena.messages.accounts import NoticeMessage
from cartagena.server.accounts.notices.delivery import Delivery
from cartagena.server.lobby.table_summary import SummarySource, TableSummary
from cartagena.server.lobby.turn_notices import Waiting, claim, done, try_later, turn_of
from cartagena.server.shared.timestamps import milliseconds
from cartagena.server.worker.outbox import Rounds

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
