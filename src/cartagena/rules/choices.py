"""Lists of choices: what the rules say a seat may do, taken down as a list of codes or in another form."""

from mypy_extensions import i64, mypyc_attr

from cartagena.rules.codes import FIRST_PLAY
from cartagena.rules.places import PLACES, place_of


@mypyc_attr(free_list_len=1)
class ChoiceList:
    """The codes of everything a seat may do, ascending, as a list.

    The rules name them a line at a time: one line of codes, and the places that go with it. A class that
    takes them down in another form changes `add`, `add_line` and `add_places`.
    """

    def __init__(self) -> None:
        self.codes: list[int] = []

    def add(self, code: i64) -> None:
        """Add one code."""
        self.codes.append(code)

    def add_places(self, line: i64, packed: i64, width: i64) -> None:
        """Add the codes of one line; the places are packed into `width` bits, six for each."""
        codes = self.codes
        shift: i64 = 0
        while shift < width:
            codes.append(line + ((packed >> shift) & 63))
            shift += 6

    def add_line(self, line: i64, places: i64) -> None:
        """Add the codes of one line, one for each place of a set."""
        codes = self.codes
        while places:
            place = places & -places
            codes.append(line + place_of(place))
            places ^= place

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
