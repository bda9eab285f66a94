"""The ladder: the best players of each ruleset, and the ratings of one player."""

from typing import Final
from uuid import UUID

from asyncpg import Pool, Record

from cartagena.messages.lobby import LadderMessage, RatingMessage, RungMessage
from cartagena.server.lobby.ratings import Rating

ENOUGH: Final = 10
"""How many rated games it takes to stand on the ladder."""

PAGE: Final = 50

RATINGS: Final = """
SELECT ruleset, mu, sigma, games, wins FROM directory.ratings WHERE player_id = $1 ORDER BY ruleset
"""

LADDER: Final = """
SELECT player_id, name, mu, sigma, games, wins
FROM directory.ratings JOIN directory.players USING (player_id)
WHERE ruleset = $1 AND games >= $2 AND deleted_at IS NULL
ORDER BY mu - 3 * sigma DESC, player_id
OFFSET $3 LIMIT $4
"""


async def ratings_of(directory: Pool, player: UUID) -> tuple[RatingMessage, ...]:
    """A player's ratings, one for each ruleset in which they have played rated games."""
    return tuple(
        RatingMessage(
            ruleset=row["ruleset"],
            rating=_shown(row),
            games=row["games"],
            wins=row["wins"],
            settled=row["games"] >= ENOUGH,
        )
        for row in await directory.fetch(RATINGS, player)
    )


async def ladder(directory: Pool, ruleset: str, page: int) -> LadderMessage:
    """A page of the ladder of a ruleset; pages count from 1."""
    above = (page - 1) * PAGE
    rows = await directory.fetch(LADDER, ruleset, ENOUGH, above, PAGE + 1)
    return LadderMessage(
        ruleset=ruleset,
        games=ENOUGH,
        rungs=tuple(_rung(above + number, row) for number, row in enumerate(rows[:PAGE], start=1)),
        next=page + 1 if len(rows) > PAGE else None,
    )


def _rung(rank: int, row: Record) -> RungMessage:
    return RungMessage(
        rank=rank,
        player=row["player_id"],
        name=row["name"],
        rating=_shown(row),
        games=row["games"],
        wins=row["wins"],
    )


def _shown(row: Record) -> int:
    return Rating(mu=row["mu"], sigma=row["sigma"]).shown
