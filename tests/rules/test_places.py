"""Sets of places, crowds and hands, each compared with plain Python that does the same."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.rules.crew import Crew, Crowd, one_card, same_cards, sorted_cards, tally
from cartagena.rules.places import (
    EVERY_PLACE,
    HOME,
    HOME_BIT,
    PLACES,
    START,
    above,
    ahead_of_first,
    behind_last,
    below,
    bit,
    highest,
    lowest,
    place_of,
    places_in,
    up_to_last,
)

SETS = st.sets(st.integers(START, HOME))


def as_mask(places: set[int]) -> int:
    """A set of places as the engine keeps it."""
    return sum(1 << place for place in places)


def test_the_names_of_places() -> None:
    assert (START, HOME, PLACES) == (0, 37, 38)
    assert (HOME_BIT, EVERY_PLACE) == (2**37, 2**38 - 1)


@pytest.mark.parametrize("place", range(38))
def test_a_place_alone(place: int) -> None:
    assert bit(place) == 2**place
    assert place_of(bit(place)) == place
    assert places_in(below(place)) == list(range(place))
    assert places_in(above(place)) == list(range(place + 1, 38))


@given(SETS)
def test_a_set_lists_its_places_in_travel_order(places: set[int]) -> None:
    assert places_in(as_mask(places)) == sorted(places)


@given(SETS)
def test_the_first_and_the_last_place_of_a_set(places: set[int]) -> None:
    mask = as_mask(places)
    assert places_in(lowest(mask)) == sorted(places)[:1]
    assert places_in(highest(mask)) == sorted(places)[-1:]


@given(SETS)
def test_the_places_ahead_of_the_first_and_behind_the_last(places: set[int]) -> None:
    mask = as_mask(places)
    first, last = min(places, default=HOME), max(places, default=START)
    assert places_in(ahead_of_first(mask)) == list(range(first + 1, 38))
    assert places_in(behind_last(mask)) == list(range(last))
    assert places_in(up_to_last(mask)) == (list(range(last + 1)) if places else [])


# Crowds.


def test_a_crowd_counts_up_to_three_and_down_again() -> None:
    crowd = Crowd()
    seen = []
    for change in (crowd.land, crowd.land, crowd.land, crowd.lift, crowd.lift, crowd.lift):
        change(bit(5))
        seen.append((crowd.count(bit(5)), places_in(crowd.company())))
    assert seen == [(1, [5]), (2, [5]), (3, []), (2, [5]), (1, [5]), (0, [])]


def test_the_spaces_of_a_crowd_do_not_touch_each_other() -> None:
    crowd, plain, chance = Crowd(), [0] * 37, Random(1)
    for _ in range(2000):
        place = chance.randrange(1, 37)
        if plain[place] and chance.random() < 0.5:
            crowd.lift(bit(place))
            plain[place] -= 1
        elif plain[place] < 3:
            crowd.land(bit(place))
            plain[place] += 1
        assert [crowd.count(bit(space)) for space in range(1, 37)] == plain[1:]
    assert places_in(crowd.company()) == [place for place, number in enumerate(plain) if number in (1, 2)]


# Crews.


def test_a_new_crew_stands_at_the_start_with_no_card() -> None:
    crew = Crew()
    assert (crew.places(15), crew.cards(), crew.hand_size()) == ([0] * 6, [], 0)
    assert (crew.at_start, crew.aboard, crew.home, crew.most_home) == (6, 0, 0, 0)


def test_a_crew_knows_where_its_pirates_stand() -> None:
    crew = Crew()
    crew.at_start, crew.aboard, crew.home = 1, 1, 1
    for place in (4, 4, 36):
        crew.land(bit(place))
    assert crew.places(15) == [0, 4, 4, 15, 36, 37]
    assert places_in(crew.walkers()) == [0, 4, 36]
    assert [place for place in range(38) if crew.stands_on(place)] == [0, 4, 36, 37]
    crew.at_start, crew.home = 0, 0
    assert places_in(crew.walkers()) == [4, 36]
    assert [place for place in range(38) if crew.stands_on(place)] == [4, 36]


@given(st.lists(st.integers(0, 6), max_size=98), st.sets(st.integers(7, 13)))
def test_a_hand_keeps_every_card_it_takes(plain: list[int], gold: set[int]) -> None:
    crew = Crew()
    for card in [*plain, *gold]:
        crew.take(card)
    held = sorted([*plain, *gold])
    assert (crew.cards(), crew.hand_size()) == (held, len(held))
    assert [card for card in range(14) if crew.holds(card)] == sorted(set(held))
    for card in held:
        crew.give(card)
    assert (crew.cards(), crew.hand, crew.gold) == ([], 0, 0)


def test_a_hand_counts_each_sign_apart() -> None:
    assert [one_card(sign) for sign in range(7)] == [256**sign for sign in range(7)]


HEAPS = st.lists(st.integers(0, 6), max_size=20).flatmap(
    lambda plain: st.sets(st.integers(7, 13)).map(lambda gold: [*plain, *gold])
)


@given(HEAPS, st.randoms(use_true_random=False))
def test_a_heap_is_the_same_in_any_order(heap: list[int], chance: Random) -> None:
    other = list(heap)
    chance.shuffle(other)
    assert same_cards(heap, other)
    assert sorted_cards(*tally(heap)) == sorted(heap)


@given(HEAPS, HEAPS)
def test_only_heaps_of_the_same_cards_are_the_same(some: list[int], others: list[int]) -> None:
    assert same_cards(some, others) == (sorted(some) == sorted(others))


@pytest.mark.parametrize("card", [-8, -2, -1, 6, 7, 14, 45, 100, 300])
def test_a_heap_with_a_card_that_does_not_exist_is_another_heap(card: int) -> None:
    assert not same_cards([0, 0, card], [0, 0, 1])
