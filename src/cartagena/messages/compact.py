"""The compact form of updates: happenings and the wish table as rows, whose words a catalogue tells once.

It is made of the JSON of a whole update, and expanded to the same JSON, without any rule of the game: what
the catalogue has no words for stays as it is. The catalogue follows from the family of the game alone, and
from whether a seat or a spectator is told.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from cartagena.messages.cards import MessageError, word_of
from cartagena.messages.happenings import MESSAGES, NAMES
from cartagena.messages.wishes import LegalMessage, RefusalMessage, RefusedMessage
from cartagena.rules.actions import ACTIONS, Action
from cartagena.rules.codes import EVERY_CODE
from cartagena.rules.places import PLACES
from cartagena.rules.refusals import Refusal

NO_CODE: Final = 0
"""The fate of a number that is no code of this game."""
LEGAL: Final = 1
"""The fate of a legal choice; greater numbers are refusals of the catalogue, in its order."""
FIRST_REFUSAL: Final = 2

# Any: JSON.
Json = Any

_PARTS: Final = msgspec.json.Decoder(dict[str, Raw])
_OBJECTS: Final = msgspec.json.Decoder(list[dict[str, Json]])
_ENCODER: Final = msgspec.json.Encoder()
_FATES: Final = {(reason.code, reason.rule): fate for fate, reason in enumerate(Refusal, FIRST_REFUSAL)}
_HAPPENINGS: Final = {
    message.__struct_config__.tag: NAMES[happening] for happening, message in MESSAGES.items()
}


class Compact(NamedTuple):
    """A compact update in two parts; the catalogue is empty if nothing in the update needs one."""

    told: bytes
    catalogue: bytes = b""

    @property
    def whole(self) -> bytes:
        """The update with its catalogue."""
        return b'%b,"catalogue":%b}' % (self.told[:-1], self.catalogue) if self.catalogue else self.told


# Making it.


class _Family(Struct):
    family: str


class _Sight(Struct):
    """The part of a view that its catalogue depends on."""

    seat: int | None
    ruleset: _Family


# An update of a later release may say more than this one can make compact.


class _Choice(LegalMessage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _Reason(RefusalMessage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _Refused(RefusedMessage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _Wishes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    legal: tuple[_Choice, ...]
    refused: tuple[_Refused, ...]
    retreat_from_start: _Reason | None = None


_SIGHT: Final = msgspec.json.Decoder(_Sight)
_WISHES: Final = msgspec.json.Decoder(_Wishes)


def compact(update: bytes) -> Compact:
    """The compact form of an update's JSON."""
    parts = _PARTS.decode(update)
    if "view" not in parts:
        return Compact(update)
    sight = _SIGHT.decode(parts["view"])
    if sight.ruleset.family not in ACTIONS:
        return Compact(update)
    told: dict[str, Json] = dict(parts)
    told["happened"] = [_row(happening) for happening in _OBJECTS.decode(parts["happened"])]
    if "wishes" in parts:
        _make_compact(told, _PARTS.decode(parts["view"]), sight.ruleset.family)
    return Compact(_ENCODER.encode(told), _catalogue(sight.ruleset.family, sight.seat is not None))


def _row(happening: dict[str, Json]) -> Json:
    names = _HAPPENINGS.get(happening.get("happening"))
    return list(happening.values()) if names and list(happening) == ["happening", *names] else happening


def _make_compact(told: dict[str, Json], view: dict[str, Json], family: str) -> None:
    """Make the wish table of an update compact, and the list of codes in its view, which says no more."""
    try:
        wishes = _WISHES.decode(told["wishes"])
        told["wishes"] = _rows_of(wishes, len(EVERY_CODE[family]))
    except (IndexError, KeyError, msgspec.ValidationError):
        return
    if bytes(view["legal"]) == _ENCODER.encode([choice.code for choice in wishes.legal]):
        view["legal"] = True
        told["view"] = view


def _rows_of(wishes: _Wishes, codes: int) -> dict[str, Json]:
    """The wish table by the fates of its codes: lines of fates as runs, and what legal choices would do.

    Raises IndexError or KeyError if it has a code or a reason that this release does not know.
    """
    fates = bytearray(codes)
    for choice in wishes.legal:
        fates[choice.code] = LEGAL
    for group in wishes.refused:
        fate = _FATES[group.code, group.rule]
        for first, last in group.actions:
            if last == first:
                fates[first] = fate
            else:
                fates[first : last + 1] = bytes((fate,)) * (last + 1 - first)
    if len(fates) > codes:
        raise IndexError(len(fates))
    known = bytes(fates).rstrip(b"\0")
    lines: dict[bytes, int] = {}
    rows: dict[str, Json] = {
        "lines": [
            lines.setdefault(known[start : start + PLACES], len(lines))
            for start in range(0, len(known), PLACES)
        ],
        "fates": [_runs(line) for line in lines],
        "legal": [_effect(choice) for choice in wishes.legal],
    }
    reason = wishes.retreat_from_start
    if reason is not None:
        rows["retreat_from_start"] = _FATES[reason.code, reason.rule]
    return rows


# Kept by value, because most lines come again and again.
@lru_cache(maxsize=4096)
def _runs(line: bytes) -> list[int]:
    return [number for fate, run in groupby(line) for number in (fate, len(list(run)))]


def _effect(choice: LegalMessage) -> Json:
    """What a choice would do, in the order of the catalogue from `target` on; a target alone by itself."""
    row = [
        choice.target,
        choice.jumped or None,
        choice.gains or None,
        choice.cards or None,
        choice.reveals or None,
        choice.dock,
        choice.wins or None,
    ]
    while row and row[-1] is None:
        row.pop()
    return row[0] if len(row) == 1 else row


# The catalogue.


@cache
def _catalogue(family: str, is_seat: bool) -> bytes:  # noqa: FBT001 - a key of the cache
    """The words that compact updates of a family leave out; spectators have no wish table."""
    words: dict[str, Json] = {"happened": _HAPPENINGS}
    if is_seat:
        words["choice"] = LegalMessage.__struct_fields__
        words["actions"] = _actions(family)
        words["refusals"] = [(reason.code, reason.rule) for reason in Refusal]
    return _ENCODER.encode(words)


def _actions(family: str) -> list[list[Json]]:
    """What codes name, as rows that each begin a run of codes: with the next code goes the next place."""
    rows: list[list[Json]] = []
    expected: tuple[int, Action] | None = None
    for code, action in ACTIONS[family].items():
        if (code, action) != expected:
            row = [code, action.kind.value, word_of(family, action.card), action.crew, action.place]
            while row[-1] is None:
                row.pop()
            rows.append(row)
        expected = (
            None
            if action.place is None
            else (
                code + 1,
                Action(kind=action.kind, card=action.card, crew=action.crew, place=action.place + 1),
            )
        )
    return rows


# Expanding it.


def expanded(update: Json) -> Json:
    """The update that a compact one tells; one without a catalogue is left as it is.

    Raises MessageError if an update does not fit its catalogue.

    >>> expanded({"happened": [["won", 1]], "catalogue": {"happened": {"won": ["seat"]}}})
    {'happened': [{'happening': 'won', 'seat': 1}]}
    """
    if not isinstance(update, dict) or "catalogue" not in update:
        return update
    try:
        return _expanded(update)
    except (AttributeError, IndexError, KeyError, StopIteration, TypeError, ValueError) as error:
        raise MessageError("a compact update does not fit its catalogue") from error


def _expanded(update: Mapping[str, Json]) -> Json:
    whole = dict(update)
    catalogue = whole.pop("catalogue")
    whole["happened"] = [
        _happening(catalogue["happened"], row) if isinstance(row, list) else row for row in whole["happened"]
    ]
    wishes = whole.get("wishes")
    if wishes is not None and "lines" in wishes:
        whole["wishes"] = wishes = _wishes(catalogue, wishes)
        if whole["view"]["legal"] is True:
            whole["view"] = whole["view"] | {"legal": [choice["code"] for choice in wishes["legal"]]}
    return whole


def _happening(happenings: Mapping[str, Sequence[str]], row: Sequence[Json]) -> Json:
    word, *values = row
    return {"happening": word, **dict(zip(happenings[word], values, strict=True))}


def _wishes(catalogue: Mapping[str, Json], rows: Mapping[str, Json]) -> Json:
    legal: list[Json] = []
    refused: dict[int, list[list[int]]] = {}
    effects, code = iter(rows["legal"]), 0
    for line in rows["lines"]:
        runs = rows["fates"][line]
        for fate, count in zip(runs[::2], runs[1::2], strict=True):
            first, code = code, code + count
            if fate == LEGAL:
                legal += [_choice(catalogue, each, next(effects)) for each in range(first, code)]
            elif fate != NO_CODE:
                _add_run(refused.setdefault(fate, []), first, code - 1)
    whole: dict[str, Json] = {
        "legal": legal,
        "refused": [{**_reason(catalogue, fate), "actions": runs} for fate, runs in refused.items()],
    }
    if "retreat_from_start" in rows:
        whole["retreat_from_start"] = _reason(catalogue, rows["retreat_from_start"])
    return whole


def _choice(catalogue: Mapping[str, Json], code: int, effect: Json) -> Json:
    actions = catalogue["actions"]
    first, *named = actions[bisect_right(actions, code, key=itemgetter(0)) - 1]
    kind, card, crew, place = (*named, None, None, None)[:4]
    if place is not None:
        place += code - first
    done = effect if isinstance(effect, list) else [effect]
    start = place if done and done[0] is not None else None
    cells = zip(catalogue["choice"], (code, kind, card, crew, place, start, *done), strict=False)
    return {name: cell for name, cell in cells if cell is not None}


def _add_run(runs: list[list[int]], first: int, last: int) -> None:
    if runs and runs[-1][1] == first - 1:
        runs[-1][1] = last
    else:
        runs.append([first, last])


def _reason(catalogue: Mapping[str, Json], fate: int) -> dict[str, Json]:
    code, rule = catalogue["refusals"][fate - FIRST_REFUSAL]
    return {"code": code, "rule": rule}
