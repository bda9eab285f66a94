"""A position as one audience sees it: complete, except that a card may be unknown."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cartagena.notation.names import Cards, in_hand
from cartagena.rules.board import Board
from cartagena.rules.hidden.view import View
from cartagena.rules.position import ACT, Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import Ruleset
from cartagena.rules.setup import Layout, arrange


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What lies where, and how far the turn has gone; an unknown card is None.

    A Layout with gaps: hands and pirates are sorted, and `crossing_open` None asks the captain's rule.
    """

    ruleset: Ruleset
    board: Board
    pirates: tuple[tuple[int, ...], ...]
    hands: tuple[Cards, ...]
    row: Cards
    stock: Cards
    discard: Cards
    seat: int
    actions_used: int
    dock: int
    crossing_open: bool | None
    turn: int
    last_progress: int
    most_home: tuple[int, ...]


def sight_of(position: Position) -> Sight:
    """Everything that the notation holds of a position; raises PositionError unless a seat is to act.

    A trim or a shuffle in the middle of an action, and the end of a game, are reached by replay.
    """
    _check_phase(settled=position.phase == ACT and not position.order_due)
    return Sight(
        ruleset=position.ruleset,
        board=position.board,
        pirates=tuple(tuple(crew.places(position.facts.sloop)) for crew in position.crews),
        hands=tuple(in_hand(crew.cards()) for crew in position.crews),
        row=position.row(),
        stock=position.stock(),
        discard=tuple(position.discard),
        seat=position.seat,
        actions_used=position.actions_used,
        dock=position.dock,
        crossing_open=position.crossing_open,
        turn=position.turn,
        last_progress=position.last_progress,
        most_home=tuple(crew.most_home for crew in position.crews),
    )


def sight_of_view(view: View) -> Sight:
    """What a view tells of the table itself; raises PositionError as `sight_of` does."""
    _check_phase(settled=view.to_act >= 0 and not view.trimming)
    hands = zip(view.hands, view.hand_sizes, strict=True)
    return Sight(
        ruleset=view.ruleset,
        board=view.board,
        pirates=view.pirates,
        hands=tuple((None,) * size if hand is None else in_hand(hand) for hand, size in hands),
        row=view.row,
        stock=(None,) * view.stock_size if view.stock is None else view.stock,
        discard=view.discard,
        seat=view.turn_seat,
        actions_used=view.actions_used,
        dock=view.dock,
        crossing_open=view.crossing_open,
        turn=view.turn,
        last_progress=view.last_progress,
        most_home=view.most_home,
    )


def _check_phase(*, settled: bool) -> None:
    if not settled:
        raise PositionError("only a position in which a seat begins or goes on with its turn can be written")


def arranged(sight: Sight) -> Position:
    """The position of a sight, with the unknown cards put anywhere; raises PositionError."""
    spare = _unseen(sight)
    layout = Layout(
        ruleset=sight.ruleset,
        board=sight.board,
        pirates=sight.pirates,
        hands=tuple(_filled(hand, spare) for hand in sight.hands),
        row=_filled(sight.row, spare),
        stock=_filled(sight.stock, spare),
        discard=_filled(sight.discard, spare),
        seat=sight.seat,
        actions_used=sight.actions_used,
        dock=sight.dock,
        crossing_open=sight.crossing_open,
        turn=sight.turn,
        last_progress=sight.last_progress,
        most_home=sight.most_home,
    )
    return arrange(layout)


def all_cards(sight: Sight) -> Cards:
    """Every card that a sight tells of, known or not."""
    hands = tuple(card for hand in sight.hands for card in hand)
    return hands + sight.row + sight.stock + sight.discard


def _unseen(sight: Sight) -> Iterator[int]:
    seen = Counter(card for card in all_cards(sight) if card is not None)
    return iter(sorted((Counter(sight.ruleset.deck()) - seen).elements()))


def _filled(cards: Cards, spare: Iterator[int]) -> tuple[int, ...]:
    return tuple(next(spare, 0) if card is None else card for card in cards)
