"""A table as SVG: the board with its pirates, and below it the row and what each seat holds.

The art is the client's own: `make board-art` takes it from the page as templates, so that browsers and
notebooks show one drawing. Nothing here knows where a space lies.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any, Final, Protocol, runtime_checkable

from cartagena.notation.names import card_word
from cartagena.notation.record import Headers, Record
from cartagena.notation.replay import replay
from cartagena.rules.hidden.view import View, view
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.position import Position
from cartagena.rules.ruleset import GOLD
from cartagena.words.catalogue import DOMAIN, WEB, Words
from cartagena.words.sentences import Names

# Where the parts beside the board are, in units of the picture.
LINE: Final = 52
MARGIN: Final = 24
NAME_WIDTH: Final = 190
CARD: Final = (30, 40)
GAP: Final = 8
COUNT_WIDTH: Final = 24
LETTER: Final = 0.46
"""How wide a letter is on average, measured by its size."""

_CARD_SHAPE: Final = f'<rect y="2" width="{CARD[0]}" height="{CARD[1]}" rx="4"'
_BLANK: Final = re.compile(r"\{\{(\w+) ([^}]+)\}\}")
_ELEMENT: Final = re.compile(r"<text .*?</text>|<(?!/?g\b)[^>]*/>|\{\{figures [^}]+\}\}")
"""An element of a template that is no group, or a place for figures."""
_PLACES: Final = {"start": START, "home": HOME, "sloop": SLOOP}

# Any: the art, as it was written by `web/scripts/boardArt.js`.
Art = dict[str, Any]


@runtime_checkable
class InPlay(Protocol):
    """A table in play whose seats may have names, such as a game."""

    @property
    def position(self) -> Position:
        """The table as it is."""

    @property
    def headers(self) -> Headers | None:
        """What has the names, if they are known."""


def svg(
    table: Position | View | Record | InPlay,
    *,
    names: Sequence[str] = (),
    words: Words | None = None,
    board_only: bool = False,
) -> str:
    """The picture of a game, a position, a view, or the end of a record; hidden cards are backs.

    `names` are those of the seats; the words are English unless others are handed in.

    >>> from cartagena import Game
    >>> svg(Game.start("tortuga", seed=1).position)[:34]
    '<svg xmlns="http://www.w3.org/2000'
    """
    if isinstance(table, Record):
        names, table = names or table.headers.names, replay(table).position
    elif isinstance(table, InPlay):
        names, table = names or (table.headers.names if table.headers else ()), table.position
    return _Picture(table, names, words or Words("en", domains=(DOMAIN, WEB))).drawn(board_only=board_only)


def boards() -> list[tuple[str, int]]:
    """Every board that there is: its family, and where the sloop lies."""
    return [(family, int(dock)) for family, board in _art()["boards"].items() for dock in board["templates"]]


def bare_board(family: str, dock: int) -> str:
    """The markup of a board without anything that differs from game to game."""
    return _ELEMENT.sub(lambda element: "" if "{{" in element[0] else element[0], _template(family, dock))


def on_the_board(seen: View, words: Words) -> str:
    """The markup of everything else: signs, words and pirates, to be drawn over the bare board."""
    template = _template(seen.ruleset.family, seen.dock)
    blanks = _ELEMENT.sub(lambda element: element[0] if "{{" in element[0] else "", template)
    return _Picture(seen, (), words).filled(blanks)


def document(drawing: str, width: float, height: float, title: str) -> str:
    """A whole picture of some markup, with every sign and figure that it points at."""
    art = _art()
    signs = "".join(art["signs"][name] for name in sorted(set(re.findall(r'href="#([a-z]+)"', drawing))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title>{art['notice']}<defs>{art['crews']}{signs}</defs>{drawing}</svg>"
    )


def colour_of(name: str) -> str:
    """One of the colours of the art, by its name."""
    found: str = _art()["colours"][name]
    return found


def fitted(text: str, size: float, room: float) -> float:
    """The size at which a text fits into a line, at most `size`."""
    return min(size, room / (LETTER * max(1, len(text))))


def figure(kind: str, crew: int, spot: Sequence[float], *, opacity: float = 1) -> str:
    """A pawn or a token of a crew at a place: x, y, width and height."""
    x, y, width, height = spot
    faded = "" if opacity == 1 else f' opacity="{opacity}"'
    return f'<use href="#{kind}-{crew}" x="{x}" y="{y}" width="{width}" height="{height}"{faded}/>'


@cache
def _art() -> Art:
    text = resources.files("cartagena.drawing").joinpath("board_art.json").read_text(encoding="utf-8")
    art: Art = json.loads(text)
    return art


def _template(family: str, dock: int) -> str:
    template: str = _art()["boards"][family]["templates"][str(dock)]
    return template


class _Picture:
    """One picture in the making."""

    def __init__(self, table: Position | View, names: Sequence[str], words: Words) -> None:
        self.seen = view(table, None) if isinstance(table, Position) else table
        self.hands = (
            [tuple(crew.cards()) for crew in table.crews] if isinstance(table, Position) else table.hands
        )
        self.family = self.seen.ruleset.family
        self.words = words
        called = Names(words, self.seen.ruleset)
        self.names = [
            names[seat] if seat < len(names) and names[seat] else called.crew(seat)
            for seat in range(self.seen.seats)
        ]
        self.board: Art = _art()["boards"][self.family]

    def drawn(self, *, board_only: bool) -> str:
        """The whole picture."""
        width, height = self.board["width"], self.board["height"]
        # An inner picture cuts off what reaches beyond its edge, such as the rays of the rose.
        board = self.filled(_template(self.family, self.seen.dock))
        drawing = f'<svg width="{width}" height="{height}">{board}</svg>'
        if not board_only:
            lines = list(self._lines())
            panel = len(lines) * LINE + GAP
            drawing += f'<rect y="{height}" width="{width}" height="{panel}" {self._paint("panel")}/>'
            drawing += "".join(
                f'<g transform="translate(0 {height + GAP + number * LINE})">{line}</g>'
                for number, line in enumerate(lines)
            )
            height += panel
        ground = f'<rect width="{width}" height="{height}" {self._paint("paper")}/>'
        return document(ground + drawing, width, height, self._title())

    def _title(self) -> str:
        ruleset = self.words.say(f"ruleset.{self.seen.ruleset.key}")
        return f"{ruleset}: {', '.join(self.names)}"

    def _paint(self, colour: str) -> str:
        return f'fill="{colour_of(colour)}"'

    # The board.

    def filled(self, template: str) -> str:
        """The board, or a part of one, with what lies on it."""
        return _BLANK.sub(self._filled, template)

    def _filled(self, blank: re.Match[str]) -> str:
        kind, what = blank.groups()
        if kind == "sign":
            return card_word(self.family, self.seen.board.sign_at(int(what)))
        if kind == "words":
            return escape(self.words.say(what))
        return "".join(self._standing() if what == "pirates" else self._seated(what))

    def _standing(self) -> Iterator[str]:
        """The pirates on spaces, up to three abreast."""
        for place, crowds in self.board["standing"].items():
            there = [
                crew for crew, places in enumerate(self.seen.pirates) for each in places if each == int(place)
            ]
            if there:
                spots = crowds[len(there) - 1]
                # The art was taken with each crew on every space: the figure of a crew stands in its turn.
                yield from (figure("pawn", crew, spots[index]) for index, crew in enumerate(there))

    def _seated(self, what: str) -> Iterator[str]:
        """The pirates in a house, and the seats that wait for others."""
        place = _PLACES[what]
        group = f"{what} {self.seen.dock}" if what == "sloop" else what
        seats = self.board["seats"][str(self.seen.seats)][group]
        for crew, places in enumerate(self.seen.pirates):
            there = places.count(place)
            yield from (figure("pawn", crew, spot) for spot in seats["taken"][crew][:there])
            if seats["waiting"]:
                waiting = seats["waiting"][crew][there:]
                yield from (figure("token", crew, spot, opacity=0.4) for spot in waiting)

    # Beside the board: one line for the row and one for each seat.

    def _lines(self) -> Iterator[str]:
        seen = self.seen
        if seen.ruleset.row_length:
            cards = "".join(
                _at(MARGIN + NAME_WIDTH + index * (CARD[0] + GAP), self._card(card))
                for index, card in enumerate(seen.row)
            )
            word = self.words.say("table.row")
            yield self._text(MARGIN, word[:1].upper() + word[1:]) + cards
        for seat, name in enumerate(self.names):
            yield self._seat(seat, name)

    def _seat(self, seat: int, name: str) -> str:
        seen, hand = self.seen, self.hands[seat]
        has_turn = seat == (seen.winner if seen.over else seen.turn_seat)
        size = f'width="{self.board["width"] - 2 * GAP}" height="{LINE - GAP}"'
        mark = f'<rect x="{GAP}" {size} rx="6" {self._paint("turn-bg")}/>'
        pawn = figure("pawn", seat, (MARGIN, 4, 28, 35))
        cards = self._backs(seen.hand_sizes[seat]) if hand is None else self._hand(hand)
        called = self._text(MARGIN + 38, name, room=NAME_WIDTH - 38 - GAP)
        return (mark if has_turn else "") + pawn + called + "".join(cards)

    def _hand(self, hand: Iterable[int]) -> Iterator[str]:
        """The cards that are known, alike ones together."""
        x = MARGIN + NAME_WIDTH
        for card, number in sorted(Counter(hand).items()):
            yield _at(x, self._card(card))
            if number > 1:
                yield self._text(x + CARD[0] + 2, f"×{number}", size=16)  # noqa: RUF001 - a sign, no letter
            x += CARD[0] + GAP + (COUNT_WIDTH if number > 1 else 0)

    def _backs(self, number: int) -> Iterator[str]:
        """The cards that are hidden, by their number."""
        if number:
            back = f'{_CARD_SHAPE} {self._paint("back-card")} stroke="{colour_of("wood-ink")}"/>'
            yield _at(MARGIN + NAME_WIDTH, back)
        count = self.words.count("table.cards", number)
        yield self._text(MARGIN + NAME_WIDTH + (CARD[0] + GAP if number else 0), count, size=18)

    def _card(self, card: int) -> str:
        word = card_word(self.family, card)
        colour, width = ("gold", 4) if card >= GOLD else ("rule-2", 1.5)
        return (
            f'{_CARD_SHAPE} {self._paint("paper")} stroke="{colour_of(colour)}" stroke-width="{width}"/>'
            f'<use href="#{word.removeprefix("gold_")}" x="3" y="10" width="24" height="24" '
            f'color="{colour_of("ink")}"/>'
        )

    def _text(self, x: float, text: str, size: float = 20, room: float | None = None) -> str:
        fitting = size if room is None else fitted(text, size, room)
        # Where the font is missing, another one may be wider.
        width = "" if fitting == size else f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
        return (
            f'<text x="{x}" y="29" font-family="Alegreya Sans, Segoe UI, sans-serif" font-size="{fitting:g}" '
            f'font-weight="700"{width} {self._paint("ink")}>{escape(text)}</text>'
        )


def _at(x: float, markup: str) -> str:
    return f'<g transform="translate({x} 0)">{markup}</g>'


def show_pictures() -> None:
    """In IPython and Jupyter, let these values be shown as pictures; elsewhere nothing happens."""
    # The rules know nothing of pictures, so their values cannot draw themselves.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind in (Position, View, Record):
        formatter.for_type(kind, svg)
