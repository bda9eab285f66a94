"""Happenings as one audience may know them."""

from typing import assert_never

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
