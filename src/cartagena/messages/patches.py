"""Patches: what changed between two updates of a stream, as edits that a client applies without any rule.

An edit is JSON. `0` takes a member away. An array says what is there now: of one element the new value, of
two a list of objects as a table (the names, then the rows; what is null or missing in a row is missing in
its object), of three a splice of an array or a text (where it begins, how many elements go, what comes
instead). An object holds edits of members, in an array by their number; a member that is missing is edited
as if it were an empty object.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw

from cartagena.messages.cards import MessageError

GONE: Final = 0
TABLE: Final = 2
SPLICE: Final = 3
OBJECT: Final = ord("{")
READ: Final = b'{["'
"""How a value begins that may be told by what changed in it."""
BRIEF: Final = 24
"""What is written in so few bytes is told anew without being read."""
SHORT: Final = 8
"""A text of so few characters is told anew."""

# Any: a patch knows nothing of what it changes.
Json = Any
_Value = TypeVar("_Value")

_ENCODER: Final = msgspec.json.Encoder()
_SORTED: Final = msgspec.json.Encoder(order="sorted")
_PARTS: Final = msgspec.json.Decoder(dict[str, Raw])
_read: Final = msgspec.json.Decoder().decode


def patch(before: bytes, after: bytes) -> bytes:
    """The edit that makes the JSON of one object that of another."""
    return _ENCODER.encode(_of_parts(before, after, _of_update))


def patched(before: Json, edit: Json) -> Json:
    """What an edit makes of a value, which is left as it was; raises MessageError if it does not fit.

    >>> patched({"turn": 3, "row": ["hat", "key"]}, {"turn": [4], "row": [0, 1, []]})
    {'turn': 4, 'row': ['key']}
    """
    try:
        return _patched(before, edit)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise MessageError("a patch does not fit what was told before") from error


# Finding edits.


def _of_parts(before: Raw | bytes, after: Raw | bytes, edit: Callable[[Raw, Raw], Json]) -> dict[str, Json]:
    """The edit of an object, whose members are only read where they differ."""
    return _of_members(_PARTS.decode(before), _PARTS.decode(after), _read_anew, edit)


def _of_update(before: Raw, after: Raw) -> Json:
    """The edit of a member of an update: most of what an object in it holds has not changed either."""
    if bytes(before)[0] == bytes(after)[0] == OBJECT:
        return _of_parts(before, after, _read_edit)
    return _read_edit(before, after)


def _read_edit(before: Raw, after: Raw) -> Json:
    text = bytes(after)
    if text[0] not in READ or len(text) <= BRIEF:
        return [after]
    was, now = _read(before), _read(after)
    edit = _edit(was, now)
    # To Python 1 is true: where that may have hidden a change, the edit is tried.
    if _has_truth(before) or _has_truth(after):
        return edit if _SORTED.encode(_patched(was, edit)) == _SORTED.encode(now) else [after]
    return edit


def _has_truth(part: Raw) -> bool:
    text = bytes(part)
    return b"true" in text or b"false" in text


def _read_anew(part: Raw) -> Json:
    return _anew(_read(part))


def _edit(before: Json, after: Json) -> Json:
    """The edit of a value that has changed."""
    match before, after:
        case dict(), dict():
            return _of_members(before, after, _anew, _edit)
        case list(), list():
            return _of_array(before, after)
        case str(), str() if len(after) > SHORT and before.isascii() and after.isascii():
            return _spliced(before, after) or [after]
        case _:
            return [after]


def _of_members(
    before: Mapping[str, _Value],
    after: Mapping[str, _Value],
    anew: Callable[[_Value], Json],
    edit: Callable[[_Value, _Value], Json],
) -> dict[str, Json]:
    edits: dict[str, Json] = {key: GONE for key in before if key not in after}
    for key, value in after.items():
        if key not in before:
            edits[key] = anew(value)
        elif before[key] != value:
            edits[key] = edit(before[key], value)
    return edits


def _of_array(before: Sequence[Json], after: Sequence[Json]) -> Json:
    if len(before) == len(after) and after and isinstance(after[0], list | str | None):
        members = {
            str(place): _edit(was, now)
            for place, (was, now) in enumerate(zip(before, after, strict=True))
            if was != now
        }
        if len(members) == 1 or (isinstance(after[0], list | None) and len(members) < len(after)):
            return members
    splice = _spliced(before, after)
    return splice if splice and 2 * len(splice[2]) <= len(after) else _anew(after)


def _spliced(before: Sequence[Json], after: Sequence[Json]) -> list[Json] | None:
    """The one splice that makes `after` of `before`; None if nothing of it stays."""
    most = min(len(before), len(after))
    # Most grow at their end.
    head = most if before[:most] == after[:most] else 0
    while head < most and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < most - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    if not head + tail:
        return None
    return [head, len(before) - head - tail, after[head : len(after) - tail]]


def _anew(value: Json) -> Json:
    """The edit that tells a value anew; a list of objects as a table, which names the members once."""
    if isinstance(value, dict) and any(isinstance(member, list) for member in value.values()):
        # What is not there is edited as an empty object.
        return {key: _anew(member) for key, member in value.items()}
    if not isinstance(value, list) or len(value) <= 1 or not all(isinstance(row, dict) for row in value):
        return [value]
    names = list(dict.fromkeys(name for row in value for name in row))
    rows = [[row.get(name) for name in names] for row in value]
    if any(len(row) != sum(cell is not None for cell in told) for row, told in zip(value, rows, strict=True)):
        return [value]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    return [names, rows]


# Applying them.


def _patched(before: Json, edit: Json) -> Json:
    if isinstance(edit, dict):
        return _with_edits(before, edit)
    if not isinstance(edit, list):
        raise TypeError(edit)
    if len(edit) == SPLICE:
        start, gone, more = edit
        if not 0 <= start <= start + gone <= len(before):
            raise ValueError(edit)
        return before[:start] + more + before[start + gone :]
    if len(edit) == TABLE:
        names, rows = edit
        return [
            {name: cell for name, cell in zip(names, row, strict=False) if cell is not None} for row in rows
        ]
    (value,) = edit
    return value


def _with_edits(before: Json, edits: Mapping[str, Json]) -> Json:
    if isinstance(before, list):
        changed = list(before)
        for place, edit in edits.items():
            changed[int(place)] = _patched(changed[int(place)], edit)
        return changed
    members = {} if before is None else dict(before)
    for key, edit in edits.items():
        if edit == GONE:
            del members[key]
        else:
            members[key] = _patched(members.get(key), edit)
    return members
