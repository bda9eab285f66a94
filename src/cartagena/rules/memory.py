"""Memory: what a perfect memory keeps of hidden hands, from some moment on.

That moment is the deal, or when a position was laid out by hand; but with two seats a renewal shows
each seat the other's hand, so that nothing before it matters any more.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK, OVER, Position

UNSEEN: Final = 15
"""Stands in the log for a card that was drawn unseen; no card has this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
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


def remember(position: Position, seat: int | None) -> Memory:
    """R7.15: everything that a seat, or a spectator for None, was ever entitled to see of hidden cards."""
    start = first_entry(position, seat)
    held = hands_before(position, start)
    all_known = start > 0 or position.ruleset.hands_open
    return Memory(
        discard=tuple(sorted(discard_before(position, start, held).elements())),
        hands=tuple(
            tuple(sorted(hand.elements())) if all_known or owner == seat else None
            for owner, hand in enumerate(held)
        ),
        log=told_log(position, seat, start),
    )


def first_entry(position: Position, seat: int | None) -> int:
    """R7.16: where the log begins to matter: with two seats, after the last renewal showed both hands."""
    log = position.log
    if seat is None or position.seats > 2 or LOG_RENEWED not in log:  # noqa: PLR2004 - two seats, as R7.16 says
        return 0
    return len(log) - log[::-1].index(LOG_RENEWED)


def hands_before(position: Position, start: int) -> list[Counter[int]]:
    """The hand of every seat as it was before the log's entry `start`."""
    held = [Counter(crew.cards()) for crew in position.crews]
    for choice in position.trimmed:
        held[choice // 16][choice % 16] += 1
    for entry in position.log[start:]:
        if entry < LOG_LAID:
            held[entry // 16][entry % 16] -= 1
        elif entry < LOG_RENEWED:
            held[(entry - LOG_LAID) // 16][entry % 16] += 1
        elif entry >= LOG_TAKEN_BACK:
            held[(entry - LOG_TAKEN_BACK) // 16][entry % 16] -= 1
    return held


def discard_before(position: Position, start: int, held: list[Counter[int]]) -> Counter[int]:
    """R7.8: the discard before the log's entry `start`: what no hand held, the row lacked and nobody drew."""
    rest = Counter(position.ruleset.deck())
    for hand in held:
        rest.subtract(hand)
    log = position.log[start:]
    drawn = log[: log.index(LOG_RENEWED)] if LOG_RENEWED in log else log
    rest.subtract([entry % 16 for entry in drawn if entry < LOG_LAID])
    if LOG_RENEWED not in log:
        rest.subtract(position.order[position.row_head :])
    return rest


def told_log(position: Position, seat: int | None, start: int) -> tuple[int, ...]:
    """R7.6, R7.12: the log as one audience was told it, without the cards that others drew unseen."""
    log = position.log[start:]
    renewals = position.renewals - log.count(LOG_RENEWED)
    told: list[int] = []
    for entry in log:
        drawn = entry < LOG_LAID
        if entry == LOG_RENEWED:
            renewals += 1
        unseen = drawn and entry // 16 != seat and not order_is_public(position, renewals)
        told.append(entry | UNSEEN if unseen else entry)
    return tuple(told)
