"""A sketch of unseen cards: how many of each kind each hand got, before it is said in which slots.

Cards that hidden hands laid down bind each other across seats and renewals. To find one way in which
all of it was possible, hands exchange cards on a sketch until every card laid down can be served.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from cartagena.rules.memory import UNSEEN
from cartagena.rules.unseen import KEYS, Unseen

STEP_BACK: Final = 0.05
"""How often an exchange is kept though more cards lack after it: it leads out of corners."""

DETOUR: Final = 0.2
"""How often a hand asks for another card than the one it lacks, for the same reason."""

T = TypeVar("T")


class Chance(Protocol):
    """A source of chance, such as `random.Random`."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""

    def shuffle(self, x: list[int], /) -> None:
        """Put cards in a random order, in place."""


def pick(chance: Chance, things: Sequence[T]) -> T:
    """One of several things."""
    return things[int(chance.random() * len(things))]


def find_fit(unseen: Unseen, chance: Chance) -> None:
    """Put the unseen cards where they may lie: a guess, then exchanges until no card laid down lacks."""
    sketch = Sketch(unseen)
    sketch.guess(chance)
    while any(sketch.lacks):
        sketch.exchange(chance)
    sketch.fill(chance)
    unseen.weigh()


class Sketch:
    """How many cards of each kind every hand, and the stock, got from each pool."""

    def __init__(self, unseen: Unseen) -> None:
        self.unseen = unseen
        self.counts = [[0] * len(unseen.demands) for _ in unseen.pools]
        self.slots = [unseen.slots_of(seat) for seat in range(unseen.seats + 1)]
        self.times = [[[unseen.times[slot] for slot in group] for group in groups] for groups in self.slots]
        self.laid: list[list[tuple[int, int]]] = [[] for _ in range(unseen.seats)]
        for time, key in unseen.unmet():
            self.laid[key // KEYS].append((time, key % KEYS))
        self.lacks: list[list[tuple[int, int]]] = [[] for _ in range(unseen.seats + 1)]

    def guess(self, chance: Chance) -> None:
        """Each card laid down, in the order of time, is dealt from any pool that has it; then the others."""
        pools = [Counter(pool) for pool in self.unseen.pools]
        room = [[len(slots[group]) for slots in self.slots] for group in range(len(pools))]
        for time, key in self.unseen.unmet():
            seat, card = divmod(key, KEYS)
            sources = [
                group
                for group, times in enumerate(self.times[seat])
                if pools[group][card]
                for _ in range(bisect_left(times, time) - len(times) + room[group][seat])
            ]
            if sources:
                group = pick(chance, sources)
                self.counts[group][key] += 1
                pools[group][card] -= 1
                room[group][seat] -= 1
        for group, pool in enumerate(pools):
            rest = list(pool.elements())
            chance.shuffle(rest)
            for owner, number in enumerate(room[group]):
                for _ in range(number):
                    self.counts[group][KEYS * owner + rest.pop()] += 1
        for seat in self.unseen.hidden:
            self.lacks[seat] = self.lacking(seat)

    def served(self, seat: int) -> list[tuple[int, int, int | None]]:
        """Each card that a hand laid down, by time and card, with the group it came from, None if it lacks.

        The oldest cards go first, because those drawn later are of less use.
        """
        left = [row[KEYS * seat : KEYS * seat + KEYS] for row in self.counts]
        used = [0] * len(left)
        served: list[tuple[int, int, int | None]] = []
        for time, card in self.laid[seat]:
            source = None
            for group, times in enumerate(self.times[seat]):
                if left[group][card] and used[group] < bisect_left(times, time):
                    left[group][card] -= 1
                    used[group] += 1
                    source = group
                    break
            served.append((time, card, source))
        return served

    def lacking(self, seat: int) -> list[tuple[int, int]]:
        """The cards, with their times, that a hand cannot have laid down."""
        return [(time, card) for time, card, source in self.served(seat) if source is None]

    def exchange(self, chance: Chance) -> None:
        """A hand that lacks a card gets it from another for one of its own, if then no more cards lack."""
        seat = pick(chance, [seat for seat in self.unseen.hidden if self.lacks[seat]])
        time, card = pick(chance, self.lacks[seat])
        if chance.random() < DETOUR:
            card = int(chance.random() * UNSEEN)
        offers = self.offers(seat, time, card)
        if not offers:
            return
        group, other, given = pick(chance, offers)
        before = len(self.lacks[seat]) + len(self.lacks[other])
        self.swap(group, (seat, given), (other, card))
        after = len(self.lacks[seat]) + len(self.lacks[other])
        if after > before and chance.random() >= STEP_BACK:
            self.swap(group, (seat, card), (other, given))

    def offers(self, seat: int, time: int, card: int) -> list[tuple[int, int, int]]:
        """How a hand may have got a card in time: from which pool, instead of whom, for which of its own."""
        return [
            (group, other, given)
            for group, times in enumerate(self.times[seat])
            if times and times[0] < time
            for other in range(self.unseen.seats + 1)
            if other != seat and self.counts[group][KEYS * other + card]
            for given in range(UNSEEN)
            if given != card and self.counts[group][KEYS * seat + given]
        ]

    def swap(self, group: int, one: tuple[int, int], two: tuple[int, int]) -> None:
        """Two owners exchange cards of one pool; each is given with the card it gives away."""
        (seat, given), (other, card) = one, two
        row = self.counts[group]
        row[KEYS * seat + given] -= 1
        row[KEYS * seat + card] += 1
        row[KEYS * other + card] -= 1
        row[KEYS * other + given] += 1
        for owner in (seat, other):
            if owner < self.unseen.seats:
                self.lacks[owner] = self.lacking(owner)

    def fill(self, chance: Chance) -> None:
        """Put the cards into slots: those laid down into any that was filled in time, then the others."""
        for owner, groups in enumerate(self.slots):
            left = [row[KEYS * owner : KEYS * owner + KEYS] for row in self.counts]
            for time, card, source in self.served(owner) if owner < self.unseen.seats else ():
                assert source is not None
                in_time = bisect_left(groups[source], time, key=self.unseen.times.__getitem__)
                self.unseen.cards[groups[source].pop(int(chance.random() * in_time))] = card
                left[source][card] -= 1
            for group, row in zip(groups, left, strict=True):
                rest = [card for card, count in enumerate(row) for _ in range(count)]
                chance.shuffle(rest)
                for slot in group:
                    self.unseen.cards[slot] = rest.pop()
