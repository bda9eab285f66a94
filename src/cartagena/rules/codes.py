"""Action codes: every choice a seat can make is one small whole number.

A code is ``38 * line + place``. Line 0 holds what needs no card: ``end_turn`` is 0 in both games, a
retreat from place p is p; in the Nest line 0 holds sail, captain_sail and the trims. The next lines
are the plays, one line for each card; in the Nest five lines of pushes follow, one for each crew, and in
Cartagena, under an option, one line of retreats that bring no cards.
The whole table stands in docs/notation.md.
"""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.places import PLACES
from cartagena.rules.ruleset import ESCAPE, NEST, Ruleset

END_TURN: Final = 0
SAIL: Final = 1
CAPTAIN_SAIL: Final = 2
FIRST_TRIM: Final = 3
FIRST_PLAY: Final[i64] = PLACES
NEST_CARDS: Final = 14
FIRST_PUSH: Final[i64] = PLACES * (1 + NEST_CARDS)


ESCAPE_CODES: Final[i64] = PLACES * 7
NEST_CODES: Final[i64] = PLACES * 20
CODES: Final = {ESCAPE: ESCAPE_CODES, NEST: NEST_CODES}
"""How many codes a family has; every smaller number from 0 on is a code, legal or not."""

FIRST_DECLINE: Final[i64] = ESCAPE_CODES
EVERY_CODE: Final = {ESCAPE: range(ESCAPE_CODES + PLACES), NEST: range(NEST_CODES)}
"""The codes of a family, and those that its options add."""


def codes_of(ruleset: Ruleset) -> int:
    """How many codes a game has: `may_decline` adds a line."""
    return CODES[ruleset.family] + (PLACES if ruleset.may_decline else 0)


def play_code(card: i64, place: i64) -> i64:
    """Play a card for the seat's own pirate on a place."""
    return FIRST_PLAY + PLACES * card + place


def retreat_code(place: i64) -> i64:
    """Retreat with the seat's own pirate on a place (Cartagena)."""
    return place


def decline_code(place: i64) -> i64:
    """Retreat like that, and decline the cards."""
    return FIRST_DECLINE + place


def push_code(crew: i64, place: i64) -> i64:
    """Push a pirate of another crew (the Nest)."""
    return FIRST_PUSH + PLACES * crew + place


def trim_code(card: i64) -> i64:
    """Lay down one surplus card (the Nest)."""
    return FIRST_TRIM + card


def line_of(code: i64) -> i64:
    """The line of a code: 0, or 1 + the card, or in the Nest 15 + the crew."""
    return code // PLACES


def place_in(code: i64) -> i64:
    """The place a code names."""
    return code % PLACES
