"""Twins: games that one audience cannot tell apart, though their hidden cards differ."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from cartagena.bots.random_games import Dice
from cartagena.rules.codes import FIRST_TRIM, NEST_CARDS
from cartagena.rules.crew import Crew
from cartagena.rules.happenings import Drew, Happening, RowLaid
from cartagena.rules.position import LOG_LAID, Position
from cartagena.rules.refusals import IllegalAction, PositionError
from cartagena.rules.undoable_game import Event, UndoableGame
from tests.properties.records import TASTES, Short, chosen, rulesets, shuffled_by

Moment = tuple[Position, list[Happening]]
Look = Callable[[Position, int | None], object]
Tell = Callable[[Happening, int | None], object]


@dataclass(frozen=True, slots=True)
class Tale:
    """A short record whose stock is cut down to `stock` cards, so that it is soon renewed."""

    record: Short
    stock: int

    def opening(self, dice: Dice) -> Position:
        """A new game with most of its stock in the discard."""
        position = self.record.opening(dice)
        end = position.stock_top + self.stock
        position.discard = list(position.order[end:])
        position.order = position.order[:end]
        return position

    def game(self) -> UndoableGame:
        """The game as it was played."""
        dice = Dice(self.record.seed)
        game = UndoableGame(self.opening(dice))
        for _ in range(self.record.actions):
            if not game.position.over:
                code = chosen(game.position, self.record.taste, dice)
                game.act(code, lambda due: shuffled_by(dice, due))
        return game

    def moments(self) -> Iterator[Moment]:
        """The game again, from its beginning."""
        game = self.game()
        return Script(game.opening, tuple(game.events)).moments()


@st.composite
def tales(draw: st.DrawFn, most: int = 90) -> Tale:
    """A tale of a few turns; short stocks are more likely than long ones."""
    record = Short(
        ruleset=draw(rulesets()),
        seats=draw(st.integers(2, 5)),
        seed=draw(st.integers(0, 2**31 - 1)),
        taste=draw(st.sampled_from(TASTES)),
        actions=draw(st.integers(0, most)),
    )
    return Tale(record, draw(st.sampled_from([3, 7, 12, 30, 100])))


# Building a twin.


@dataclass(frozen=True, slots=True)
class Script:
    """All that makes a game: how it was laid out, and its events."""

    opening: Position
    events: tuple[Event, ...]

    def moments(self) -> Iterator[Moment]:
        """The position at the beginning and after every event, with what happened; it may be refused."""
        game = UndoableGame(self.opening)
        yield game.position, []
        for event in self.events:
            told = game.replay(event)
            yield game.position, told


def with_hidden_cards_reshuffled(game: UndoableGame, seat: int | None, chance: Random) -> Script | None:
    """Return `game` with a few cards swapped that the audience never saw; None if the change shows."""
    script = Script(game.opening, tuple(game.events))
    for _ in range(chance.randint(1, 3)):
        script = with_two_cards_swapped(script, chance)
    truth = Script(game.opening, tuple(game.events))
    try:
        same = all(
            in_sight(one, seat) == in_sight(other, seat) and passing(told, seat) == passing(retold, seat)
            for (one, told), (other, retold) in zip(truth.moments(), script.moments(), strict=True)
        )
    except (IllegalAction, PositionError):
        return None
    return script if same else None


def with_two_cards_swapped(script: Script, chance: Random) -> Script:
    """Two cards change places in the deal or in one of the orders that chance named."""
    orders = [order for event in script.events for order in event.orders]
    number = chance.randint(-len(orders) - 1, len(orders))
    if number < 0 or (number == 0 and not script.opening.facts.has_crossing):
        return Script(with_deal_swapped(script.opening, chance), script.events)
    if number == 0:
        return Script(script.opening, with_another_trim(script.events, chance))
    changed = iter([swapped(order, chance) if n == number else order for n, order in enumerate(orders, 1)])
    events = tuple(Event(event.code, tuple(next(changed) for _ in event.orders)) for event in script.events)
    return Script(script.opening, events)


def with_another_trim(events: tuple[Event, ...], chance: Random) -> tuple[Event, ...]:
    """Another card is chosen in one of the trims with which the game stops, if it does."""
    last = len(events)
    while last and FIRST_TRIM <= events[last - 1].code < FIRST_TRIM + NEST_CARDS:
        last -= 1
    if last == len(events):
        return events
    number = chance.randrange(last, len(events))
    return (*events[:number], Event(FIRST_TRIM + chance.randrange(NEST_CARDS)), *events[number + 1 :])


def with_deal_swapped(opening: Position, chance: Random) -> Position:
    """Return `opening` with two cards of hands and stock swapped."""
    twin = opening.copy()
    hands = [crew.cards() for crew in opening.crews]
    cards = iter(swapped([card for hand in hands for card in hand] + list(opening.stock()), chance))
    for crew, hand in zip(twin.crews, hands, strict=True):
        refill(crew, [next(cards) for _ in hand])
    twin.order = opening.order[: opening.stock_top] + bytes(cards)
    return twin


def refill(crew: Crew, cards: Sequence[int]) -> None:
    """Give a crew another hand."""
    crew.hand = crew.gold = 0
    for card in cards:
        crew.take(card)


def swapped(cards: Sequence[int], chance: Random) -> tuple[int, ...]:
    """The cards with two of them swapped."""
    changed = list(cards)
    if len(changed) > 1:
        one, other = chance.sample(range(len(changed)), 2)
        changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def in_sight(position: Position, seat: int | None) -> object:
    """What `seat` sees at the table with its own eyes; worked out without `view`."""
    everything = position.ruleset.hands_open or position.over
    turned_over = position.ruleset.reshuffle == "turn_over" and position.renewals > 0
    return (
        [crew.cards() if everything or owner == seat else None for owner, crew in enumerate(position.crews)],
        [crew.hand_size() for crew in position.crews],
        [choice for choice in position.trimmed if choice // 16 == seat],
        [entry for entry in position.log if entry < LOG_LAID and entry // 16 == seat],
        position.row(),
        position.stock() if turned_over else position.stock_size,
        position.discard[:],
        (position.to_act, position.turn, position.actions_used, position.ending, position.winner),
    )


def passing(told: list[Happening], seat: int | None) -> object:
    """What `seat` sees only for a moment: each new row, and open or own cards as they are drawn."""
    return [
        happening
        for happening in told
        if isinstance(happening, RowLaid)
        or (
            isinstance(happening, Drew)
            and (happening.from_row or happening.turned_over or happening.seat == seat)
        )
    ]


# The law.


def difference(game: UndoableGame, twin: Script, seat: int | None, look: Look, tell: Tell) -> str | None:
    """How an audience that only looks and listens could tell a game from its twin; None if it cannot."""
    truth = Script(game.opening, tuple(game.events))
    for number, ((one, told), (other, retold)) in enumerate(
        zip(truth.moments(), twin.moments(), strict=True)
    ):
        if [tell(happening, seat) for happening in told] != [tell(happening, seat) for happening in retold]:
            return f"what is told after action {number}"
        if look(one, seat) != look(other, seat):
            return f"what is seen after action {number}"
    return None
