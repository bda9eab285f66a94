"""The ladder of bots: games that two bots played by a challenge for it, rated among bots alone."""

from typing import Final
from uuid import UUID

from asyncpg import Pool, Record
from asyncpg.pool import PoolConnectionProxy

from cartagena.messages.lobby import LadderMessage
from cartagena.server.lobby.ratings import (
    ENOUGH,
    FIRST_MU,
    FIRST_SIGMA,
    PAGE,
    RatedGame,
    Rating,
    changes_of,
    ladder_message,
)

# The game as it was agreed on: the same rules, and the same players, none of whom has gone since.
AGREED: Final = """
SELECT r.game_id, r.ruleset, r.players, r.winner, r.lost
FROM directory.results r JOIN directory.ladder_games l USING (game_id)
WHERE r.ending <> 'abandoned' AND r.rules = l.rules
    AND cardinality(r.players) = cardinality(l.players) AND l.players <@ r.players
    AND (SELECT count(*) FROM directory.bots WHERE bot_id = ANY (l.players)) = cardinality(l.players)
"""

ONE: Final = AGREED + "AND r.game_id = $1"
ALL: Final = AGREED + "ORDER BY r.ended_at, r.game_id"

# Created and locked in the order of the players, so that two games of the same never wait for each other.
HOLD: Final = """
INSERT INTO directory.bot_ratings (bot_id, ruleset, seats, mu, sigma)
SELECT bot_id, $2, cardinality($1::uuid[]), $3, $4 FROM unnest($1::uuid[]) AS bot_id ORDER BY bot_id
ON CONFLICT (bot_id, ruleset, seats) DO UPDATE SET ruleset = excluded.ruleset
RETURNING bot_id, mu, sigma
"""

CHANGE: Final = """
UPDATE directory.bot_ratings SET mu = $4, sigma = $5, games = games + 1, wins = wins + $6::integer
WHERE bot_id = $1 AND ruleset = $2 AND seats = $3
"""

# Other transactions that would rate a game wait until this is done, and then build on its result.
LOCK: Final = "LOCK TABLE directory.bot_ratings IN SHARE ROW EXCLUSIVE MODE"
CLEAR: Final = "DELETE FROM directory.bot_ratings"

LADDER: Final = """
SELECT player_id, name, mu, sigma, games, wins
FROM directory.bot_ratings JOIN directory.players ON player_id = bot_id
WHERE ruleset = $1 AND seats = $2 AND games >= $3 AND deleted_at IS NULL
ORDER BY mu - 3 * sigma DESC, player_id
OFFSET $4 LIMIT $5
"""


async def rate_bots(connection: PoolConnectionProxy, game_id: UUID) -> None:
    """Let a game count whose result is kept, if it was played for the ladder.

    The caller makes sure, in the same transaction, that it has not counted before.
    """
    for row in await connection.fetch(ONE, game_id):
        await _rate(connection, _game(row))


async def rate_bots_anew(connection: PoolConnectionProxy) -> None:
    """Recalculate the whole ladder, in the caller's transaction."""
    await connection.execute(LOCK)
    await connection.execute(CLEAR)
    for row in await connection.fetch(ALL):
        await _rate(connection, _game(row))


async def _rate(connection: PoolConnectionProxy, game: RatedGame) -> None:
    rows = await connection.fetch(HOLD, game.players, game.ruleset, FIRST_MU, FIRST_SIGMA)
    held = {row["bot_id"]: Rating(mu=row["mu"], sigma=row["sigma"]) for row in rows}
    for change in changes_of(game, [held[player] for player in game.players]):
        of_bot = change.player_id, game.ruleset, len(game.players)
        await connection.execute(CHANGE, *of_bot, change.after.mu, change.after.sigma, change.won)


def _game(row: Record) -> RatedGame:
    return RatedGame(
        game_id=row["game_id"],
        ruleset=row["ruleset"],
        players=tuple(row["players"]),
        winner=row["winner"],
        lost=tuple(row["lost"]),
    )


async def bot_ladder(directory: Pool, ruleset: str, seats: int, page: int) -> LadderMessage:
    """A page of the ladder of bots by a ruleset and a number of seats; pages count from 1."""
    above = (page - 1) * PAGE
    rows = await directory.fetch(LADDER, ruleset, seats, ENOUGH, above, PAGE + 1)
    return ladder_message(ruleset, page, rows)
