"""Planted defects: races that the service once had, or would have without a guard; each is found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from cartagena.server.http.streams.catch_up import Reader
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.store import games, group_commit, shard_migration
from cartagena.server.store.shards import Pool
from cartagena.tables.table import Table
from harness.simulation import game_statements, world
from harness.simulation.rows import Answer, Asked, Row, Rows

Plant = Callable[[], Any]
"""Gives what must be patched while the defect is there."""


async def _unconfirmed(pool: Pool, statement: str, *args: object, seconds: float | None = None) -> Any:
    async with pool.acquire() as connection:
        return await connection.fetch(statement, *args, timeout=seconds)


async def _seen_only(pool: Pool, statement: str, *args: object) -> Any:
    rows = await _unconfirmed(pool, statement, *args)
    return rows[0] if rows else None


async def _never(*_: object) -> bool:
    return False


async def _confirm_nothing(_: object) -> None:
    return None


def _say_twice(asked: Asked) -> Answer:
    with patch.object(game_statements, "has_been_said", lambda _: False):
        return game_statements.say(asked)


def _charged(game: Row, wish: Row, charge: int | None, now: Any) -> list[int]:
    """Charge as the service once did, when a clock could run backwards."""
    if charge is not None and game["clock_since"] > now:
        back = (game["clock_since"] - now).total_seconds() * 1000
        return [bank + round(back) * (seat == charge) for seat, bank in enumerate(game["banks"])]
    return _CHARGED(game, wish, charge, now)


_CHARGED: Final = game_statements.charged
_SAY: Final = next(text for text, said in game_statements.WRITES.items() if said is game_statements.say)

PLANTS: Final[dict[str, Plant]] = {
    "a move is guarded by its table": lambda: [
        patch.object(Table, "stood_at", lambda table, seq: table.seq == seq)
    ],
    "a commit is acknowledged without its standby": lambda: [
        patch.object(group_commit, "fetch_confirmed", _unconfirmed),
        patch.object(group_commit, "fetch_seen", _seen_only),
        patch.object(games, "fetch_seen", _seen_only),
    ],
    "a request that is found counts as acknowledged": lambda: [
        patch.object(games, "fetch_seen", _seen_only),
        patch.object(group_commit, "fetch_seen", _seen_only),
    ],
    "a bucket moves on without its standby": lambda: [
        patch.object(shard_migration, "confirm", _confirm_nothing),
        patch.object(shard_migration, "confirm_on", _confirm_nothing),
    ],
    "a failover goes unnoticed": lambda: [patch.object(Rows, "timeline", "00000001")],
    "a session is not asked after": lambda: [
        patch.object(StreamHub, "_check_sessions", _confirm_nothing),
        patch.object(Reader, "has_ended", _never),
    ],
    "a line of chat has no unique key": lambda: [patch.dict(game_statements.WRITES, {_SAY: _say_twice})],
    "a claim has no end": lambda: [patch.object(world, "LEASE", 1_000_000_000)],
    "a clock runs backwards after a failover": lambda: [patch.object(game_statements, "charged", _charged)],
}


@contextmanager
def planted(name: str | None) -> Iterator[None]:
    """Plant the defect `name` while the block lasts; None plants nothing."""
    patches = [] if name is None else PLANTS[name]()
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()
