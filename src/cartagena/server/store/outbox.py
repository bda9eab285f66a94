"""News of tables: what the directory has not been told yet, and how a table stands, read from the shards."""

from collections.abc import AsyncIterator, Container, Sequence
from typing import Final
from uuid import UUID

import msgspec
import structlog

from cartagena.rules.ruleset import RULES_VERSION
from cartagena.server.lobby.listings import TableSummary
from cartagena.server.store.databases import Databases
from cartagena.server.store.log_compaction import AFTER_THE_END
from cartagena.server.store.rows import Row
from cartagena.server.store.shards import MOST_MOVES, Pool
from cartagena.server.store.statements import CLAIM_NEWS, CURSORS, NEWS_TOLD
from cartagena.tables.sheet import Stage, decode_sheet

BEFORE_ALL: Final = UUID(int=0)

logger = structlog.get_logger(__name__)

STANDINGS: Final = """
SELECT g.game_id, g.seq, g.turn_seq, g.to_act, g.clock_since, g.deadline, t.sheet, t.created_at,
    CASE WHEN g.stage = $2 THEN (
        SELECT e.at
        FROM shard.events e
        WHERE e.game_id = g.game_id AND e.kind <> ALL ($3::smallint[])
        ORDER BY e.seq DESC
        LIMIT 1
    ) END AS ended_at
FROM shard.games g JOIN shard.tables t USING (game_id)
WHERE g.game_id = ANY ($1::uuid[]) AND g.rules_version <= $4
"""

AFTER: Final = "SELECT game_id FROM shard.games WHERE game_id > $1 ORDER BY game_id LIMIT $2"


class ShardOutbox:
    """The news of one database of games."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def claim(self, most: int, *, lease: int) -> list[UUID]:
        """Tables that have news; no other worker gets them for `lease` milliseconds."""
        return [row["game_id"] for row in await self._pool.fetch(CLAIM_NEWS, most, lease)]

    async def standings(self, game_ids: Sequence[UUID]) -> list[TableSummary]:
        """How these tables stand; tables with newer rules than this program knows are left to others."""
        rows = await self._pool.fetch(STANDINGS, game_ids, Stage.OVER, AFTER_THE_END, RULES_VERSION)
        return [standing for row in rows if (standing := _standing_of(row)) is not None]

    async def told(self, standing: TableSummary) -> None:
        """Clear the news of a table, unless something has happened since."""
        await self._pool.execute(NEWS_TOLD, standing.game_id, standing.seq)

    async def existing(self, game_ids: Sequence[UUID]) -> list[UUID]:
        """Those of these tables that are in this database."""
        return [row["game_id"] for row in await self._pool.fetch(CURSORS, game_ids)]

    async def after(self, game_id: UUID, most: int) -> list[UUID]:
        """The next tables after one, in the order of their ids."""
        return [row["game_id"] for row in await self._pool.fetch(AFTER, game_id, most)]


class AllOutboxes:
    """The news of all databases together; implements the port `lobby.table_summary.Source`."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self.shards = tuple(ShardOutbox(pool) for pool in databases.shards())

    async def standings(self, game_ids: Sequence[UUID]) -> list[TableSummary]:
        """How these tables stand, in the order in which they were asked for."""
        found: dict[UUID, TableSummary] = {}
        async for shard, ids in self._wherever(game_ids, found):
            found |= {standing.game_id: standing for standing in await shard.standings(ids)}
        return [found[game_id] for game_id in game_ids if game_id in found]

    async def existing(self, game_ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of these tables that exist."""
        found: set[UUID] = set()
        async for shard, ids in self._wherever(game_ids, found):
            found |= set(await shard.existing(ids))
        return frozenset(found)

    async def _wherever(
        self, game_ids: Sequence[UUID], found: Container[UUID]
    ) -> AsyncIterator[tuple[ShardOutbox, list[UUID]]]:
        """Where to look for tables; again for those that are not found because their bucket has moved."""
        missing = list(game_ids)
        for _ in range(MOST_MOVES):
            for asked in self._by_shard(missing):
                yield asked
            pools = {
                game_id: self._databases.shard_of(game_id) for game_id in missing if game_id not in found
            }
            missing = [
                game_id for game_id, pool in pools.items() if await self._databases.look_again(game_id, pool)
            ]
            if not missing:
                return

    async def walk(self, most: int) -> AsyncIterator[list[UUID]]:
        """Every table there is, up to `most` at a time, one database after the other."""
        for shard in self.shards:
            ids = await shard.after(BEFORE_ALL, most)
            while ids:
                yield ids
                ids = await shard.after(ids[-1], most)

    def _by_shard(self, game_ids: Sequence[UUID]) -> list[tuple[ShardOutbox, list[UUID]]]:
        wanted: dict[int, list[UUID]] = {}
        for game_id in game_ids:
            wanted.setdefault(id(self._databases.shard_of(game_id)), []).append(game_id)
        pools = self._databases.shards()
        return [
            (shard, wanted[id(pool)])
            for shard, pool in zip(self.shards, pools, strict=True)
            if id(pool) in wanted
        ]


def _standing_of(row: Row) -> TableSummary | None:
    try:
        sheet = decode_sheet(row["sheet"])
    except msgspec.MsgspecError:
        # One unreadable table must not hold up the news of all others.
        logger.error("sheet_unreadable", game=str(row["game_id"]))  # noqa: TRY400  # its words may quote secrets
        return None
    return TableSummary(
        game_id=row["game_id"],
        seq=row["seq"],
        turn_seq=row["turn_seq"],
        to_act=None if row["to_act"] < 0 else row["to_act"],
        since=row["clock_since"],
        deadline=row["deadline"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        sheet=sheet,
    )
