"""From a record to the game it tells of, and back; also to what one seat may read of a running game."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Final

from cartagena.notation.action_text import format_action
from cartagena.notation.names import COLOURS, Cards, in_hand
from cartagena.notation.record import Ending, Headers, Record, Result, Step, format_result, is_deal
from cartagena.notation.sight import Sight, arranged, sight_of
from cartagena.notation.tokens import ReplayError
from cartagena.rules.draw import take_order
from cartagena.rules.happenings import Drew, Happening, Renewed, RowLaid
from cartagena.rules.hidden.view import seen
from cartagena.rules.legality import advance
from cartagena.rules.position import DEAD, NOBODY, QUIET, RUNNING, WON, Position
from cartagena.rules.refusals import IllegalAction, PositionError, Refusal
from cartagena.rules.ruleset import RULES_VERSION
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import Event, UndoableGame

_ENDINGS: Final = {
    RUNNING: Ending.RUNNING,
    WON: Ending.WON,
    DEAD: Ending.DEAD,
    QUIET: Ending.QUIET,
}
_BY_PLAYERS: Final = (Ending.RESIGNED, Ending.ABANDONED)


def replay(record: Record) -> UndoableGame:
    """Play a record again, from the deal to its result; raises ReplayError at the first wrong action."""
    game = begin(record.headers)
    for step in record.steps:
        replay_step(game, step)
    check_result(game.position, record.result)
    return game


def begin(headers: Headers) -> UndoableGame:
    """The game before its first action; raises ReplayError if a card of its beginning is unknown."""
    if headers.rules_version > RULES_VERSION:
        raise ReplayError(f"rules version {headers.rules_version} is newer than {RULES_VERSION}")
    if None in headers.cards:
        what = "deal" if headers.opening is None else "position"
        raise ReplayError(f"the {what} is not fully known: this is the record of a view")
    if headers.opening is not None:
        return UndoableGame(arranged(headers.opening))
    return UndoableGame(
        new(
            headers.ruleset,
            headers.board,
            seats=headers.seats,
            order=[card for card in headers.deal if card is not None],
            first_seat=headers.first_seat,
        )
    )


def replay_step(game: UndoableGame, step: Step) -> list[Happening]:
    """Do one recorded action in a game and tell what happened; raises ReplayError if it is impossible."""
    position = game.position
    if not position.over and (step.turn, step.seat) != (position.turn, position.to_act):
        raise _wrong(step, f"it is turn {position.turn} and {COLOURS[position.to_act]} is to act")
    orders = tuple(order for order in map(_known, step.orders) if order is not None)
    if step.code is None or len(orders) != len(step.orders):
        raise _wrong(step, "not everything is known: this is the record of a view")
    text = format_action(position.ruleset.family, step.code)
    try:
        return game.replay(Event(step.code, orders))
    except IllegalAction as error:
        reason = f"{text} is refused: {error.refusal.code} (rule {error.refusal.rule})"
        raise _wrong(step, reason, error.refusal) from error
    except PositionError as error:
        raise _wrong(step, f"{text}: the orders of cards do not fit") from error


def _known(cards: Sequence[int | None]) -> tuple[int, ...] | None:
    known = tuple(card for card in cards if card is not None)
    return known if len(known) == len(cards) else None


def _wrong(step: Step, reason: str, refusal: Refusal | None = None) -> ReplayError:
    return ReplayError(reason, step.line, step.column, refusal)


def result_of(position: Position) -> Result:
    """How a game stands by its rules."""
    winner = None if position.winner == NOBODY else position.winner
    return Result(_ENDINGS[position.ending], winner)


def check_result(position: Position, result: Result) -> None:
    """Raise ReplayError unless a result is what the rules say, or players have left a running game."""
    reached = result_of(position)
    left = reached.ending is Ending.RUNNING and result.ending in _BY_PLAYERS
    if result != reached and not left:
        said = f"the record says {format_result(result)!r}"
        raise ReplayError(f"{said}, but its game is {format_result(reached)!r}")


def record_of(game: UndoableGame, headers: Headers | None = None, result: Result | None = None) -> Record:
    """The record of a game; `result` only if players ended it themselves, by resigning or leaving."""
    return Record(
        headers=headers_of(game.opening) if headers is None else headers,
        steps=tuple(steps_of(game)),
        result=result_of(game.position) if result is None else result,
    )


def headers_of(opening: Position, deal: Sequence[int] | None = None, names: Sequence[str] = ()) -> Headers:
    """The headers of a game that begins like this: with a deal, or with a position that somebody set up.

    Without `deal` each hand counts as dealt in the order of the card numbers; raises ValueError if one is
    given that leads elsewhere, and PositionError unless a seat is to act. Use `dataclasses.replace` to add a
    game id, a date and the values of the fair shuffle.
    """
    lying = [card for crew in opening.crews for card in crew.cards()]
    dealt = tuple(deal or (*lying, *opening.row(), *opening.stock()))
    sight = sight_of(opening)
    is_dealt = is_deal(opening.ruleset, dealt) and sight_of(_dealt(opening, dealt)) == sight
    if deal is not None and not is_dealt:
        raise ValueError("the game does not begin with this deal")
    return Headers(
        ruleset=opening.ruleset,
        board=opening.board,
        names=tuple(names) or ("",) * opening.seats,
        first_seat=opening.seat,
        deal=dealt if is_dealt else (),
        opening=None if is_dealt else sight,
    )


def _dealt(like: Position, deal: Sequence[int]) -> Position:
    return new(like.ruleset, like.board, seats=like.seats, order=deal, first_seat=like.seat)


def steps_of(game: UndoableGame) -> Iterator[Step]:
    """The actions of a game, each with its turn and its seat."""
    position = game.opening.copy()
    for event in game.events:
        yield Step(turn=position.turn, seat=position.to_act, code=event.code, orders=event.orders)
        advance(position, event.code)
        for order in event.orders:
            take_order(position, order)


_DEAL = 0
"""The number of the deal, or of the opening, among the orders of a record; the shuffles follow from 1 on."""


def record_of_view(record: Record, seat: int | None) -> Record:
    """What a seat, or a spectator for None, may see of a record: R7.13 hides the rest until the end.

    In the beginning and in each shuffle those cards are known that the seat drew or that were laid in the
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
        owners = [owner for owner, crew in enumerate(opening.crews) for _ in crew.cards()]
        self.known = {
            (_DEAL, place)
            for place, owner in enumerate(owners)
            if opening.ruleset.hands_open or owner == seat
        }
        lying = range(len(owners), len(owners) + opening.row_size + opening.stock_size)
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
    deal, opening = watch.masked(_DEAL, headers.deal), _opening_seen(headers.opening, watch)
    return replace(headers, deal=deal, opening=opening, secret=None, nonces=None)


def _opening_seen(opening: Sight | None, watch: _Watch) -> Sight | None:
    if opening is None:
        return None
    lying = (card for cards in (*opening.hands, opening.row, opening.stock) for card in cards)
    cards = iter(watch.masked(_DEAL, tuple(lying)))
    return replace(
        opening,
        hands=tuple(in_hand(islice(cards, len(hand))) for hand in opening.hands),
        row=tuple(islice(cards, len(opening.row))),
        stock=tuple(cards),
    )


def _steps_seen(record: Record, watch: _Watch, game: UndoableGame, seat: int | None) -> tuple[Step, ...]:
    """R7.9: the orders masked, and the trims that still lie face down."""
    face_down = len(record.steps) - len(game.position.trimmed)
    shuffles = count(_DEAL + 1)
    steps: list[Step] = []
    for place, step in enumerate(record.steps):
        orders = tuple(watch.masked(next(shuffles), order) for order in step.orders)
        hidden = place >= face_down and step.seat != seat
        steps.append(replace(step, orders=orders, code=None if hidden else step.code))
    return tuple(steps)
