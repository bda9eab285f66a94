"""Information states: what a seat was ever told, as text without loss and as numbers of fixed size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cartagena.envs.common import draw
from cartagena.envs.observation import BYTE, KINDS, Field, fields_of, size_of
from cartagena.notation.position_text import format_position
from cartagena.rules.happenings import Drew, Happening, Played, Renewed, TrimShown
from cartagena.rules.hidden.view import seen, view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset

SPANS: Final = 2
"""The past is counted in two spans: since the stock was last renewed, and before."""
LAID: Final = 0
DRAWN: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What may be recalled: all that happened, and the table before the happening numbered `start`."""

    opening: Position
    told: list[Happening]
    start: int = 0

    def as_seen(self, seat: int, now: Position) -> "Recollection":
        """What a seat saw of it, up to a table as it stands now."""
        told = [seen(happening, seat) for happening in self.told]
        return Recollection(opening=now, told=told, start=len(told))


def recall_fields(ruleset: Ruleset, seats: int) -> tuple[Field, ...]:
    """The fields of an information state: those of an observation, then what it leaves out of the past."""
    kinds = KINDS[ruleset.family]
    shapes = (("turn", (2,)), ("renewals", (1,)), ("past", (SPANS, seats, 2, kinds + 1)))
    fields = list(fields_of(ruleset, seats))
    for name, shape in shapes:
        fields.append(Field(name=name, first=size_of(fields), shape=shape, most=BYTE))
    return tuple(fields)


def recall_text(past: Recollection, seat: int) -> str:
    """Everything that a seat was told: the table as it first saw it, then all that happened, a line each."""
    first = view(past.opening, seat)
    # A sampled world may begin anywhere, also where a position cannot be written.
    table = draw(first) if past.start else format_position(first)
    lines = (repr(seen(happening, seat)) for happening in past.told[past.start :])
    return "\n".join(chain([f"Seat: {seat}", table], lines))


def recall_numbers(position: Position, told: Sequence[Happening], seat: int) -> NDArray[np.float32]:
    """What an observation leaves out: the turn, the renewals, and which cards each seat laid and drew.

    Seats are counted from the observer. The last kind counts the cards that the observer did not see.
    """
    kinds, seats = KINDS[position.ruleset.family], position.seats
    past = np.zeros((SPANS, seats, 2, kinds + 1), np.float32)
    for happening in told:
        if isinstance(happening, Renewed):
            past[1] += past[0]
            past[0] = 0
        for owner, way, card in _cards_moved(seen(happening, seat)):
            past[0, (owner - seat) % seats, way, kinds if card is None else card] += 1
    turn = divmod(position.turn, BYTE + 1)
    return np.concatenate([[turn[1], turn[0], position.renewals], past.ravel()]).clip(0, BYTE)


def _cards_moved(happening: Happening) -> Iterator[tuple[int, int, int | None]]:
    """The cards that a happening brought into a hand or out of one, as its teller knows them."""
    match happening:
        case Played(seat, card):
            yield seat, LAID, card
        case TrimShown(cards):
            for seat, card in cards:
                yield seat, LAID, card
        case Drew(seat, seen_card):
            yield seat, DRAWN, seen_card
        case _:
            pass
