"""The board: which space shows which sign."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

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
"""The six pieces of the tunnel as they were printed; each may be laid either way round."""

SLOOP: Final = 15
"""The place of the sloop in the Nest, between the islands."""

ISLAND_ONE: Final = 0b111_1111_1111_1110
"""The spaces 1..14 of the Nest."""

PIECES: Final = {ESCAPE: 6, NEST: 5}
"""How many pieces make a board; each piece shows every sign once."""


class BoardError(ValueError):
    """These signs do not make a board."""


class Road:
    """The spaces that show one sign."""

    def __init__(self, spaces: i64) -> None:
        self.spaces = spaces


class Board:
    """The spaces between the start and home, in walking order.

    >>> board = Board.of_segments(range(6), [False] * 6)
    >>> board.sign_at(1), board.sign_at(36)
    (0, 5)
    """

    def __init__(self, family: str, signs: Sequence[int]) -> None:
        check_board(family, signs)
        self.family = family
        self.signs = tuple(signs)
        self.roads: list[Road] = []
        for sign in range(len(SIGNS[family])):
            spaces = 0
            for number, shown in enumerate(signs, start=1):
                if shown == sign:
                    spaces |= bit(place_of_space(family, number))
            self.roads.append(Road(spaces))

    @staticmethod
    def of_segments(order: Sequence[int], reverse: Sequence[bool]) -> "Board":
        """The tunnel laid from the printed segments, in an order, some of them turned round."""
        words = [
            word
            for segment, turned in zip(order, reverse, strict=True)
            for word in (SEGMENTS[segment][::-1] if turned else SEGMENTS[segment])
        ]
        return Board(ESCAPE, [SIGNS[ESCAPE].index(word) for word in words])

    @staticmethod
    def of_pieces(pieces: Sequence[Sequence[int]]) -> "Board":
        """The two islands of the Nest, from the signs of five pieces."""
        return Board(NEST, [sign for piece in pieces for sign in piece])

    def sign_at(self, place: i64) -> int:
        """The sign that a space shows."""
        after_sloop = self.family == NEST and place > SLOOP
        return self.signs[place - 2 if after_sloop else place - 1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.family, self.signs) == (other.family, other.signs)

    def __hash__(self) -> int:
        return hash((self.family, self.signs))

    def __repr__(self) -> str:
        return f"Board({self.family!r}, {self.signs!r})"


def place_of_space(family: str, space: i64) -> i64:
    """The place of a space by its printed number; in the Nest the sloop lies between 14 and 15."""
    return space + 1 if family == NEST and space >= SLOOP else space


def space_of_place(family: str, place: i64) -> i64:
    """The printed number of the space at a place."""
    return place - 1 if family == NEST and place > SLOOP else place


def spaces_of(family: str) -> i64:
    """Every place that is a space: neither start, nor sloop, nor home."""
    every = bit(HOME) - 2
    return every ^ bit(SLOOP) if family == NEST else every


def check_board(family: str, signs: Sequence[int]) -> None:
    """Each piece of the board shows every sign exactly once."""
    width = len(SIGNS[family])
    length = PIECES[family] * width
    if len(signs) != length:
        raise BoardError(f"a board of the family {family} has {length} spaces, not {len(signs)}")
    for first in range(0, length, width):
        if sorted(signs[first : first + width]) != list(range(width)):
            raise BoardError(f"the spaces {first + 1} to {first + width} do not show every sign once")
