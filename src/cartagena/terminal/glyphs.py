"""The characters that a table is drawn with: Unicode, or nothing but ASCII."""

from dataclasses import dataclass
from typing import Final

from cartagena.rules.ruleset import GOLD


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
