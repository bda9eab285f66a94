"""Whether what clients were told can be put into one order: linearizability, from their side alone.

The search is that of Wing and Gong, with Lowe's memory of what was tried; Porcupine does the same. It needs
nothing from the service: only when each operation was asked for and answered, and with what.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Generic, TypeAlias, TypeVar

State = TypeVar("State")
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[Done]):
    """Something that took effect at one moment between its question and its answer.

    One that was never answered may have taken effect at any moment since, or not at all.
    """

    done: Done
    asked: float
    answered: float = inf


Step: TypeAlias = Callable[[State, Done], State | None]
"""The state after an operation; None if the operation was impossible in the state before."""


def is_linearizable(operations: Sequence[Operation[Done]], first: State, step: Step[State, Done]) -> bool:
    """Whether there is an order of all answered operations, each within its time, that the steps allow."""
    history = sorted(operations, key=lambda operation: operation.asked)
    answered = sum(1 << number for number, operation in enumerate(history) if operation.answered < inf)
    tried: set[tuple[int, State]] = set()
    waiting = [(0, first)]
    while waiting:
        taken, state = waiting.pop()
        if taken & answered == answered:
            return True
        for number in _next(history, taken):
            after = step(state, history[number].done)
            reached = (taken | 1 << number, after)
            if after is not None and reached not in tried:
                tried.add((reached[0], after))
                waiting.append((reached[0], after))
    return False


def _next(history: Sequence[Operation[Done]], taken: int) -> list[int]:
    """Which operations may come next: those asked for before any other remaining one was answered."""
    chosen: list[int] = []
    first_answer = inf
    done = (~taken & (taken + 1)).bit_length() - 1  # how many at the beginning are taken without a gap
    for number in range(done, len(history)):
        operation = history[number]
        if operation.asked > first_answer:
            break
        if not taken >> number & 1:
            chosen.append(number)
            first_answer = min(first_answer, operation.answered)
    return [number for number in chosen if history[number].asked <= first_answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an answer says of a table: a choice made `upon` a seq counted, or the table was `at` one."""

    upon: int | None = None
    at: int | None = None


AtLeast: TypeAlias = tuple[int, int]
"""How far a game and its table are at least: others may have done more than these clients were told."""
BEGINNING: Final[AtLeast] = (0, 0)


def table(known: AtLeast, told: Told) -> AtLeast | None:
    """The state of a table as its clients know it: a choice counts if the game itself had not moved on.

    >>> table((4, 6), Told(upon=4)), table((5, 6), Told(upon=4)), table((4, 6), Told(at=9))
    ((7, 7), None, (4, 9))
    """
    game, seq = known
    if told.upon is not None:
        own = max(seq, told.upon) + 1
        return (own, own) if game <= told.upon else None
    assert told.at is not None
    return (game, told.at) if seq <= told.at else None
