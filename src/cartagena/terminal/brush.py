"""What a drawing is made with: names, characters and styles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from cartagena.rules.ruleset import GOLD
from cartagena.terminal.glyphs import Glyphs
from cartagena.terminal.lighting import Light
from cartagena.words.names import Names

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
