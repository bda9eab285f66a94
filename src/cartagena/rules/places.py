"""Places in travel order, and the mask sentences about them.

Both games have 38 places. Cartagena: 0 the start, 1..36 the spaces of the tunnel, 37 the sloop.
The Pirate's Nest: 0 the start, 1..14 island one, 15 the sloop, 16..36 island two, 37 the nest.
A set of places is one whole number: bit p stands for place p.
"""

from typing import Final

from mypy_extensions import i64

START: Final = 0
HOME: Final = 37
PLACES: Final = 38
SLOOP: Final = 15
"""R9.6: the place of the sloop in the Nest, between the islands."""

HOME_BIT: Final = 1 << 37
EVERY_PLACE: Final = (1 << 38) - 1

# The remainders of 2**0 .. 2**65 by 67 all differ, so a remainder tells which bit is set.
PLACE_BY_REMAINDER: Final = bytes(
    next((place for place in range(PLACES) if (1 << place) % 67 == remainder), 0) for remainder in range(67)
)


def bit(place: i64) -> i64:
    """The set that holds this one place.

    >>> bit(3)
    8
    """
    # mypyc compiles `1 << place` in 32 bits (docs/decisions/0001); a right shift of a wide constant is exact.
    return HOME_BIT >> (HOME - place)


def below(place: i64) -> i64:
    """The places before this one, the start included.

    >>> below(3)
    7
    """
    return EVERY_PLACE >> (PLACES - place)


def above(place: i64) -> i64:
    """The places beyond this one, home included."""
    return EVERY_PLACE ^ (EVERY_PLACE >> (HOME - place))


def lowest(places: i64) -> i64:
    """The first place of a set, as a set of one; the empty set for the empty set.

    >>> lowest(12)
    4
    """
    return places & -places


def highest(places: i64) -> i64:
    """The last place of a set, as a set of one; the empty set for the empty set.

    >>> highest(12)
    8
    """
    places = up_to_last(places)
    return places ^ (places >> 1)


def up_to_last(places: i64) -> i64:
    """The last place of a set and all before it; the empty set for the empty set.

    >>> up_to_last(0b1010)
    15
    """
    places |= places >> 1
    places |= places >> 2
    places |= places >> 4
    places |= places >> 8
    places |= places >> 16
    return places | places >> 32


def ahead_of_first(places: i64) -> i64:
    """The places from which something in the set lies behind.

    >>> places_in(ahead_of_first(bit(5) | bit(9)) & below(9))
    [6, 7, 8]
    """
    return EVERY_PLACE & (-2 * lowest(places))


def behind_last(places: i64) -> i64:
    """The places from which something in the set lies ahead.

    >>> places_in(behind_last(bit(2) | bit(4)))
    [0, 1, 2, 3]
    """
    return up_to_last(places) >> 1


def place_of(single: i64) -> i64:
    """The number of the one place in a set.

    >>> place_of(bit(36))
    36
    """
    return PLACE_BY_REMAINDER[single % 67]


def number_in(places: i64) -> i64:
    """How many places a set holds.

    >>> number_in(0b1011)
    3
    """
    number: i64 = 0
    while places:
        places &= places - 1
        number += 1
    return number


def places_in(places: i64) -> list[int]:
    """The numbers of the places in a set, in travel order.

    >>> places_in(0b1011)
    [0, 1, 3]
    """
    numbers: list[int] = []
    while places:
        first = lowest(places)
        numbers.append(place_of(first))
        places ^= first
    return numbers
