"""The outcomes of whole turns: every distinct way in which the seat to act can leave the table.

Bots depend on this: a turn of three actions has thousands of orders but only some hundred outcomes.
"""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.codes import END_TURN
from cartagena.rules.crew import Crew
from cartagena.rules.legality import advance, legal
from cartagena.rules.position import Bookmark, Position

MIXER: Final = 0x1B873593
KEY_MASK: Final = (1 << 61) - 1


class Outcome:
    """Where a turn can lead: the position, the codes that lead there, and whether the turn can end there.

    A complete outcome needs only `end_turn`. An incomplete one ended the game, waits for chance or
    another seat, or revealed a card, so that the seat will choose again knowing more.
    """

    def __init__(self, position: Position, codes: list[int], complete: bool) -> None:  # noqa: FBT001
        self.position = position
        self.codes = codes
        self.complete = complete


def outcomes(position: Position) -> list[Outcome]:
    """Every distinct outcome of the running turn; an empty list when no seat is to act.

    Two lines of choices that leave the same pirates, hands, row and dock are one outcome; the order in
    which cards lie in the discard pile is not looked at.
    """
    walk = Walk(position.copy())
    walk.go_on()
    return walk.found


class Walk:
    """Goes through all choices of a turn, forth and back on one position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.found: list[Outcome] = []
        self.seat = position.to_act
        self.barriers = position.barriers
        self.codes: list[int] = []
        self.been: set[int] = set()
        self.ended: set[int] = set()
        self.bookmarks: list[Bookmark] = []

    def go_on(self) -> None:
        """Try every choice from here."""
        depth = len(self.codes)
        if depth == len(self.bookmarks):
            self.bookmarks.append(Bookmark(self.position))
        bookmark = self.bookmarks[depth]
        bookmark.set(self.position)
        for code in legal(self.position):
            if code == END_TURN:
                self.see_end()
            else:
                advance(self.position, code)
                self.codes.append(code)
                self.arrive()
                self.codes.pop()
                bookmark.restore(self.position)

    def see_end(self) -> None:
        """The turn can end here, unless another line has led to the same table."""
        key = table_key(self.position)
        if key not in self.ended:
            self.ended.add(key)
            self.keep(complete=True)

    def arrive(self) -> None:
        """Stop where the seat must wait or has learned something, else go on from a new moment."""
        position = self.position
        if position.to_act != self.seat or position.barriers != self.barriers:
            self.keep(complete=False)
            return
        key = mixed(table_key(position), 2 * position.actions_used + position.crossing_open)
        if key not in self.been:
            self.been.add(key)
            self.go_on()

    def keep(self, *, complete: bool) -> None:
        """Keep what lies on the table now."""
        self.found.append(Outcome(self.position.copy(), self.codes[:], complete))


def mixed(key: i64, number: i64) -> i64:
    """A key with one more number in it; 61 bits, so that two tables never share one in practice."""
    # The product may leave 64 bits behind, but the 61 lowest are the same compiled and interpreted.
    key = ((key ^ number) * MIXER) & KEY_MASK
    return key ^ (key >> 29)


def table_key(position: Position) -> i64:
    """What tells two tables apart within one turn of one seat."""
    mover = position.mover
    # The hand is mixed before the row joins it: unmixed, a bottle more and a card of the row less cancel out.
    key = crew_key(mixed(mixed(MIXER, mover.hand), position.row_head), mover)
    if position.facts.has_crossing:
        key = mixed(key, mover.gold)
        for crew in position.crews:
            key = crew_key(mixed(key, position.dock), crew)
    return key


def crew_key(key: i64, crew: Crew) -> i64:
    """A key with the places of a crew in it."""
    key = mixed(mixed(mixed(key, crew.first), crew.second), crew.third)
    return mixed(key, 16 * crew.aboard + crew.home)
