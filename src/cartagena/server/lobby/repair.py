"""Repair: rewrites the directory from the games, and all ratings from the results."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal
from uuid import UUID

from asyncpg import Pool, Record
from asyncpg.pool import PoolConnectionProxy

from cartagena.server.lobby.bot_ladder import rate_bots, rate_bots_anew
from cartagena.server.lobby.listings import (
    ListingChange,
    SummarySource,
    TableSummary,
    change_of,
    write_listing,
)
from cartagena.server.lobby.ratings import RatedGame, Rating, RatingChange, changes_of, rate
from cartagena.server.lobby.results import keep, keep_anew, result_of
from cartagena.server.lobby.turn_notices import note, turn_of
from cartagena.tables.sheet import Stage

# Telling the directory how a table stands: in one transaction, repeatable, never backwards.

KEPT: Final = timedelta(days=1)
"""How long the directory remembers how far it was told of a finished table; no worker is that late."""

# The update changes nothing, but returns the row and locks it until the transaction ends.
HOLD: Final = """
INSERT INTO directory.told (game_id, seq)
SELECT game_id, -1 FROM unnest($1::uuid[]) AS game_id ORDER BY game_id
ON CONFLICT (game_id) DO UPDATE SET seq = told.seq
RETURNING seq
"""

TOLD: Final = "UPDATE directory.told SET seq = $2, is_over = $3, at = now() WHERE game_id = $1"

SEAT: Final = """
WITH gone AS (
    DELETE FROM directory.seatings WHERE game_id = $1 AND player_id <> ALL ($2::uuid[])
)
INSERT INTO directory.seatings AS s (player_id, game_id, seat, stage, to_act, deadline, ended_at)
SELECT player_id, $1, seat, $4, to_act, CASE WHEN to_act THEN $6::timestamptz END, $7
FROM unnest($2::uuid[], $3::smallint[], $5::bool[]) AS p (player_id, seat, to_act)
ON CONFLICT (player_id, game_id) DO UPDATE
SET seat = excluded.seat, stage = excluded.stage, to_act = excluded.to_act, deadline = excluded.deadline,
    ended_at = excluded.ended_at
WHERE (s.*) IS DISTINCT FROM (excluded.*)
"""

FORGET: Final = """
DELETE FROM directory.told WHERE game_id IN (
    SELECT game_id FROM directory.told WHERE is_over AND at < now() - $1::interval LIMIT $2
)
"""


async def tell(directory: Pool, standing: TableSummary) -> ListingChange | None:
    """Write how a table stands, and let its game count; returns what to tell the lobby.

    A standing older than what the directory knows is not written. One that it knows already is announced
    again: the worker that wrote it may have died before announcing it.
    """
    async with directory.acquire() as connection, connection.transaction():
        before: int = await connection.fetchval(HOLD, [standing.game_id])
        if before > standing.seq:
            return None
        listed = await write_table(connection, standing)
        result = result_of(standing)
        if result is not None and await keep(connection, result):
            if result.rated_game is not None:
                await rate(connection, result.rated_game)
            await rate_bots(connection, result.game_id)
        await note(connection, standing)
    again = before == standing.seq and standing.sheet.listed
    return change_of(standing) if listed or again else None


async def hold(connection: PoolConnectionProxy, game_ids: Sequence[UUID]) -> None:
    """Let no other transaction write about these tables until this one ends."""
    await connection.execute(HOLD, game_ids)


async def write_table(connection: PoolConnectionProxy, standing: TableSummary) -> bool:
    """Write who sits at a table and how the lobby shows it; returns whether the listing changed."""
    over = standing.sheet.stage is Stage.OVER
    await connection.execute(SEAT, standing.game_id, *_seats(standing))
    await connection.execute(TOLD, standing.game_id, standing.seq, over)
    return await write_listing(connection, standing)


def _seats(standing: TableSummary) -> tuple[object, ...]:
    over = standing.sheet.stage is Stage.OVER
    people = () if over and not standing.has_result else standing.people
    seats = [standing.sheet.seat_of(player) for player in people]
    turn = turn_of(standing)
    return (
        people,
        seats,
        standing.sheet.stage,
        [turn is not None and player == turn.player_id for player in people],
        standing.deadline,
        standing.ended_at,
    )


async def forget_old(directory: Pool, *, most: int = 10_000) -> int:
    """Forget how far tables were told whose games ended long ago; returns how many."""
    done = await directory.execute(FORGET, KEPT, most)
    return int(done.rpartition(" ")[2])


RESULTS_AT_ONCE: Final = 1_000
PATIENCE: Final = 3600.0
"""Seconds that one statement may take: there may be millions of games."""

# Other transactions that would rate a game wait until this is done, and then build on its result.
LOCK: Final = "LOCK TABLE directory.ratings, directory.rating_changes IN SHARE ROW EXCLUSIVE MODE"

RATED: Final = """
SELECT game_id, ruleset, players, winner, lost
FROM directory.results
WHERE rated AND ending <> 'abandoned' AND array_position(players, NULL) IS NULL
    AND NOT EXISTS (SELECT FROM directory.bots WHERE bot_id = ANY (players))
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
        await rate_bots_anew(connection)
    return rated


async def _rate_all(connection: PoolConnectionProxy, progress: Callable[[int], None]) -> int:
    careers: Careers = defaultdict(_Career)
    noted: list[tuple[object, ...]] = []
    rated = 0
    async for row in connection.cursor(RATED, prefetch=RESULTS_AT_ONCE):
        noted.extend(_rate_one(careers, _game_of(row)))
        rated += 1
        if rated % RESULTS_AT_ONCE == 0:
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


BATCH: Final = 200

TABLES: Final = ("told", "listings", "seatings", "results", "notices")
"""The tables of the directory that refer to games by their ids."""

KNOWN: Final = " UNION ".join(
    f"(SELECT DISTINCT game_id FROM directory.{name} WHERE game_id > $1 ORDER BY game_id LIMIT $2)"  # noqa: S608  # our own names
    for name in TABLES
)

NEXT_KNOWN: Final = f"{KNOWN} ORDER BY game_id LIMIT $2"

DROP_RESULT: Final = "DELETE FROM directory.results WHERE game_id = $1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStep:
    """How far a repair has come: how many tables are written, strangers deleted or games rated."""

    doing: Literal["tables", "strangers", "ratings"]
    done: int


Progress = Callable[[RepairStep], None]


async def repair(source: SummarySource, directory: Pool, progress: Progress, *, batch: int = BATCH) -> None:
    """Make the directory agree with the games."""
    written = 0
    async for game_ids in source.walk(batch):
        await _write(source, directory, game_ids)
        written += len(game_ids)
        progress(RepairStep(doing="tables", done=written))
    gone = 0
    async for game_ids in _known(directory, batch):
        gone += await _drop_strangers(source, directory, game_ids)
        progress(RepairStep(doing="strangers", done=gone))
    rated = await rate_anew(directory, lambda games: progress(RepairStep(doing="ratings", done=games)))
    progress(RepairStep(doing="ratings", done=rated))


async def _write(source: SummarySource, directory: Pool, game_ids: list[UUID]) -> None:
    """Write some tables as they stand, whatever the directory said before."""
    async with directory.acquire() as connection, connection.transaction():
        # Read only now, when no other transaction can write about them: nothing newer can be there.
        await hold(connection, game_ids)
        for standing in await source.standings(game_ids):
            await write_table(connection, standing)
            result = result_of(standing)
            if result is None:
                await connection.execute(DROP_RESULT, standing.game_id)
            else:
                await keep_anew(connection, result)


async def _known(directory: Pool, batch: int) -> AsyncIterator[list[UUID]]:
    """Every table that the directory mentions, a batch at a time."""
    last = UUID(int=0)
    while rows := await directory.fetch(NEXT_KNOWN, last, batch):
        last = rows[-1]["game_id"]
        yield [row["game_id"] for row in rows]


async def _drop_strangers(source: SummarySource, directory: Pool, game_ids: list[UUID]) -> int:
    """Delete what is said of tables that do not exist; returns how many there were.

    A table is in its shard before the directory hears of it, so one that is missing there never appears.
    """
    strangers = sorted(set(game_ids) - await source.existing(game_ids))
    if strangers:
        async with directory.acquire() as connection, connection.transaction():
            for name in TABLES:
                await connection.execute(
                    f"DELETE FROM directory.{name} WHERE game_id = ANY ($1::uuid[])",  # noqa: S608  # our own names
                    strangers,
                )
    return len(strangers)
