"""Choices: what the rules say a seat may do, taken down as a list of codes or in another form."""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from cartagena.rules.codes import FIRST_PLAY
from cartagena.rules.places import PLACES, lowest, number_in, place_of

LINES: Final = 20
"""No family has more lines of codes."""


class Choices:
    """Everything a seat may do, as the rules name it, in ascending order of codes.

    They name it a line at a time: one line of codes, and the places that go with it. A class for another
    form has its own `add_line`, and its own `add_places` or `add_plays`.
    """

    def add_line(self, line: i64, places: i64) -> None:
        """Add the codes of one line, one for each place of a set."""
        raise NotImplementedError

    def add_places(self, line: i64, packed: i64, width: i64) -> None:
        """Add the codes of one line; the places are packed into `width` bits, six for each."""
        raise NotImplementedError

    def add_plays(self, hand: i64, places: i64) -> None:
        """Add a play of every sign in a hand from every place of a set."""
        # The places are found once, since every sign goes through all of them.
        packed, width = pack(places)
        line: i64 = FIRST_PLAY
        while hand:
            if hand & 255:
                self.add_places(line, packed, width)
            hand >>= 8
            line += PLACES


def pack(places: i64) -> tuple[i64, i64]:
    """The numbers of up to ten places, six bits each, the first one lowest; and how many bits that makes."""
    packed: i64 = 0
    width: i64 = 0
    while places:
        place = places & -places
        packed |= place_of(place) << width
        width += 6
        places ^= place
    return packed, width


@mypyc_attr(free_list_len=1)
class ChoiceList(Choices):
    """The codes as a list."""

    def __init__(self) -> None:
        self.codes: list[int] = []

    def add_line(self, line: i64, places: i64) -> None:
        """Add the codes of one line, one for each place of a set."""
        codes = self.codes
        while places:
            place = places & -places
            codes.append(line + place_of(place))
            places ^= place

    def add_places(self, line: i64, packed: i64, width: i64) -> None:
        """Add the codes of one line; the places are packed into `width` bits, six for each."""
        codes = self.codes
        shift: i64 = 0
        while shift < width:
            codes.append(line + ((packed >> shift) & 63))
            shift += 6


class Line:
    """One line of codes: its first code, the places that go with it, and how many they are."""

    def __init__(self, following: "Line | None") -> None:
        self.code: i64 = 0
        self.places: i64 = 0
        self.number: i64 = 0
        self.following: Line = self if following is None else following


class ChoiceLines(Choices):
    """The codes as sets of places, of which any can be had by its number; nothing is made for each code.

    Who chooses again and again fills the same lines again: `clear` comes first.
    """

    def __init__(self) -> None:
        # A chain, since attributes of compiled objects are bare numbers and entries of a list are not.
        line = Line(None)
        for _ in range(LINES - 1):
            line = Line(line)
        self.first: Line = line
        self.open: Line = line
        self.number: i64 = 0

    def clear(self) -> None:
        """Forget all codes."""
        self.open = self.first
        self.number = 0

    def add_line(self, line: i64, places: i64) -> None:
        """Add the codes of one line, one for each place of a set."""
        self.add_counted(line, places, number_in(places))

    def add_plays(self, hand: i64, places: i64) -> None:
        """Add a play of every sign in a hand from every place of a set."""
        number = number_in(places)
        line: i64 = FIRST_PLAY
        while hand:
            if hand & 255:
                self.add_counted(line, places, number)
            hand >>= 8
            line += PLACES

    def add_counted(self, code: i64, places: i64, number: i64) -> None:
        """Add a line, of whose places the number is known."""
        line = self.open
        line.code = code
        line.places = places
        line.number = number
        self.number += number
        self.open = line.following

    def code(self, number: i64) -> i64:
        """The code of a number from 0 up to, not including, `number`; they ascend."""
        line = self.first
        while number >= line.number:
            number -= line.number
            line = line.following
        places = line.places
        while number:
            places &= places - 1
            number -= 1
        return line.code + place_of(lowest(places))
