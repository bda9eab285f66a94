"""Ratings in the directory: each rated game counts once."""

from typing import Final

from asyncpg.pool import PoolConnectionProxy

from cartagena.server.lobby.ratings import FIRST_MU, FIRST_SIGMA, RatedGame, Rating, changes_of

# The rows are created and locked in the order of the players, so that two games with the same players
# never wait for each other.
HOLD: Final = """
INSERT INTO directory.ratings (player_id, ruleset, mu, sigma)
SELECT player_id, $2, $3, $4 FROM unnest($1::uuid[]) AS player_id ORDER BY player_id
ON CONFLICT (player_id, ruleset) DO UPDATE SET ruleset = excluded.ruleset
RETURNING player_id, mu, sigma
"""

CHANGE: Final = """
UPDATE directory.ratings r
SET mu = c.mu, sigma = c.sigma, games = r.games + 1, wins = r.wins + c.won::integer
FROM unnest($2::uuid[], $3::float8[], $4::float8[], $5::bool[]) AS c (player_id, mu, sigma, won)
WHERE r.player_id = c.player_id AND r.ruleset = $1
"""

NOTE: Final = """
INSERT INTO directory.rating_changes
    (game_id, player_id, ruleset, mu_before, sigma_before, mu_after, sigma_after)
SELECT $1, player_id, $2, mu_before, sigma_before, mu_after, sigma_after
FROM unnest($3::uuid[], $4::float8[], $5::float8[], $6::float8[], $7::float8[])
    AS c (player_id, mu_before, sigma_before, mu_after, sigma_after)
"""


async def rate(connection: PoolConnectionProxy, game: RatedGame) -> None:
    """Let a game count; the caller makes sure, in the same transaction, that it has not counted before."""
    rows = await connection.fetch(HOLD, game.players, game.ruleset, FIRST_MU, FIRST_SIGMA)
    held = {row["player_id"]: Rating(mu=row["mu"], sigma=row["sigma"]) for row in rows}
    changes = changes_of(game, [held[player] for player in game.players])
    players = [change.player_id for change in changes]
    mus, sigmas = [change.after.mu for change in changes], [change.after.sigma for change in changes]
    won = [change.won for change in changes]
    await connection.execute(CHANGE, game.ruleset, players, mus, sigmas, won)
    before = [change.before for change in changes]
    await connection.execute(
        NOTE,
        game.game_id,
        game.ruleset,
        players,
        [rating.mu for rating in before],
        [rating.sigma for rating in before],
        mus,
        sigmas,
    )
