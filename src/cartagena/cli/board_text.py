"""The table as plain text: pure functions from a view to lines."""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import click

from cartagena.rules.board import PIECES, Board, space_of_place, spaces_of
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import HOME, SLOOP, START, places_in
from cartagena.words.sentences import Names, turn_lines

COLOURS: Final = ("red", "blue", "yellow", "green", "magenta")
"""How a terminal paints the crews, by seat."""


def paint(seat: int, letters: str) -> str:
    """Letters in the colour of a crew."""
    return click.style(letters, fg=COLOURS[seat], bold=True)


WIDTH: Final = 80
WATER: Final = "~~ ~~ ~~"
_LABEL: Final = 9

Paint = Callable[[int, str], str]
"""Colours the letters of a crew, given by its seat; the text must keep its width."""

Pirates = Sequence[Sequence[int]]
"""The places of the six pirates of every crew."""


def unpainted(_: int, text: str) -> str:
    """The letters as they are."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainBrush:
    """What a drawing is made with: names, colours, and how wide it may be."""

    names: Names
    paint: Paint = unpainted
    width: int = WIDTH

    def say(self, key: str, **values: object) -> str:
        """Words of the catalogue."""
        return self.names.words.say(key, **values)

    def label(self, name: str) -> str:
        """The name at the beginning of a line, with a blank behind it however long it is."""
        return f"{name:<{_LABEL - 1}} "

    def standing(self, pirates: Pirates, place: int, between: str = "") -> str:
        """The letters of all pirates on a place, crew after crew."""
        crews = [
            self.paint(seat, self.names.letter(seat) * places.count(place))
            for seat, places in enumerate(pirates)
            if place in places
        ]
        return between.join(crews)


def draw_table(brush: PlainBrush, view: View) -> list[str]:
    """Everything that the viewer sees: the way, the cards, and whose turn it is."""
    way = draw_way(brush, view.board, view.pirates, view.dock)
    return [*way, "", *draw_cards(brush, view), "", *turn_lines(brush.names, view)]


def draw_turn(brush: PlainBrush, view: View) -> list[str]:
    """The viewer's own hand, and what is left of the turn."""
    hand = (
        [] if view.seat is None else _line(brush, brush.names.crew(view.seat), _hand(brush, view, view.seat))
    )
    return [*hand, *turn_lines(brush.names, view)]


def draw_cards(brush: PlainBrush, view: View) -> Iterator[str]:
    """Row, stock, discard and hands."""
    names = brush.names
    if view.ruleset.row_length:
        yield from _line(brush, brush.say("table.row"), names.cards(view.row))
    stock = str(view.stock_size) if view.stock is None else names.cards(view.stock)
    yield from _line(brush, brush.say("table.stock"), stock)
    yield from _line(brush, brush.say("table.discard"), _pile(brush, view.discard))
    for seat in range(view.seats):
        yield from _line(brush, names.crew(seat), _hand(brush, view, seat))


def draw_discard(brush: PlainBrush, view: View) -> list[str]:
    """R7.8: every card of the discard in its order."""
    return textwrap.wrap(brush.say("table.discarded", cards=brush.names.cards(view.discard)), brush.width)


def _pile(brush: PlainBrush, discard: Sequence[int]) -> str:
    top = brush.names.cards(discard[-1:])
    return brush.say("table.pile", size=len(discard), top=top) if discard else top


def _hand(brush: PlainBrush, view: View, seat: int) -> str:
    cards = view.hands[seat]
    size = brush.names.words.count("table.cards", view.hand_sizes[seat])
    return size if not cards else f"{size}: {brush.names.hand(cards)}"


def _line(brush: PlainBrush, label: str, text: str) -> list[str]:
    """A line with its label; what does not fit goes on below the text."""
    return textwrap.wrap(text, brush.width, initial_indent=brush.label(label), subsequent_indent=" " * _LABEL)


def draw_way(brush: PlainBrush, board: Board, pirates: Pirates, dock: int) -> list[str]:
    """The way from the start to home, with everybody who stands on it."""
    rows = [_row(brush, board, pirates, places) for places in _pieces(board)]
    if facts_of(board.family).has_crossing:
        island_one, island_two = rows[:2], rows[2:]
        docks = [[_sloop(brush, pirates, dock)], [WATER]]
        sea = docks if dock == 1 else docks[::-1]
        rows = [*_with_title(brush, 1, island_one), *sea, *_with_title(brush, 2, island_two)]
    return [_end(brush, pirates, START), *chain.from_iterable(rows), _end(brush, pirates, HOME)]


def _pieces(board: Board) -> list[list[int]]:
    """The places of each piece of the board."""
    places = places_in(spaces_of(board.family))
    length = len(places) // PIECES[board.family]
    return [places[first : first + length] for first in range(0, len(places), length)]


def _end(brush: PlainBrush, pirates: Pirates, place: int) -> str:
    name = brush.say(f"table.{'start' if place == START else 'home'}.{brush.names.ruleset.family}")
    return f"{brush.label(name)}{brush.standing(pirates, place, ' ')}".rstrip()


def _with_title(brush: PlainBrush, island: int, rows: list[list[str]]) -> list[list[str]]:
    return [[brush.say(f"table.island.{island}")], *rows]


def _sloop(brush: PlainBrush, pirates: Pirates, dock: int) -> str:
    aboard = brush.standing(pirates, SLOOP, " ") or brush.say("table.nobody")
    return brush.say("table.sloop_at_dock", where=brush.names.at_dock(dock), aboard=aboard)


def _row(brush: PlainBrush, board: Board, pirates: Pirates, places: list[int]) -> list[str]:
    """One piece of the board: on one line if it fits, else each number and its pirates below the sign."""
    widest = max(len(brush.names.sign(sign)) for sign in range(len(places)))
    signs = [f"{brush.names.sign(board.sign_at(place)):<{widest}}" for place in places]
    numbers = [f"{space_of_place(board.family, place):>2}" for place in places]
    crowds = [_padded(brush, pirates, place) for place in places]
    if (widest + len("12 ") + len(" RBY ")) * len(places) <= brush.width:
        return [" ".join(chain.from_iterable(zip(numbers, signs, crowds, strict=True))).rstrip()]
    gap = " " * (widest - len("12 RBY"))
    lower = [f"{number} {crowd}{gap}" for number, crowd in zip(numbers, crowds, strict=True)]
    return ["  ".join(line).rstrip() for line in (signs, lower)]


def _padded(brush: PlainBrush, pirates: Pirates, place: int) -> str:
    """The letters on a space, always three characters wide, colours not counted."""
    crowd = sum(places.count(place) for places in pirates)
    return brush.standing(pirates, place) + " " * (3 - crowd)
