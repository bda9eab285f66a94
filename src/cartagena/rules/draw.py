"""Drawing cards: the stock, the open row, and the discards that become a new stock."""

from collections.abc import Sequence

from mypy_extensions import i64

from cartagena.rules.crew import same_cards, sorted_cards, tally
from cartagena.rules.happenings import Drew, Renewed, RowLaid
from cartagena.rules.position import LOG_RENEWED, Position
from cartagena.rules.refusals import PositionError


def draw(position: Position, cards: i64) -> None:
    """R5.1: the seat takes so many cards, one after the other, as far as there are any."""
    position.owed = cards
    go_on_drawing(position)


def go_on_drawing(position: Position) -> None:
    """Take the cards still owed, until none is left or an order of cards is due."""
    while position.owed > 0:
        if not card_to_take(position):
            if not position.order_due:
                position.owed = 0
            return
        position.owed -= 1
        if position.ruleset.row_length:
            take_from_row(position)
        else:
            take_from_stock(position)
        if position.order_due:
            return


def card_to_take(position: Position) -> bool:
    """Whether a card can be taken now, after laying a row or renewing the stock if that is needed."""
    if position.ruleset.row_length:
        if position.row_head == position.stock_top:
            lay(position)
        return position.row_head < position.stock_top and not position.order_due
    if position.stock_top == len(position.order):
        renew(position)
    return position.stock_top < len(position.order)


def take_from_stock(position: Position) -> None:
    """The top card of the stock goes to the hand; nobody else may know it."""
    card: i64 = position.order[position.stock_top]
    position.stock_top += 1
    position.row_head = position.stock_top
    position.barriers += 1
    position.hand_over(card)
    if position.told is not None:
        position.told.append(Drew(position.seat, card, from_row=False))


def take_from_row(position: Position) -> None:
    """The head of the row goes to the hand; the last card calls for a new row at once."""
    card: i64 = position.order[position.row_head]
    position.row_head += 1
    position.hand_over(card)
    if position.told is not None:
        position.told.append(Drew(position.seat, card, from_row=True))
    if position.row_head == position.stock_top and position.ruleset.row_refill == "immediate":
        lay(position)


def lay(position: Position) -> None:
    """Lay cards from the stock in a row until it is full, renewing the stock on the way if need be."""
    position.laying = True
    while position.stock_top - position.row_head < position.ruleset.row_length:
        if position.stock_top == len(position.order):
            if position.ruleset.short_row == "short" and position.stock_top > position.row_head:
                break
            renew(position)
            if position.order_due:
                return
            if position.stock_top == len(position.order):
                break
        position.stock_top += 1
    position.laying = False
    if position.stock_top > position.row_head:
        position.barriers += 1
        if position.told is not None:
            position.told.append(RowLaid(position.row()))


def renew(position: Position) -> None:
    """The discards become the new stock, shuffled by chance or turned over."""
    if not position.discard:
        return
    position.barriers += 1
    if position.ruleset.reshuffle == "shuffle":
        position.order_due = True
    else:
        accept_order(position, bytes(position.discard), known=True)


def cards_due(position: Position) -> list[int]:
    """The cards whose order is due, sorted by their number."""
    if not position.order_due:
        return []
    plain, gold = tally(position.discard)
    return sorted_cards(plain, gold)


def take_order(position: Position, order: Sequence[int]) -> None:
    """Chance speaks, without telling: the cards due lie in this order, top first; the draw goes on."""
    if not position.order_due or not same_cards(order, position.discard):
        raise PositionError("an order must name exactly the cards that are due, and only when they are")
    position.order_due = False
    accept_order(position, bytes(order), known=False)
    if position.laying:
        lay(position)
    if not position.order_due:
        go_on_drawing(position)


def accept_order(position: Position, order: bytes, *, known: bool) -> None:
    """The stock is renewed; a row that is being laid keeps the cards it has."""
    position.order = position.order[position.row_head :] + order
    position.stock_top -= position.row_head
    position.row_head = 0
    position.discard = []
    position.renewals += 1
    if not position.ruleset.hands_open:
        position.log.append(LOG_RENEWED)
    if position.told is not None:
        position.told.append(Renewed(len(order), tuple(order) if known else None))
