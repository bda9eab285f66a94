"""The truth about a game that is over: every moment of it, and twins in which hidden cards lie otherwise."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from cartagena.notation import Record, record_of
from cartagena.notation.record import Ending, Headers, Result
from cartagena.notation.replay import begin
from cartagena.rules.crew import Crew
from cartagena.rules.happenings import Drew, Happening, Trimmed
from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK, Position
from cartagena.rules.undoable_game import Event, UndoableGame

TWO_SEATS: Final = 2
KEYS: Final = 16
SWAPS: Final = 4
"""How many exchanges are tried for one twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """An event of the store's log, as far as the game is concerned; an undo has no code."""

    seq: int
    code: int | None = None
    orders: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A game right after an event: what happened, all events that count so far, and whether undo is legal."""

    position: Position = field(repr=False)
    told: tuple[Happening, ...] = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    undo: bool


class Truth:
    """A whole game, moment by moment, from its record and the log in which undone choices are still told."""

    def __init__(self, record: Record, log: Iterable[Logged], *, dealt_at: int) -> None:
        self.record = record
        self.moments: dict[int, Moment] = {}
        game = begin(record.headers)
        self.moments[dealt_at] = _moment(game, ())
        for event in log:
            if event.seq > dealt_at:
                self.moments[event.seq] = _moment(game, _redo(game, event))
        assert game.events == [Event(step.code or 0, _known(step.orders)) for step in record.steps], (
            "the record tells what the log does not"
        )

    @property
    def headers(self) -> Headers:
        """What is known of the game before its first action."""
        return self.record.headers

    def record_at(self, moment: Moment) -> Record:
        """The whole record as it stood then."""
        game = UndoableGame(begin(self.headers).opening)
        for event in moment.events:
            game.replay(event)
        return record_of(game, self.headers, Result(Ending.RUNNING))


def _redo(game: UndoableGame, event: Logged) -> Sequence[Happening]:
    if event.undone:
        game.undo()
    elif event.code is not None:
        return game.replay(Event(event.code, event.orders))
    return ()


def _moment(game: UndoableGame, told: Sequence[Happening]) -> Moment:
    # A game never changes a position in place, it replaces it.
    return Moment(
        position=game.position,
        told=tuple(told),
        events=tuple(game.events),
        undo=game.refusal_of_undo() is None,
    )


def _known(orders: tuple[tuple[int | None, ...], ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(card for card in order if card is not None) for order in orders)


# --- Twins -----------------------------------------------------------------------------------------


def twin_of(position: Position, seat: int | None, chance: Random) -> Position:
    """A position that looks the same to one audience, with cards changed that it cannot know.

    What the audience can know is worked out here independently of `view`: its own hand, all hands if they are
    open or the game is over, a stock that was turned over, what was drawn from one, and at a table for two
    everything that lay before the last renewal.
    """
    twin = position.copy()
    twin.log, twin.discard, twin.trimmed = list(twin.log), list(twin.discard), list(twin.trimmed)
    if not _turned_over(position, position.renewals):
        stock = list(twin.stock())
        chance.shuffle(stock)
        twin.order = twin.order[: twin.stock_top] + bytes(stock)
    if position.ruleset.hands_open or position.over:
        return twin
    hidden = [owner for owner in range(position.seats) if owner != seat]
    for _ in range(SWAPS):
        _swap(twin, seat, hidden, chance)
    _turn_trims(twin, hidden, chance)
    return twin


def _turned_over(position: Position, renewals: int) -> bool:
    return position.ruleset.reshuffle == "turn_over" and renewals > 0


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where an unseen card came to a hidden hand: dealt (no entry), or drawn with an entry of the log.

    Its pool is the stock it came from: 0 the deck, 1 the first renewal, and so on. Everyone knows which cards
    a pool has, so cards change places only within their pool.
    """

    owner: int
    card: int
    pool: int
    entry: int | None


def _swap(twin: Position, seat: int | None, hidden: list[int], chance: Random) -> None:
    """Exchange a card of a hidden hand with one of the stock or of another hand, all through the log."""
    slots = _slots(twin, seat, hidden)
    if not slots:
        return
    one = chance.choice(slots)
    others = [slot for slot in slots if slot.pool == one.pool and slot.owner != one.owner]
    stock = list(twin.stock())
    from_stock = bool(stock) and one.pool == twin.renewals and not _turned_over(twin, one.pool)
    if from_stock and (not others or chance.getrandbits(1)):
        place = chance.randrange(len(stock))
        card, stock[place] = stock[place], one.card
        twin.order = twin.order[: twin.stock_top] + bytes(stock)
        _fill(twin, one, card)
    elif others:
        other = chance.choice(others)
        _fill(twin, one, other.card)
        _fill(twin, other, one.card)


def _fill(twin: Position, slot: _Slot, card: int) -> None:
    _exchange(twin.crews[slot.owner], slot.card, card)
    if slot.entry is not None:
        twin.log[slot.entry] = KEYS * slot.owner + card


def _slots(position: Position, seat: int | None, hidden: list[int]) -> list[_Slot]:
    """Every unseen card that never left its hidden hand, found by going back through the log."""
    start, pool = _first_entry(position, seat), position.renewals
    lasting = {owner: set(position.crews[owner].cards()) for owner in hidden}
    held = _held(position, hidden)
    slots = []
    for number in range(len(position.log) - 1, start - 1, -1):
        entry = position.log[number]
        owner, card = _owner_of(entry), entry % KEYS
        if owner is None:
            pool -= 1
        elif owner in held:
            if entry < LOG_LAID and card in lasting[owner] and not _turned_over(position, pool):
                slots.append(_Slot(owner, card, pool, number))
            held[owner][card] += 1 if LOG_LAID <= entry < LOG_RENEWED else -1
            if not held[owner][card]:
                lasting[owner].discard(card)
    dealt = hidden if start == 0 else []
    return slots + [_Slot(owner, card, 0, None) for owner in dealt for card in sorted(lasting[owner])]


def _held(position: Position, owners: list[int]) -> "dict[int, Counter[int]]":
    """What seats hold, and what they have laid face down."""
    held = {owner: Counter(position.crews[owner].cards()) for owner in owners}
    for choice in position.trimmed:
        if choice // KEYS in held:
            held[choice // KEYS][choice % KEYS] += 1
    return held


def _owner_of(entry: int) -> int | None:
    """The seat that caused an entry of the log; None for a renewal."""
    if entry == LOG_RENEWED:
        return None
    base = 0 if entry < LOG_LAID else LOG_LAID if entry < LOG_RENEWED else LOG_TAKEN_BACK
    return (entry - base) // KEYS


def _first_entry(position: Position, seat: int | None) -> int:
    """Where the log begins to hide something from this audience."""
    if seat is None or position.seats > TWO_SEATS or LOG_RENEWED not in position.log:
        return 0
    return len(position.log) - position.log[::-1].index(LOG_RENEWED)


def _turn_trims(twin: Position, hidden: list[int], chance: Random) -> None:
    """Replace each card laid face down with another card of the same hand."""
    for number, choice in enumerate(twin.trimmed):
        owner, card = divmod(choice, KEYS)
        hand = twin.crews[owner].cards()
        if owner in hidden and hand:
            other = chance.choice(hand)
            _exchange(twin.crews[owner], other, card)
            twin.trimmed[number] = KEYS * owner + other


def _exchange(crew: Crew, given: int, taken: int) -> None:
    crew.give(given)
    crew.take(taken)


def told_otherwise(told: Sequence[Happening], seat: int | None, chance: Random) -> list[Happening]:
    """Replace the cards in happenings that the audience cannot know."""
    return [_told_otherwise(happening, seat, chance) for happening in told]


def _told_otherwise(happening: Happening, seat: int | None, chance: Random) -> Happening:
    match happening:
        case Drew(seat=owner, from_row=False, turned_over=False) if owner != seat:
            return Drew(owner, chance.randrange(6), from_row=False, turned_over=False)
        case Trimmed(seat=owner) if owner != seat:
            return Trimmed(owner, chance.randrange(6))
        case _:
            return happening
