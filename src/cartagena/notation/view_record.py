"""The record of a view: what one seat, or a spectator, may read of a game that is still going on."""

from collections import deque
from dataclasses import replace
from itertools import count

from cartagena.notation.cards import Cards
from cartagena.notation.record import Ending, Headers, Record, Step
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.game import Game
from cartagena.rules.happenings import Drew, Happening, Renewed, RowLaid
from cartagena.rules.hidden.seen import seen
from cartagena.rules.position import Position

_DEAL = 0
"""The number of the deal among the orders of a record; the shuffles follow from 1 on."""


def record_of_view(record: Record, seat: int | None) -> Record:
    """What a seat, or a spectator for None, may see of a record: R7.13 hides the rest until the end.

    In the deal and in each shuffle those cards are known that the seat drew or that were laid in the
    row. Raises ReplayError if the record does not replay.
    """
    if record.result.ending is not Ending.RUNNING:
        return record
    game = begin(record.headers)
    watch = _Watch(game.position, seat)
    for step in record.steps:
        for happening in replay_step(game, step):
            watch.tell(seen(happening, seat))
    return Record(
        headers=_headers_seen(record.headers, watch),
        steps=_steps_seen(record, watch, game, seat),
        result=record.result,
    )


class _Watch:
    """Follows the cards of row and stock, each by its order and its place there, and notes what is seen."""

    def __init__(self, opening: Position, seat: int | None) -> None:
        ruleset = opening.ruleset
        dealt = ruleset.hand_size * opening.seats
        self.known = {
            (_DEAL, place)
            for place in range(dealt)
            if ruleset.hands_open or place // ruleset.hand_size == seat
        }
        lying = range(dealt, dealt + opening.row_size + opening.stock_size)
        self.line: deque[tuple[int, int] | None] = deque((_DEAL, place) for place in lying)
        self.shuffles = 0
        self._show(opening.row_size)

    def _show(self, cards: int) -> None:
        self.known.update(card for card in list(self.line)[:cards] if card is not None)

    def tell(self, happening: Happening) -> None:
        """Note what a happening, as the audience sees it, brings to light."""
        match happening:
            case Drew():
                self._show(0 if happening.card is None else 1)
                self.line.popleft()
            case RowLaid():
                self._show(len(happening.cards))
            case Renewed(order=None):
                self.shuffles += 1
                self.line.extend((self.shuffles, place) for place in range(happening.size))
            case Renewed():
                self.line.extend([None] * happening.size)
            case _:
                pass

    def masked(self, number: int, cards: Cards) -> Cards:
        """An order of cards with only those that were seen."""
        return tuple(card if (number, place) in self.known else None for place, card in enumerate(cards))


def _headers_seen(headers: Headers, watch: _Watch) -> Headers:
    return replace(headers, deal=watch.masked(_DEAL, headers.deal), secret=None, nonces=None)


def _steps_seen(record: Record, watch: _Watch, game: Game, seat: int | None) -> tuple[Step, ...]:
    """R7.9: the orders masked, and the trims that still lie face down."""
    face_down = len(record.steps) - len(game.position.trimmed)
    shuffles = count(_DEAL + 1)
    steps: list[Step] = []
    for place, step in enumerate(record.steps):
        orders = tuple(watch.masked(next(shuffles), order) for order in step.orders)
        hidden = place >= face_down and step.seat != seat
        steps.append(replace(step, orders=orders, code=None if hidden else step.code))
    return tuple(steps)
