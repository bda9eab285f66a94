"""The cards that an audience has not seen, and the slots in which they may lie.

A slot is one card of a hidden hand or of the stock: dealt at the beginning, or drawn later. The cards
of the beginning fill the slots that were filled from them, in an order that nobody knows, and so do
the cards of each renewal. Every card that a hidden hand laid down must have come to that hand before.
"""

from bisect import bisect_left
from collections import Counter
from typing import Final

from cartagena.rules.memory import UNSEEN
from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK
from cartagena.rules.view import View

KEYS: Final = 16
"""Seat and card make one key, as in the log: 16 * seat + card."""


class Unseen:
    """The slots that a view leaves open, each with a card that may lie there.

    `cards`, `owners` and `times` belong to the slots: what lies there, whose it is (the stock counts as
    one more seat) and since when. A group of slots was filled from the pool with the same number.
    `slack` says for each card that a hidden hand laid down how many of its kind it had to spare at that
    time, and `missing` counts those below none: while there are any, the cards cannot lie like this.
    """

    def __init__(self, view: View) -> None:
        self.seats = view.seats
        self.hidden = [seat for seat, hand in enumerate(view.hands) if hand is None]
        self.owners: list[int] = []
        self.times: list[int] = []
        self.pools: list[list[int]] = []
        self.groups: list[list[int]] = []
        self.supplies: list[list[int]] = [[] for _ in range(KEYS * (view.seats + 1))]
        self.demands: list[list[int]] = [[] for _ in self.supplies]
        if self.hidden:
            self._follow(view)
        else:
            self._begin(cards_nowhere_else(view))
        if view.stock is None:
            self._open_slots(self.seats, view.stock_size, len(view.memory.log))
        else:
            self.pools[-1] = []
        self.in_hands = [slot for slot, owner in enumerate(self.owners) if owner < self.seats]
        self.peers = [group for group in self.groups for _ in group]
        self.cards = [UNSEEN] * len(self.owners)
        self.slack: list[list[int]] = [[] for _ in self.demands]
        self.missing = 0
        self.weigh()

    # What the memory says.

    def _follow(self, view: View) -> None:
        """R7.15, R7.16: go through the memory and open a slot for every card that was not seen."""
        memory = view.memory
        pool = Counter(view.ruleset.deck())
        pool.subtract(memory.discard)
        for hand in memory.hands:
            pool.subtract(hand or ())
        self._begin(list(pool.elements()))
        for seat, hand in enumerate(memory.hands):
            if hand is None:
                self._open_slots(seat, size_at_first(view, seat), 0)
            else:
                for card in hand:
                    self.supplies[KEYS * seat + card].append(0)
        self._retell(view)

    def _retell(self, view: View) -> None:
        discard = list(view.memory.discard)
        for time, entry in enumerate(view.memory.log, start=1):
            if entry == LOG_RENEWED:
                self._begin(discard)
                discard = []
            elif entry >= LOG_TAKEN_BACK:
                discard.remove(entry % KEYS)
                self.supplies[entry - LOG_TAKEN_BACK].append(time)
            elif entry >= LOG_LAID:
                discard.append(entry % KEYS)
                if (entry - LOG_LAID) // KEYS in self.hidden:
                    self.demands[entry - LOG_LAID].append(time)
            elif entry % KEYS == UNSEEN:
                self._open_slots(entry // KEYS, 1, time)
            else:
                self.pools[-1].remove(entry % KEYS)
                self.supplies[entry].append(time)

    def _begin(self, cards: list[int]) -> None:
        """From now on slots are filled from these cards."""
        self.pools.append(cards)
        self.groups.append([])

    def _open_slots(self, owner: int, number: int, time: int) -> None:
        first = len(self.owners)
        self.groups[-1].extend(range(first, first + number))
        self.owners.extend([owner] * number)
        self.times.extend([time] * number)

    # Which cards may lie where.

    def weigh(self) -> None:
        """Count the slack of every card laid down, as the cards lie now."""
        arrivals = [times[:] for times in self.supplies]
        for slot in self.in_hands:
            arrivals[KEYS * self.owners[slot] + self.cards[slot]].append(self.times[slot])
        self.missing = 0
        for seat in self.hidden:
            for key in range(KEYS * seat, KEYS * seat + KEYS):
                come = sorted(arrivals[key])
                laid = enumerate(self.demands[key], start=1)
                self.slack[key] = [bisect_left(come, time) - number for number, time in laid]
                self.missing += sum(spare < 0 for spare in self.slack[key])

    @property
    def several(self) -> bool:
        """Whether slots were filled from the cards of more than one renewal."""
        return sum(map(bool, self.groups)) > 1

    def slots_of(self, seat: int) -> list[list[int]]:
        """The slots of a hand, group by group and the oldest first."""
        return [[slot for slot in group if self.owners[slot] == seat] for group in self.groups]

    def unmet(self) -> list[tuple[int, int]]:
        """When hidden hands laid down cards that they were not known to hold: times and keys, in order."""
        unmet: list[tuple[int, int]] = []
        for key, times in enumerate(self.demands):
            come = self.supplies[key]
            used = 0
            for time in times:
                if bisect_left(come, time) > used:
                    used += 1
                else:
                    unmet.append((time, key))
        return sorted(unmet)

    def may_swap(self, slot: int, other: int) -> bool:
        """Whether two slots may change their cards without taking one away that was laid down later."""
        key = KEYS * self.owners[slot] + self.cards[slot]
        other_key = KEYS * self.owners[other] + self.cards[other]
        time, other_time = self.times[slot], self.times[other]
        if self.owners[slot] != self.owners[other]:
            return self._spares(key, time) and self._spares(other_key, other_time)
        if time < other_time:
            return self._spares(key, time, other_time)
        return self._spares(other_key, other_time, time)

    def _spares(self, key: int, since: int, until: int | None = None) -> bool:
        times = self.demands[key]
        if not times:
            return True
        last = len(times) if until is None else bisect_left(times, until)
        return 0 not in self.slack[key][bisect_left(times, since) : last]

    def swap(self, slot: int, other: int) -> None:
        """Let two slots change their cards, whether they may or not."""
        card, other_card = self.cards[slot], self.cards[other]
        if card == other_card:
            return
        self.cards[slot], self.cards[other] = other_card, card
        self._shift(KEYS * self.owners[slot] + card, self.times[slot], -1)
        self._shift(KEYS * self.owners[slot] + other_card, self.times[slot], 1)
        self._shift(KEYS * self.owners[other] + other_card, self.times[other], -1)
        self._shift(KEYS * self.owners[other] + card, self.times[other], 1)

    def _shift(self, key: int, since: int, by: int) -> None:
        slack = self.slack[key]
        for number in range(bisect_left(self.demands[key], since), len(slack)):
            before = slack[number]
            slack[number] = before + by
            self.missing += (before + by < 0) - (before < 0)

    # What comes of it.

    def hand(self, seat: int) -> list[int]:
        """The cards of a hidden hand, those it has trimmed included, if all cards lie as they do now."""
        keys = range(KEYS * seat, KEYS * seat + KEYS)
        counts = [len(self.supplies[key]) - len(self.demands[key]) for key in keys]
        for slot in self.in_hands:
            if self.owners[slot] == seat:
                counts[self.cards[slot]] += 1
        return [card for card, count in enumerate(counts) for _ in range(count)]

    def stock(self) -> list[int]:
        """The cards of the stock, if all cards lie as they do now."""
        return [self.cards[slot] for slot in self.groups[-1] if self.owners[slot] == self.seats]


def size_at_first(view: View, seat: int) -> int:
    """R7.5: how many cards a hand held when the memory begins."""
    size = view.hand_sizes[seat] + sum(owner == seat for owner, _ in view.trimmed)
    for entry in view.memory.log:
        if entry // KEYS == seat:
            size -= 1
        elif (entry - LOG_LAID) // KEYS == seat:
            size += 1
        elif (entry - LOG_TAKEN_BACK) // KEYS == seat:
            size -= 1
    return size


def cards_nowhere_else(view: View) -> list[int]:
    """The cards of the stock, when every other card is seen."""
    rest = Counter(view.ruleset.deck())
    rest.subtract(view.discard)
    rest.subtract(view.row)
    for hand in view.hands:
        rest.subtract(hand or ())
    return list(rest.elements())
