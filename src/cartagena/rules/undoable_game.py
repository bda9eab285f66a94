"""A game in the playing: its events one by one, and undo."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.happenings import Happening
from cartagena.rules.legality import advance, apply, shuffled
from cartagena.rules.position import LOG_LAID, LOG_TAKEN_BACK, Position
from cartagena.rules.refusals import IllegalAction, PositionError, Refusal

UNDOS_PER_TURN = 10
"""R8.9: how often a seat may undo in one turn."""

Shuffler = Callable[[Sequence[int]], Sequence[int]]
"""Given the cards that are due, sorted, it says their order, top first."""


@dataclass(frozen=True, slots=True)
class Event:
    """One action, and the orders of cards that chance handed in because of it."""

    code: int
    # Not shown: an event that is printed in a log must not tell the order of hidden cards.
    orders: tuple[tuple[int, ...], ...] = field(default=(), repr=False)


class _Choice(NamedTuple):
    """An event of the running turn: the barriers before it, and what it added to the log."""

    event: Event
    barriers: int
    logged: list[int]


class UndoableGame:
    """A position with the events that led to it, able to take back what revealed nothing."""

    def __init__(self, opening: Position) -> None:
        # Positions are never changed in place here, only replaced, so they can be shared.
        self.opening = opening.copy()
        self.position = self.opening
        self.events: list[Event] = []
        self._begin_turn()

    def _begin_turn(self) -> None:
        self._turn_start = self.position
        self._choices: list[_Choice] = []
        self.undos_used = 0

    def fork(self) -> "UndoableGame":
        """Return a copy of this game that goes on independently."""
        twin = UndoableGame.__new__(UndoableGame)
        vars(twin).update(vars(self), events=self.events[:], _choices=self._choices[:])
        return twin

    def act(self, code: int, shuffle: Shuffler) -> list[Happening]:
        """Do as the code says, with chance answering wherever an order of cards is due.

        If the action is refused or an order does not fit, nothing has happened.
        """
        before = self.position
        self.position = before.copy()
        try:
            told = apply(self.position, code)
            orders: list[tuple[int, ...]] = []
            while self.position.order_due:
                orders.append(tuple(shuffle(cards_due(self.position))))
                told += shuffled(self.position, orders[-1])
        except BaseException:
            self.position = before
            raise
        self._note(Event(code, tuple(orders)), before)
        return told

    def _note(self, event: Event, before: Position) -> None:
        self.events.append(event)
        self._choices.append(_Choice(event, before.barriers, self.position.log[len(before.log) :]))
        if self.position.turn != before.turn:
            self._begin_turn()

    def replay(self, event: Event) -> list[Happening]:
        """Do again what an event says; raises PositionError if its orders do not fit."""
        orders = iter(event.orders)
        told = self.act(event.code, lambda _due: next(orders, ()))
        if next(orders, None) is not None:
            raise PositionError("an event names an order of cards that was never due")
        return told

    def refusal_of_undo(self) -> Refusal | None:
        """R8.2, R8.3, R8.8, R8.9: why the last choice cannot be taken back; None if it can."""
        if self.position.over:
            return Refusal.GAME_OVER
        if not self._choices:
            return Refusal.NOTHING_TO_UNDO
        if self.position.barriers != self._choices[-1].barriers:
            return Refusal.REVEALED
        if self.undos_used == UNDOS_PER_TURN:
            return Refusal.TOO_MANY_UNDOS
        return None

    def undo(self) -> None:
        """R8.2, R8.10: take back the last choice of the running turn; raises IllegalAction if refused."""
        reason = self.refusal_of_undo()
        if reason is not None:
            raise IllegalAction(reason)
        self.undos_used += 1
        self.events.pop()
        undone = self._choices.pop()
        log = self.position.log
        self.position = self._turn_start.copy()
        for choice in self._choices:
            advance(self.position, choice.event.code)
            for order in choice.event.orders:
                take_order(self.position, order)
        # R8.10: what was seen stays seen. Nothing but a play is in the log since then: a draw is a barrier.
        self.position.log = log + [entry - LOG_LAID + LOG_TAKEN_BACK for entry in undone.logged]
