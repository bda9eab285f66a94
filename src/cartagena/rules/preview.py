"""Foresight: what a choice would change, without doing it. Search looks at millions of choices this way."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.position import Position

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


def enough_to_draw(position: Position, cards: i64) -> bool:
    """Whether `cards` cards can be drawn without laying a row or renewing the stock."""
    if position.ruleset.row_length:
        return position.stock_top - position.row_head > cards
    left = len(position.order) - position.stock_top
    # R5.19: the last card of the stock may renew it.
    return left > cards or (left == cards and position.ruleset.renewal != "when_empty")
