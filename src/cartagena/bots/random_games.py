"""Uniformly random games: the fastest way to the end, for soaks, benchmarks and simplest bots."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.board import PIECES, Board
from cartagena.rules.choices import ChoiceLines
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.provenance import Card, Lots
from cartagena.rules.legality import advance, list_choices
from cartagena.rules.position import ACT, OVER, Position
from cartagena.rules.ruleset import ACTIONS_PER_TURN, ESCAPE, SIGNS, Ruleset
from cartagena.rules.setup import new

MULTIPLIER: Final = 1103515245
INCREMENT: Final = 12345
MODULUS_MASK: Final = (1 << 31) - 1


class Dice:
    """A small source of chance: fast, repeatable from its seed, and not secret."""

    def __init__(self, seed: i64) -> None:
        self.state: i64 = seed & MODULUS_MASK
        self.below(2)

    def below(self, limit: i64) -> i64:
        """A number from 0 up to, not including, the limit."""
        # Products stay under 62 bits, where the compiled and the interpreted engine agree.
        self.state = (self.state * MULTIPLIER + INCREMENT) & MODULUS_MASK
        return (self.state >> 7) * limit >> 24

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards in a random order, in place."""
        last: i64 = len(cards) - 1
        while last > 0:
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
            last -= 1


def random_board(family: str, dice: Dice | Lots) -> Board:
    """A tunnel of the printed segments, or islands with their signs in any order."""
    if family == ESCAPE:
        order = list(range(PIECES[ESCAPE]))
        dice.shuffle(order)
        return Board.of_segments(order, [dice.below(2) == 1 for _ in order])
    pieces = [list(range(len(SIGNS[family]))) for _ in range(PIECES[family])]
    for piece in pieces:
        dice.shuffle(piece)
    return Board.of_pieces(pieces)


def random_opening(ruleset: Ruleset, seats: int, dice: Dice | Lots) -> Position:
    """A new game: board, deal and first seat by chance."""
    board = random_board(ruleset.family, dice)
    deck = ruleset.deck()
    dice.shuffle(deck)
    return new(ruleset, board, seats=seats, order=deck, first_seat=dice.below(seats))


def playout(position: Position, dice: Dice, cap: i64) -> i64:
    """Choose at random until the game ends or `cap` choices are made; count them.

    After the third action the turn is ended without being counted: nothing is left to choose.
    """
    made: i64 = 0
    choices = ChoiceLines()
    while position.phase != OVER and made < cap:
        choices.clear()
        list_choices(position, choices)
        advance(position, choices.code(dice.below(choices.number)))
        made += 1
        if position.order_due:
            deal_again(position, dice)
        if position.actions_used == ACTIONS_PER_TURN and position.phase == ACT:
            advance(position, END_TURN)
    return made


def deal_again(position: Position, dice: Dice) -> None:
    """Hand in a random order of the cards that are due."""
    due = cards_due(position)
    dice.shuffle(due)
    take_order(position, due)
