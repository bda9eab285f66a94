"""The layout of an observation: which byte tells what; docs/environment.md explains every field."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cartagena.envs.encoding import Encoder
from cartagena.rules.codes import NEST_CARDS
from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import PLACES
from cartagena.rules.ruleset import ACTIONS_PER_TURN, CREW_SIZE, DECKS, ESCAPE, NEST, SIGNS, Ruleset

ENCODING_VERSION: Final = 1
"""Grows whenever the bytes of some position change; so does the number in the environment's name."""

KINDS: Final = {ESCAPE: len(SIGNS[ESCAPE]), NEST: NEST_CARDS}
"""How many kinds of cards a game has, gold ones included."""

BYTE: Final = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Neighbouring bytes that tell one thing: where they begin, their shape and their highest value."""

    name: str
    first: int
    shape: tuple[int, ...]
    most: int

    @property
    def size(self) -> int:
        """How many bytes the field has."""
        return prod(self.shape)


def fields_of(ruleset: Ruleset, seats: int) -> tuple[Field, ...]:
    """The fields of an observation with this ruleset and number of seats, in order and without gaps."""
    fields: list[Field] = []
    for name, shape, most in _shapes(ruleset, seats):
        first = fields[-1].first + fields[-1].size if fields else 0
        fields.append(Field(name=name, first=first, shape=shape, most=most))
    return tuple(fields)


def _shapes(ruleset: Ruleset, seats: int) -> Iterator[tuple[str, tuple[int, ...], int]]:
    family = ruleset.family
    kinds, deck = KINDS[family], len(DECKS[family])
    copies = DECKS[family].count(0)
    yield "seat", (seats,), 1
    yield "signs", (PLACES, len(SIGNS[family])), 1
    yield "pirates", (seats, PLACES), CREW_SIZE
    yield "most_home", (seats,), CREW_SIZE
    yield "hands", (seats, kinds), copies
    yield "hand_sizes", (seats,), deck
    if ruleset.row_length:
        yield "row", (ruleset.row_length, kinds), 1
    yield "stock_size", (1,), deck
    yield "discard", (kinds,), copies
    yield "turn_seat", (seats,), 1
    yield "to_act", (seats,), 1
    yield "actions_used", (1,), ACTIONS_PER_TURN
    yield "quiet_turns", (2,), BYTE
    yield "ending", (3,), 1
    yield "winner", (seats,), 1
    if facts_of(family).has_crossing:
        yield "dock", (1,), 2
        yield "crossing_open", (1,), 1
        yield "surplus", (seats,), deck
        yield "trimmed", (kinds,), copies
        yield "trimmed_sizes", (seats,), deck
    if ruleset.reshuffle == "turn_over":
        yield "stock_order", (deck, kinds), 1
        yield "discard_order", (deck, kinds + 1), 1


def size_of(fields: Sequence[Field]) -> int:
    """How many bytes an observation has."""
    return fields[-1].first + fields[-1].size


def encoder_of(fields: Sequence[Field], family: str) -> Encoder:
    """Return the encoder that writes observations with these fields."""
    return Encoder({field.name: field.first for field in fields}, size_of(fields), family)


def highest(fields: Sequence[Field]) -> NDArray[np.uint8]:
    """The highest value of every byte."""
    return np.concatenate([np.full(field.size, field.most, np.uint8) for field in fields])


def decode(observation: NDArray[np.uint8], fields: Sequence[Field]) -> dict[str, NDArray[np.uint8]]:
    """The fields of an observation by their names, each in its shape; they share its memory."""
    return {
        field.name: observation[field.first : field.first + field.size].reshape(field.shape)
        for field in fields
    }
