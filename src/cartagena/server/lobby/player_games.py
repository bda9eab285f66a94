"""A player's games: the tables at which they sit, what they have finished, and how their rating went."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from asyncpg import Pool, Record
from msgspec import Raw

from cartagena.messages.lobby import (
    GamesFilter,
    MyTableMessage,
    RatingChangeMessage,
    RatingCourseMessage,
    RatingPointMessage,
    ResultMessage,
    ResultsMessage,
    SeatMessage,
    TotalMessage,
)
from cartagena.server.lobby.listings import SummarySource, TableSummary
from cartagena.server.lobby.ratings import Rating, ratings_of
from cartagena.server.shared.moments import milliseconds
from cartagena.tables.frames import STAGES, clock_settings

PAGE: Final = 20
MOST_TABLES: Final = 200
ALL: Final = GamesFilter()
LIKE_SIGNS: Final = re.compile(r"[\\%_]")

PLAYING: Final = """
SELECT game_id
FROM directory.seatings
WHERE player_id = $1 AND ended_at IS NULL
ORDER BY to_act DESC, deadline, game_id DESC
LIMIT $2
"""

UNFINISHED: Final = "SELECT count(*) FROM directory.seatings WHERE player_id = $1 AND ended_at IS NULL"

# Only its players may know of a private game.
KNOWN: Final = "(r.listed OR $2 = ANY (r.players))"

# All deleted players share one name, also in name_key, and are found by no other.
AGAINST: Final = """
EXISTS (
    SELECT
    FROM unnest(r.players, r.levels) WITH ORDINALITY AS other (player_id, level, number)
        LEFT JOIN directory.players p ON p.player_id = other.player_id
    WHERE other.number <> s.seat + 1
        AND (p.name_key LIKE $8 OR other.level LIKE $8 OR other.level = ANY ($9::text[]))
)
"""

# A page may begin only after a game that the asker may know of: else `before` would reveal who played it.
PLAYED: Final = f"""
SELECT s.seat, r.game_id, r.ruleset, r.rated, r.ending, r.winner, r.players, r.levels, r.ended_at,
    c.mu_before, c.sigma_before, c.mu_after, c.sigma_after
FROM directory.seatings s
    JOIN directory.results r USING (game_id)
    LEFT JOIN directory.rating_changes c USING (game_id, player_id)
WHERE s.player_id = $1 AND s.ended_at IS NOT NULL AND {KNOWN}
    AND (
        $3::uuid IS NULL
        OR (s.ended_at, s.game_id) < (
            SELECT last.ended_at, last.game_id
            FROM directory.seatings last JOIN directory.results r USING (game_id)
            WHERE last.player_id = $1 AND last.game_id = $3 AND {KNOWN}
        )
    )
    AND ($5::text IS NULL OR r.ruleset = $5)
    AND CASE $6::text
        WHEN 'won' THEN r.winner = s.seat
        WHEN 'lost' THEN r.winner <> s.seat
        WHEN 'none' THEN r.winner IS NULL
        ELSE true
    END
    AND ($7::boolean IS NULL OR r.rated = $7)
    AND ($8::text IS NULL OR {AGAINST})
ORDER BY s.ended_at DESC, s.game_id DESC
LIMIT $4
"""  # noqa: S608  # our own words

TOTALS: Final = f"""
SELECT r.ruleset, count(*) AS games, count(*) FILTER (WHERE r.winner = s.seat) AS wins
FROM directory.seatings s JOIN directory.results r USING (game_id)
WHERE s.player_id = $1 AND s.ended_at IS NOT NULL AND {KNOWN}
GROUP BY r.ruleset
ORDER BY r.ruleset
"""  # noqa: S608  # our own words

NAMES: Final = "SELECT player_id, name FROM directory.players WHERE player_id = ANY ($1::uuid[])"


async def unfinished(directory: Pool, player_id: UUID) -> int:
    """At how many unfinished tables a player sits, as far as the directory knows."""
    count: int = await directory.fetchval(UNFINISHED, player_id)
    return count


async def tables_of(directory: Pool, source: SummarySource, player: UUID) -> tuple[MyTableMessage, ...]:
    """The tables at which a player sits, as they stand now, those that wait for the player first."""
    ids = [row["game_id"] for row in await directory.fetch(PLAYING, player, MOST_TABLES)]
    standings = [
        standing for standing in await source.standings(ids) if standing.sheet.seat_of(player) is not None
    ]
    shown = [my_table(standing, player) for standing in standings]
    return tuple(sorted(shown, key=lambda table: not table.my_turn))


def my_table(standing: TableSummary, player: UUID) -> MyTableMessage:
    """A table as a player who sits there is shown it among their own."""
    sheet = standing.sheet
    seat = sheet.seat_of(player)
    assert seat is not None
    mine = standing.to_act == seat and sheet.chairs[seat].bot is None
    return MyTableMessage(
        id=standing.game_id,
        stage=STAGES[sheet.stage],
        ruleset=sheet.rules.key,
        clock=None if sheet.clock is None else clock_settings(sheet.clock),
        rated=sheet.rated,
        seat=seat,
        seats=tuple(
            SeatMessage(player=chair.player, name=chair.name, level=chair.level) for chair in sheet.chairs
        ),
        my_turn=mine,
        deadline=milliseconds(standing.deadline) if mine and standing.deadline is not None else None,
    )


async def results_of(
    directory: Pool,
    player: UUID,
    *,
    asker: UUID | None,
    before: UUID | None = None,
    only: GamesFilter = ALL,
    most: int = PAGE,
) -> ResultsMessage:
    """A page of a player's finished games, the latest first, as far as the asker may know of them.

    `only.against` is folded as the accounts fold names.
    """
    rows = await directory.fetch(
        PLAYED,
        player,
        asker,
        before,
        most + 1,
        only.ruleset,
        only.outcome,
        only.rated,
        contains(only.against) if only.against else None,
        only.levels,
    )
    names = await names_of(directory, [who for row in rows for who in row["players"] if who is not None])
    shown = tuple(_result(row, names) for row in rows[:most])
    return ResultsMessage(results=shown, next=shown[-1].id if len(rows) > most else None)


def contains(text: str) -> str:
    r"""The LIKE pattern for texts that contain `text` literally.

    >>> contains("50%_off")
    '%50\\%\\_off%'
    """
    escaped = LIKE_SIGNS.sub(r"\\\g<0>", text)
    return f"%{escaped}%"


async def totals_of(directory: Pool, player: UUID, *, asker: UUID | None) -> tuple[TotalMessage, ...]:
    """How many games a player has finished and won by each ruleset, counting those the asker may know of."""
    return tuple(
        TotalMessage(ruleset=row["ruleset"], games=row["games"], wins=row["wins"])
        for row in await directory.fetch(TOTALS, player, asker)
    )


async def names_of(directory: Pool, players: Iterable[UUID]) -> dict[UUID, str]:
    """The current names of players."""
    rows = await directory.fetch(NAMES, list(set(players)))
    return {row["player_id"]: row["name"] for row in rows}


def _result(row: Record, names: Mapping[UUID, str]) -> ResultMessage:
    return ResultMessage(
        id=row["game_id"],
        ruleset=row["ruleset"],
        rated=row["rated"],
        ending=row["ending"],
        winner=row["winner"],
        seat=row["seat"],
        seats=seats_of(row["players"], row["levels"], names),
        ended=milliseconds(row["ended_at"]),
        rating=_change(row),
    )


def seats_of(
    players: Sequence[UUID | None], levels: Sequence[str | None], names: Mapping[UUID, str]
) -> tuple[SeatMessage, ...]:
    """Who played on each seat of a finished game."""
    return tuple(
        SeatMessage(player=player, name=names.get(player, "") if player else level or "", level=level)
        for player, level in zip(players, levels, strict=True)
    )


def _change(row: Record) -> RatingChangeMessage | None:
    if row["mu_before"] is None:
        return None
    before = Rating(mu=row["mu_before"], sigma=row["sigma_before"])
    after = Rating(mu=row["mu_after"], sigma=row["sigma_after"])
    return RatingChangeMessage(before=before.shown, after=after.shown)


async def exported(directory: Pool, source: SummarySource, player: UUID) -> Raw:
    """Everything that the lobby keeps about a player, as JSON: their tables, results and ratings."""
    results: list[ResultMessage] = []
    page = await results_of(directory, player, asker=player, most=MOST_TABLES)
    results.extend(page.results)
    while page.next is not None:
        page = await results_of(directory, player, asker=player, before=page.next, most=MOST_TABLES)
        results.extend(page.results)
    kept = {
        "tables": await tables_of(directory, source, player),
        "results": results,
        "ratings": await ratings_of(directory, player),
    }
    return Raw(msgspec.json.encode(kept))


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
