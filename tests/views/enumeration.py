"""Exact counting: every order of the cards that fits what an audience saw, found by trying them all."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt

from cartagena.rules.codes import FIRST_TRIM
from cartagena.rules.draw import cards_due
from cartagena.rules.legality import apply, refusal, shuffled
from cartagena.rules.position import TRIM, Position
from cartagena.rules.undoable_game import Event
from tests.views.twins import Script, in_sight, refill

Outcome = tuple[object, ...]


def outcome(position: Position) -> Outcome:
    """What a guess can get wrong: every hand, the cards being trimmed and the top of the stock."""
    hands = tuple(tuple(crew.cards()) for crew in position.crews)
    return (hands, tuple(position.trimmed), position.stock()[:1])


def exact_chances(script: Script, seat: int | None) -> dict[Outcome, float]:
    """How likely each outcome is, when every order of deal and renewals that fits is equally likely."""
    sights = [in_sight(position, seat) for position, _ in script.moments()]
    found = Counter(
        outcome(end)
        for opening in openings(script.opening, seat)
        if in_sight(opening, seat) == sights[0]
        for end in ends(opening, script.events, sights[1:], seat)
    )
    return {result: times / found.total() for result, times in found.items()}


def openings(opening: Position, seat: int | None) -> Iterator[Position]:
    """Every way the unseen cards may lie at the beginning."""
    hands = [[] if owner == seat else crew.cards() for owner, crew in enumerate(opening.crews)]
    unseen = [card for hand in hands for card in hand] + list(opening.stock())
    for order in orders_of(unseen):
        cards = iter(order)
        twin = opening.copy()
        for owner, crew in enumerate(twin.crews):
            if owner != seat:
                refill(crew, [next(cards) for _ in hands[owner]])
        twin.order = opening.order[: opening.stock_top] + bytes(cards)
        yield twin


def ends(
    position: Position, events: Sequence[Event], sights: Sequence[object], seat: int | None
) -> Iterator[Position]:
    """Every position after these events in which the audience saw what it saw."""
    if not events:
        yield position
        return
    for code in codes_that_look_like(events[0].code, position, seat):
        after = position.copy()
        apply(after, code)
        for settled in shuffles(after):
            if in_sight(settled, seat) == sights[0]:
                yield from ends(settled, events[1:], sights[1:], seat)


def codes_that_look_like(code: int, position: Position, seat: int | None) -> list[int]:
    """The choice itself if it was possible; but a face-down trim may be any card of the hand, each once."""
    if position.phase == TRIM and position.trimmer != seat:
        return [FIRST_TRIM + card for card in position.crews[position.trimmer].cards()]
    return [code] if refusal(position, code) is None else []


def shuffles(position: Position) -> Iterator[Position]:
    """The position after every order that chance may name, if one is due."""
    if not position.order_due:
        yield position
        return
    for order in orders_of(cards_due(position)):
        after = position.copy()
        shuffled(after, order)
        yield from shuffles(after)


def orders_of(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of some cards, each once."""
    if not cards:
        yield ()
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for order in orders_of(rest):
            yield (card, *order)


def deviation(chances: dict[Outcome, float], draw: Callable[[], Position], samples: int) -> float:
    """Chi-square of a sample, as the number of standard deviations above its mean (Wilson-Hilferty)."""
    drawn = Counter(outcome(draw()) for _ in range(samples))
    assert set(drawn) <= set(chances), "a world that does not fit"
    square = sum((drawn[key] - samples * share) ** 2 / (samples * share) for key, share in chances.items())
    freedom = len(chances) - 1
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
