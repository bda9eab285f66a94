"""Foresight: what a choice would change, without doing it. Search looks at millions of choices this way."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.codes import FIRST_PLAY, FIRST_PUSH, NEST_CARDS, line_of, place_in
from cartagena.rules.families import escape, nest
from cartagena.rules.places import place_of
from cartagena.rules.position import Position
from cartagena.rules.ruleset import GOLD

NO_CARD: Final = -1


class Foresight:
    """A pirate of `crew` goes from `start` to `target`; `card` is laid down, then `draws` cards are drawn.

    The drawn cards are the first of the row if there is a row, else they come unseen from the stock.
    """

    def __init__(self) -> None:
        self.crew: i64 = 0
        self.start: i64 = 0
        self.target: i64 = 0
        self.card: i64 = NO_CARD
        self.draws: i64 = 0

    def of(self, position: Position, code: i64) -> bool:
        """Foresee a legal code; False if it must be done to know all that comes of it.

        That is the case for everything but plays, retreats and pushes, for gold cards, and where a draw lays
        a new row or renews the stock.
        """
        if position.in_nest:
            return self._of_nest(position, code)
        return self._of_escape(position, code)

    def _of_escape(self, position: Position, code: i64) -> bool:
        self.crew = position.seat
        self.start = place_in(code)
        if code >= FIRST_PLAY:
            self.card = line_of(code) - 1
            self.draws = 0
            self.target = place_of(escape.target_of_play(position, self.card, self.start))
            return True
        self.card = NO_CARD
        target = escape.target_of_retreat(position, self.start)
        self.target = place_of(target)
        self.draws = position.crowd.count(target)
        return enough_to_draw(position, self.draws)

    def _of_nest(self, position: Position, code: i64) -> bool:
        if code < FIRST_PLAY:
            return False
        self.start = place_in(code)
        if code < FIRST_PUSH:
            self.crew = position.seat
            self.card = line_of(code) - 1
            self.draws = 0
            if self.card >= GOLD:
                return False
            self.target = place_of(nest.target_of_play(position, position.mover, self.card, self.start))
            return True
        self.crew = line_of(code) - 1 - NEST_CARDS
        self.card = NO_CARD
        target = nest.target_of_push(position, position.crews[self.crew], self.start)
        self.target = place_of(target)
        self.draws = nest.reward_of_push(position, target)
        return enough_to_draw(position, self.draws)


def enough_to_draw(position: Position, cards: i64) -> bool:
    """Whether `cards` cards can be drawn without laying a row or renewing the stock."""
    if position.ruleset.row_length:
        return position.stock_top - position.row_head > cards
    return len(position.order) - position.stock_top >= cards
