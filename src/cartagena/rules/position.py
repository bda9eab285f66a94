"""The position: the whole truth about a running game.

It changes in place, because search copies it millions of times; every change is one of the verbs here
or of `Crew`, so that no rule flips a bit by itself.
"""

from collections.abc import Callable, Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.rules.board import Board
from cartagena.rules.crew import Crew, Crowd
from cartagena.rules.families.facts import facts_of
from cartagena.rules.happenings import Happening, Won
from cartagena.rules.pickling import parts_of, put_together
from cartagena.rules.places import HOME, START, bit
from cartagena.rules.ruleset import CREW_SIZE, Ruleset

CHANCE: Final = -1
NOBODY: Final = -2

# Phases of a game.
ACT: Final = 0
TRIM: Final = 1
OVER: Final = 2

# How a game ended.
RUNNING: Final = 0
WON: Final = 1
DEAD: Final = 2
QUIET: Final = 3

# Marks of the log of hidden hands: which seat drew, laid down or, by undo, took back which card, and when
# the stock was renewed.
LOG_DREW: Final = 0
LOG_LAID: Final = 128
LOG_RENEWED: Final = 256
LOG_TAKEN_BACK: Final = 272


class Position:
    """Board, pirates, cards, whose turn it is and how far it has gone.

    Two positions are equal if the same lies on the table and the turn has gone equally far, however they came
    about. A position that is changed while it is in a set or a dict is not found there again: put in a copy.
    """

    def __init__(self, ruleset: Ruleset, board: Board, crews: list[Crew]) -> None:
        self.ruleset = ruleset
        self.facts = facts_of(ruleset.family)
        self.board = board
        self.crews = crews
        self.crowd = Crowd()
        # The row is order[row_head:stock_top], the stock order[stock_top:]; what lies before is drawn.
        self.order: bytes = b""
        self.row_head: i64 = 0
        self.stock_top: i64 = 0
        self.discard: list[int] = []
        self.seat: i64 = 0
        self.mover: Crew = crews[0]
        self.actions_used: i64 = 0
        self.dock: i64 = 1  # R9.7
        self.crossing_open = False
        self.phase: i64 = ACT
        self.trimmer: i64 = 0
        self.trimmed: list[int] = []
        self.order_due = False
        self.laying = False
        self.owed: i64 = 0
        self.turn: i64 = 1
        self.last_progress: i64 = 0
        self.renewals: i64 = 0
        # R8.7: grows with every choice that reveals something, and with no other.
        self.barriers: i64 = 0
        self.ending: i64 = RUNNING
        self.winner: i64 = NOBODY
        self.log: list[int] = []
        self.told: list[Happening] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return put_together, (Position, (self.ruleset, self.board, self.crews), parts_of(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._table() == other._table()

    def __hash__(self) -> int:
        return hash(self._table())

    def __repr__(self) -> str:
        return object.__repr__(self) if describe is None else describe(self)

    def _table(self) -> tuple[object, ...]:
        """All that lies on the table; not what was drawn, seen or revealed on the way."""
        return (
            self.ruleset,
            self.board,
            tuple([crew.stand() for crew in self.crews]),
            (self.row(), self.stock(), tuple(self.discard), tuple(self.trimmed)),
            (self.turn, self.seat, self.actions_used, self.dock, self.crossing_open, self.last_progress),
            (self.phase, self.to_act, self.order_due, self.laying, self.owed),
            (self.ending, self.winner),
        )

    def copy(self) -> "Position":
        """A position that can change without changing this one."""
        twin = Position(self.ruleset, self.board, [Crew() for _ in self.crews])
        twin.become(self)
        twin.discard = self.discard[:]
        twin.trimmed = self.trimmed[:]
        twin.log = self.log[:]
        return twin

    def become(self, other: "Position") -> None:
        """Look like another position of the same table, sharing its lists of cards.

        Search goes back by it: the lists only grow within a turn, or are replaced, so a shared list is
        restored by cutting it to its old length (see `Bookmark`).
        """
        for seat in range(len(self.crews)):
            self.crews[seat].become(other.crews[seat])
        self.crowd.first = other.crowd.first
        self.crowd.second = other.crowd.second
        self.crowd.third = other.crowd.third
        self.order = other.order
        self.row_head = other.row_head
        self.stock_top = other.stock_top
        self.discard = other.discard
        self.seat = other.seat
        self.mover = self.crews[other.seat]
        self.actions_used = other.actions_used
        self.dock = other.dock
        self.crossing_open = other.crossing_open
        self.phase = other.phase
        self.trimmer = other.trimmer
        self.trimmed = other.trimmed
        self.order_due = other.order_due
        self.laying = other.laying
        self.owed = other.owed
        self.turn = other.turn
        self.last_progress = other.last_progress
        self.renewals = other.renewals
        self.barriers = other.barriers
        self.ending = other.ending
        self.winner = other.winner
        self.log = other.log

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.crews)

    @property
    def to_act(self) -> int:
        """R2.2: the one party to act: a seat, CHANCE when an order of cards is due, NOBODY after the end."""
        if self.order_due:
            return CHANCE
        if self.phase == OVER:
            return NOBODY
        return self.trimmer if self.phase == TRIM else self.seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def row(self) -> tuple[int, ...]:
        """The open row, head first."""
        return tuple(self.order[self.row_head : self.stock_top])

    def stock(self) -> tuple[int, ...]:
        """The face-down stock, top first."""
        return tuple(self.order[self.stock_top :])

    @property
    def row_size(self) -> int:
        """How many cards lie in the row."""
        return self.stock_top - self.row_head

    @property
    def stock_size(self) -> int:
        """How many cards lie in the stock."""
        return len(self.order) - self.stock_top

    # The verbs.

    def muster(self, crew: Crew, places: Sequence[int]) -> None:
        """The pirates of a crew, none of whom stands anywhere yet, go to their places."""
        crew.at_start = 0
        spaces = self.facts.spaces
        for place in places:
            if place == START:
                crew.at_start += 1
            elif place == HOME:
                crew.home += 1
            elif spaces & bit(place):
                self.land(crew, bit(place))
            else:
                crew.aboard += 1

    def lift(self, crew: Crew, place: i64) -> None:
        """Take a pirate from the start, a space, the Nest's sloop or home."""
        if place == START:
            crew.at_start -= 1
        elif place == HOME:
            crew.home -= 1
        elif place == self.facts.sloop:
            crew.aboard -= 1
        else:
            space = bit(place)
            crew.lift(space)
            self.crowd.lift(space)

    def land(self, crew: Crew, space: i64) -> None:
        """Put a pirate on a space, given as a set of one."""
        crew.land(space)
        self.crowd.land(space)

    def lay_down(self, card: i64) -> None:
        """R3.2, R10.3: a card leaves the hand of the seat whose turn it is, face up, for the discard."""
        self.mover.give(card)
        self.discard_card(self.seat, card)

    def discard_card(self, seat: i64, card: i64) -> None:
        """R13.10: a card that a seat gave up, by a play or a trim, goes face up on the discard pile."""
        self.discard.append(card)
        if not self.ruleset.hands_open:
            self.log.append(LOG_LAID + 16 * seat + card)

    def hand_over(self, card: i64) -> None:
        """R2.6: a drawn card goes at once to the hand of the seat whose turn it is."""
        self.mover.take(card)
        if not self.ruleset.hands_open:
            self.log.append(LOG_DREW + 16 * self.seat + card)

    def welcome_home(self, crew: Crew) -> None:
        """R6.1, R6.2: a pirate arrives home; the sixth one wins."""
        crew.home += 1
        if crew.home > crew.most_home:
            crew.most_home = crew.home
            self.last_progress = self.turn
        if crew.home == CREW_SIZE:
            self.finish(WON, self.seat)
            if self.told is not None:
                self.told.append(Won(self.seat))

    def finish(self, ending: i64, winner: i64) -> None:
        """R6.3, R6.4: the game is over at once, with one winner or none."""
        self.phase = OVER
        self.ending = ending
        self.winner = winner


describe: Callable[[Position], str] | None = None
"""Writes a position out where Python shows one. It tells hidden cards: only `import cartagena` sets it."""


class Bookmark:
    """A moment of a running turn to which a position can go back, again and again."""

    def __init__(self, position: Position) -> None:
        self.moment = Position(position.ruleset, position.board, [Crew() for _ in position.crews])
        self.set(position)

    def set(self, position: Position) -> None:
        """Remember how the position stands now."""
        self.moment.become(position)
        self.discarded: i64 = len(position.discard)
        self.trimmed: i64 = len(position.trimmed)
        self.logged: i64 = len(position.log)

    def restore(self, position: Position) -> None:
        """Bring the position back to the remembered moment of the same turn."""
        position.become(self.moment)
        cut(position.discard, self.discarded)
        cut(position.trimmed, self.trimmed)
        cut(position.log, self.logged)


def cut(cards: list[int], length: i64) -> None:
    """Remove everything after the first `length` entries."""
    while len(cards) > length:
        cards.pop()
