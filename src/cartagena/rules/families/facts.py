"""What tells the families apart in numbers: one row for each, read wherever no rule is needed."""

from typing import Final

from mypy_extensions import i64

from cartagena.rules.codes import FIRST_PLAY
from cartagena.rules.places import HOME, PLACES, SLOOP, bit
from cartagena.rules.ruleset import ESCAPE, NEST, SIGNS

SLOOP_LIMIT: Final = 3
"""R9.9: the most pirates of one crew in the sloop."""


class Facts:
    """One family.

    `number` is its place in the table of rules. `copies` is how many plain cards show each sign. The sloop
    lies at the end of the way, or on the way, and then it crosses between two docks.
    """

    def __init__(self, family: str, number: i64, *, copies: i64, has_gold: bool, sloop: i64) -> None:
        self.family = family
        self.number: i64 = number
        self.has_gold = has_gold
        self.sloop: i64 = sloop
        self.has_crossing: bool = sloop != HOME
        self.docks: i64 = 2 if self.has_crossing else 1
        self.aboard_limit: i64 = SLOOP_LIMIT if self.has_crossing else 0
        self.spaces: i64 = (bit(HOME) - 2) & ~bit(sloop)
        # All cards, counted as a hand counts them: eight bits for each sign, and gold cards as a set.
        self.plain_cards: i64 = 0
        for _ in SIGNS[family]:
            self.plain_cards = (self.plain_cards << 8) | copies
        self.gold_cards: i64 = bit(len(SIGNS[family])) - 1 if has_gold else 0
        self.cards: i64 = len(SIGNS[family]) * (2 if has_gold else 1)

    def is_play(self, code: i64) -> bool:
        """Whether a code plays a card."""
        return FIRST_PLAY <= code < FIRST_PLAY + PLACES * self.cards

    def __reduce__(self) -> tuple[object, ...]:
        return facts_of, (self.family,)


FACTS: Final = {
    ESCAPE: Facts(ESCAPE, 0, copies=17, has_gold=False, sloop=HOME),
    NEST: Facts(NEST, 1, copies=14, has_gold=True, sloop=SLOOP),
}
"""R1.8, R1.10, R9.6, R9.7, R9.8, R9.9, R9.10: every family by its key."""


def facts_of(family: str) -> Facts:
    """The facts of a family."""
    return FACTS[family]
