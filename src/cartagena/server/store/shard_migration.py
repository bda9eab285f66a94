"""Moving buckets: the games of a bucket are copied to another database while they are played."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from uuid import UUID

from cartagena.rules.refusals import CartagenaError
from cartagena.server.store.databases import Databases, confirm, confirm_on
from cartagena.server.store.shards import DEPARTURE, IDENTITY, Held, Pool
from cartagena.tables.ids import BUCKETS

BEFORE_ALL: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """A table of the shard; `number` is the column that counts a game's rows if rows are only ever added.

    `leaves_from` is the table from which its rows are read after a bucket has departed.
    """

    name: str
    number: str | None = None
    leaves_from: str | None = None

    @property
    def kept_in(self) -> str:
        """Where a bucket that left still has its rows."""
        return f"shard.{self.leaves_from or self.name}"

    def newest(self) -> str:
        """The statement for the last rows that a database has of some games."""
        return f"""
            SELECT game_id, max({self.number}) AS number FROM shard.{self.name}
            WHERE game_id = ANY ($1::uuid[]) GROUP BY game_id
        """  # noqa: S608  # our own names

    def rows(self) -> str:
        """The statement for the rows of some games, each after a number."""
        after = "" if self.number is None else f"AND r.{self.number} > wanted.after"
        return f"""
            SELECT r.* FROM unnest($1::uuid[], $2::int[]) AS wanted (game_id, after)
            JOIN {self.kept_in} r ON r.game_id = wanted.game_id {after}
        """  # noqa: S608  # our own names

    def deletion(self) -> str:
        """The statement that deletes the rows of some games."""
        return f"DELETE FROM {self.kept_in} WHERE game_id = ANY ($1::uuid[])"  # noqa: S608  # our own names


COPIED: Final = (
    Copied(name="events", number="seq"),
    Copied(name="chat", number="number"),
    Copied(name="tables"),
    Copied(name="records"),
    Copied(name="games", leaves_from="leaving"),
)
"""Everything that a shard keeps of a game; the row by which the game is found comes last."""


async def copy_rows(table: Copied, ids: list[UUID], source: Held, target: Held) -> None:
    """Copy those rows of some games that the target does not have yet."""
    after = dict.fromkeys(ids, BEFORE_ALL)
    if table.number is not None:
        after |= {row["game_id"]: row["number"] for row in await target.fetch(table.newest(), ids)}
    rows = BytesIO()
    await source.copy_from_query(table.rows(), ids, list(after.values()), output=rows, format="binary")
    rows.seek(0)
    await target.copy_to_table(table.name, schema_name="shard", source=rows, format="binary")


MOVES: Final = 20061117
"""The lock in the directory that keeps moves, repairs and the forgetting of names apart."""
MOVER: Final = 20061118
"""The lock in each database of games: its holder alone writes what a mover writes."""
TRY_ALONE: Final = "SELECT pg_try_advisory_lock($1)"
NO_LONGER_ALONE: Final = "SELECT pg_advisory_unlock($1)"
BATCH: Final = 200
"""How many games have their rows copied in one go."""

GAMES_IN: Final = "SELECT game_id FROM shard.games WHERE shard.bucket_of(game_id) = $1"
ANY_GAMES_IN: Final = f"SELECT EXISTS ({GAMES_IN})"
LEFT_IN: Final = "SELECT game_id FROM shard.leaving WHERE shard.bucket_of(game_id) = $1"

WAIT_FOR_BEGINNINGS: Final = "SELECT pg_advisory_xact_lock(shard.departure_lock(), $1)"
NOTE: Final = "INSERT INTO shard.departures (bucket, shard) VALUES ($1, $2)"
LEAVE: Final = """
WITH away AS (DELETE FROM shard.games WHERE shard.bucket_of(game_id) = $1 RETURNING *)
INSERT INTO shard.leaving SELECT * FROM away
"""
COME_BACK: Final = """
WITH back AS (DELETE FROM shard.leaving WHERE shard.bucket_of(game_id) = $1 RETURNING *)
INSERT INTO shard.games SELECT * FROM back
"""
FORGET_NOTE: Final = "DELETE FROM shard.departures WHERE bucket = $1"
ARRIVED: Final = "UPDATE shard.departures SET arrived = true WHERE bucket = $1"
ARRIVED_THERE: Final = f"{ARRIVED} AND shard = $2"
# The worker that had claimed a game has lost it, so the game is due at once; its clock keeps its deadline.
SETTLE_IN: Final = """
UPDATE shard.games SET wake_at = least(wake_at, now()), news_at = least(news_at, now())
WHERE game_id = ANY ($1::uuid[]) AND stage <> 3 AND (wake_at IS NOT NULL OR news_at IS NOT NULL)
"""

# Events that were copied ahead, and folded before the bucket left.
FOLDED_MEANWHILE: Final = """
DELETE FROM shard.events e USING shard.records r
WHERE e.game_id = ANY ($1::uuid[]) AND r.game_id = e.game_id AND e.seq <= r.last
"""
# Lines that were copied ahead with their words, and removed before the bucket left.
REMOVED_MEANWHILE: Final = """
UPDATE shard.chat c SET text = '' FROM shard.chat r
WHERE r.game_id = ANY ($1::uuid[]) AND c.game_id = r.game_id AND c.number = r.removes AND c.text <> ''
"""


class MoveRefused(CartagenaError):
    """A bucket cannot move; the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedBucket:
    """A bucket that has arrived: how many games it has, and for how many seconds they stood still."""

    bucket: int
    games: int
    pause: float


Progress = Callable[[MovedBucket], None]


async def move(databases: Databases, buckets: Sequence[int], target: int, progress: Progress) -> None:
    """Move buckets to the database with number `target`, one after another; raises MoveRefused."""
    async with _moving(databases) as shards:
        for bucket in buckets:
            source = databases.whereabouts.place_of(bucket)
            if source != target:
                progress(await Mover(bucket, shards[source], shards[target]).run())
            else:
                await _note_return(shards, bucket, target)
            for shard in shards:
                await clean_up(shard, bucket)


async def bring_back(databases: Databases, bucket: int) -> None:
    """Give up a move that has not arrived: its games go on where they were."""
    async with _moving(databases) as shards:
        source = shards[databases.whereabouts.place_of(bucket)]
        async with source.transaction():
            await source.execute(WAIT_FOR_BEGINNINGS, bucket)
            note = await source.fetchrow(DEPARTURE, bucket)
            if note is None:
                raise MoveRefused(f"bucket {bucket} is not on its way: there is nothing to undo")
            if note["arrived"] or await _has_arrived(databases, bucket, note["shard"]):
                raise MoveRefused(f"bucket {bucket} has arrived: move it there again, and it can be played")
            await source.execute(FORGET_NOTE, bucket)
            await source.execute(COME_BACK, bucket)


@asynccontextmanager
async def _moving(databases: Databases) -> AsyncIterator[Sequence[Held]]:
    """The connections over which the one mover writes, one to each database; raises MoveRefused."""
    async with alone(databases.directory), AsyncExitStack() as held:
        # What a mover that died has sent may still be on its way, and must not be carried out amidst our own
        # work. Its session ends only after that, and holds the lock until then.
        shards = [await held.enter_async_context(alone(pool, MOVER)) for pool in databases.shards()]
        await _learn(databases)
        yield shards


async def _learn(databases: Databases) -> None:
    """Read where buckets are, once everything that a dead mover did there is safely replicated."""
    for pool in databases.shards():
        await confirm(pool)
    await databases.whereabouts.learn()


async def _has_arrived(databases: Databases, bucket: int, shard: UUID) -> bool:
    """Whether a bucket can be played where it went; False if the settings no longer name that database."""
    place = await databases.whereabouts.place_with(shard)
    if place is None:
        return False
    there: bool = await databases.shards()[place].fetchval(ANY_GAMES_IN, bucket)
    return there


async def _note_return(shards: Sequence[Held], bucket: int, target: int) -> None:
    """Note that a bucket came back wherever it was before, in case its mover died before doing so."""
    identity = await shards[target].fetchval(IDENTITY)
    for shard in shards:
        await shard.execute(ARRIVED_THERE, bucket, identity)


async def clean_up(shard: Held, bucket: int) -> None:
    """Delete what a bucket that has arrived elsewhere left behind; ids go last, so this can be repeated."""
    note = await shard.fetchrow(DEPARTURE, bucket)
    if note is not None and note["arrived"]:
        for ids in _batches(await _ids(shard, LEFT_IN, bucket)):
            await drop(shard, ids)


async def drop(shard: Held, ids: list[UUID]) -> None:
    """Delete all rows of some games except those that can be played."""
    for table in COPIED:
        await shard.execute(table.deletion(), ids)


@asynccontextmanager
async def alone(pool: Pool, lock: int = MOVES) -> AsyncIterator[Held]:
    """Keep out all else that needs games to stay where they are; raises MoveRefused if it is running."""
    async with pool.acquire() as connection:
        if not await connection.fetchval(TRY_ALONE, lock):
            raise MoveRefused("another move, a repair or the forgetting of a name is under way; try again")
        try:
            yield connection
        finally:
            await connection.fetchval(NO_LONGER_ALONE, lock)


class Mover:
    """One bucket on its way from one database to another."""

    def __init__(self, bucket: int, source: Held, target: Held) -> None:
        assert 0 <= bucket < BUCKETS
        self.bucket = bucket
        self.source = source
        self.target = target

    async def run(self) -> MovedBucket:
        """Copy, depart, copy the rest, arrive."""
        note = await self.source.fetchrow(DEPARTURE, self.bucket)
        destination: UUID = await self.target.fetchval(IDENTITY)
        if note is not None and note["shard"] != destination:
            raise MoveRefused(f"bucket {self.bucket} is on its way to another database; move it there first")
        if note is None:
            await self._copy_ahead()
        loop = asyncio.get_running_loop()
        departure = loop.time()
        if note is None:
            await self._depart(destination)
        left = await _ids(self.source, LEFT_IN, self.bucket)
        await self._arrive(left)
        await self._note_arrival()
        return MovedBucket(bucket=self.bucket, games=len(left), pause=loop.time() - departure)

    async def _copy_ahead(self) -> None:
        """Copy what only grows while everybody plays on, after deleting what an abandoned move had copied."""
        if await self.target.fetchval(ANY_GAMES_IN, self.bucket):
            raise MoveRefused(f"bucket {self.bucket} has games in both databases: check CARTAGENA_SHARDS")
        for ids in _batches(await _ids(self.source, GAMES_IN, self.bucket)):
            await drop(self.target, ids)
            for table in COPIED:
                if table.number is not None:
                    await copy_rows(table, ids, self.source, self.target)

    async def _depart(self, destination: UUID) -> None:
        async with self.source.transaction():
            await self.source.execute(WAIT_FOR_BEGINNINGS, self.bucket)
            await self.source.execute(NOTE, self.bucket, destination)
            await self.source.execute(LEAVE, self.bucket)
        # A departure that is lost after its games have arrived would leave two copies.
        await confirm_on(self.source)

    async def _arrive(self, ids: list[UUID]) -> None:
        """Copy what is new and let the games in, in one transaction: all of them arrive, or none."""
        async with self.target.transaction():
            # A mover that died may have got this far.
            if not await self.target.fetchval(ANY_GAMES_IN, self.bucket):
                await self._let_in(ids)
        # An arrival that is lost after it has been noted would leave no copy.
        await confirm_on(self.target)

    async def _let_in(self, ids: list[UUID]) -> None:
        await self.target.execute(FORGET_NOTE, self.bucket)
        for batch in _batches(ids):
            for table in COPIED:
                await copy_rows(table, batch, self.source, self.target)
            await self.target.execute(FOLDED_MEANWHILE, batch)
            await self.target.execute(REMOVED_MEANWHILE, batch)
            await self.target.execute(SETTLE_IN, batch)

    async def _note_arrival(self) -> None:
        await self.source.execute(ARRIVED, self.bucket)


async def _ids(shard: Held, statement: str, bucket: int) -> list[UUID]:
    return [row["game_id"] for row in await shard.fetch(statement, bucket)]


def _batches(ids: list[UUID]) -> list[list[UUID]]:
    return [ids[start : start + BATCH] for start in range(0, len(ids), BATCH)]
