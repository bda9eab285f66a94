"""Calibration: promises are gathered in bins, gaps are measured, and every moment of a game can be drawn."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from tools.calibration import play
from tools.calibration_plot import Bin, Panel, draw
from tools.legs import Leg, play_legs


def test_a_promise_that_is_kept_has_no_gap() -> None:
    kept = Bin(0, 0.0, 0.0)
    for came in (1.0, 0.0, 0.0, 1.0):
        kept = kept.with_one(0.5, came)
    assert kept == Bin(4, 2.0, 2.0)
    assert kept.gap == 0
    assert Bin(0, 0.0, 0.0).gap == 0


def test_the_error_is_the_mean_gap_and_the_worst_bin_is_one_with_many_promises() -> None:
    panel = Panel("tortuga", 2, 500, (Bin(100, 10, 90), Bin(400, 200, 180), Bin(500, 400, 450)))
    assert panel.error == pytest.approx((80 + 20 + 50) / 1000)
    assert panel.worst == pytest.approx(0.1)
    assert Panel("tortuga", 2, 0, (Bin(0, 0, 0),)).error == 0


def test_the_picture_has_a_dot_for_every_bin_with_promises() -> None:
    bins = (Bin(1000, 250, 240), Bin(0, 0, 0), Bin(10, 8, 9))
    drawn = draw([Panel("tortuga", 2, 505, bins), Panel("nest", 4, 505, bins)])
    assert drawn.count("<circle") == 4
    assert "tortuga, 2 seats" in drawn
    assert "nest, 4 seats" in drawn


def test_a_game_gives_one_moment_before_its_end_and_what_came_of_it() -> None:
    moment, result = play(Leg("tortuga", 2, 0), Random(3))
    assert not moment.over
    assert sum(result) == pytest.approx(1)


def begin_and_fail(begun: Path, leg: Leg) -> None:
    (begun / str(leg.number)).touch()
    raise ValueError(leg)


def test_a_leg_that_fails_ends_the_run_and_the_legs_behind_it_are_not_played(tmp_path: Path) -> None:
    legs = [Leg("tortuga", 2, number) for number in range(2000)]
    with pytest.raises(ValueError, match="tortuga"):
        list(play_legs(partial(begin_and_fail, tmp_path), legs, games=1, workers=1))
    assert 0 < len(list(tmp_path.iterdir())) < len(legs)
