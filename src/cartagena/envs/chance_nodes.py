"""Explicit chance: a table is dealt, and cards come to light, one draw at a time, each with known odds.

The engine draws from a stock that lies in an order. Here no order is decided before a card is seen: what is
left of a stock lies sorted, and each draw puts one of its cards on top.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from cartagena.rules.board import PIECES, Board
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.knowledge import order_is_public
from cartagena.rules.legality import advance, apply, shuffled
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, NEST, SIGNS, Ruleset
from cartagena.rules.setup import new

RENEWAL: Final = -1
"""Stands for the code of a choice where a renewed stock is what waits for cards."""
SIDES: Final = 2
"""A segment of the tunnel is drawn as its number times two, plus one if it is turned."""


class BoardDraws(Protocol):
    """How the board of one game is drawn, piece by piece."""

    draws: int
    """How many draws lay a board."""

    def left(self, drawn: list[int]) -> Iterator[int]:
        """What may be drawn next."""

    def board(self, drawn: list[int]) -> Board:
        """The board, when all is drawn."""


class TunnelDraws:
    """Draws the segments of the tunnel in travel order."""

    draws = PIECES[ESCAPE]

    def left(self, drawn: list[int]) -> Iterator[int]:
        """Both sides of every segment that is not laid."""
        laid = {piece // SIDES for piece in drawn}
        return (piece for piece in range(SIDES * self.draws) if piece // SIDES not in laid)

    def board(self, drawn: list[int]) -> Board:
        """The tunnel."""
        return Board.of_segments([piece // SIDES for piece in drawn], [piece % SIDES == 1 for piece in drawn])


class IslandDraws:
    """Draws the signs of each piece of the islands in travel order."""

    signs = len(SIGNS[NEST])
    draws = PIECES[NEST] * signs

    def left(self, drawn: list[int]) -> Iterator[int]:
        """The signs that the present piece does not have yet."""
        begun = drawn[len(drawn) - len(drawn) % self.signs :]
        return (sign for sign in range(self.signs) if sign not in begun)

    def board(self, drawn: list[int]) -> Board:
        """The islands."""
        firsts = range(0, self.draws, self.signs)
        return Board.of_pieces([drawn[first : first + self.signs] for first in firsts])


BOARDS: Final[Mapping[str, BoardDraws]] = {ESCAPE: TunnelDraws(), NEST: IslandDraws()}


@dataclass(kw_only=True)
class Deal:
    """A table being dealt: the first seat, the board piece by piece, then hands and row card by card."""

    ruleset: Ruleset
    seats: int
    drawn: list[int] = field(default_factory=list)

    @property
    def first_card(self) -> int:
        """How many draws come before the first card."""
        return 1 + BOARDS[self.ruleset.family].draws

    @property
    def size(self) -> int:
        """How many draws a whole deal has."""
        return self.first_card + self.seats * self.ruleset.hand_size + self.ruleset.row_length

    def odds(self) -> Counter[int]:
        """What may be drawn next, each with its weight."""
        if not self.drawn:
            return Counter(range(self.seats))
        if len(self.drawn) < self.first_card:
            return Counter(BOARDS[self.ruleset.family].left(self.drawn[1:]))
        return Counter(self.ruleset.deck()) - Counter(self.drawn[self.first_card :])

    def position(self) -> Position:
        """The table after the deal; the stock lies sorted."""
        first_seat, *pieces = self.drawn[: self.first_card]
        board = BOARDS[self.ruleset.family].board(pieces)
        order = self.drawn[self.first_card :] + sorted(self.odds().elements())
        return new(self.ruleset, board, seats=self.seats, order=order, first_seat=first_seat)


@dataclass(kw_only=True)
class Reveal:
    """A choice, or a renewed stock, that waits until `size` cards of the stock are drawn."""

    code: int
    size: int
    stock: Counter[int]
    drawn: list[int] = field(default_factory=list)

    def odds(self) -> Counter[int]:
        """What may be drawn next, each with its weight."""
        return self.stock - Counter(self.drawn)

    def carry_out(self, position: Position) -> list[Happening]:
        """Do what has waited, with the cards drawn on top of the stock, and tell what happened."""
        order = self.drawn + sorted(self.odds().elements())
        if self.code == RENEWAL:
            return shuffled(position, order)
        if self.size:
            position.order = position.order[: position.stock_top] + bytes(order)
        return apply(position, self.code)


def reveal_of(position: Position, code: int) -> Reveal:
    """What comes to light by a choice, or by a renewal; the rules decide how many cards, not which."""
    stock = cards_due(position) if code == RENEWAL else position.stock()
    return Reveal(code=code, size=_cards_revealed(position, code), stock=Counter(stock))


def _cards_revealed(position: Position, code: int) -> int:
    if order_is_public(position, position.renewals):
        return 0
    trial = position.copy()
    if code == RENEWAL:
        take_order(trial, cards_due(trial))
        return trial.stock_top - (position.stock_top - position.row_head)
    advance(trial, code)
    if trial.renewals > position.renewals:
        # The discard was turned over, which happens only once nothing of the stock is left.
        return position.stock_size
    return trial.stock_top - position.stock_top
