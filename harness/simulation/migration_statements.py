"""What the statements of a mover of buckets do in a simulated database."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from cartagena.server.store import shard_migration, shards
from cartagena.server.store.shard_migration import COPIED, Copied
from cartagena.tables.ids import bucket_of
from harness.simulation.rows import Answer, Asked, Row, Rows, Run

OVER: Final = 3


def _leave(asked: Asked) -> Answer:
    for game in _in_bucket(asked.rows.games, asked.args[0]):
        asked.rows.leaving[game["game_id"]] = asked.rows.games.pop(game["game_id"])
    return []


def _in_bucket(games: dict[UUID, Row], bucket: int) -> list[Row]:
    return [game for game_id, game in games.items() if bucket_of(game_id) == bucket]


def _note(asked: Asked) -> Answer:
    bucket, shard = asked.args
    asked.rows.departures[bucket] = {"bucket": bucket, "shard": shard, "arrived": False}
    return []


def _arrived(asked: Asked) -> Answer:
    if (note := asked.rows.departures.get(asked.args[0])) is not None:
        asked.rows.departures[asked.args[0]] = {**note, "arrived": True}
    return []


def _arrived_there(asked: Asked) -> Answer:
    note = asked.rows.departures.get(asked.args[0])
    return _arrived(asked) if note is not None and note["shard"] == asked.args[1] else []


def _come_back(asked: Asked) -> Answer:
    for game in _in_bucket(asked.rows.leaving, asked.args[0]):
        asked.rows.games[game["game_id"]] = asked.rows.leaving.pop(game["game_id"])
    return []


def _forget_note(asked: Asked) -> Answer:
    asked.rows.departures.pop(asked.args[0], None)
    return []


def _settle_in(asked: Asked) -> Answer:
    for game_id in asked.args[0]:
        game = asked.rows.games.get(game_id)
        if game is not None and game["stage"] != OVER:
            due = {name: min(game[name], asked.now) for name in ("wake_at", "news_at") if game[name]}
            asked.put(game, **due)
    return []


def _folded_meanwhile(asked: Asked) -> Answer:
    assert not asked.rows.records  # nothing is folded so soon
    return []


def _removed_meanwhile(asked: Asked) -> Answer:
    assert all(line["removes"] is None for lines in asked.rows.chat.values() for line in lines)
    return []


def _ids(games: Callable[[Rows], dict[UUID, Row]]) -> Callable[[Asked], Answer]:
    return lambda asked: [
        {"game_id": game["game_id"]} for game in _in_bucket(games(asked.rows), asked.args[0])
    ]


def _is_here(asked: Asked) -> Answer:
    return [{"exists": bool(_in_bucket(asked.rows.games, asked.args[0]))}]


def _departures(asked: Asked) -> Answer:
    return [
        {"bucket": n["bucket"], "shard": n["shard"]} for n in asked.rows.departures.values() if n["arrived"]
    ]


def _departure(asked: Asked) -> Answer:
    note = asked.rows.departures.get(asked.args[0])
    return [] if note is None else [{"shard": note["shard"], "arrived": note["arrived"]}]


def _newest(table: Copied) -> Callable[[Asked], Answer]:
    def run(asked: Asked) -> Answer:
        kept = getattr(asked.rows, table.name)
        return [
            {"game_id": game_id, "number": max(row[table.number] for row in kept[game_id])}
            for game_id in asked.args[0]
            if kept.get(game_id)
        ]

    return run


def _rows(table: Copied) -> Callable[[Asked], Answer]:
    def run(asked: Asked) -> Answer:
        kept = getattr(asked.rows, table.leaves_from or table.name)
        found = [
            (kept[game_id], after) for game_id, after in zip(*asked.args, strict=True) if game_id in kept
        ]
        if table.number is None:
            return [row for row, _ in found]
        return [row for rows, after in found for row in rows if row[table.number] > after]

    return run


def _deletion(table: Copied) -> Callable[[Asked], Answer]:
    def run(asked: Asked) -> Answer:
        for game_id in asked.args[0]:
            getattr(asked.rows, table.leaves_from or table.name).pop(game_id, None)
        return []

    return run


def bring_in(rows: Rows, table: Copied, copied: Answer) -> None:
    """Put copied rows into a table."""
    kept = getattr(rows, table.name)
    for row in copied:
        if table.number is None:
            assert row["game_id"] not in kept
            kept[row["game_id"]] = row
        else:
            kept[row["game_id"]] = (*kept.get(row["game_id"], ()), row)


READS: Final[dict[str, Run]] = {
    shards.IDENTITY: lambda asked: [{"id": asked.rows.identity}],
    shards.DEPARTURES: _departures,
    shards.DEPARTURE: _departure,
    shard_migration.GAMES_IN: _ids(lambda rows: rows.games),
    shard_migration.LEFT_IN: _ids(lambda rows: rows.leaving),
    shard_migration.ANY_GAMES_IN: _is_here,
    **{table.newest(): _newest(table) for table in COPIED if table.number is not None},
    **{table.rows(): _rows(table) for table in COPIED},
}

WRITES: Final[dict[str, Run]] = {
    shard_migration.WAIT_FOR_BEGINNINGS: lambda _: [{"pg_advisory_xact_lock": None}],
    shard_migration.NOTE: _note,
    shard_migration.LEAVE: _leave,
    shard_migration.FORGET_NOTE: _forget_note,
    shard_migration.ARRIVED: _arrived,
    shard_migration.ARRIVED_THERE: _arrived_there,
    shard_migration.COME_BACK: _come_back,
    shard_migration.SETTLE_IN: _settle_in,
    shard_migration.FOLDED_MEANWHILE: _folded_meanwhile,
    shard_migration.REMOVED_MEANWHILE: _removed_meanwhile,
    **{table.deletion(): _deletion(table) for table in COPIED},
}
