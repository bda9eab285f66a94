"""Bots of a device: they think in this process, one choice after another."""

import asyncio
import logging
from functools import partial
from uuid import UUID

from cartagena.local.config import DeviceConfig
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.rules.hidden.view import View
from cartagena.rules.refusals import CartagenaError
from cartagena.tables import playing
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ids import random_key
from cartagena.tables.ports import Sender
from cartagena.tables.service import Tables
from cartagena.tables.table import Table
from cartagena.tables.thinking import SUBSTITUTE, KeptBots, seed_from, settled, turn_of_bot

logger = logging.getLogger(__name__)


class LocalBots:
    """Acts for the bots of all tables; they are shown the view of their seat, never the position."""

    def __init__(self, config: DeviceConfig) -> None:
        self._config = config
        self._kept = KeptBots(config.make)
        self._given_up: set[tuple[UUID, int]] = set()
        self._due: dict[UUID, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._tables: Tables | None = None

    def sit_at(self, tables: Tables) -> None:
        """Say where they play."""
        self._tables = tables

    def wake(self, table_id: UUID) -> None:
        """Let the bot of a table think, after those that are due already."""
        self._due[table_id] = None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop; a choice that is not committed is made again when the table is next asked for."""
        self._due.clear()
        try:
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
        finally:
            # Who leaves a program may cancel this too.
            self._kept.close()

    async def _work(self) -> None:
        while self._due:
            table_id = next(iter(self._due))
            try:
                await self._play(table_id)
            except CartagenaError as error:
                # The table is gone, or nothing can be kept: it waits until somebody asks for it.
                logger.warning("a bot cannot act: %s", type(error).__name__)
            self._due.pop(table_id, None)

    async def _play(self, table_id: UUID) -> None:
        assert self._tables is not None
        table = await self._tables.newest(table_id)
        while table.bot_to_act is not None:
            table = await self._act(self._tables, table)

    async def _act(self, tables: Tables, table: Table) -> Table:
        seat = table.to_act
        assert seat is not None
        code, _ = await asyncio.gather(self._choose(table), asyncio.sleep(self._config.least_seconds))
        sender = Sender(player=None, key=random_key(self._config.chance))
        try:
            outcome = await tables.change_at(
                table.id, table.seq, sender, partial(playing.act, seat=seat, code=code)
            )
        except ServiceError as error:
            if error.problem is not Problem.STALE:
                raise
            return await tables.newest(table.id)
        return outcome.table

    async def _choose(self, table: Table) -> int:
        level, seat, seen = turn_of_bot(table)
        if len(seen.legal) == 1:
            return seen.legal[0]
        if (table.id, seat) in self._given_up:
            level = SUBSTITUTE
        attempt = partial(self._chosen, table_id=table.id, seat=seat, seen=seen)
        return await settled(level, seen.legal, attempt, self._config.chance)

    async def _chosen(self, level: str, table_id: UUID, seat: int, seen: View) -> int | None:
        config, kept, message = self._config, self._kept, encode(view_message(seen))
        seed, game = seed_from(config.chance), str(table_id)
        code, trouble, _ = await config.aside(lambda: kept.choose(level, game, message, seed, config.seconds))
        if code in seen.legal:
            return code
        if kept.reason is None:
            logger.error("the bot %s failed: %s", level, trouble or "IllegalAction")
        else:
            # It would only give up again, and perhaps late.
            self._given_up.add((table_id, seat))
            config.gave_up(level, kept.reason)
        return None
