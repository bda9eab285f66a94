"""Linearizability: histories whose answer is known, and tables as clients saw them."""

from math import inf
from random import Random

import pytest

from harness.linearizability import BEGINNING, Operation, Told, is_linearizable, table


def register(value: int, done: tuple[str, int]) -> int | None:
    """A register that is written and read."""
    verb, number = done
    return number if verb == "write" or value == number else None


def operation(asked: float, answered: float, verb: str, number: int) -> Operation[tuple[str, int]]:
    return Operation(done=(verb, number), asked=asked, answered=answered)


History = list[tuple[float, float, str, int]]

ALLOWED: dict[str, History] = {
    "one after another": [(0, 1, "write", 1), (2, 3, "read", 1)],
    "a read during a write, before it": [(0, 9, "write", 1), (1, 2, "read", 0), (3, 4, "read", 1)],
    "a write that nobody answered, seen": [(0, inf, "write", 1), (1, 2, "read", 1)],
    "a write that nobody answered, not seen": [(0, inf, "write", 1), (1, 2, "read", 0)],
    "two writes at once, read as the other order": [
        (0, 9, "write", 1),
        (0, 9, "write", 2),
        (10, 11, "read", 1),
    ],
}
FORBIDDEN: dict[str, History] = {
    "an old value after a new one was acknowledged": [(0, 1, "write", 1), (2, 3, "read", 0)],
    "a new value, then the old one again": [(0, 9, "write", 1), (1, 2, "read", 1), (3, 4, "read", 0)],
    "a value before anybody wrote it": [(0, 1, "read", 1), (2, 3, "write", 1)],
    "two readers who disagree": [
        (0, 9, "write", 1),
        (0, 9, "write", 2),
        (10, 11, "read", 1),
        (12, 13, "read", 2),
    ],
}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_history_that_has_an_order(name: str) -> None:
    assert is_linearizable([operation(*each) for each in ALLOWED[name]], 0, register)


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_history_that_has_none(name: str) -> None:
    assert not is_linearizable([operation(*each) for each in FORBIDDEN[name]], 0, register)


def told(asked: float, answered: float, **what: int) -> Operation[Told]:
    return Operation(done=Told(**what), asked=asked, answered=answered)


def test_two_choices_upon_the_same_seq_do_not_both_count() -> None:
    assert not is_linearizable([told(0, 9, upon=4), told(0, 9, upon=4)], BEGINNING, table)
    assert is_linearizable([told(0, 9, upon=4), told(0, 9, upon=5)], BEGINNING, table)


def test_what_happens_beside_a_game_makes_no_choice_stale() -> None:
    assert is_linearizable([told(0, 1, at=6), told(2, 3, upon=4), told(4, 5, at=7)], BEGINNING, table)
    assert not is_linearizable([told(0, 1, at=6), told(2, 3, upon=4), told(4, 5, at=6)], BEGINNING, table)


def test_a_node_does_not_answer_with_an_older_table_than_another_one_did() -> None:
    assert not is_linearizable([told(0, 1, upon=4), told(2, 3, at=4)], BEGINNING, table)
    assert is_linearizable([told(0, 5, upon=4), told(2, 3, at=4)], BEGINNING, table)


def test_a_long_history_of_many_clients_is_told_apart_in_no_time() -> None:
    chance = Random(7)
    moments = sorted(chance.uniform(0, 200) for _ in range(400))
    right = [
        told(moment - chance.uniform(0, 2), moment + chance.uniform(0, 2), at=seq)
        for seq, moment in enumerate(moments)
    ]
    assert is_linearizable(right, BEGINNING, table)
    assert not is_linearizable([*right, told(210, 211, at=5)], BEGINNING, table)
