"""Memory: what a perfect memory keeps of hidden hands, from some moment on.

That moment is the deal, or when a position was laid out by hand; but with two seats a renewal shows
each seat the other's hand, so nothing before it matters any more.
"""

from typing import Final, NamedTuple

from cartagena.rules.position import OVER, Position

UNSEEN: Final = 15
"""Stands in the log for a card that was drawn unseen; no card has this number."""


class Memory(NamedTuple):
    """What was known at the beginning, and what was told since.

    `discard` and `hands` are those of the beginning, sorted; an unknown hand is None. The log holds the
    numbers of a position's log, with UNSEEN for a card that only its drawer saw.
    """

    discard: tuple[int, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    log: tuple[int, ...]


def hand_is_seen(position: Position, owner: int, seat: int | None) -> bool:
    """R7.3, R7.4, R7.14: a hand is seen by its owner, and by all if hands are open or the game is over."""
    return owner == seat or position.ruleset.hands_open or position.phase == OVER


def order_is_public(position: Position, renewals: int) -> bool:
    """R7.11, R7.12: nobody knows the order of the stock until the discard has been turned over."""
    return position.ruleset.reshuffle == "turn_over" and renewals > 0
