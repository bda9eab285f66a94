"""The course of a rating: what it was after each game, as far as the asker may know of the games."""

from typing import Final
from uuid import UUID

from asyncpg import Pool

from cartagena.messages.lobby import RatingCourseMessage, RatingPointMessage
from cartagena.server.lobby.games import KNOWN
from cartagena.server.lobby.ratings import Rating
from cartagena.server.shared.moments import milliseconds

MOST_POINTS: Final = 200

# A private game leaves no point for strangers: its moment would reveal when it was played. All they can know
# of it is in today's rating, which the ladder shows to everybody.
#
# If there are too many games, those are taken at which `number * $4 / games` reaches the next whole number.
# They are evenly spaced and include the last; the first and the highest are added.
COURSE: Final = f"""
WITH known AS (
    SELECT r.ended_at, c.mu_after, c.sigma_after,
        row_number() OVER (ORDER BY r.ended_at, r.game_id) AS number,
        row_number() OVER (ORDER BY c.mu_after - 3 * c.sigma_after DESC, r.ended_at, r.game_id) AS height,
        count(*) OVER () AS games
    FROM directory.seatings s
        JOIN directory.results r USING (game_id)
        JOIN directory.rating_changes c USING (game_id, player_id)
    WHERE s.player_id = $1 AND s.ended_at IS NOT NULL AND c.ruleset = $3 AND {KNOWN}
)
SELECT ended_at, mu_after, sigma_after
FROM known
WHERE number = 1 OR height = 1 OR number * $4::bigint / games > (number - 1) * $4::bigint / games
ORDER BY number
"""  # noqa: S608  # our own words


async def course_of(
    directory: Pool, player: UUID, ruleset: str, *, asker: UUID | None, most: int = MOST_POINTS
) -> RatingCourseMessage:
    """The rating after each game of a player by one ruleset, thinned out to `most` points."""
    rows = await directory.fetch(COURSE, player, asker, ruleset, most - 2)
    return RatingCourseMessage(
        ruleset=ruleset,
        points=tuple(
            RatingPointMessage(
                at=milliseconds(row["ended_at"]),
                rating=Rating(mu=row["mu_after"], sigma=row["sigma_after"]).shown,
            )
            for row in rows
        ),
    )
