"""The board: which space shows which sign."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.rules.families.facts import facts_of
from cartagena.rules.places import HOME, bit
from cartagena.rules.ruleset import ESCAPE, NEST, SIGNS

SEGMENTS: Final = (
    ("bottle", "pistol", "hat", "skull", "dagger", "key"),
    ("skull", "hat", "pistol", "key", "bottle", "dagger"),
    ("pistol", "key", "dagger", "hat", "skull", "bottle"),
    ("dagger", "skull", "bottle", "pistol", "key", "hat"),
    ("key", "bottle", "skull", "dagger", "hat", "pistol"),
    ("hat", "dagger", "key", "bottle", "pistol", "skull"),
)
"""R1.7: the six segments of the tunnel as they were printed; each may be laid either way round."""

SEGMENT_SIGNS: Final = tuple([tuple([SIGNS[ESCAPE].index(word) for word in words]) for words in SEGMENTS])
"""The segments once more, by the numbers of their signs."""

ISLAND_ONE: Final = 0b111_1111_1111_1110
"""R9.3: the spaces 1..14 of the Nest."""

PIECES: Final = {ESCAPE: 6, NEST: 5}
"""How many pieces make a board; each piece shows every sign once."""


class BoardError(ValueError):
    """These signs do not make a board."""


class Road:
    """The spaces that show one sign."""

    def __init__(self, spaces: i64) -> None:
        self.spaces = spaces


class Board:
    """R1.5, R9.3: the spaces between the start and home, in walking order.

    >>> board = Board.of_segments(range(6), [False] * 6)
    >>> board.sign_at(1), board.sign_at(36)
    (0, 5)
    """

    def __init__(self, family: str, signs: Sequence[int]) -> None:
        width = len(SIGNS[family])
        if len(signs) != PIECES[family] * width:
            raise BoardError(
                f"a board of the family {family} has {PIECES[family] * width} spaces, not {len(signs)}"
            )
        self.family = family
        self.signs = tuple(signs)
        self.roads = [Road(0) for _ in range(width)]
        for piece in range(PIECES[family]):
            self._lay_piece(piece * width, width)

    def _lay_piece(self, first: i64, width: i64) -> None:
        """R1.6, R9.4: a piece of the board shows every sign exactly once."""
        shown: i64 = 0
        for number in range(first, first + width):
            sign = self.signs[number]
            if not 0 <= sign < width or shown & bit(sign):
                raise BoardError(f"the spaces {first + 1} to {first + width} do not show every sign once")
            shown |= bit(sign)
            self.roads[sign].spaces |= bit(place_of_space(self.family, number + 1))

    def __reduce__(self) -> tuple[object, ...]:
        return Board, (self.family, self.signs)

    @staticmethod
    def of_segments(order: Sequence[int], reverse: Sequence[bool]) -> "Board":
        """R1.7: the tunnel laid from the printed segments, in an order, some of them turned round."""
        signs: list[int] = []
        for segment, turned in zip(order, reverse, strict=True):
            printed = SEGMENT_SIGNS[segment]
            signs.extend(printed[::-1] if turned else printed)
        return Board(ESCAPE, signs)

    @staticmethod
    def of_pieces(pieces: Sequence[Sequence[int]]) -> "Board":
        """R9.5: the two islands of the Nest, from the signs of five pieces."""
        return Board(NEST, [sign for piece in pieces for sign in piece])

    def sign_at(self, place: i64) -> int:
        """The sign that a space shows."""
        return self.signs[space_of_place(self.family, place) - 1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.family, self.signs) == (other.family, other.signs)

    def __hash__(self) -> int:
        return hash((self.family, self.signs))

    def __repr__(self) -> str:
        return f"Board({self.family!r}, {self.signs!r})"


def place_of_space(family: str, space: i64) -> i64:
    """The place of a space by its printed number; in the Nest the sloop lies between 14 and 15."""
    return space + 1 if facts_of(family).sloop <= space < HOME else space


def space_of_place(family: str, place: i64) -> i64:
    """The printed number of the space at a place."""
    return place - 1 if place > facts_of(family).sloop else place


def spaces_of(family: str) -> i64:
    """R1.8, R9.8: every place that is a space: neither start, nor sloop, nor home."""
    return facts_of(family).spaces
