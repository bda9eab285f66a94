"""Lots: chance that is fair, and the same on both engines."""

from collections import Counter
from itertools import permutations

import pytest

from cartagena.rules.hidden.provenance import SEED_BITS, Lots

DRAWS = 12_000


def spread(drawn: Counter[tuple[int, ...]], outcomes: int) -> float:
    """Chi-square for each degree of freedom; a fair source comes close to one."""
    expected = drawn.total() / outcomes
    missed = expected * (outcomes - len(drawn))
    return (sum((times - expected) ** 2 / expected for times in drawn.values()) + missed) / (outcomes - 1)


def test_a_seed_gives_the_same_draws_on_every_engine() -> None:
    lots = Lots(1672)
    assert [lots.below(1000) for _ in range(8)] == [612, 25, 518, 857, 970, 461, 976, 441]
    last = Lots(2**SEED_BITS - 1)
    assert [last.below(1000) for _ in range(8)] == [250, 981, 791, 566, 129, 708, 652, 173]


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1, 2**31, 2**SEED_BITS - 1])
def test_every_number_below_the_limit_is_as_likely_whatever_came_before(seed: int) -> None:
    lots = Lots(seed)
    pairs: Counter[tuple[int, ...]] = Counter((lots.below(6), lots.below(7)) for _ in range(DRAWS))
    assert set(pairs) == {(one, two) for one in range(6) for two in range(7)}
    assert 0.4 < spread(pairs, 42) < 1.8


def test_every_order_is_as_likely() -> None:
    lots = Lots(5)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        cards = [0, 1, 2, 3]
        lots.shuffle(cards)
        orders[tuple(cards)] += 1
    assert set(orders) == set(permutations(range(4)))
    assert 0.3 < spread(orders, 24) < 2


def test_what_happens_so_often_in_a_hundred_times_does() -> None:
    lots = Lots(6)
    assert abs(sum(lots.happens(15) for _ in range(DRAWS)) - 0.15 * DRAWS) < 160
    assert not any(lots.happens(0) for _ in range(100))
    assert all(lots.happens(100) for _ in range(100))
