"""Ratings after many games: every rated game counted once, for each of its players."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cartagena.server.store.pool import Pool

PAUSE: Final = 0.5
LOOKS: Final = 120
"""The workers may take a minute to tell the directory of the last game."""

CHANGES: Final = """
SELECT game_id, count(*) AS changes, count(DISTINCT player_id) AS players FROM directory.rating_changes
WHERE game_id = ANY($1) GROUP BY game_id
"""
STRANGERS: Final = "SELECT count(*) FROM directory.rating_changes WHERE NOT game_id = ANY($1)"
RESULTS: Final = "SELECT game_id, rated FROM directory.results WHERE game_id = ANY($1)"
COUNTED: Final = "SELECT coalesce(sum(games), 0) FROM directory.ratings"


@dataclass(frozen=True, slots=True)
class Ratings:
    """How many rated games were rated once for each of their players, and what is wrong."""

    once: int
    troubles: tuple[str, ...]


async def settled_ratings(directory: Pool, rated: Mapping[str, int]) -> Ratings:
    """Wait until every rated game has been rated, or until patience ends; `rated` has their seats."""
    ratings = await look_at_ratings(directory, rated)
    for _ in range(LOOKS):
        if not ratings.troubles:
            break
        await asyncio.sleep(PAUSE)
        ratings = await look_at_ratings(directory, rated)
    return ratings


async def look_at_ratings(directory: Pool, rated: Mapping[str, int]) -> Ratings:
    """How the ratings are now."""
    games = [UUID(game) for game in rated]
    rows = await directory.fetch(CHANGES, games)
    changes = {str(row["game_id"]): (row["changes"], row["players"]) for row in rows}
    results = {str(row["game_id"]): row["rated"] for row in await directory.fetch(RESULTS, games)}
    right = [game for game, seats in rated.items() if changes.get(game) == (seats, seats)]
    troubles = [f"game {game} was not rated once for each seat" for game in rated if game not in right]
    troubles += [f"game {game} has no rated result" for game in rated if not results.get(game)]
    if strangers := await directory.fetchval(STRANGERS, games):
        troubles.append(f"{strangers} changes of ratings by games that are not rated")
    counted, wanted = await directory.fetchval(COUNTED), sum(rated.values())
    if counted != wanted:
        troubles.append(f"the ratings count {counted} games instead of {wanted}")
    return Ratings(len(right), tuple(troubles))
