"""Happenings: what an action did, in the order it happened.

Log, animation, spoken text, streams and replay all read these. They are the truth; `seen` turns each
into what one audience may know. An unknown card is None.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Played:
    """A seat laid a card face up on the discard pile."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A pirate went from one place to another; `seat` acted, `crew` is the pirate's."""

    seat: int
    crew: int
    start: int
    target: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat took one card, from the row or from the stock; `turned_over` if all know that stock's order."""

    seat: int
    card: int | None
    from_row: bool
    turned_over: bool = False


@dataclass(frozen=True, slots=True)
class RowLaid:
    """A new row of cards lies face up, head first."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Renewed:
    """The discard pile became the new stock; the order is known only when it was turned over."""

    size: int
    order: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Sailed:
    """The sloop crossed to a dock; `free` for the captain's crossing."""

    seat: int
    dock: int
    free: bool


@dataclass(frozen=True, slots=True)
class TrimDue:
    """A freebooter came: the surplus of each seat, by seat."""

    surplus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A seat chose a surplus card; it lies face down until everybody has chosen."""

    seat: int
    card: int | None


@dataclass(frozen=True, slots=True)
class TrimShown:
    """The trimmed cards, as pairs of seat and card, were turned up and discarded."""

    cards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat ended its turn without an action; `forced` when nothing else was possible."""

    seat: int
    forced: bool


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn went from one seat to the next."""

    seat: int
    next_seat: int


@dataclass(frozen=True, slots=True)
class Won:
    """A seat has all its pirates home."""

    seat: int


@dataclass(frozen=True, slots=True)
class Dead:
    """Nobody can ever act again; `winner` is None unless most pirates home decides."""

    winner: int | None


@dataclass(frozen=True, slots=True)
class Quiet:
    """Too many rounds went by without progress: the game ends without a winner."""

    rounds: int


Happening: TypeAlias = (
    Played
    | Moved
    | Drew
    | RowLaid
    | Renewed
    | Sailed
    | TrimDue
    | Trimmed
    | TrimShown
    | Passed
    | TurnEnded
    | Won
    | Dead
    | Quiet
)
"""Any of them."""
