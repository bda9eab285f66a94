"""Twin games: the same game twice, with other cards where one audience may not look.

A deal is an order of the deck: first the hands, then the row, then the stock. The cards in hidden hands of
other seats and deep in the stock are shuffled again for the twin. The top of the stock stays the same, or the
first card drawn would rightly tell the two apart.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final
from unittest.mock import patch

from cartagena.fairness import SIZE
from cartagena.fairness import record as fair_record
from cartagena.fairness import shuffle as fair_shuffle
from cartagena.fairness.shuffle import Shuffle
from cartagena.rules.board import Board
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen, view
from cartagena.rules.play import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.undoable_game import Game

SAME_ON_TOP: Final = 40
"""How many cards on top of the stock stay the same; once more are drawn, a game is compared no further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Everything that chance decides when a game begins."""

    board: Board
    first_seat: int
    order: tuple[int, ...]


Deals = dict[str, Deal]
"""How each game begins, by the id of its shuffle."""


@contextmanager
def dealing(deals: Deals) -> Iterator[None]:
    """Begin games with these deals while the block lasts; other games and all renewals are drawn as usual."""
    board, order, first_seat = fair_shuffle.draw_board, fair_shuffle.draw_deal, Shuffle.first_seat

    def board_told(shuffle: Shuffle, ruleset: Ruleset) -> Board:
        told = deals.get(shuffle.game_id)
        return board(shuffle, ruleset) if told is None else told.board

    def order_told(shuffle: Shuffle, ruleset: Ruleset) -> tuple[int, ...]:
        told = deals.get(shuffle.game_id)
        return order(shuffle, ruleset) if told is None else told.order

    def first_seat_told(shuffle: Shuffle) -> int:
        told = deals.get(shuffle.game_id)
        return first_seat(shuffle) if told is None else told.first_seat

    with ExitStack() as patched:
        for place in (fair_shuffle, fair_record):
            patched.enter_context(patch.object(place, "draw_board", board_told))
            patched.enter_context(patch.object(place, "draw_deal", order_told))
        patched.enter_context(patch.object(Shuffle, "first_seat", first_seat_told))
        yield


def twin_deals(ruleset: Ruleset, seats: int, audience: int | None, chance: Random) -> tuple[Deal, Deal]:
    """Two deals that look the same to an audience: a seat, or None for everyone else."""
    board = fair_shuffle.draw_board(
        fair_shuffle.lone_shuffle("twin", chance.randbytes(SIZE), ruleset, seats), ruleset
    )
    first_seat = chance.randrange(seats)
    one, other = (
        Deal(board=board, first_seat=first_seat, order=order)
        for order in _twin_orders(ruleset, seats, audience, chance)
    )
    return one, other


def _twin_orders(
    ruleset: Ruleset, seats: int, audience: int | None, chance: Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    order = list(ruleset.deck())
    chance.shuffle(order)
    hidden = list(_hidden_places(ruleset, seats, audience, len(order)))
    mixed = [order[place] for place in hidden]
    while mixed == [order[place] for place in hidden]:
        chance.shuffle(mixed)
    twin = order[:]
    for place, card in zip(hidden, mixed, strict=True):
        twin[place] = card
    return tuple(order), tuple(twin)


def _hidden_places(ruleset: Ruleset, seats: int, audience: int | None, cards: int) -> Iterator[int]:
    size = ruleset.hand_size
    for seat in range(seats):
        if seat != audience and not ruleset.hands_open:
            yield from range(seat * size, (seat + 1) * size)
    yield from range(min(seats * size + ruleset.row_length + SAME_ON_TOP, cards - 2), cards)


def common_codes(one: Position, other: Position, audience: int | None) -> list[int]:
    """Actions legal in both games that do not tell the audience which of the two it sees."""
    both = sorted(set(legal(one)) & set(legal(other)))
    told = {code: (_told(one, code, audience), _told(other, code, audience)) for code in both}
    return [code for code, (here, there) in told.items() if here is not None and here == there]


def _told(position: Position, code: int, audience: int | None) -> object:
    """What an audience learns from an action; None if it needs a random draw, which differs in the two."""
    game = Game(position)
    try:
        told: Sequence[Happening] = game.act(code, _nobody_shuffles)
    except _ChanceSpeaks:
        return None
    after = view(game.position, audience)
    return [seen(each, audience) for each in told], after._replace(legal=None), after.legal


class _ChanceSpeaks(Exception):
    pass


def _nobody_shuffles(_: Sequence[int]) -> Sequence[int]:
    raise _ChanceSpeaks
