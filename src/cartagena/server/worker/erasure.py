"""Forgetting names: the tables of a player who left for good stop showing the player's name."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from cartagena.server.store.erasure import Forgetting
from cartagena.server.store.shard_migration import MoveRefused
from cartagena.tables.chat import farewell, forget_name
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import DELETED
from cartagena.tables.ports import Sender
from cartagena.tables.service import Tables
from cartagena.tables.table import Change, Table

BATCH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Eraser:
    """Visits every table of players who left; what fails is retried, and what is done stays done."""

    tables: Tables
    forgetting: Forgetting

    async def round(self, _: asyncio.TaskGroup) -> int:
        """Forget some of the players who wait for it; returns how many."""
        players = await self.forgetting.waiting(BATCH)
        if not players:
            return 0
        try:
            async with self.forgetting.alone():
                for player in players:
                    await self.forget(player)
        except MoveRefused:
            return 0  # the next round asks again
        return len(players)

    async def forget(self, player: UUID) -> None:
        """Let every table forget the name of one player; the player is marked as forgotten last."""
        for table_id in await self.forgetting.tables_of(player):
            table = await self.tables.newest(table_id)
            seat = table.sheet.seat_of(player)
            name = None if seat is None else table.sheet.chairs[seat].name
            await self._change(table_id, player, lambda table: farewell(table, player))
            await self._change(table_id, player, lambda table: forget_name(table, player, DELETED))
            await self.forgetting.rename(table_id, player, name, DELETED)
        await self.forgetting.erase_lines(player, DELETED)
        await self.forgetting.done(player)

    async def _change(self, table_id: UUID, player: UUID, make: Callable[[Table], Change | None]) -> None:
        def made(table: Table) -> Change:
            change = make(table)
            if change is None:
                raise ServiceError(Problem.UNFIT, "there is nothing to do")
            return change

        try:
            await self.tables.change(table_id, Sender(player=player, key=uuid4()), made)
        except ServiceError as error:
            if error.problem is not Problem.UNFIT:
                raise
