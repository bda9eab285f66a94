"""Crowds and crews: where pirates stand, and what a crew holds."""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.rules.pickling import parts_of, put_together
from cartagena.rules.places import HOME, SLOOP, START, bit, number_in
from cartagena.rules.ruleset import CREW_SIZE, GOLD

SEVENTH_COUNTER: Final = 1 << 48


def one_card(sign: i64) -> i64:
    """A hand of one plain card: hands count the cards of each sign in eight bits."""
    return SEVENTH_COUNTER >> (8 * (6 - sign))


def sign_of(card: i64) -> i64:
    """R13.1: the sign that a card shows, whether it is plain or gold."""
    return card - GOLD if card >= GOLD else card


def tally(cards: list[int]) -> tuple[i64, i64]:
    """Cards counted: the plain ones packed as a hand packs them, the gold ones as a set of signs."""
    plain: i64 = 0
    gold: i64 = 0
    for each in cards:
        card: i64 = each
        if card >= GOLD:
            gold |= bit(card - GOLD)
        else:
            plain += one_card(card)
    return plain, gold


def sorted_cards(plain: i64, gold: i64) -> list[int]:
    """The cards of a tally, sorted by their number."""
    cards: list[int] = []
    for sign in range(GOLD):
        cards.extend([sign] * ((plain >> (8 * sign)) & 255))
    cards.extend([GOLD + sign for sign in range(GOLD) if (gold >> sign) & 1])
    return cards


def same_cards(offered: Sequence[int], heap: Sequence[int]) -> bool:
    """Whether `offered` names exactly the cards of `heap`, in any order."""
    # Lists, since to go through what may be any sequence is to ask Python for each card.
    cards = list(offered)
    for card in cards:
        if not 0 <= card < 2 * GOLD:
            return False
    # A gold card offered twice would hide in the set of signs, but then another card is missing.
    return len(cards) == len(heap) and tally(cards) == tally(list(heap))


class Crowd:
    """How many pirates stand on each space, in three sets: at least one, at least two, three."""

    def __init__(self) -> None:
        self.first: i64 = 0
        self.second: i64 = 0
        self.third: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        return put_together, (Crowd, (), parts_of(self))

    def land(self, space: i64) -> None:
        """One pirate more on a space."""
        self.third |= self.second & space
        self.second |= self.first & space
        self.first |= space

    def lift(self, space: i64) -> None:
        """One pirate fewer on a space."""
        self.first &= ~space | self.second
        self.second &= ~space | self.third
        self.third &= ~space

    def count(self, space: i64) -> i64:
        """How many pirates stand on a space."""
        if self.third & space:
            return 3
        if self.second & space:
            return 2
        return 1 if self.first & space else 0

    def company(self) -> i64:
        """R4.2, R11.3: the spaces with one or two pirates of any crew: those that others may join."""
        return self.first & ~self.third


class Crew(Crowd):
    """The six pirates of one seat and the cards of its hand."""

    def __init__(self) -> None:
        super().__init__()
        self.at_start: i64 = CREW_SIZE
        self.aboard: i64 = 0
        self.home: i64 = 0
        self.most_home: i64 = 0
        self.hand: i64 = 0
        self.gold: i64 = 0

    def __reduce__(self) -> tuple[object, ...]:
        return put_together, (Crew, (), parts_of(self))

    def copy(self) -> "Crew":
        """A crew that can change without changing this one."""
        twin = Crew()
        twin.become(self)
        return twin

    def become(self, other: "Crew") -> None:
        """Stand and hold as another crew does."""
        self.first = other.first
        self.second = other.second
        self.third = other.third
        self.at_start = other.at_start
        self.aboard = other.aboard
        self.home = other.home
        self.most_home = other.most_home
        self.hand = other.hand
        self.gold = other.gold

    def stand(self) -> tuple[int, ...]:
        """Where the pirates are, how many were ever home, and what the hand holds: equal for equal crews."""
        return (
            *(self.first, self.second, self.third, self.at_start, self.aboard, self.home, self.most_home),
            *(self.hand, self.gold),
        )

    def walkers(self) -> i64:
        """The start and the spaces on which a pirate of the crew stands."""
        return self.first | 1 if self.at_start else self.first

    def stands_on(self, place: i64) -> bool:
        """Whether a pirate of the crew is at the start, on this space or home."""
        if place == HOME:
            return self.home > 0
        return self.walkers() & bit(place) != 0

    def holds(self, card: i64) -> bool:
        """Whether the card is in the hand."""
        if card >= GOLD:
            return self.gold & bit(card - GOLD) != 0
        return (self.hand >> (8 * card)) & 255 != 0

    def take(self, card: i64) -> None:
        """R5.18: put a card into the hand, which may grow to any size."""
        if card >= GOLD:
            self.gold |= bit(card - GOLD)
        else:
            self.hand += one_card(card)

    def give(self, card: i64) -> None:
        """Take a card out of the hand."""
        if card >= GOLD:
            self.gold ^= bit(card - GOLD)
        else:
            self.hand -= one_card(card)

    def hand_size(self) -> i64:
        """How many cards the hand holds."""
        # 256 leaves 1 when divided by 255, so the remainder of the packed counters is their sum.
        return self.hand % 255 + number_in(self.gold)

    def cards(self) -> list[int]:
        """The cards of the hand, sorted by their number."""
        return sorted_cards(self.hand, self.gold)

    def places(self, sloop: i64 = SLOOP) -> list[int]:
        """The places of the six pirates in travel order; `sloop` is where those aboard stand."""
        spaces = [place for place in range(START + 1, HOME) for _ in range(self.count(bit(place)))]
        aboard = [sloop] * self.aboard
        return sorted([START] * self.at_start + spaces + aboard + [HOME] * self.home)
