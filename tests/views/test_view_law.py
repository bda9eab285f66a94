"""The law of views: reshuffle what an audience cannot see, and nothing that it sees or hears changes."""

from collections.abc import Callable
from dataclasses import fields
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cartagena.rules.happenings import Drew, Happening, Trimmed
from cartagena.rules.hidden.knowledge import UNSEEN, Memory
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.hidden.world import Worlds, world
from cartagena.rules.laws import broken_law
from cartagena.rules.legality import legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from tests.properties.records import Short
from tests.views.twins import Look, Tale, Tell, difference, tales, with_hidden_cards_reshuffled

laws = settings(deadline=None, max_examples=40)
AUDIENCES = (None, 0, 1)
NO_MEMORY = Memory(discard=(), hands=(), log=())


def tale(ruleset: str, seats: int, seed: int, *, stock: int = 12, actions: int = 120) -> Tale:
    """A tale that is long enough to be interesting."""
    rulesets = {
        "tortuga": TORTUGA,
        "jamaica": JAMAICA,
        "nest": PIRATES_NEST,
        "turned over": JAMAICA.with_options(reshuffle="turn_over"),
        "nest turned over": PIRATES_NEST.with_options(reshuffle="turn_over"),
    }
    record = Short(ruleset=rulesets[ruleset], seats=seats, seed=seed, taste="cards", actions=actions)
    return Tale(record, stock)


LONG = [
    tale("tortuga", 2, 1),
    tale("jamaica", 2, 2),
    tale("jamaica", 3, 3, stock=30),
    tale("nest", 2, 4),
    tale("nest", 3, 5),
    tale("nest", 3, 12, stock=100),
    tale("turned over", 3, 6),
    tale("nest turned over", 2, 7),
    # These stop while cards are being trimmed.
    tale("nest", 2, 1, actions=9),
    tale("nest", 2, 27, actions=11),
    tale("nest", 2, 7, actions=83),
]


def first_difference(story: Tale, audience: int | None, look: Look = view, tell: Tell = seen) -> str | None:
    """How an audience can tell the game from one of a few twins; None if it cannot."""
    game = story.game()
    chance = Random(story.record.seed)
    for _ in range(8):
        twin = with_hidden_cards_reshuffled(game, audience, chance)
        found = None if twin is None else difference(game, twin, audience, look, tell)
        if found is not None:
            return found
    return None


# The law, for views and for happenings.


@pytest.mark.rule("R7.3, R7.6, R7.9, R7.11, R7.13")
@laws
@given(tales(), st.sampled_from(AUDIENCES))
def test_nobody_sees_or_hears_what_he_may_not_know(story: Tale, audience: int | None) -> None:
    assert first_difference(story, audience) is None


@pytest.mark.sampled
@pytest.mark.parametrize("story", LONG)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_nor_in_a_long_game(story: Tale, audience: int | None) -> None:
    assert first_difference(story, audience) is None


# A test of the test: each planted leak is found.


def stock_leaks(position: Position, seat: int | None) -> View:
    return view(position, seat)._replace(stock=position.stock()[:1])


def hand_leaks(position: Position, seat: int | None) -> View:
    return view(position, seat)._replace(hands=tuple(tuple(crew.cards()) for crew in position.crews))


def log_leaks(position: Position, seat: int | None) -> View:
    sight = view(position, seat)
    return sight._replace(memory=sight.memory._replace(log=tuple(position.log)))


def choices_leak(position: Position, seat: int | None) -> View:
    return view(position, seat)._replace(legal=tuple(legal(position)))


def trims_leak(position: Position, seat: int | None) -> View:
    return view(position, seat)._replace(trimmed=tuple(divmod(choice, 16) for choice in position.trimmed))


@pytest.mark.parametrize("leak", [stock_leaks, hand_leaks, log_leaks, choices_leak, trims_leak])
def test_the_law_finds_a_leak_in_a_view(leak: Callable[[Position, int | None], View]) -> None:
    assert any(first_difference(story, None, look=leak) for story in reversed(LONG))


def drawn_card_leaks(happening: Happening, seat: int | None) -> Happening:
    return happening if isinstance(happening, Drew) else seen(happening, seat)


def trimmed_card_leaks(happening: Happening, seat: int | None) -> Happening:
    return happening if isinstance(happening, Trimmed) else seen(happening, seat)


@pytest.mark.parametrize("leak", [drawn_card_leaks, trimmed_card_leaks])
def test_the_law_finds_a_leak_in_what_is_told(leak: Callable[[Happening, int | None], Happening]) -> None:
    assert any(first_difference(story, None, tell=leak) for story in reversed(LONG))


# Spectators.


def contained(less: object, more: object) -> bool:
    """Whether one sight shows nothing that the other lacks: unknown is None, everything else is equal."""
    if less is None or less == more:
        return True
    if isinstance(less, tuple) and isinstance(more, tuple) and len(less) == len(more):
        return all(map(contained, less, more))
    return False


@pytest.mark.rule("R7.17")
@laws
@given(tales())
def test_the_view_of_a_spectator_is_contained_in_that_of_every_seat(story: Tale) -> None:
    position = story.game().position
    public = view(position, None)
    assert public.legal == ()
    for seat in range(position.seats):
        own = view(position, seat)
        for name in View._fields:
            if name not in {"legal", "memory"}:
                assert contained(getattr(public, name), getattr(own, name)), name


@pytest.mark.rule("R7.15, R7.17")
@laws
@given(tales())
def test_the_memory_of_a_spectator_is_contained_in_that_of_every_seat(story: Tale) -> None:
    position = story.game().position
    public = view(position, None).memory
    for seat in range(position.seats):
        own = view(position, seat).memory
        # With two seats a renewal makes a seat forget what came before, because it knows more since then.
        forgotten = len(public.log) - len(own.log)
        for entry, told in zip(public.log[forgotten:], own.log, strict=True):
            assert entry in {told, told | UNSEEN}
        if forgotten:
            assert None not in own.hands
        else:
            assert public.discard == own.discard
            assert contained(public.hands, own.hands)


@pytest.mark.rule("R7.17")
@laws
@given(tales())
def test_what_a_spectator_is_told_is_contained_in_what_every_seat_is_told(story: Tale) -> None:
    for _, told in story.moments():
        for happening in told:
            public = seen(happening, None)
            for seat in range(story.record.seats):
                own = seen(happening, seat)
                assert type(own) is type(public) is type(happening)
                for field in fields(happening):
                    assert contained(getattr(public, field.name), getattr(own, field.name))


# Worlds fit.


@pytest.mark.rule("R7.15")
@laws
@given(tales(), st.sampled_from(AUDIENCES))
@example(tale("nest", 3, 12, stock=100, actions=200), 0)
def test_a_world_looks_like_the_truth(story: Tale, audience: int | None) -> None:
    truth = view(story.game().position, audience)
    chance = Random(story.record.seed)
    worlds = Worlds(truth)
    for sample in (world(truth, chance), worlds.draw(chance), worlds.draw(chance)):
        assert broken_law(sample) is None
        assert view(sample, audience)._replace(memory=NO_MEMORY) == truth._replace(memory=NO_MEMORY)
