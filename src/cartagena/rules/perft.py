"""Perft: how many ways play can go on from a position, to see at once whether a rule has changed.

A way is a row of choices. Chance is not counted: cards whose order is due lie sorted by number.
"""

from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.legality import advance, legal
from cartagena.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Count the ways of `depth` choices; a game that ends earlier does not count."""
    if depth <= 0:
        return 1
    codes = legal(position)
    if depth == 1:
        return len(codes)
    ways = 0
    for code in codes:
        ways += perft(after(position, code), depth - 1)
    return ways


def after(position: Position, code: int) -> Position:
    """Return the position after a choice; the given one stays as it was."""
    twin = position.copy()
    advance(twin, code)
    while twin.order_due:
        take_order(twin, cards_due(twin))
    return twin
