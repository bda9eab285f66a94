"""The replay of the day: a game worth watching, for a player who finds nobody to play with."""

from typing import Final

from asyncpg import Pool

from cartagena.messages.lobby import FeaturedGame
from cartagena.server.lobby.player_games import names_of, seats_of
from cartagena.server.lobby.table_summary import SummarySource
from cartagena.server.shared.timestamps import milliseconds

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
