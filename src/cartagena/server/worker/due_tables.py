"""Attending to a table: calling off a start, expiring a clock, or acting for a bot like any player."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from cartagena.fairness import SIZE
from cartagena.server.store.due_games import DueGame, ShardTimers
from cartagena.server.tracing.spans import Traces, within
from cartagena.server.worker.bot_players import Chosen, Players
from cartagena.server.worker.fair_share import NoShareLeft
from cartagena.server.worker.metrics import WorkerMetrics
from cartagena.tables import playing, seating
from cartagena.tables.creating import Chance
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import random_key
from cartagena.tables.ports import Sender
from cartagena.tables.service import Make, Tables
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table

CROWDED: Final = 1_000
"""After how many milliseconds a game is due again if too many of its household wait here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """What a worker has to do at a table: act for a bot, or end a wait that has lasted too long."""

    stage: Stage
    seat: int | None = None
    level: str | None = None

    @property
    def word(self) -> str:
        """Its label in the metrics."""
        if self.stage is Stage.STARTING:
            return "called_off"
        return "expired" if self.level is None else "acted"


def duty_of(table: Table) -> Duty | None:
    """What is to be done at a table, now or when its time has run out; None if nothing is."""
    if table.sheet.stage is Stage.STARTING:
        return Duty(stage=Stage.STARTING)
    if table.to_act is None or (table.bot_to_act is None and table.times.deadline is None):
        return None
    return Duty(stage=Stage.RUNNING, seat=table.to_act, level=table.bot_to_act)


class TimerClaim:
    """A game in our hands: how far it had come, and since when it is ours."""

    __slots__ = ("game_id", "seq", "since", "tries")

    def __init__(self, due: DueGame, since: float) -> None:
        self.game_id: UUID = due.game_id
        self.seq: int = due.seq
        self.tries: int = due.tries
        self.since = since


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTables:
    """Does what is due at tables; `lease` is how long a claim holds, in milliseconds."""

    claims: ShardTimers
    tables: Tables
    players: Players
    chance: Chance
    metrics: WorkerMetrics
    lease: int
    traces: Traces | None = None

    async def attend(self, claim: TimerClaim, *, is_stopping: Callable[[], bool]) -> None:
        """Do what is due, and go on as long as the same thing is due: until a bot has ended its turn."""
        traces = self.traces
        step = None if traces is None else traces.wake(claim.game_id, seq=claim.seq, tries=claim.tries)
        if step is None:
            await self._attend(claim, is_stopping)
            return
        try:
            with within(step):
                await self._attend(claim, is_stopping)
        finally:
            step.end()

    async def _attend(self, claim: TimerClaim, is_stopping: Callable[[], bool]) -> None:
        table = await self.tables.at_least(claim.game_id, claim.seq)
        if table.sheet.stage is Stage.OVER:
            # A game that ended after it was claimed is not folded yet: a request may still be repeated.
            if table.seq == claim.seq and await self.claims.fold(table.id):
                self.metrics.duties.labels("folded").inc()
            return
        duty = duty_of(table)
        if duty is None:
            await self.claims.rest(table.id, table.seq)
        elif duty.level is not None and self.players.are_crowded(table):
            await self.claims.put_back(table.id, table.seq, CROWDED)
        else:
            await self._carry_out(duty, table, claim, is_stopping)

    async def _carry_out(
        self, duty: Duty, table: Table, claim: TimerClaim, is_stopping: Callable[[], bool]
    ) -> None:
        while duty_of(table) == duty:
            claim.seq = table.seq
            if is_stopping():
                await self.claims.postpone(claim.game_id, claim.seq, 0)
                return
            await self._keep(claim)
            try:
                table = await self._do(duty, table, claim)
            except NoShareLeft:
                await self.claims.put_back(table.id, table.seq, 0)
                return
            except ServiceError as error:
                if error.problem is not Problem.TOO_LATE:
                    raise
                # The time was not up after all; only PostgreSQL knows when it is.
                await self.claims.rest(table.id, table.seq)
                return

    async def _keep(self, claim: TimerClaim) -> None:
        """Extend the claim before other workers think that we are gone."""
        # This decides nothing about a game, so the clock of this machine is good enough.
        now = asyncio.get_running_loop().time()
        if (now - claim.since) * 2_000 > self.lease:
            await self.claims.postpone(claim.game_id, claim.seq, self.lease)
            claim.since = now

    async def _do(self, duty: Duty, table: Table, claim: TimerClaim) -> Table:
        """The table after the duty was done, or as another request has changed it meanwhile."""
        make, ahead = await self._decision(duty, table, claim)
        sender = Sender(player=None, key=random_key(self.chance))
        try:
            outcome = await self.tables.change_at(table.id, table.seq, sender, make)
        except ServiceError as error:
            if error.problem is not Problem.STALE:
                raise
            return await self.tables.newest(table.id)
        # Only now: a plan whose first choice was not made is a plan for another position.
        self.players.keep(outcome.table, ahead)
        self.metrics.duties.labels(duty.word).inc()
        return outcome.table

    async def _decision(self, duty: Duty, table: Table, claim: TimerClaim) -> tuple[Make, tuple[int, ...]]:
        """What is to be done, and what a bot has planned to do after it."""
        if duty.stage is Stage.STARTING:
            return partial(seating.call_off, secret=self.chance(SIZE)), ()
        if duty.seat is None or duty.level is None:
            return playing.expire, ()
        code, hurried, ahead = await self._chosen(table, duty.seat, claim)
        return partial(playing.act, seat=duty.seat, code=code, hurried=hurried), ahead

    async def _chosen(self, table: Table, seat: int, claim: TimerClaim) -> Chosen:
        step = None if self.traces is None else self.traces.step("think", table.id, seat=seat)
        choosing = asyncio.create_task(self.players.choose(table))
        try:
            # A bot may wait for its turn to think longer than a claim holds.
            while not (await asyncio.wait({choosing}, timeout=self.lease / 3_000))[0]:
                await self._keep(claim)
            return choosing.result()
        finally:
            choosing.cancel()
            if step is not None:
                step.end()
