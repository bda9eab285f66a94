"""Folding: the log of a finished game becomes one packed row, a fraction of the size of its events.

What a table still needs stays as it is: the events of the last turn, from which its position is rebuilt, and
the one that ended the game. Readers of a log do not notice: the row comes first, then the events.
"""

import datetime as dt
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from cartagena.server.store.shards import Pool
from cartagena.tables.sheet import Stage
from cartagena.tables.table import EventKind

AFTER_THE_END: Final = (EventKind.REMATCH, EventKind.MUTED, EventKind.UNMUTED)
"""What may still happen at a table whose game is over; every other event ended it or came before."""

FOLD_AFTER: Final = dt.timedelta(days=7)
"""How long a finished game keeps its events: requests may be repeated, and most replays are watched."""

SMALLEST: Final = 9
"""The highest compression: a log is packed once and kept for years."""

HOLD: Final = "SELECT turn_seq FROM shard.games WHERE game_id = $1 AND stage = $2 FOR UPDATE"
ENDED: Final = "SELECT max(seq) FROM shard.events WHERE game_id = $1 AND kind <> ALL ($2::smallint[])"
FOLDED: Final = "SELECT last, events FROM shard.records WHERE game_id = $1"
FOLDED_HERE: Final = """
SELECT r.events FROM shard.games g LEFT JOIN shard.records r USING (game_id) WHERE g.game_id = $1
"""
TAKE: Final = """
DELETE FROM shard.events WHERE game_id = $1 AND seq <= $2
RETURNING seq, kind, seat, code, orders, detail, player, at
"""
KEEP: Final = "INSERT INTO shard.records (game_id, last, events) VALUES ($1, $2, $3)"
KEEP_ANEW: Final = "UPDATE shard.records SET events = $2 WHERE game_id = $1"
AT_REST: Final = "UPDATE shard.games SET wake_at = NULL, wake_tries = 0 WHERE game_id = $1"


class Folded(NamedTuple):
    """An event as it is packed. The key of its request is dropped: no client repeats it after days."""

    seq: int
    kind: int
    seat: int | None
    code: int | None
    orders: bytes | None
    detail: bytes | None
    player: UUID | None
    at: dt.datetime


def pack(events: Iterable[Folded]) -> bytes:
    """Events as one row stores them: column by column, because neighbours in time look alike."""
    columns = list(zip(*events, strict=True))
    return zlib.compress(msgspec.msgpack.encode(columns), SMALLEST)


def unpack(packed: bytes) -> list[Folded]:
    """The events of a row, in their order."""
    return [Folded(*event) for event in zip(*_COLUMNS.decode(zlib.decompress(packed)), strict=True)]


async def fold(pool: Pool, game_id: UUID) -> bool:
    """Fold the log of a game and let it rest; False if the game is not over, or folded already."""
    async with pool.acquire() as connection, connection.transaction():
        turn = await connection.fetchval(HOLD, game_id, Stage.OVER)
        if turn is None:
            return False
        await connection.execute(AT_REST, game_id)
        ended = await connection.fetchval(ENDED, game_id, AFTER_THE_END)
        last = min(turn, (0 if ended is None else ended) - 1)
        if last < 0 or await connection.fetchrow(FOLDED, game_id) is not None:
            return False
        rows = await connection.fetch(TAKE, game_id, last)
        events = sorted(Folded(**dict(row.items())) for row in rows)
        await connection.execute(KEEP, game_id, last, pack(events))
        return True


async def folded(pool: Pool, game_id: UUID) -> list[Folded] | None:
    """The folded events of a game; None if the game is not in this database."""
    row = await pool.fetchrow(FOLDED_HERE, game_id)
    if row is None:
        return None
    return [] if row["events"] is None else unpack(row["events"])


async def rename(pool: Pool, game_id: UUID, player: UUID, old: str | None, name: str) -> None:
    """Rename a player in what they did, and in what others did to them under their old name."""
    async with pool.acquire() as connection, connection.transaction():
        row = await connection.fetchrow(f"{FOLDED} FOR UPDATE", game_id)
        if row is not None:
            events = [_renamed(event, player, old, name) for event in unpack(row["events"])]
            await connection.execute(KEEP_ANEW, game_id, pack(events))


def _renamed(event: Folded, player: UUID, old: str | None, name: str) -> Folded:
    if event.detail is None:
        return event
    detail = msgspec.json.decode(event.detail)
    if event.player != player and (old is None or detail.get("name") != old):
        return event
    return event._replace(detail=msgspec.json.encode(detail | {"name": name}))


_COLUMNS: Final = msgspec.msgpack.Decoder(
    tuple[
        list[int],
        list[int],
        list[int | None],
        list[int | None],
        list[bytes | None],
        list[bytes | None],
        list[UUID | None],
        list[dt.datetime],
    ]
)
