"""Notices that wait to be sent: "it is your turn", one for each turn of a game by correspondence."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.lobby.listings import TableSummary
from cartagena.tables.sheet import Stage

MOST_TRIES: Final = 6
FIRST_PAUSE: Final = timedelta(seconds=30)
"""The pause after the first failure; each further failure doubles it, up to eight minutes."""

# A turn that was noted before stays as it is, told or not.
NOTE: Final = """
INSERT INTO directory.notices AS n (game_id, since, seq, player_id, due_at) VALUES ($1, $2, $3, $4, now())
ON CONFLICT (game_id) DO UPDATE SET since = $2, seq = $3, player_id = $4, due_at = now(), tries = 0
WHERE n.since < $2
"""

DROP: Final = "DELETE FROM directory.notices WHERE game_id = $1"

CLAIM: Final = """
UPDATE directory.notices n
SET due_at = now() + $2, tries = n.tries + 1
FROM (
    SELECT game_id FROM directory.notices WHERE due_at <= now() ORDER BY due_at LIMIT $1
    FOR UPDATE SKIP LOCKED
) due
WHERE n.game_id = due.game_id
RETURNING n.game_id, n.since, n.seq, n.player_id, n.tries
"""

PUT_OFF: Final = """
UPDATE directory.notices SET due_at = now() + $3::interval WHERE game_id = $1 AND since = $2
"""
"""Without an interval it is never due again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrespondenceTurn:
    """A player's turn: `since` is when the player's clock started."""

    game_id: UUID
    since: datetime
    seq: int
    player_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A notice on its way; `tries` counts the attempts, this one included."""

    turn: CorrespondenceTurn
    tries: int


def turn_of(standing: TableSummary) -> CorrespondenceTurn | None:
    """The turn to give notice of: that of a person who plays by correspondence, None otherwise."""
    if not standing.by_mail or standing.sheet.stage is not Stage.RUNNING or standing.to_act is None:
        return None
    chair = standing.sheet.chairs[standing.to_act]
    # While a bot plays on for a seat, no clock runs.
    if chair.player is None or chair.bot is not None or standing.since is None:
        return None
    return CorrespondenceTurn(
        game_id=standing.game_id, since=standing.since, seq=standing.seq, player_id=chair.player
    )


async def note(connection: PoolConnectionProxy, standing: TableSummary) -> None:
    """Note whom to tell; a turn is noted only once."""
    turn = turn_of(standing)
    if turn is not None:
        await connection.execute(NOTE, turn.game_id, turn.since, turn.seq, turn.player_id)
    elif standing.by_mail and standing.sheet.stage is Stage.OVER:
        await connection.execute(DROP, standing.game_id)


async def claim(directory: Pool, most: int, *, lease: timedelta) -> list[Waiting]:
    """Notices that are due; no other worker gets them for the length of the lease."""
    rows = await directory.fetch(CLAIM, most, lease)
    return [
        Waiting(
            turn=CorrespondenceTurn(
                game_id=row["game_id"], since=row["since"], seq=row["seq"], player_id=row["player_id"]
            ),
            tries=row["tries"],
        )
        for row in rows
    ]


async def done(directory: Pool, turn: CorrespondenceTurn) -> None:
    """Mark a turn as done: its player needs no further notice."""
    await directory.execute(PUT_OFF, turn.game_id, turn.since, None)


async def try_later(directory: Pool, waiting: Waiting) -> bool:
    """Retry a failed notice after a while; False if it was tried often enough."""
    again = waiting.tries < MOST_TRIES
    pause = FIRST_PAUSE * 2 ** (waiting.tries - 1) if again else None
    await directory.execute(PUT_OFF, waiting.turn.game_id, waiting.turn.since, pause)
    return again
