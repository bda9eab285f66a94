"""Results: how a game ended, as the directory keeps it, by the players' ids; and the replay of the day."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy

from cartagena.messages.lobby import FeaturedGame
from cartagena.server.lobby.listings import SummarySource, TableSummary
from cartagena.server.lobby.player_games import names_of, seats_of
from cartagena.server.lobby.ratings import RatedGame
from cartagena.server.shared.moments import milliseconds

_COLUMNS: Final = """
    (game_id, ruleset, rules, listed, rated, ending, winner, players, levels, lost, ended_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""

KEEP: Final = f"INSERT INTO directory.results {_COLUMNS} ON CONFLICT DO NOTHING RETURNING game_id"

KEEP_ANEW: Final = f"""
INSERT INTO directory.results AS r {_COLUMNS}
ON CONFLICT (game_id) DO UPDATE
SET ruleset = $2, rules = $3, listed = $4, rated = $5, ending = $6, winner = $7, players = $8, levels = $9,
    lost = $10, ended_at = $11
WHERE (r.*) IS DISTINCT FROM (excluded.*)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """How a game ended; `players`, `levels` and `lost` have an element for each seat."""

    game_id: UUID
    ruleset: str
    rules: str
    listed: bool
    rated: bool
    ending: str
    winner: int | None
    players: tuple[UUID | None, ...]
    levels: tuple[str | None, ...]
    lost: tuple[bool, ...]
    ended_at: datetime

    def values(self) -> tuple[object, ...]:
        """The values of its row, in the order of the columns."""
        return (
            self.game_id,
            self.ruleset,
            self.rules,
            self.listed,
            self.rated,
            self.ending,
            self.winner,
            self.players,
            self.levels,
            self.lost,
            self.ended_at,
        )

    @property
    def rated_game(self) -> RatedGame | None:
        """The game as ratings see it; None if it does not count because it was casual or abandoned."""
        players = tuple(player for player in self.players if player is not None)
        if not self.rated or self.ending == "abandoned" or len(players) < len(self.players):
            return None
        return RatedGame(
            game_id=self.game_id, ruleset=self.ruleset, players=players, winner=self.winner, lost=self.lost
        )


def result_of(standing: TableSummary) -> GameResult | None:
    """How a table's game ended, None if it has not ended, or if it branched off another game."""
    sheet = standing.sheet
    if (
        sheet.branch is not None
        or not standing.has_result
        or sheet.ending is None
        or standing.ended_at is None
    ):
        return None
    return GameResult(
        game_id=standing.game_id,
        ruleset=sheet.rules.key,
        rules=sheet.ruleset,
        listed=sheet.listed,
        rated=sheet.rated,
        ending=sheet.ending,
        winner=sheet.winner,
        players=tuple(chair.player for chair in sheet.chairs),
        levels=tuple(chair.level for chair in sheet.chairs),
        lost=tuple(chair.lost or chair.resigned for chair in sheet.chairs),
        ended_at=standing.ended_at,
    )


async def keep(connection: PoolConnectionProxy, result: GameResult) -> bool:
    """Keep a result; returns whether it is new."""
    return await connection.fetchval(KEEP, *result.values()) is not None


async def keep_anew(connection: PoolConnectionProxy, result: GameResult) -> None:
    """Keep a result, replacing whatever is there."""
    await connection.execute(KEEP_ANEW, *result.values())


# A table whose host never comes back is not shown to players who look for one.
FORGET: Final = (
    "DELETE FROM directory.notices WHERE player_id = $1",
    "DELETE FROM directory.listings WHERE host_id = $1",
)


async def forget_player(connection: PoolConnectionProxy, player_id: UUID) -> None:
    """Delete what the lobby keeps of a player who leaves for good; part of a larger transaction."""
    for statement in FORGET:
        await connection.execute(statement, player_id)


CANDIDATES: Final = 5

# Ids grow with time, so the newest games are read from the index, however many were played before them.
BEST: Final = """
SELECT game_id, ruleset, winner, players, levels, ended_at
FROM (SELECT * FROM directory.results ORDER BY game_id DESC LIMIT 1000) recent
WHERE listed AND ending = 'won' AND winner IS NOT NULL
ORDER BY ended_at > now() - interval '1 day' DESC, rated DESC,
    cardinality(array_remove(players, NULL)) DESC, ended_at DESC
LIMIT $1
"""


async def featured(directory: Pool, source: SummarySource) -> FeaturedGame | None:
    """A public game that was won, from the last day if possible.

    Rated games come first, then those with the most people, then the latest.
    """
    rows = await directory.fetch(BEST, CANDIDATES)
    standings = await source.standings([row["game_id"] for row in rows])
    shown = {standing.game_id for standing in standings if standing.sheet.spectators}
    row = next((row for row in rows if row["game_id"] in shown), None)
    if row is None:
        return None
    names = await names_of(directory, [player for player in row["players"] if player is not None])
    return FeaturedGame(
        id=row["game_id"],
        ruleset=row["ruleset"],
        winner=row["winner"],
        seats=seats_of(row["players"], row["levels"], names),
        ended=milliseconds(row["ended_at"]),
    )
