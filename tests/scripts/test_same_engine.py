"""Comparing games of two Pythons: what differs is named, what is done is left out."""

import sys

import pytest

from harness.bot_games import TABLES, record_of_game
from scripts.same_engine import LEGS, Leg, compare, first_difference, legs


def elsewhere(*words: str) -> list[str]:
    """A second Python, here on this machine."""
    return [sys.executable, "-m", *words]


def test_every_ruleset_is_played_with_every_number_of_seats() -> None:
    assert len(set(TABLES)) == 12
    assert {seats for _, seats in TABLES} == {2, 3, 4, 5}


def test_equal_games_are_equal_and_each_is_told() -> None:
    leg, told = Leg("random", range(3, 5)), []
    compared = compare(leg, elsewhere(*leg.words), lambda: told.append(1))
    assert compared.differences == []
    assert compared.lines == sum(record_of_game("random", number).count("\n") for number in leg.games)
    assert len(told) == 2


def test_other_choices_are_found_in_the_first_line_that_differs() -> None:
    other = Leg("deckhand", range(2, 3))
    compared = compare(Leg("random", range(2, 3)), elsewhere(*other.words), lambda: None)
    (difference,) = compared.differences
    assert difference.startswith("game 2 of random (nest, 2 seats), line ")
    assert first_difference("a\nb\n", "a\nc\n") == "line 2: here 'b', there 'c'"
    assert first_difference("a\n", "a\nb\n") == "line 2: here None, there 'b'"
    assert first_difference("a\n", "a\n") is None


def test_a_side_that_breaks_down_is_no_agreement() -> None:
    with pytest.raises(ChildProcessError, match="ended before game 1"):
        compare(Leg("random", range(1, 2)), [sys.executable, "-c", ""], lambda: None)


def test_what_a_ledger_has_is_not_played_again() -> None:
    size = LEGS["sailor"]
    left = list(legs("sailor", 2 * size + 1, [range(size)]))
    assert [leg.games for leg in left] == [range(size, 2 * size), range(2 * size, 2 * size + 1)]
