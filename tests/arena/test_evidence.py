"""What games prove: intervals against published values, the sequential test against sums by hand."""

import math
from random import Random

import pytest

from cartagena.arena.tally import Sprt, WinRate


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [
        # Newcombe 1998, table I, method 3 (Wilson without continuity correction).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_the_literature(score: float, games: int, low: float, high: float) -> None:
    assert WinRate(score, games).interval == pytest.approx((low, high), abs=5e-5)


def test_the_interval_of_the_other_side_is_the_mirror_image() -> None:
    low, high = WinRate(37.5, 100).interval
    assert WinRate(62.5, 100).interval == pytest.approx((1 - high, 1 - low))


def test_without_games_nothing_is_known() -> None:
    assert (WinRate(0, 0).share, WinRate(0, 0).interval) == (0.0, (0.0, 1.0))


def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    chance = Random(1)
    held = 0
    for _ in range(1000):
        low, high = WinRate(sum(chance.random() < 0.25 for _ in range(200)), 200).interval
        held += low <= 0.25 <= high
    assert 930 <= held <= 970


def test_the_test_leans_as_far_as_the_likelihoods_say() -> None:
    sprt = Sprt(0.5, 0.6)
    # Three games won, one lost: 0.6 ** 3 * 0.4 against 0.5 ** 4.
    assert sprt.leaning(WinRate(3, 4)) == pytest.approx(math.log(0.6**3 * 0.4 / 0.5**4))
    assert sprt.leaning(WinRate(3, 4)) == pytest.approx(0.32382, abs=1e-5)
    assert sprt.bound == pytest.approx(math.log(19))


def test_the_test_is_sure_at_its_bounds_and_not_before() -> None:
    sprt = Sprt(0.5, 0.6)
    # ln 1.2 a win: 16 wins reach 2.917, 17 reach 3.099, and ln 19 is 2.944; ln 0.8 a loss: 13 and 14.
    assert (sprt.verdict(WinRate(16, 16)), sprt.verdict(WinRate(17, 17))) == (None, 0.6)
    assert (sprt.verdict(WinRate(0, 13)), sprt.verdict(WinRate(0, 14))) == (None, 0.5)


def test_the_test_is_rarely_wrong() -> None:
    sprt = Sprt(0.5, 0.6)
    chance = Random(7)
    for truth in (0.5, 0.6):
        right = 0
        for _ in range(300):
            score = games = 0
            while sprt.verdict(WinRate(score, games)) is None:
                score += chance.random() < truth
                games += 1
            right += sprt.verdict(WinRate(score, games)) == truth
        assert right > 270


@pytest.mark.parametrize("rates", [(0.6, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0)])
def test_two_rates_in_their_order_are_needed(rates: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="lower < higher"):
        Sprt(*rates)
