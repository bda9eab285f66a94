"""The view: what one seat, or a spectator, may know of a position, and of what happens."""

from typing import NamedTuple, assert_never

from cartagena.rules.board import Board
from cartagena.rules.families.freebooter import surplus
from cartagena.rules.happenings import (
    Dead,
    Drew,
    Happening,
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
from cartagena.rules.hidden.knowledge import Memory, hand_is_seen, order_is_public, remember
from cartagena.rules.legality import legal
from cartagena.rules.position import NOBODY, RUNNING, TRIM, WON, Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import Ruleset


def seen(happening: Happening, seat: int | None) -> Happening:
    """R7.6, R7.9, R7.12, R7.17: what a seat, or a spectator for None, is told of a happening.

    R7.5, R7.10: that a card was drawn or trimmed, or the stock renewed, is told to everybody.
    """
    match happening:
        case Drew():
            if happening.from_row or happening.turned_over or happening.seat == seat:
                return happening
            return Drew(happening.seat, None, happening.from_row, happening.turned_over)
        case Trimmed():
            return happening if happening.seat == seat else Trimmed(happening.seat, None)
        case Played() | RowLaid() | Renewed() | TrimShown():
            return happening
        case Moved() | Sailed() | TrimDue() | Passed() | TurnEnded() | Won() | Dead() | Quiet():
            return happening
        case _:
            assert_never(happening)


class View(NamedTuple):
    """One audience's share of the truth.

    `seat` is None for a spectator. `turn_seat` has the turn, while `to_act` is a seat, CHANCE or NOBODY.
    Pirates are places by crew in travel order; hands are sorted, None if hidden; row and stock are head
    first, the discard oldest first. `owed` cards are still to be drawn when chance has spoken. `trimmed`
    are pairs of seat and card as they were chosen, `surplus` what each seat still has to trim.
    `last_progress` is the turn that last brought a crew a new highest number of pirates home, 0 if none
    did. `legal` are the codes of the viewer's choices, none unless it is to act.
    """

    seat: int | None
    ruleset: Ruleset
    board: Board
    pirates: tuple[tuple[int, ...], ...]
    most_home: tuple[int, ...]
    dock: int
    hand_sizes: tuple[int, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    row: tuple[int, ...]
    stock_size: int
    stock: tuple[int, ...] | None
    discard: tuple[int, ...]
    renewals: int
    to_act: int
    turn_seat: int
    actions_used: int
    crossing_open: bool
    owed: int
    trimmed: tuple[tuple[int, int | None], ...]
    surplus: tuple[int, ...]
    turn: int
    last_progress: int
    ending: int
    winner: int | None
    legal: tuple[int, ...]
    memory: Memory

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.pirates)

    @property
    def hand(self) -> tuple[int, ...]:
        """The viewer's own cards, sorted; a spectator has none."""
        return () if self.seat is None else self.hands[self.seat] or ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ending != RUNNING

    @property
    def trimming(self) -> bool:
        """Whether surplus cards are being chosen."""
        return any(self.surplus)

    @property
    def quiet_turns(self) -> int:
        """R7.2: how many turns in a row have ended without progress."""
        ended = self.turn if self.over and self.ending != WON else self.turn - 1
        return max(0, ended - self.last_progress)


def view(position: Position, seat: int | None) -> View:
    """R7.1, R7.2, R7.5, R7.7, R7.8, R7.10, R7.17: what is public, and for a seat its own hand and memory.

    R7.13: of the deal and of a shuffle nothing is shown but the cards that came to light.
    """
    if seat is not None and seat not in range(position.seats):
        raise PositionError(f"there is no seat {seat!r} to look from")
    crews = position.crews
    order_known = order_is_public(position, position.renewals)
    trimming = position.phase == TRIM
    return View(
        seat=seat,
        ruleset=position.ruleset,
        board=position.board,
        pirates=tuple([tuple(crew.places()) for crew in crews]),
        most_home=tuple([crew.most_home for crew in crews]),
        dock=position.dock,
        hand_sizes=tuple([crew.hand_size() for crew in crews]),
        hands=hands_seen(position, seat),
        row=position.row(),
        stock_size=position.stock_size,
        stock=position.stock() if order_known else None,
        discard=tuple(position.discard),
        renewals=position.renewals,
        to_act=position.to_act,
        turn_seat=position.seat,
        actions_used=position.actions_used,
        crossing_open=position.crossing_open,
        owed=position.owed,
        trimmed=trims_seen(position, seat),
        surplus=tuple([surplus(crew) if trimming else 0 for crew in crews]),
        turn=position.turn,
        last_progress=position.last_progress,
        ending=position.ending,
        winner=None if position.winner == NOBODY else position.winner,
        legal=tuple(legal(position)) if position.to_act == seat else (),
        memory=remember(position, seat),
    )


def hands_seen(position: Position, seat: int | None) -> tuple[tuple[int, ...] | None, ...]:
    """R7.3, R7.4, R7.14: the hands that an audience may see, None for the others."""
    return tuple(
        [
            tuple(crew.cards()) if hand_is_seen(position, owner, seat) else None
            for owner, crew in enumerate(position.crews)
        ]
    )


def trims_seen(position: Position, seat: int | None) -> tuple[tuple[int, int | None], ...]:
    """R7.9: who has trimmed; the card itself only for its owner, until all are shown."""
    return tuple((choice // 16, choice % 16 if choice // 16 == seat else None) for choice in position.trimmed)
