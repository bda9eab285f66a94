"""What two twin services may answer differently: a closed list, each with its reason. All else must agree."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

FIELDS: Final = {
    "commitment": "the hash of the secret of the shuffle, which differs because the cards do",
    "secret": "the same, shown after the end",
    "now": "the clock of PostgreSQL, asked a moment later",
    "deadline": "counted from that clock",
    "banks": "milliseconds that passed between two requests",
    "at": "when a line was said",
    "created": "when a table was opened",
    "seen": "when a session was last used",
    "expires": "counted from when it was made",
}
HEADERS: Final = {
    "date": "the clock of the machine",
    "x-request-id": "made up for each request",
    "content-length": "follows from the body, which is compared",
}
ROUTES: Final = {
    "metrics": "counts of the process, for operators",
    "table_stream": "followed for as long as a game lasts, not asked for",
    "lobby_stream": "tells of other tables, each of which is asked about by itself",
    "become_guest": "answers with a secret of its own making, before there is a table",
    "make_token": "the same",
    "make_device_code": "the same",
    "renew_recovery_codes": "the same",
    "begin_passkey": "the same",
    "begin_sign_in": "the same",
    "go_to_club": "the same",
    "open_table": "opens another table",
    "match": "the same",
    "sign_out": "ends the session that asks",
    "delete_me": "the same",
    "end_session": "the same",
    "end_other_sessions": "the same",
    "change_me": "renames the one who asks, whose name is part of what is compared",
    "block_player": "keeps two from sitting at the next table",
    "resign": "ends the game; it is sent once, as the last request",
    "set_webhook": "makes a secret of its own",
    "subscribe_push": "speaks to a service of a browser's maker",
}
"""Routes that are not asked while a game is compared."""

_SHOWN: Final = 400
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[0-9.]*(?:Z|\+00:00)")


def plain(text: str, names: Mapping[str, str]) -> object:
    """An answer in a form that is equal for both twins: with common names, and without what may differ."""
    for own, common in names.items():
        text = text.replace(own, common)
    text = _MOMENT.sub("<moment>", _ID.sub("<id>", text))
    try:
        return _without(json.loads(text))
    except ValueError:
        return text


def _without(told: Any) -> object:
    if isinstance(told, dict):
        return {key: "<may differ>" if key in FIELDS else _without(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_without(each) for each in told]
    return told


def where_they_differ(one: object, other: object, path: str = "") -> str:
    """The first place at which two answers differ, and the two values.

    >>> where_they_differ({"a": [1, 2]}, {"a": [1, 3]})
    '.a[1]: 2 and 3'
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        places = [(one[key], other[key], f"{path}.{key}") for key in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        places = [
            (here, there, f"{path}[{place}]")
            for place, (here, there) in enumerate(zip(one, other, strict=True))
        ]
    else:
        return f"{path}: {str(one)[:_SHOWN]} and {str(other)[:_SHOWN]}"
    return next(where_they_differ(*place) for place in places if place[0] != place[1])
