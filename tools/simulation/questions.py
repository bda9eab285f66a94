"""What the statements of the service that ask after a game find in the rows of a simulated database."""

from collections.abc import Iterable
from typing import Final

from tools.simulation.rows import Answer, Asked, Row


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
