"""Drawing cards: the stock, the open row, and the discards that become a new stock."""

from collections.abc import Sequence

from mypy_extensions import i64

from cartagena.rules.crew import same_cards, sorted_cards, tally
from cartagena.rules.happenings import Drew, Renewed, RowLaid
from cartagena.rules.position import LOG_RENEWED, Position
from cartagena.rules.refusals import PositionError


def draw(position: Position, cards: i64) -> None:
    """R5.1: the seat whose turn it is takes `cards` cards, one after the other."""
    position.owed = cards
    go_on_drawing(position)


def go_on_drawing(position: Position) -> None:
    """R5.2, R5.17: take what is still owed; it is lost when there is nothing, and waits for chance."""
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
    """R5.7, R5.10, R5.11: whether there is a card to take, after laying or renewing if one is needed."""
    if position.ruleset.row_length:
        if position.row_head == position.stock_top:
            lay(position)
        return position.row_head < position.stock_top and not position.order_due
    if position.stock_top == len(position.order):
        renew(position)
    return position.stock_top < len(position.order)


def take_from_stock(position: Position) -> None:
    """R5.3, R7.12, R8.4: the top card of the stock goes to the hand, known to all if it was turned over."""
    card: i64 = position.order[position.stock_top]
    position.stock_top += 1
    position.row_head = position.stock_top
    position.barriers += 1
    position.hand_over(card)
    if position.told is not None:
        turned_over = position.renewals > 0 and position.ruleset.reshuffle == "turn_over"
        position.told.append(Drew(position.seat, card, from_row=False, turned_over=turned_over))
    renew_if_empty(position)


def take_from_row(position: Position) -> None:
    """R5.4, R5.8, R5.9: the head of the row goes to the hand; only the last card calls for a new row."""
    card: i64 = position.order[position.row_head]
    position.row_head += 1
    position.hand_over(card)
    if position.told is not None:
        position.told.append(Drew(position.seat, card, from_row=True))
    if position.row_head == position.stock_top and position.ruleset.row_refill == "immediate":
        lay(position)


def lay(position: Position) -> None:
    """R5.5, R5.6, R5.15, R5.16, R8.4: lay cards from the stock at the tail until the row is full."""
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
        renew_if_empty(position)


def renew_if_empty(position: Position) -> None:
    """R5.11, R5.19: an empty stock alone renews nothing, unless the ruleset does not wait."""
    if position.stock_top == len(position.order) and position.ruleset.renewal == "when_empty":
        renew(position)


def renew(position: Position) -> None:
    """R5.12, R5.13, R5.14, R8.5: the whole discard becomes the stock, shuffled by chance or turned over."""
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
