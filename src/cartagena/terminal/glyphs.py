"""What a table is drawn with: names, characters, lit places, and cards as lines of text."""

import locale
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rich.text import Text

from cartagena.rules.happenings import Moved
from cartagena.rules.hidden.view import View
from cartagena.rules.ruleset import GOLD
from cartagena.terminal.choices import Choosing, ChosenAction
from cartagena.words.printable import printable
from cartagena.words.sentences import Names

# The characters that a table is drawn with: Unicode, or nothing but ASCII.


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """One set of characters, each one column wide.

    `signs` by the word of a sign; `shapes` of the crews by seat, as on the pieces of the browser. A letter
    always stands beside them. `marks` are what stands left and right of a lit place, by its light.
    """

    signs: dict[str, str]
    shapes: tuple[str, ...]
    marks: dict[str, tuple[str, str]]
    gold: str
    times: str
    here: str
    no: str
    to: str
    water: str
    dots: str

    def card(self, sign: str, letter: str, card: int) -> str:
        """A card in two or three columns: its sign, its letter, and whether it is of gold."""
        return f"{self.signs.get(sign, '')}{letter}{self.gold if card >= GOLD else ''}"


UNICODE: Final = Glyphs(
    signs={
        "bottle": "⚱",
        "dagger": "†",
        "hat": "△",
        "key": "⚷",
        "pistol": "⌐",
        "skull": "☠",
        "cannon": "◉",
        "chest": "▣",
        "compass": "✧",
        "ducats": "¤",
        "map": "▤",
        "parrot": "❧",
        "telescope": "◁",
    },
    shapes=("●", "■", "▲", "◆", "⋈"),
    marks={
        "from": ("[", "]"),
        "destination": ("▶", "◀"),
        "reachable": ("(", ")"),
        "skipped": ("~", "~"),
        "last": ("'", "'"),
    },
    gold="★",
    times="\N{MULTIPLICATION SIGN}",
    here="▸",
    no="✗",
    to="→",
    water="≈",
    dots="…",
)

ASCII: Final = Glyphs(
    signs={},
    shapes=("", "", "", "", ""),
    marks=UNICODE.marks | {"destination": (">", "<")},
    gold="*",
    times="x",
    here=">",
    no="-",
    to="->",
    water="~",
    dots="...",
)


def glyphs_for(encoding: str | None, *, ascii_only: bool) -> Glyphs:
    """The characters that a terminal can show: Unicode where its letters are."""
    can = (encoding or locale.getpreferredencoding(do_setlocale=False)).lower().replace("-", "") == "utf8"
    return UNICODE if can and not ascii_only else ASCII


Light: TypeAlias = Literal["from", "destination", "reachable", "skipped", "last"]
Lights: TypeAlias = dict[int, Light]
"""How each lit place is lit; a place has one light."""


def lights_of(choosing: Choosing | None, last: Moved | None) -> Lights:
    """The lights of the last move, and of the choice that is being made."""
    lights: Lights = {} if last is None else {last.target: "last"}
    if choosing is None:
        return lights
    wish = choosing.wish
    for each in choosing.wishes:
        if each.explanation is not None and each.explanation.target is not None:
            lights[each.explanation.target] = "reachable"
    if wish is not None and wish.explanation is not None:
        lights |= dict.fromkeys(wish.explanation.jumped, "skipped")
        if wish.explanation.target is not None:
            lights[wish.explanation.target] = "destination"
    if choosing.pirate is not None:
        lights[choosing.pirate.place] = "from"
    return lights


CREWS: Final = ("#ff7b72", "#79b8ff", "#ffd866", "#7ee787", "#d2a8ff")
"""The colours of the crews, by seat: light enough to be read on a dark ground."""

LIT: Final[dict[Light | None, str]] = {
    None: "",
    "from": "bold",
    "destination": "reverse bold",
    "reachable": "underline",
    "skipped": "dim",
    "last": "italic",
}
"""How a lit place is set apart, beside its marks."""

SEGMENTS: Final = ("on #1b2530", "on #23303d")
"""The ground of the pieces of the board, by turns, so that the eye finds its row again."""
SEA: Final = "#79b8ff on #10243a"
ENDS: Final = "on #33291d"
"""The ground of the start and of home."""

DIM: Final = "dim"
BOLD: Final = "bold"
CHOSEN: Final = "reverse"
GOLDEN: Final = "#ffd866"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brush:
    """The names of a game in one language, and the characters to draw it with."""

    names: Names
    glyphs: Glyphs

    def say(self, key: str, **values: object) -> str:
        """Words of the catalogue."""
        return self.names.words.say(key, **values)

    def crew(self, seat: int, letter: str | None = None) -> Text:
        """A pirate of a crew: its shape and its letter."""
        return Text(f"{self.glyphs.shapes[seat]}{letter or self.names.letter(seat)}", f"bold {CREWS[seat]}")

    def crowd(self, pirates: Sequence[Sequence[int]], place: int) -> Text:
        """Everybody on a place, one by one."""
        return Text().join(
            self.crew(seat) for seat, places in enumerate(pirates) for at in places if at == place
        )

    def counted(self, pirates: Sequence[Sequence[int]], place: int) -> Text:
        """Everybody on a place where there is room for all, by number."""
        counts = [(seat, places.count(place)) for seat, places in enumerate(pirates)]
        return Text(" ").join(
            self.crew(seat).append(f"{self.glyphs.times}{number}") for seat, number in counts if number
        )

    def sign(self, sign: int) -> str:
        """A sign in one or two columns."""
        return self.glyphs.card(self.names.ruleset.signs[sign], self.names.letter_of_sign(sign), sign)

    def card(self, card: int, number: int = 1) -> Text:
        """A card, or several of one kind."""
        sign = card % GOLD if card >= GOLD else card
        shown = self.glyphs.card(self.names.ruleset.signs[sign], self.names.letter_of_sign(sign), card)
        return Text(f"{number}{shown}" if number > 1 else shown, GOLDEN if card >= GOLD else "")


_LABEL: Final = 14
_NAME: Final = 9


def draw_cards(
    brush: Brush, view: View, players: tuple[str, ...], wish: ChosenAction | None, width: int
) -> list[Text]:
    """The row and the piles, then a line for every seat; cards that the wish would take are set apart."""
    taken = 0 if wish is None or wish.explanation is None else len(wish.explanation.cards)
    lines = [*_row(brush, view, taken), _piles(brush, view)]
    return [line for each in [*lines, *_hands(brush, view, players)] for line in _folded(each, width)]


def _row(brush: Brush, view: View, taken: int) -> Iterator[Text]:
    if view.ruleset.row_length:
        cards = [brush.card(card) for card in view.row]
        for card in cards[:taken]:
            card.stylize("reverse")
        yield _labelled(brush.say("table.row"), cards)


def _piles(brush: Brush, view: View) -> Text:
    stock = [Text(str(view.stock_size))] if view.stock is None else [brush.card(card) for card in view.stock]
    line = _labelled(brush.say("table.stock"), stock)
    line.append(f"   {brush.say('table.discard')} {len(view.discard)}")
    return line.append(" ").append_text(brush.card(view.discard[-1])) if view.discard else line


def _hands(brush: Brush, view: View, players: tuple[str, ...]) -> Iterator[Text]:
    for seat in range(view.seats):
        name = printable(players[seat]) if seat < len(players) else ""
        yield _hand(brush, view, seat, name or brush.names.crew(seat))


def _hand(brush: Brush, view: View, seat: int, name: str) -> Text:
    is_acting = view.to_act == seat
    line = Text(brush.glyphs.here if is_acting else " ").append_text(brush.crew(seat))
    shown = name if len(name) <= _NAME else f"{name[: _NAME - 1]}{brush.glyphs.dots[0]}"
    line.append(f" {shown}", BOLD if is_acting else "")
    line.append(" " * (_LABEL - len(line.plain)))
    hand = view.hands[seat]
    if hand is None:
        return line.append(brush.names.words.count("table.cards", view.hand_sizes[seat]), DIM)
    stacks = [brush.card(card, number) for card, number in sorted(Counter(hand).items())]
    return line.append(f"{len(hand):>2}: ").append_text(Text(" ").join(stacks))


def _labelled(label: str, cards: Iterable[Text]) -> Text:
    return Text(f" {label:<{_LABEL - 1}}").append_text(Text(" ").join(cards))


def _folded(line: Text, width: int) -> list[Text]:
    """A line cut where it is too wide, at a blank; what is left goes on below the cards."""
    if len(line.plain) <= width:
        return [line]
    cut = line.plain.rfind(" ", _LABEL + 1, width + 1)
    if cut < 0:
        return [line]
    rest = Text(" " * _LABEL).append_text(line[cut + 1 :])
    return [line[:cut], *_folded(rest, width)]
