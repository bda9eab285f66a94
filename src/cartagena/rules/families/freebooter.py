"""The freebooter: a gold card makes every seat with too many cards trim its hand."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.codes import NEST_CARDS, trim_code
from cartagena.rules.crew import Crew
from cartagena.rules.happenings import TrimDue, Trimmed, TrimShown
from cartagena.rules.places import bit
from cartagena.rules.position import ACT, TRIM, Position
from cartagena.rules.refusals import Refusal

HAND_LIMIT: Final = 7
"""R13.2: the cards a seat keeps when a freebooter comes."""


def refusal_of_trim(position: Position, card: i64) -> Refusal | None:
    """R13.5, R13.8: why not lay down this card."""
    if position.phase != TRIM:
        return Refusal.NOTHING_TO_TRIM
    return None if position.crews[position.trimmer].holds(card) else Refusal.TRIM_CARD_NOT_HELD


def trims(crew: Crew) -> i64:
    """R13.5: the codes of the cards that a crew may lay down, as a set of the first line."""
    codes: i64 = 0
    for card in range(NEST_CARDS):
        if crew.holds(card):
            codes |= bit(trim_code(card))
    return codes


def surplus(crew: Crew) -> i64:
    """How many cards a crew holds beyond the limit."""
    size = crew.hand_size()
    if size > HAND_LIMIT:
        return size - HAND_LIMIT
    return 0


def call_freebooter(position: Position) -> None:
    """R13.2, R13.4, R13.6, R8.6: every seat with too many cards must trim, beginning with this turn's."""
    position.trimmer = position.seat
    if not find_trimmer(position):
        return
    position.phase = TRIM
    position.barriers += 1
    if position.told is not None:
        position.told.append(TrimDue(tuple([surplus(crew) for crew in position.crews])))


def find_trimmer(position: Position) -> bool:
    """R13.6: go clockwise to the next seat that has too many cards; False if there is none."""
    for _ in position.crews:
        if surplus(position.crews[position.trimmer]):
            return True
        position.trimmer = (position.trimmer + 1) % len(position.crews)
    return False


def trim(position: Position, card: i64) -> None:
    """R13.5, R13.7, R8.6: the chosen card lies face down until the last one is chosen."""
    seat = position.trimmer
    position.crews[seat].give(card)
    position.trimmed.append(16 * seat + card)
    position.barriers += 1
    if position.told is not None:
        position.told.append(Trimmed(seat, card))
    if not find_trimmer(position):
        show_trimmed(position)


def show_trimmed(position: Position) -> None:
    """R13.7, R13.10: the trimmed cards join the discards in the order they were chosen."""
    chosen = position.trimmed
    position.trimmed = []
    position.phase = ACT
    for choice in chosen:
        position.discard_card(choice // 16, choice % 16)
    if position.told is not None:
        position.told.append(TrimShown(tuple([(choice // 16, choice % 16) for choice in chosen])))
