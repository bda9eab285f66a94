"""From a record to the game it tells of, and back."""

from collections.abc import Iterator, Sequence
from typing import Final

from cartagena.notation.action_text import format_action
from cartagena.notation.errors import ReplayError
from cartagena.notation.names import COLOURS
from cartagena.notation.record import Ending, Headers, Record, Result, Step, is_deal
from cartagena.notation.record_text import format_result
from cartagena.notation.sight import sight_of
from cartagena.rules.draw import take_order
from cartagena.rules.game import Event, Game
from cartagena.rules.happenings import Happening
from cartagena.rules.play import advance
from cartagena.rules.position import DEAD, NOBODY, QUIET, RUNNING, WON, Position
from cartagena.rules.refusals import IllegalAction, PositionError, Refusal
from cartagena.rules.setup import new
from cartagena.rules.version import RULES_VERSION

_ENDINGS: Final = {
    RUNNING: Ending.RUNNING,
    WON: Ending.WON,
    DEAD: Ending.DEAD,
    QUIET: Ending.QUIET,
}
_BY_PLAYERS: Final = (Ending.RESIGNED, Ending.ABANDONED)


def replay(record: Record) -> Game:
    """Play a record again, from the deal to its result; raises ReplayError at the first wrong action."""
    game = begin(record.headers)
    for step in record.steps:
        replay_step(game, step)
    check_result(game.position, record.result)
    return game


def begin(headers: Headers) -> Game:
    """The game before its first action; raises ReplayError if a card of the deal is unknown."""
    if headers.rules_version > RULES_VERSION:
        raise ReplayError(f"rules version {headers.rules_version} is newer than {RULES_VERSION}")
    deal = _known(headers.deal)
    if deal is None:
        raise ReplayError("the deal is not fully known: this is the record of a view")
    opening = new(
        headers.ruleset, headers.board, seats=headers.seats, order=deal, first_seat=headers.first_seat
    )
    return Game(opening)


def replay_step(game: Game, step: Step) -> list[Happening]:
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


def record_of(game: Game, headers: Headers | None = None, result: Result | None = None) -> Record:
    """The record of a game; `result` only if players ended it themselves, by resigning or leaving."""
    return Record(
        headers=headers_of(game.opening) if headers is None else headers,
        steps=tuple(steps_of(game)),
        result=result_of(game.position) if result is None else result,
    )


def headers_of(opening: Position, deal: Sequence[int] | None = None, names: Sequence[str] = ()) -> Headers:
    """The headers of a game that begins like this; raises ValueError if it does not begin with a deal.

    Without `deal` each hand counts as dealt in the order of the card numbers. Use `dataclasses.replace`
    to add a game id, a date and the values of the fair shuffle.
    """
    if deal is None:
        deal = [card for crew in opening.crews for card in crew.cards()]
        deal = [*deal, *opening.row(), *opening.stock()]
    if not is_deal(opening.ruleset, tuple(deal)) or sight_of(_dealt(opening, deal)) != sight_of(opening):
        raise ValueError("a record begins with a deal, not in the middle of a game")
    return Headers(
        ruleset=opening.ruleset,
        board=opening.board,
        names=tuple(names) or ("",) * opening.seats,
        first_seat=opening.seat,
        deal=tuple(deal),
    )


def _dealt(like: Position, deal: Sequence[int]) -> Position:
    return new(like.ruleset, like.board, seats=like.seats, order=deal, first_seat=like.seat)


def steps_of(game: Game) -> Iterator[Step]:
    """The actions of a game, each with its turn and its seat."""
    position = game.opening.copy()
    for event in game.events:
        yield Step(turn=position.turn, seat=position.to_act, code=event.code, orders=event.orders)
        advance(position, event.code)
        for order in event.orders:
            take_order(position, order)
