"""The cards that an audience has not seen, and the slots in which they may lie.

A slot is one card of a hidden hand or of the stock: dealt at the beginning, or drawn later. The cards
of the beginning are a pool: they fill the slots that were filled from them, in an unknown
order, and so do the cards of each renewal. Every card that a hidden hand laid down must have come to
that hand before.
"""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import i64

from cartagena.rules.hidden.knowledge import UNSEEN
from cartagena.rules.hidden.view import View
from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK

KEYS: Final = 16
"""Seat and card make one key, as in the log: 16 * seat + card."""

NEVER: Final = 1 << 40
"""Later than the last entry of any log."""


class Pool:
    """Cards that were shuffled together, counted by kind, and the slots that they filled."""

    def __init__(self, counts: list[int], first_slot: i64) -> None:
        self.counts = counts
        self.first_slot: i64 = first_slot
        self.slots: i64 = 0


class Slot:
    """One unseen card: whose it is (the stock counts as one more seat), since when, and from which pool."""

    def __init__(self, owner: i64, time: i64, pool: Pool) -> None:
        self.owner: i64 = owner
        self.time: i64 = time
        self.pool = pool
        self.card: i64 = UNSEEN

    def key(self) -> i64:
        """Whose card of which kind lies here."""
        return KEYS * self.owner + self.card


class Laid:
    """A card that a hidden hand laid down, and how many of its kind the hand had to spare at that time.

    `known` counts only the cards that the hand is known to have got, `spare` those in its slots too.
    A negative number means that the cards cannot lie like this.
    """

    def __init__(self, time: i64, known: i64) -> None:
        self.time: i64 = time
        self.known: i64 = known
        self.spare: i64 = known


class Unseen:
    """The slots that a view leaves open, each with a card that may lie there.

    The slots stand in the order in which they were filled, those of the stock last; the first `in_hands`
    belong to hidden hands. `laid` holds by key, in the order of time, the cards that hidden hands laid
    down, and `kept` by key how many known cards a hand has left after all it laid down. `missing` counts
    the cards laid down that the hand cannot have held, as the unseen cards lie now.
    """

    def __init__(self, view: View) -> None:
        self.seats: i64 = view.seats
        self.hidden: list[int] = [seat for seat, hand in enumerate(view.hands) if hand is None]
        self.pools: list[Pool] = []
        self.slots: list[Slot] = []
        self.laid: list[list[Laid]] = [[] for _ in range(KEYS * (self.seats + 1))]
        self.kept: list[int] = [0] * (KEYS * (self.seats + 1))
        self.missing: i64 = 0
        if self.hidden:
            self._follow(view)
        else:
            self._begin(cards_nowhere_else(view))
        self.in_hands: i64 = len(self.slots)
        if view.stock is None:
            self._open_slots(self.seats, view.stock_size, NEVER)
        else:
            self.pools[-1].counts = [0] * KEYS

    # What the memory says.

    def _follow(self, view: View) -> None:
        """R7.15, R7.16: go through the memory and open a slot for every card that was not seen."""
        memory = view.memory
        counts = counted(view.ruleset.deck())
        take_away(counts, memory.discard)
        for hand in memory.hands:
            take_away(counts, hand or ())
        self._begin(counts)
        sizes = sizes_at_first(view)
        for seat, hand in enumerate(memory.hands):
            if hand is None:
                self._open_slots(seat, sizes[seat], 0)
            else:
                for card in hand:
                    self.kept[KEYS * seat + card] += 1
        self._retell(memory.log, counted(memory.discard))

    def _retell(self, log: tuple[int, ...], discard: list[int]) -> None:
        for place in range(len(log)):
            time: i64 = place + 1
            entry: i64 = log[place]
            card = entry % KEYS
            if entry == LOG_RENEWED:
                self._begin(discard)
                discard = [0] * KEYS
            elif entry >= LOG_TAKEN_BACK:
                discard[card] -= 1
                self.kept[entry - LOG_TAKEN_BACK] += 1
            elif entry >= LOG_LAID:
                discard[card] += 1
                self._lay_down(entry - LOG_LAID, time)
            elif card == UNSEEN:
                self._open_slots(entry // KEYS, 1, time)
            else:
                self.pools[-1].counts[card] -= 1
                self.kept[entry] += 1

    def _begin(self, counts: list[int]) -> None:
        """From now on slots are filled from these cards."""
        self.pools.append(Pool(counts, len(self.slots)))

    def _open_slots(self, owner: i64, number: i64, time: i64) -> None:
        pool = self.pools[-1]
        pool.slots += number
        for _ in range(number):
            self.slots.append(Slot(owner, time, pool))

    def _lay_down(self, key: i64, time: i64) -> None:
        known: i64 = self.kept[key] - 1
        self.kept[key] = known
        if key // KEYS in self.hidden:
            self.laid[key].append(Laid(time, known))
            if known < 0:
                self.missing += 1

    @property
    def several(self) -> bool:
        """Whether slots were filled from the cards of more than one renewal."""
        return sum([pool.slots > 0 for pool in self.pools]) > 1

    # Which cards may lie where.

    def weigh(self) -> None:
        """Count anew what every hand had to spare, as the cards lie now."""
        self.missing = 0
        for laid_down in self.laid:
            for laid in laid_down:
                laid.spare = laid.known
                if laid.known < 0:
                    self.missing += 1
        for number in range(self.in_hands):
            slot = self.slots[number]
            self._shift(slot, slot.card, 1)

    def may_swap(self, slot: Slot, other: Slot) -> bool:
        """Whether two slots may swap their cards without taking one away that was laid down later."""
        if slot.owner != other.owner:
            return self._spares(slot, NEVER) and self._spares(other, NEVER)
        if slot.time < other.time:
            return self._spares(slot, other.time)
        return self._spares(other, slot.time)

    def _spares(self, slot: Slot, until: i64) -> bool:
        """Whether the hand could have done without the card of a slot until the time `until`."""
        laid_down = self.laid[slot.key()]
        number: i64 = len(laid_down)
        while number > 0:
            number -= 1
            laid = laid_down[number]
            if laid.time < slot.time:
                break
            if laid.spare == 0 and laid.time < until:
                return False
        return True

    def swap(self, slot: Slot, other: Slot) -> None:
        """Swap the cards of two slots, whether they may or not."""
        card, other_card = slot.card, other.card
        if card == other_card:
            return
        self._shift(slot, card, -1)
        self._shift(slot, other_card, 1)
        self._shift(other, other_card, -1)
        self._shift(other, card, 1)
        slot.card, other.card = other_card, card

    def _shift(self, slot: Slot, card: i64, by: i64) -> None:
        """Count `by` more of a card in a slot: its hand has had that many more to spare since then."""
        laid_down = self.laid[KEYS * slot.owner + card]
        number: i64 = len(laid_down)
        while number > 0:
            number -= 1
            laid = laid_down[number]
            if laid.time < slot.time:
                break
            was_missing = laid.spare < 0
            laid.spare += by
            if was_missing and laid.spare >= 0:
                self.missing -= 1
            elif laid.spare < 0 and not was_missing:
                self.missing += 1

    # What comes of it.

    def hand(self, seat: i64) -> list[int]:
        """The cards of a hidden hand, those it has trimmed included, if all cards lie as they do now."""
        counts = self.kept[KEYS * seat : KEYS * seat + KEYS]
        for number in range(self.in_hands):
            slot = self.slots[number]
            if slot.owner == seat:
                counts[slot.card] += 1
        return cards_of(counts)

    def stock(self) -> list[int]:
        """The cards of the stock, if all cards lie as they do now."""
        return [self.slots[number].card for number in range(self.in_hands, len(self.slots))]


def sizes_at_first(view: View) -> list[int]:
    """R7.5: how many cards each hand held when the memory begins."""
    sizes = list(view.hand_sizes)
    for owner, _ in view.trimmed:
        sizes[owner] += 1
    for number in view.memory.log:
        entry: i64 = number
        if entry < LOG_LAID:
            sizes[entry // KEYS] -= 1
        elif entry < LOG_RENEWED:
            sizes[(entry - LOG_LAID) // KEYS] += 1
        elif entry >= LOG_TAKEN_BACK:
            sizes[(entry - LOG_TAKEN_BACK) // KEYS] -= 1
    return sizes


def cards_nowhere_else(view: View) -> list[int]:
    """The cards of the stock, counted, when every other card is seen."""
    counts = counted(view.ruleset.deck())
    take_away(counts, view.discard)
    take_away(counts, view.row)
    for hand in view.hands:
        take_away(counts, hand or ())
    return counts


# Cards counted by kind.


def counted(cards: Sequence[int]) -> list[int]:
    """How many of each kind there are."""
    counts = [0] * KEYS
    for card in cards:
        counts[card] += 1
    return counts


def take_away(counts: list[int], cards: Sequence[int]) -> None:
    """Remove these cards from the counts."""
    for card in cards:
        counts[card] -= 1


def cards_of(counts: list[int]) -> list[int]:
    """The cards that were counted, sorted."""
    cards: list[int] = []
    for card in range(UNSEEN):
        cards.extend([card] * counts[card])
    return cards
