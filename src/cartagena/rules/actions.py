"""Actions as values: what a code says, for people and for text."""

import enum
from dataclasses import dataclass
from typing import Final

from cartagena.rules.codes import (
    CAPTAIN_SAIL,
    END_TURN,
    EVERY_CODE,
    FIRST_PUSH,
    FIRST_TRIM,
    NEST_CARDS,
    SAIL,
    decline_code,
    line_of,
    place_in,
    play_code,
    push_code,
    retreat_code,
    trim_code,
)
from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import PLACES, START
from cartagena.rules.ruleset import ESCAPE, Ruleset, family_of


class Kind(enum.Enum):
    """The kinds of choice a seat has; the value is the word for it."""

    PLAY = "play"
    RETREAT = "retreat"
    DECLINE = "decline"
    PUSH = "push"
    SAIL = "sail"
    CAPTAIN_SAIL = "captain_sail"
    TRIM = "trim"
    END_TURN = "end_turn"


ALONE: Final = {Kind.SAIL: SAIL, Kind.CAPTAIN_SAIL: CAPTAIN_SAIL, Kind.END_TURN: END_TURN}
"""The codes of the kinds that name nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """R2.15: a choice by its kind and what it names; what it does not name is None."""

    kind: Kind
    card: int | None = None
    crew: int | None = None
    place: int | None = None


def action_of(game: Ruleset | str, code: int) -> Action:
    """What a code says in a game, named by its ruleset, key or family; raises ValueError if it says nothing.

    >>> action_of("tortuga", 47)
    Action(kind=<Kind.PLAY: 'play'>, card=0, crew=None, place=9)
    """
    family = family_of(game)
    if code not in ACTIONS[family]:
        raise ValueError(f"no action of the family {family} has the code {code}")
    return ACTIONS[family][code]


def _spelled_out(family: str, code: int) -> Action | None:
    if code == END_TURN:
        return Action(kind=Kind.END_TURN)
    if code < PLACES:
        return Action(kind=Kind.RETREAT, place=code) if family == ESCAPE else _without_place(code)
    if facts_of(family).is_play(code):
        return Action(kind=Kind.PLAY, card=line_of(code) - 1, place=place_in(code))
    if code < FIRST_PUSH:
        return Action(kind=Kind.DECLINE, place=place_in(code))
    return Action(kind=Kind.PUSH, crew=line_of(code) - 1 - NEST_CARDS, place=place_in(code))


def _without_place(code: int) -> Action | None:
    if code == SAIL:
        return Action(kind=Kind.SAIL)
    if code == CAPTAIN_SAIL:
        return Action(kind=Kind.CAPTAIN_SAIL)
    if code < FIRST_TRIM + NEST_CARDS:
        return Action(kind=Kind.TRIM, card=code - FIRST_TRIM)
    return None


ACTIONS: Final = {
    family: {code: action for code in codes if (action := _spelled_out(family, code)) is not None}
    for family, codes in EVERY_CODE.items()
}
"""Every action of a family, by its code; those of its options too."""


def code_of(action: Action) -> int | None:
    """The code of an action; None for a retreat from the start, which no code names (R4.7)."""
    match action:
        case Action(kind=Kind.PLAY, card=int(card), place=int(place)):
            return play_code(card, place)
        case Action(kind=Kind.RETREAT, place=int(place)):
            return None if place == START else retreat_code(place)
        case Action(kind=Kind.DECLINE, place=int(place)):
            return decline_code(place)
        case Action(kind=Kind.PUSH, crew=int(crew), place=int(place)):
            return push_code(crew, place)
        case Action(kind=Kind.TRIM, card=int(card)):
            return trim_code(card)
        case Action(kind=kind) if kind in ALONE:
            return ALONE[kind]
    raise ValueError(f"an action of the kind {action.kind.value} does not name what it needs: {action}")
