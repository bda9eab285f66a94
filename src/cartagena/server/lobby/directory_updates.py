"""Telling the directory how a table stands: in one transaction, repeatable, never backwards."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.lobby.listings import ListingChange, change_of, write_listing
from cartagena.server.lobby.ratings import rate
from cartagena.server.lobby.results import keep, result_of
from cartagena.server.lobby.table_summary import TableSummary
from cartagena.server.lobby.turn_notices import note, turn_of
from cartagena.server.tables.sheet import Stage

KEPT: Final = timedelta(days=1)
"""How long the directory remembers how far it was told of a finished table; no worker is that late."""

# The update changes nothing, but returns the row and locks it until the transaction ends.
HOLD: Final = """
INSERT INTO directory.told (game_id, seq)
SELECT game_id, -1 FROM unnest($1::uuid[]) AS game_id ORDER BY game_id
ON CONFLICT (game_id) DO UPDATE SET seq = told.seq
RETURNING seq
"""

TOLD: Final = "UPDATE directory.told SET seq = $2, is_over = $3, at = now() WHERE game_id = $1"

SEAT: Final = """
WITH gone AS (
    DELETE FROM directory.seatings WHERE game_id = $1 AND player_id <> ALL ($2::uuid[])
)
INSERT INTO directory.seatings AS s (player_id, game_id, seat, stage, to_act, deadline, ended_at)
SELECT player_id, $1, seat, $4, to_act, CASE WHEN to_act THEN $6::timestamptz END, $7
FROM unnest($2::uuid[], $3::smallint[], $5::bool[]) AS p (player_id, seat, to_act)
ON CONFLICT (player_id, game_id) DO UPDATE
SET seat = excluded.seat, stage = excluded.stage, to_act = excluded.to_act, deadline = excluded.deadline,
    ended_at = excluded.ended_at
WHERE (s.*) IS DISTINCT FROM (excluded.*)
"""

FORGET: Final = """
DELETE FROM directory.told WHERE game_id IN (
    SELECT game_id FROM directory.told WHERE is_over AND at < now() - $1::interval LIMIT $2
)
"""


async def tell(directory: Pool, standing: TableSummary) -> ListingChange | None:
    """Write how a table stands, and let its game count; returns what to tell the lobby.

    A standing older than what the directory knows is not written. One that it knows already is announced
    again: the worker that wrote it may have died before announcing it.
    """
    async with directory.acquire() as connection, connection.transaction():
        before: int = await connection.fetchval(HOLD, [standing.game_id])
        if before > standing.seq:
            return None
        listed = await write_table(connection, standing)
        result = result_of(standing)
        if result is not None and await keep(connection, result) and result.rated_game is not None:
            await rate(connection, result.rated_game)
        await note(connection, standing)
    again = before == standing.seq and standing.sheet.listed
    return change_of(standing) if listed or again else None


async def hold(connection: PoolConnectionProxy, game_ids: Sequence[UUID]) -> None:
    """Let no other transaction write about these tables until this one ends."""
    await connection.execute(HOLD, game_ids)


async def write_table(connection: PoolConnectionProxy, standing: TableSummary) -> bool:
    """Write who sits at a table and how the lobby shows it; returns whether the listing changed."""
    over = standing.sheet.stage is Stage.OVER
    await connection.execute(SEAT, standing.game_id, *_seats(standing))
    await connection.execute(TOLD, standing.game_id, standing.seq, over)
    return await write_listing(connection, standing)


def _seats(standing: TableSummary) -> tuple[object, ...]:
    over = standing.sheet.stage is Stage.OVER
    people = () if over and not standing.has_result else standing.people
    seats = [standing.sheet.seat_of(player) for player in people]
    turn = turn_of(standing)
    return (
        people,
        seats,
        standing.sheet.stage,
        [turn is not None and player == turn.player_id for player in people],
        standing.deadline,
        standing.ended_at,
    )


async def forget_old(directory: Pool, *, most: int = 10_000) -> int:
    """Forget how far tables were told whose games ended long ago; returns how many."""
    done = await directory.execute(FORGET, KEPT, most)
    return int(done.rpartition(" ")[2])
