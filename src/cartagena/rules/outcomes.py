"""The outcomes of whole turns: every distinct way in which the seat to act can leave the table.

Bots live on this: a turn of three actions has thousands of orders but only some hundred outcomes.
"""

from cartagena.rules.codes import END_TURN
from cartagena.rules.play import advance, legal
from cartagena.rules.position import Position


class Outcome:
    """A position in which the turn can end, or stops because something hidden turned up.

    `codes` lead there from the present; `complete` says that only `end_turn` is left to send. An
    incomplete outcome ended the game, waits for chance or another seat, or revealed a card, so that
    the seat will choose again knowing more.
    """

    def __init__(self, position: Position, codes: list[int], complete: bool) -> None:  # noqa: FBT001
        self.position = position
        self.codes = codes
        self.complete = complete


def outcomes(position: Position) -> list[Outcome]:
    """Every distinct outcome of the running turn, each with one shortest line of codes to it.

    Two lines that leave the same pirates, hands, row and dock are one outcome; the order in which the
    cards lie in the discard pile is not looked at. Nothing is listed when no seat is to act.
    """
    found: list[Outcome] = []
    if position.to_act < 0:
        return found
    known = {turn_key(position)}
    ended: set[tuple[int, ...]] = set()
    ahead = [Outcome(position.copy(), [], complete=False)]
    while ahead:
        nearer = ahead
        ahead = []
        for node in nearer:
            for code in legal(node.position):
                if code == END_TURN:
                    note_end(node, ended, found)
                else:
                    follow(node, code, known, found, ahead)
    return found


def note_end(node: Outcome, ended: set[tuple[int, ...]], found: list[Outcome]) -> None:
    """The turn can end here: an outcome, unless a shorter line led to the same table."""
    key = table_key(node.position)
    if key not in ended:
        ended.add(key)
        found.append(Outcome(node.position, node.codes, complete=True))


def follow(
    node: Outcome, code: int, known: set[tuple[int, ...]], found: list[Outcome], ahead: list[Outcome]
) -> None:
    """Go one choice further: to an outcome if the seat must wait or has learned something, else onwards."""
    after = node.position.copy()
    advance(after, code)
    step = Outcome(after, [*node.codes, code], complete=False)
    if after.to_act != node.position.to_act or after.barriers != node.position.barriers:
        found.append(step)
        return
    key = turn_key(after)
    if key not in known:
        known.add(key)
        ahead.append(step)


def turn_key(position: Position) -> tuple[int, ...]:
    """What tells two moments of one turn apart."""
    return (*table_key(position), position.actions_used, position.crossing_open)


def table_key(position: Position) -> tuple[int, ...]:
    """What tells two tables apart within one turn of one seat."""
    mover = position.mover
    if not position.in_nest:
        return (mover.first, mover.second, mover.third, mover.home, mover.hand, position.row_head)
    key = [position.dock, position.stock_top, mover.hand, mover.gold, mover.home]
    for crew in position.crews:
        key.append(crew.first)
        key.append(crew.second)
        key.append(crew.third)
        key.append(crew.aboard)
    return tuple(key)
