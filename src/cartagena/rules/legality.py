"""The door: what may be done, why not, and doing it. The same for both games."""

from collections.abc import Sequence

from mypy_extensions import i64

from cartagena.rules.choices import ChoiceList, Choices
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import take_order
from cartagena.rules.families.table import rules_of
from cartagena.rules.happenings import Happening
from cartagena.rules.position import ACT, OVER, Position
from cartagena.rules.preview import Foresight
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.rules.turn import end_turn, refusal_of_end_turn


def legal(position: Position) -> list[int]:
    """R6.15: the codes of everything the seat to act may do, ascending; none if no seat is to act."""
    choices = ChoiceList()
    list_choices(position, choices)
    return choices.codes


def list_choices(position: Position, choices: Choices) -> None:
    """R6.15: let `choices` take down what the seat to act may do; nothing if no seat is to act."""
    if not position.order_due and position.phase != OVER:
        rules_of(position).list_choices(position, choices)


def refusal(position: Position, code: i64) -> Refusal | None:
    """Why the seat to act may not do as the code says; None if it may."""
    if position.phase == OVER:
        return Refusal.GAME_OVER
    if position.order_due:
        return Refusal.ORDER_DUE
    if code < 0:
        return Refusal.NO_SUCH_ACTION
    if code == END_TURN and position.phase == ACT:
        return refusal_of_end_turn(position)
    return rules_of(position).refusal(position, code)


def advance(position: Position, code: i64) -> None:
    """R2.16: do as the code says, in place, without recording what happened: faster, for search.

    Raises IllegalAction if the rules refuse. If an order of cards is due afterwards, hand it in with
    `shuffled`, or with `take_order` of `cartagena.rules.draw`, which tells nothing either.
    """
    reason = refusal(position, code)
    if reason is not None:
        raise IllegalAction(reason)
    act(position, code)


def act(position: Position, code: i64) -> None:
    """Do as a code says that `legal` has just listed: nothing is checked again, which is faster still."""
    if code == END_TURN:
        end_turn(position)
    else:
        rules_of(position).act(position, code)


def foresee(position: Position, code: i64, foresight: Foresight) -> bool:
    """Foresee what a legal code would change; False if it must be done to know all that comes of it.

    That is the case for everything but plays, retreats and pushes, for gold cards, and where a draw lays
    a new row or renews the stock.
    """
    return rules_of(position).foresee(position, code, foresight)


def apply(position: Position, code: i64) -> list[Happening]:
    """Do as the code says, in place, and tell what happened; raises IllegalAction if the rules refuse.

    If chance is to act afterwards, hand in the order of the cards with `shuffled`.
    """
    told: list[Happening] = []
    position.told = told
    try:
        advance(position, code)
    finally:
        position.told = None
    return told


def shuffled(position: Position, order: Sequence[int]) -> list[Happening]:
    """Chance speaks: the cards that are due lie in this order, top first; the draw goes on."""
    told: list[Happening] = []
    position.told = told
    try:
        take_order(position, order)
    finally:
        position.told = None
    return told
