"""Knowledge: what an audience with a perfect memory knows of hidden cards, from the log of a position."""

from typing import Final, NamedTuple

from mypy_extensions import i64

from cartagena.rules.crew import Crew, sorted_cards, tally
from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK, NOBODY, OVER, Position

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


def remember(position: Position, seat: int | None) -> Memory:
    """R7.15: everything that a seat, or a spectator for None, was ever entitled to see of hidden cards."""
    viewer: i64 = NOBODY if seat is None else seat
    start = first_entry(position, viewer)
    held = hands_before(position, start)
    all_known = start > 0 or position.ruleset.hands_open
    hands = [tuple(crew.cards()) if all_known or owner == viewer else None for owner, crew in enumerate(held)]
    return Memory(
        discard=tuple(discard_before(position, start, held)),
        hands=tuple(hands),
        log=tuple(told_log(position, viewer, start)),
    )


def first_entry(position: Position, viewer: i64) -> i64:
    """R7.16: where the log begins to matter: with two seats, after the last renewal showed both hands."""
    if viewer == NOBODY or len(position.crews) > 2:  # noqa: PLR2004 - two seats, as R7.16 says
        return 0
    start: i64 = len(position.log)
    while start > 0 and position.log[start - 1] != LOG_RENEWED:
        start -= 1
    return start


def hands_before(position: Position, start: i64) -> list[Crew]:
    """The hand of every seat as it was before the log's entry `start`, found by going back in time."""
    held = [crew.copy() for crew in position.crews]
    for choice in position.trimmed:
        held[choice // 16].take(choice % 16)
    number: i64 = len(position.log)
    while number > start:
        number -= 1
        entry: i64 = position.log[number]
        if entry < LOG_LAID:
            held[entry // 16].give(entry % 16)
        elif entry < LOG_RENEWED:
            held[(entry - LOG_LAID) // 16].take(entry % 16)
        elif entry >= LOG_TAKEN_BACK:
            held[(entry - LOG_TAKEN_BACK) // 16].give(entry % 16)
    return held


def discard_before(position: Position, start: i64, held: list[Crew]) -> list[int]:
    """R7.8: the discard before the log's entry `start`: what lay in no hand, nor in the row or the stock."""
    if start == len(position.log):
        return sorted(position.discard)
    plain, gold = tally(position.ruleset.deck())
    for crew in held:
        plain -= crew.hand
        gold ^= crew.gold
    plain_to_draw, gold_to_draw = tally(cards_to_draw(position, start))
    return sorted_cards(plain - plain_to_draw, gold ^ gold_to_draw)


def cards_to_draw(position: Position, start: i64) -> list[int]:
    """The row and the stock before the log's entry `start`: what was drawn since and what is left."""
    drawn: list[int] = []
    for number in range(start, len(position.log)):
        entry: i64 = position.log[number]
        if entry == LOG_RENEWED:
            return drawn
        if entry < LOG_LAID:
            drawn.append(entry % 16)
    return drawn + list(position.order[position.row_head :])


def told_log(position: Position, viewer: i64, start: i64) -> list[int]:
    """R7.6, R7.12: the log as one audience was told it, without the cards that others drew unseen."""
    told = position.log[start:]
    renewals = position.renewals - told.count(LOG_RENEWED)
    public = order_is_public(position, renewals)
    for number in range(len(told)):
        entry: i64 = told[number]
        if entry == LOG_RENEWED:
            renewals += 1
            public = order_is_public(position, renewals)
        elif entry < LOG_LAID and entry // 16 != viewer and not public:
            told[number] = entry | UNSEEN
    return told
