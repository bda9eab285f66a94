"""The statements of the service that change a game, or ask after one, in a simulated database."""

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Final

import asyncpg

from cartagena.server.store import due_games, log_compaction, statements
from cartagena.server.store.databases import A_LATER_COMMIT
from cartagena.tables.ids import bucket_of
from harness.simulation import migration_statements
from harness.simulation.rows import Answer, Asked, Row, Run

WISH: Final = [
    "game_id",
    "seq",
    "kind",
    "seat",
    "code",
    "orders",
    "detail",
    "key",
    "player",
    "guard",
    "stage",
    "to_act",
    "turn_seq",
    "snapshot",
    "sheet",
    "secret",
    "settle",
    "clocked",
    "news",
    "seats",
    "refill",
    "bank",
    "increment",
    "reset",
    "due_in",
    "wake_in",
    "timeline",
    "last_line",
]


def commit(asked: Asked) -> Answer:
    """COMMIT: the changes whose guards hold, each with its clock."""
    wishes = [dict(zip(WISH, wish, strict=True)) for wish in zip(*asked.args, strict=True)]
    return [
        row
        for wish in sorted(wishes, key=lambda wish: wish["game_id"].bytes)
        if (row := _commit_one(asked, wish)) is not None
    ]


def _commit_one(asked: Asked, wish: Row) -> Row | None:
    game, now = asked.rows.games.get(wish["game_id"]), asked.now
    if game is None or (game["seq"], asked.rows.timeline) != (wish["seq"], wish["timeline"]):
        return None
    if wish["last_line"] not in (None, game["chat"]) or not _in_time(wish["guard"], game["deadline"], now):
        return None
    charge = game["to_act"] if wish["settle"] and game["clock_since"] is not None else None
    banks = charged(game, wish, charge, now)
    deadline = game["deadline"]
    if wish["settle"]:
        deadline = None
        if wish["due_in"] is not None:
            deadline = asked.after(wish["due_in"])
        elif wish["clocked"]:
            deadline = asked.after(banks[wish["to_act"]])
    moved = asked.put(
        game,
        seq=wish["seq"] + 1,
        stage=wish["stage"],
        to_act=wish["to_act"],
        turn_seq=wish["turn_seq"],
        snapshot=game["snapshot"] if wish["snapshot"] is None else wish["snapshot"],
        banks=banks,
        clock_since=(now if wish["clocked"] else None) if wish["settle"] else game["clock_since"],
        deadline=deadline,
        wake_at=_wake_at(asked, game, wish, deadline),
        wake_tries=0,
        news_at=now if wish["news"] else game["news_at"],
    )
    _log(asked, wish)
    if wish["sheet"] is not None:
        table = asked.rows.tables[wish["game_id"]]
        secret = table["secret"] if wish["secret"] is None else wish["secret"]
        asked.rows.tables[wish["game_id"]] = {**table, "sheet": wish["sheet"], "secret": secret}
    return {
        "game_id": game["game_id"],
        "banks": moved["banks"],
        "deadline": deadline,
        "ticking": moved["clock_since"] is not None,
        "at": now,
    }


def _in_time(guard: int, deadline: dt.datetime | None, now: dt.datetime) -> bool:
    if guard == 1:
        return deadline is None or now <= deadline
    if guard == 2:  # noqa: PLR2004 - the numbers of the statement
        return deadline is not None and now > deadline
    return True


def charged(game: Row, wish: Row, charge: int | None, now: dt.datetime) -> list[int]:
    """The time left to each seat after its clock was stopped or refilled."""
    if charge is None and wish["refill"] is None:
        return list(game["banks"])
    if wish["refill"] == -1:
        return [wish["bank"]] * wish["seats"]
    banks = list(game["banks"])
    if charge is not None:
        microseconds = max((now - game["clock_since"]) // dt.timedelta(microseconds=1), 0)
        left = max(0, banks[charge] - (microseconds + 500) // 1000) + wish["increment"]
        banks[charge] = left if wish["reset"] is None else wish["reset"]
    if wish["refill"] is not None:
        banks[wish["refill"]] = wish["bank"]
    return banks


def _wake_at(asked: Asked, game: Row, wish: Row, deadline: dt.datetime | None) -> dt.datetime | None:
    if not wish["settle"]:
        wake_at: dt.datetime | None = game["wake_at"]
        return wake_at
    return deadline if wish["wake_in"] is None else asked.after(wish["wake_in"])


def _log(asked: Asked, wish: Row) -> None:
    event = {name: wish[name] for name in ("kind", "seat", "code", "orders", "detail", "key", "player")}
    event |= {"game_id": wish["game_id"], "seq": wish["seq"] + 1, "at": asked.now}
    asked.rows.events[wish["game_id"]] = (*asked.rows.events.get(wish["game_id"], ()), event)


def open_game(asked: Asked) -> Answer:
    """OPEN: a new table, unless it exists or its bucket has left."""
    game_id, stage, banks, version, kind, detail, key, player, sheet, secret = asked.args
    rows = asked.rows
    if game_id in rows.games or bucket_of(game_id) in rows.departures:
        return []
    rows.games[game_id] = {
        "game_id": game_id,
        "seq": 0,
        "chat": 0,
        "stage": stage,
        "to_act": -1,
        "turn_seq": 0,
        "snapshot": None,
        "banks": list(banks),
        "clock_since": None,
        "deadline": None,
        "wake_at": None,
        "wake_tries": 0,
        "news_at": asked.now,
        "rules_version": version,
    }
    opened = {"kind": kind, "seat": 0, "code": None, "orders": None, "detail": detail, "key": key}
    opened |= {"player": player, "game_id": game_id, "seq": -1}
    _log(asked, opened)
    rows.tables[game_id] = {"game_id": game_id, "sheet": sheet, "secret": secret, "created_at": asked.now}
    return [{"game_id": game_id}]


def has_been_said(asked: Asked) -> bool:
    """What SAY asks before it waits for its game: whether a line has its key."""
    key = asked.args[5].int
    return any(line["key"].int == key for line in asked.rows.chat.get(asked.args[0], ()))


def say(asked: Asked) -> Answer:
    """SAY: a line of chat; raises UniqueViolationError if the same came in while this one waited."""
    game_id, player, seat, name, text, key = asked.args
    game = asked.game
    if game is None or asked.said_before:
        return []
    if has_been_said(asked):
        raise asyncpg.UniqueViolationError("chat_key")
    game = asked.put(game, chat=game["chat"] + 1)
    line = {"game_id": game_id, "number": game["chat"], "player": player, "seat": seat, "name": name}
    line |= {"text": text, "key": key, "at": asked.now, "removes": None}
    asked.rows.chat[game_id] = (*asked.rows.chat.get(game_id, ()), line)
    return [{"seq": game["seq"], "chat": game["chat"], "at": asked.now}]


def claim_wakes(asked: Asked) -> Answer:
    """CLAIM_WAKES: the games that are due, which are due again when the lease ends."""
    most, lease = asked.args
    due = [game for game in asked.rows.games.values() if game["wake_at"] and game["wake_at"] <= asked.now]
    due.sort(key=lambda game: game["wake_at"])
    claimed = [
        asked.put(game, wake_at=asked.after(lease), wake_tries=game["wake_tries"] + 1) for game in due[:most]
    ]
    return [{name: game[name] for name in ("game_id", "seq", "wake_tries")} for game in claimed]


def _at_seq(change: Callable[[Asked, Row], Row]) -> Callable[[Asked], Answer]:
    """A statement that changes a game if it stands at the seq of the second argument."""

    def run(asked: Asked) -> Answer:
        game = asked.game
        if game is not None and game["seq"] == asked.args[1]:
            asked.put(game, **change(asked, game))
        return []

    return run


postpone = _at_seq(lambda asked, _: {"wake_at": asked.after(asked.args[2])})
put_back = _at_seq(lambda asked, _: {"wake_at": asked.after(asked.args[2]), "wake_tries": 0})
rest = _at_seq(lambda _, game: {"wake_at": game["deadline"], "wake_tries": 0})


def load(asked: Asked) -> Answer:
    """LOAD: a table with the events of its running turn."""
    game, beside = asked.game, asked.args[1]
    if game is None:
        return []
    turn = [
        (event["seq"], event["kind"], event["code"], event["orders"])
        for event in asked.rows.events[game["game_id"]]
        if event["seq"] > game["turn_seq"] and game["snapshot"] is not None and event["kind"] not in beside
    ]
    names = ("seq", "chat", "turn_seq", "snapshot", "banks", "to_act", "deadline", "rules_version")
    table = asked.rows.tables[game["game_id"]]
    found = {name: game[name] for name in names} | {
        name: table[name] for name in ("sheet", "secret", "created_at")
    }
    ticking = {
        "ticking": game["clock_since"] is not None,
        "at": asked.now,
        "turn": turn,
        "timeline": asked.rows.timeline,
    }
    return [found | ticking]


def seq_of(asked: Asked) -> Answer:
    """SEQ_OF: the seq of a table."""
    game = asked.game
    return [{"seq": game["seq"], "chat": game["chat"], "timeline": asked.rows.timeline}] if game else []


def cursors(asked: Asked) -> Answer:
    """CURSORS: the seq and the chat number of many tables."""
    found = [asked.rows.games[game_id] for game_id in asked.args[0] if game_id in asked.rows.games]
    return [{name: game[name] for name in ("game_id", "seq", "chat")} for game in found]


def _or_empty(asked: Asked, found: Iterable[Row], *names: str) -> Answer:
    """The rows found for a game that is here, or one empty row; nothing if the game is not here."""
    if asked.game is None:
        return []
    return [{name: row[name] for name in names} for row in found] or [dict.fromkeys(names)]


_EVENT: Final = ("seq", "kind", "seat", "code", "orders", "detail", "key", "player", "at")
_LINE: Final = ("number", "player", "seat", "name", "text", "at", "removes")


def events(asked: Asked) -> Answer:
    """EVENTS: the log after a number."""
    game_id, after, beside_after, beside = asked.args
    log = asked.rows.events.get(game_id, ())
    found = (
        event
        for event in log
        if event["seq"] > after and (event["seq"] > beside_after or event["kind"] not in beside)
    )
    return _or_empty(asked, found, *_EVENT)


def event_by_key(asked: Asked) -> Answer:
    """EVENT_BY_KEY: what a request left."""
    key = asked.args[1].int  # numbers are compared far faster than ids
    log = asked.rows.events.get(asked.args[0], ())
    return _or_empty(asked, (event for event in log if event["key"].int == key), "seq", "player")


def chat(asked: Asked) -> Answer:
    """CHAT: lines after a number."""
    lines = asked.rows.chat.get(asked.args[0], ())
    return _or_empty(asked, (line for line in lines if line["number"] > asked.args[1]), *_LINE)


def chat_by_key(asked: Asked) -> Answer:
    """CHAT_BY_KEY: the line that a request left."""
    key = asked.args[1].int
    lines = asked.rows.chat.get(asked.args[0], ())
    return _or_empty(asked, (line for line in lines if line["key"].int == key), "number", "player")


def found(asked: Asked) -> Answer:
    """FOUND: whether a change is in the log after all."""
    game_id, seq, key = asked.args
    game = asked.game
    log = asked.rows.events.get(game_id, ())
    if game is None or not any(event["seq"] == seq and event["key"] == key for event in log):
        return []
    ticking = game["clock_since"] is not None
    return [{"banks": game["banks"], "deadline": game["deadline"], "ticking": ticking, "at": asked.now}]


# Which function stands for which statement.


def _hold(asked: Asked) -> Answer:
    assert asked.game is None, "nothing is folded within the minute that a simulation lasts"
    return []


READS: Final[dict[str, Run]] = {
    statements.LOAD: load,
    statements.SEQ_OF: seq_of,
    statements.CURSORS: cursors,
    statements.EVENTS: events,
    statements.CHAT: chat,
    statements.TIMELINE_NOW: lambda asked: [{"left": asked.rows.timeline}],
    log_compaction.FOLDED_HERE: lambda asked: [] if asked.game is None else [{"events": None}],
    **migration_statements.READS,
}
"""What only asks."""

SIGHTS: Final[dict[str, Run]] = {
    statements.EVENT_BY_KEY: event_by_key,
    statements.CHAT_BY_KEY: chat_by_key,
    statements.FOUND: found,
    statements.OPENED: lambda asked: [{"seq": asked.game["seq"]}] if asked.game else [],
}
"""What asks, and waits until the standby has what was found."""

WRITES: Final[dict[str, Run]] = {
    statements.COMMIT: commit,
    statements.OPEN: open_game,
    statements.SAY: say,
    statements.CLAIM_WAKES: claim_wakes,
    statements.POSTPONE_WAKE: postpone,
    due_games.PUT_BACK: put_back,
    due_games.REST: rest,
    A_LATER_COMMIT: lambda _: [{"pg_logical_emit_message": None}],
    log_compaction.HOLD: _hold,
    **migration_statements.WRITES,
}
"""Statements that change rows, and so wait for other changes."""
