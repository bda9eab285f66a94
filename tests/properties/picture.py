"""A picture of the table, drawn from happenings alone."""

from collections import Counter
from dataclasses import dataclass
from functools import singledispatchmethod

from cartagena.rules.happenings import (
    Dead,
    Drew,
    Moved,
    Passed,
    Played,
    Quiet,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
    Won,
)
from cartagena.rules.places import SLOOP
from cartagena.rules.position import NOBODY, Position


@dataclass
class Picture:
    """What lies where, as drawn by a listener who was told everything and saw nothing."""

    pirates: list[Counter[int]]
    hands: list[Counter[int | None]]
    row: list[int]
    stock_size: int
    discard: list[int]
    trimmed: list[tuple[int, int | None]]
    dock: int
    seat: int
    winner: int | None
    over: bool

    @staticmethod
    def of(position: Position) -> "Picture":
        """The picture of a position."""
        return Picture(
            pirates=[Counter(crew.places(SLOOP)) for crew in position.crews],
            hands=[Counter(crew.cards()) for crew in position.crews],
            row=list(position.row()),
            stock_size=position.stock_size,
            discard=list(position.discard),
            trimmed=[(choice // 16, choice % 16) for choice in position.trimmed],
            dock=position.dock,
            seat=position.seat,
            winner=None if position.winner == NOBODY else position.winner,
            over=position.over,
        )

    def without_nothing(self) -> "Picture":
        """Return the picture after dropping places and cards whose count is zero."""
        self.pirates = [+crew for crew in self.pirates]
        self.hands = [+hand for hand in self.hands]
        return self

    @singledispatchmethod
    def show(self, happening: object) -> None:
        """Draw what happened."""
        raise AssertionError(f"no picture of {happening}")

    @show.register
    def _(self, happening: Played) -> None:
        self.hands[happening.seat][happening.card] -= 1
        self.discard.append(happening.card)

    @show.register
    def _(self, happening: Moved) -> None:
        self.pirates[happening.crew][happening.start] -= 1
        self.pirates[happening.crew][happening.target] += 1

    @show.register
    def _(self, happening: Drew) -> None:
        self.hands[happening.seat][happening.card] += 1
        if happening.from_row:
            assert self.row.pop(0) == happening.card
        else:
            self.stock_size -= 1

    @show.register
    def _(self, happening: RowLaid) -> None:
        self.stock_size -= len(happening.cards) - len(self.row)
        self.row = list(happening.cards)

    @show.register
    def _(self, happening: Renewed) -> None:
        assert happening.size == len(self.discard)
        assert happening.order in {None, tuple(self.discard)}
        self.stock_size += happening.size
        self.discard = []

    @show.register
    def _(self, happening: Sailed) -> None:
        self.dock = happening.dock

    @show.register
    def _(self, happening: TrimDue) -> None:
        owed = tuple(max(0, hand.total() - 7) for hand in self.hands)
        assert happening.surplus == owed

    @show.register
    def _(self, happening: Trimmed) -> None:
        self.hands[happening.seat][happening.card] -= 1
        self.trimmed.append((happening.seat, happening.card))

    @show.register
    def _(self, happening: TrimShown) -> None:
        assert list(happening.cards) == self.trimmed
        self.trimmed = []
        self.discard += [card for _, card in happening.cards]

    @show.register
    def _(self, happening: Passed) -> None:
        assert happening.seat == self.seat

    @show.register
    def _(self, happening: TurnEnded) -> None:
        assert happening.seat == self.seat
        self.seat = happening.next_seat

    @show.register
    def _(self, happening: Won) -> None:
        self.winner = happening.seat
        self.over = True

    @show.register
    def _(self, happening: Dead) -> None:
        self.winner = happening.winner
        self.over = True

    @show.register
    def _(self, _: Quiet) -> None:
        self.over = True
