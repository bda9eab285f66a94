"""Recalculates all ratings from the results, in the order in which the games ended."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from asyncpg import Pool, Record
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.lobby.ratings import RatedGame, Rating, RatingChange, changes_of

BATCH: Final = 1_000
PATIENCE: Final = 3600.0
"""Seconds that one statement may take: there may be millions of games."""

# Other transactions that would rate a game wait until this is done, and then build on its result.
LOCK: Final = "LOCK TABLE directory.ratings, directory.rating_changes IN SHARE ROW EXCLUSIVE MODE"

RATED: Final = """
SELECT game_id, ruleset, players, winner, lost
FROM directory.results
WHERE rated AND ending <> 'abandoned' AND array_position(players, NULL) IS NULL
ORDER BY ended_at, game_id
"""

NEW_TABLES: Final = """
CREATE TEMPORARY TABLE new_ratings (LIKE directory.ratings INCLUDING DEFAULTS) ON COMMIT DROP;
CREATE TEMPORARY TABLE new_changes (LIKE directory.rating_changes) ON COMMIT DROP
"""

# Rows that are right are not touched, so a directory in order stays as it is.
REPLACE: Final = (
    """
    DELETE FROM directory.rating_changes old
    WHERE NOT EXISTS (
        SELECT FROM new_changes new
        WHERE new.game_id = old.game_id AND new.player_id = old.player_id
            AND (new.*) IS NOT DISTINCT FROM (old.*)
    )
    """,
    "INSERT INTO directory.rating_changes SELECT * FROM new_changes ON CONFLICT DO NOTHING",
    """
    DELETE FROM directory.ratings old
    WHERE NOT EXISTS (
        SELECT FROM new_ratings new
        WHERE new.player_id = old.player_id AND new.ruleset = old.ruleset
            AND (new.*) IS NOT DISTINCT FROM (old.*)
    )
    """,
    "INSERT INTO directory.ratings SELECT * FROM new_ratings ON CONFLICT DO NOTHING",
)


@dataclass(slots=True)
class _Career:
    """A player's games by one ruleset so far."""

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    wins: int = 0

    def went_on(self, change: RatingChange) -> None:
        self.rating = change.after
        self.games += 1
        self.wins += change.won


Careers = defaultdict[tuple[UUID, str], _Career]


async def rate_anew(directory: Pool, progress: Callable[[int], None]) -> int:
    """Recalculate all ratings; reports progress, and returns how many games were rated."""
    async with directory.acquire() as connection, connection.transaction():
        await connection.execute(LOCK, timeout=PATIENCE)
        await connection.execute(NEW_TABLES)
        rated = await _rate_all(connection, progress)
        for statement in REPLACE:
            await connection.execute(statement, timeout=PATIENCE)
    return rated


async def _rate_all(connection: PoolConnectionProxy, progress: Callable[[int], None]) -> int:
    careers: Careers = defaultdict(_Career)
    noted: list[tuple[object, ...]] = []
    rated = 0
    async for row in connection.cursor(RATED, prefetch=BATCH):
        noted.extend(_rate_one(careers, _game_of(row)))
        rated += 1
        if rated % BATCH == 0:
            await connection.copy_records_to_table("new_changes", records=noted)
            noted.clear()
            progress(rated)
    await connection.copy_records_to_table("new_changes", records=noted)
    await connection.copy_records_to_table(
        "new_ratings",
        records=[
            (player, ruleset, career.rating.mu, career.rating.sigma, career.games, career.wins)
            for (player, ruleset), career in careers.items()
        ],
    )
    return rated


def _game_of(row: Record) -> RatedGame:
    return RatedGame(
        game_id=row["game_id"],
        ruleset=row["ruleset"],
        players=tuple(row["players"]),
        winner=row["winner"],
        lost=tuple(row["lost"]),
    )


def _rate_one(careers: Careers, game: RatedGame) -> list[tuple[object, ...]]:
    own = [careers[player, game.ruleset] for player in game.players]
    changes = changes_of(game, [career.rating for career in own])
    for career, change in zip(own, changes, strict=True):
        career.went_on(change)
    return [
        (
            game.game_id,
            change.player_id,
            game.ruleset,
            change.before.mu,
            change.before.sigma,
            change.after.mu,
            change.after.sigma,
        )
        for change in changes
    ]
