"""A sketch of unseen cards: from which pool each card came that a hidden hand laid down.

Cards that hidden hands laid down bind each other across seats and renewals: a pool holds a limited number
of each kind, and a hand got a limited number of cards from a pool in time. To find one way in which all of it
was possible, each card in turn takes what it needs, if need be from another card, which then looks elsewhere.
"""

from typing import Final, TypeVar

from mypy_extensions import i64

from cartagena.rules.hidden.slots import KEYS, Pool, Slot, Unseen, cards_of

Card = TypeVar("Card")
"""What is shuffled: without its type compiled code swaps it as it is, and makes no number of it."""

# Lots: many small draws by chance, all from one number that the caller's own source of chance gave.


# Multiply with carry: the next state is multiplier * low half + high half. The multiplier makes both
# multiplier * 2**31 - 1 and multiplier * 2**30 - 1 prime, so that no state comes back for 2**60 draws.
MULTIPLIER: Final = 1989102195
HALF: Final = 31
LOW_HALF: Final = (1 << HALF) - 1

SEED_BITS: Final = 60
"""How many bits of chance a seed has."""


class Lots:
    """A source of chance that gives the same draws interpreted and compiled, and is faster than most."""

    def __init__(self, seed: i64) -> None:
        # A zero state would stay zero.
        self.state: i64 = seed + 1

    def below(self, limit: i64) -> i64:
        """A number from 0 up to, not including, the limit, which has at most thirty bits."""
        # All products stay under 62 bits, where compiled and interpreted numbers agree.
        self.state = MULTIPLIER * (self.state & LOW_HALF) + (self.state >> HALF)
        return ((self.state & LOW_HALF) ^ (self.state >> HALF)) * limit >> HALF

    def happens(self, percent: i64) -> bool:
        """Return True with a chance of `percent` per cent."""
        return self.below(100) < percent

    def shuffle(self, cards: list[Card]) -> None:
        """Put cards in a random order, in place."""
        last: i64 = len(cards) - 1
        while last > 0:
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
            last -= 1


NOWHERE: Final = -1

DETOUR: Final = 20
"""How often, in per cent, a card takes any pool, whichever cards it pushes aside: a way out of corners."""


def find_fit(unseen: Unseen, lots: Lots) -> None:
    """Put the unseen cards where they may lie."""
    sketch = Sketch(unseen, lots)
    sketch.guess()
    sketch.settle()
    sketch.fill()
    unseen.weigh()


class Need:
    """A card that a hidden hand laid down and was not known to hold, with the pool it came from.

    `rooms` says for each pool how many of its cards the hand had got in time.
    """

    def __init__(self, key: i64, time: i64) -> None:
        self.seat: i64 = key // KEYS
        self.card: i64 = key % KEYS
        self.time: i64 = time
        self.rooms: list[int] = []
        self.pool: i64 = NOWHERE


def needs_of(unseen: Unseen) -> list[Need]:
    """The cards laid down that hidden hands were not known to hold, in the order of time."""
    needs: list[Need] = []
    for key, laid_down in enumerate(unseen.laid):
        unmet: i64 = 0
        for laid in laid_down:
            if laid.known + unmet < 0:
                unmet += 1
                needs.append(Need(key, laid.time))
    needs.sort(key=time_of)
    return needs


def time_of(need: Need) -> int:
    """When a card was laid down."""
    return need.time


class Sketch:
    """The cards laid down, each with a pool if it has found one, and what every pool has left by kind.

    `served` holds, pool by pool and seat by seat, the cards laid down that have found that pool, in the
    order of time; `lacking` those that have found none.
    """

    def __init__(self, unseen: Unseen, lots: Lots) -> None:
        self.lots = lots
        self.pools = unseen.pools
        self.left: list[list[int]] = [pool.counts[:] for pool in unseen.pools]
        self.slots = [slots_by_owner(unseen, pool) for pool in unseen.pools]
        self.needs = needs_of(unseen)
        self.served: list[list[list[Need]]] = [[[] for _ in range(unseen.seats)] for _ in unseen.pools]
        self.lacking: list[Need] = []
        for need in self.needs:
            for slots in self.slots:
                need.rooms.append(filled_before(slots[need.seat], need.time))

    # Finding a pool for every card.

    def guess(self) -> None:
        """Each card laid down, in the order of time, comes from any slot that may still have held it."""
        for need in self.needs:
            sources: list[int] = []
            for pool in range(len(self.pools)):
                if self.left[pool][need.card]:
                    sources.extend([pool] * (need.rooms[pool] - len(self.served[pool][need.seat])))
            if sources:
                self.take(need, sources[self.lots.below(len(sources))])
            else:
                self.lacking.append(need)

    def settle(self) -> None:
        """Find a pool for every card that lacks one, and for those it pushes aside, until none lacks one."""
        while self.lacking:
            need = self.lacking.pop(self.lots.below(len(self.lacking)))
            pool = self.choose(need)
            if not self.left[pool][need.card]:
                self.push_aside(self.of_kind(need.card, pool))
            crowd = self.crowd(need, pool)
            if crowd:
                self.push_aside(self.served[pool][need.seat][:crowd])
            self.take(need, pool)

    def choose(self, need: Need) -> i64:
        """A pool that may have held a card, mostly one where it pushes few others aside."""
        detour = self.lots.happens(DETOUR)
        best: list[int] = []
        fewest: i64 = 3
        for pool in range(len(self.pools)):
            if need.rooms[pool] and self.pools[pool].counts[need.card]:
                pushed = 0 if detour else self.pushed_aside(need, pool)
                if pushed < fewest:
                    fewest = pushed
                    best = []
                if pushed == fewest:
                    best.append(pool)
        return best[self.lots.below(len(best))]

    def pushed_aside(self, need: Need, pool: i64) -> i64:
        """How many others must go if a card is to come from a pool: one of its kind, one of its hand."""
        pushed: i64 = 0 if self.left[pool][need.card] else 1
        return pushed + 1 if self.crowd(need, pool) else pushed

    def crowd(self, need: Need, pool: i64) -> i64:
        """How many cards that its hand has from a pool could make room for this one; one of them must go.

        They are the first ones, since a card that was laid down later makes no room; 0 if there is room.
        """
        served = self.served[pool][need.seat]
        earlier: i64 = 0
        for other in served:
            if other.time < need.time:
                earlier += 1
        if earlier == need.rooms[pool]:
            return earlier
        for number in range(earlier, len(served)):
            if number + 1 == served[number].rooms[pool]:
                return number + 1
        return 0

    def of_kind(self, card: i64, pool: i64) -> list[Need]:
        """The cards of one kind that come from a pool."""
        return [need for need in self.needs if need.pool == pool and need.card == card]

    def push_aside(self, needs: list[Need]) -> None:
        """One of these cards, if possible one that finds room elsewhere, has to come from another pool."""
        movable = [need for need in needs if self.finds_room(need)] or needs
        need = movable[self.lots.below(len(movable))]
        self.left[need.pool][need.card] += 1
        self.served[need.pool][need.seat].remove(need)
        need.pool = NOWHERE
        self.lacking.append(need)

    def finds_room(self, need: Need) -> bool:
        """Whether a card could come from another pool without pushing any other aside."""
        for pool in range(len(self.pools)):
            if pool != need.pool and need.rooms[pool] and not self.pushed_aside(need, pool):
                return True
        return False

    def take(self, need: Need, pool: i64) -> None:
        """A card comes from a pool."""
        need.pool = pool
        self.left[pool][need.card] -= 1
        served = self.served[pool][need.seat]
        place: i64 = len(served)
        while place > 0 and served[place - 1].time > need.time:
            place -= 1
        served.insert(place, need)

    # Finding a slot for every card.

    def fill(self) -> None:
        """Put the cards into slots: those laid down into any that was filled in time, then the others."""
        for need in self.needs:
            slots = self.slots[need.pool][need.seat]
            slots.pop(self.lots.below(filled_before(slots, need.time))).card = need.card
        for pool, by_owner in enumerate(self.slots):
            rest = cards_of(self.left[pool])
            self.lots.shuffle(rest)
            for slots in by_owner:
                for slot in slots:
                    slot.card = rest.pop()


def slots_by_owner(unseen: Unseen, pool: Pool) -> list[list[Slot]]:
    """The slots that a pool filled, by owner and in the order of time."""
    by_owner: list[list[Slot]] = [[] for _ in range(unseen.seats + 1)]
    for number in range(pool.first_slot, pool.first_slot + pool.slots):
        slot = unseen.slots[number]
        by_owner[slot.owner].append(slot)
    return by_owner


def filled_before(slots: list[Slot], time: i64) -> i64:
    """How many of `slots` were filled before `time`."""
    filled: i64 = 0
    while filled < len(slots) and slots[filled].time < time:
        filled += 1
    return filled
