"""The encoding tells everything that a view tells of the present position, and nothing else."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cartagena.envs.observation import fields_of
from cartagena.rules.codes import codes_of
from cartagena.rules.hidden.view import View, view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.position import TRIM, Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from tests.envs.reference import NOT_TOLD, TOLD_OTHERWISE, Told, encoded, parts, told_by
from tests.tables import nest_table, table
from tests.views.test_view_law import LONG
from tests.views.twins import Tale, tales

laws = settings(deadline=None, max_examples=40)
Encode = Callable[[Position, int], bytes]


def moments(story: Tale) -> list[Position]:
    """Every position of a tale, each a copy of its own."""
    return [position.copy() for position, _ in story.moments()]


def told(position: Position, seat: int) -> Told:
    """What the view of a seat tells."""
    return told_by(view(position, seat), codes_of(position.ruleset))


def assert_every_field_is_told(position: Position) -> None:
    for seat in range(position.seats):
        assert parts(position, encoded(position, seat)) == told(position, seat)


# Everything is told.


@laws
@given(tales())
def test_every_field_says_what_the_view_says(story: Tale) -> None:
    assert_every_field_is_told(story.game().position)


@pytest.mark.parametrize("story", LONG)
def test_also_at_every_moment_of_a_long_game(story: Tale) -> None:
    for position in moments(story):
        assert_every_field_is_told(position)


@pytest.mark.parametrize(
    "position",
    [
        table(TORTUGA, red="3 2 >1", blue="..1", hands=("KKS", "B"), row="BDHKPS", discard="SS", turn=9),
        table(JAMAICA.with_options(quiet_rounds=0), red=".1..2", rest="blue", turn=700, last_progress=2),
        table(JAMAICA, red="1", rest="red", most_home=(2, 0)),
        nest_table(red="3 3 sloop 20 nest", blue="14", hands=("map MAP", "pa"), dock=2),
        nest_table(red="sloop sloop", seats=5, seat=4, hands=("", "", "", "", "ca CA"), actions_used=2),
    ],
)
def test_also_on_a_table_laid_out_by_hand(position: Position) -> None:
    assert_every_field_is_told(position)


def test_a_very_long_quiet_is_told_as_far_as_two_bytes_go() -> None:
    ruleset = JAMAICA.with_options(quiet_rounds=0)
    position = table(ruleset, turn=70_000)
    assert parts(position, encoded(position, 0))["quiet_turns"] == [255, 255]


def test_what_a_view_tells_is_told_or_left_out_on_purpose() -> None:
    names = {field.name for ruleset in (TORTUGA, PIRATES_NEST) for field in fields_of(ruleset, 2)}
    of_views = set(View._fields)
    renamed = {"signs", "quiet_turns", "trimmed_sizes"}
    assert of_views - names - {"board"} == TOLD_OTHERWISE - {"seat"} | NOT_TOLD
    assert names - of_views == renamed


@laws
@given(tales(most=25))
@example(LONG[3])
@example(LONG[7])
def test_views_that_differ_in_what_is_told_are_encoded_differently(story: Tale) -> None:
    seen: dict[bytes, Told] = {}
    for position in moments(story):
        for seat in range(position.seats):
            facts = told(position, seat)
            assert seen.setdefault(encoded(position, seat), facts) == facts
    assert len({str(facts) for facts in seen.values()}) == len(seen)


# Nothing else is told.


def tells_worlds_apart(encode: Encode, position: Position, seat: int, chance: Random) -> bool:
    """Whether some world that fits the view of a seat is encoded differently from the truth."""
    worlds = Worlds(view(position, seat))
    truth = encode(position, seat)
    return any(encode(worlds.draw(chance), seat) != truth for _ in range(4))


@laws
@given(tales(), st.randoms(use_true_random=False))
def test_every_world_that_fits_the_view_is_encoded_alike(story: Tale, chance: Random) -> None:
    position = story.game().position
    for seat in range(position.seats):
        assert not tells_worlds_apart(encoded, position, seat, chance)


@pytest.mark.parametrize("story", LONG)
def test_nor_can_worlds_be_told_apart_in_a_long_game(story: Tale) -> None:
    position = story.game().position
    for seat in range(position.seats):
        assert not tells_worlds_apart(encoded, position, seat, Random(1))


# A test of the test: each planted leak is found.


def stock_leaks(position: Position, seat: int) -> bytes:
    return encoded(position, seat) + bytes(position.stock()[:1])


def hand_leaks(position: Position, seat: int) -> bytes:
    return encoded(position, seat) + bytes(position.crews[seat - 1].cards())


def trims_leak(position: Position, seat: int) -> bytes:
    return encoded(position, seat) + bytes(choice % 16 for choice in position.trimmed)


def the_view_of_another_seat(position: Position, seat: int) -> bytes:
    return encoded(position, seat - 1 if seat else position.seats - 1)


@pytest.mark.parametrize("leak", [stock_leaks, hand_leaks, trims_leak, the_view_of_another_seat])
def test_the_law_finds_a_leak(leak: Encode) -> None:
    ends = [story.game().position for story in reversed(LONG)]
    assert any(position.phase == TRIM for position in ends)
    assert any(
        tells_worlds_apart(leak, position, seat, Random(2))
        for position in ends
        for seat in range(position.seats)
    )
