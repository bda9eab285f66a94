"""Repair: rewrites the directory from the games, so that it agrees with them.

It can run while the service does, and be interrupted and restarted. First every table is written as it
stands, then rows that belong to no table are deleted, then the ratings are recalculated, game by game in
the order in which they ended.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from asyncpg import Pool

from cartagena.server.lobby.rating_repair import rate_anew
from cartagena.server.lobby.results import keep_anew, result_of
from cartagena.server.lobby.standing import Source
from cartagena.server.lobby.telling import hold, write_table

BATCH: Final = 200

TABLES: Final = ("told", "listings", "seatings", "results", "notices")
"""The tables of the directory that refer to games by their ids."""

KNOWN: Final = " UNION ".join(
    f"(SELECT DISTINCT game_id FROM directory.{name} WHERE game_id > $1 ORDER BY game_id LIMIT $2)"  # noqa: S608  # our own names
    for name in TABLES
)

NEXT_KNOWN: Final = f"{KNOWN} ORDER BY game_id LIMIT $2"

DROP_RESULT: Final = "DELETE FROM directory.results WHERE game_id = $1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a repair has come: how many tables are written, strangers deleted or games rated."""

    doing: Literal["tables", "strangers", "ratings"]
    done: int


Progress = Callable[[Step], None]


async def repair(source: Source, directory: Pool, progress: Progress, *, batch: int = BATCH) -> None:
    """Make the directory agree with the games."""
    written = 0
    async for game_ids in source.walk(batch):
        await _write(source, directory, game_ids)
        written += len(game_ids)
        progress(Step(doing="tables", done=written))
    gone = 0
    async for game_ids in _known(directory, batch):
        gone += await _drop_strangers(source, directory, game_ids)
        progress(Step(doing="strangers", done=gone))
    rated = await rate_anew(directory, lambda games: progress(Step(doing="ratings", done=games)))
    progress(Step(doing="ratings", done=rated))


async def _write(source: Source, directory: Pool, game_ids: list[UUID]) -> None:
    """Write some tables as they stand, whatever the directory said before."""
    async with directory.acquire() as connection, connection.transaction():
        # Read only now, when no other transaction can write about them: nothing newer can be there.
        await hold(connection, game_ids)
        for standing in await source.standings(game_ids):
            await write_table(connection, standing)
            result = result_of(standing)
            if result is None:
                await connection.execute(DROP_RESULT, standing.game_id)
            else:
                await keep_anew(connection, result)


async def _known(directory: Pool, batch: int) -> AsyncIterator[list[UUID]]:
    """Every table that the directory mentions, a batch at a time."""
    last = UUID(int=0)
    while rows := await directory.fetch(NEXT_KNOWN, last, batch):
        last = rows[-1]["game_id"]
        yield [row["game_id"] for row in rows]


async def _drop_strangers(source: Source, directory: Pool, game_ids: list[UUID]) -> int:
    """Delete what is said of tables that do not exist; returns how many there were.

    A table is in its shard before the directory hears of it, so one that is missing there never appears.
    """
    strangers = sorted(set(game_ids) - await source.existing(game_ids))
    if strangers:
        async with directory.acquire() as connection, connection.transaction():
            for name in TABLES:
                await connection.execute(
                    f"DELETE FROM directory.{name} WHERE game_id = ANY ($1::uuid[])",  # noqa: S608  # our own names
                    strangers,
                )
    return len(strangers)
