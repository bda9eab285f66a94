"""Calibration: promises are gathered in bins, gaps are measured, and every moment of a game can be drawn."""

from argparse import Namespace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from cartagena.rules.position import NOBODY
from research.calibration import Bin, Panel, draw, gathered, legs, panels
from research.legs import Leg, play_legs
from research.moments import STUDIED, Moment, keep, line_of, moment_of, moments_of, play

pytestmark = pytest.mark.usefixtures("own_results")


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


def test_promises_are_gathered_by_what_is_believed() -> None:
    moments = [Moment((0.9, 0.1), (1.0, 0.0)), Moment((0.9, 0.1), (0.0, 1.0))]
    bins = gathered(moments, 1.0)
    assert bins[18] == pytest.approx((2, 1.8, 1.0))
    assert bins[2] == pytest.approx((2, 0.2, 1.0))
    assert gathered(moments, 2.0)[19] == pytest.approx((2, 2 * 0.81 / 0.82, 1.0))


def test_what_is_studied_is_played_first_and_not_measured() -> None:
    missing = legs(games=200)
    studied, rest = missing[: 6 * STUDIED], missing[6 * STUDIED :]
    assert {leg.seats for leg in studied} == {2, 4}
    assert [(leg.seats, leg.number) for leg in rest[:12:2]] == [(2, 10)] * 3 + [(2, 11)] * 3
    assert {leg.seats for leg in rest[12:]} == {3, 5}
    assert len(rest) == 12 + 6 * STUDIED
    keep(Leg("nest", 2, STUDIED - 1), [[600, 0]])
    keep(Leg("nest", 2, STUDIED), [[300, 1]])
    assert moments_of("nest", 2, studied=True) == [Moment((0.6, 0.4), (1.0, 0.0))]
    assert moments_of("nest", 2, studied=False) == [Moment((0.3, 0.7), (0.0, 1.0))]
    assert [panel.games for panel in panels()] == [1]
    assert len(legs(games=200)) == len(missing) - 2


def test_a_game_gives_one_moment_before_its_end_and_who_won() -> None:
    moment, winner = play(Leg("tortuga", 2, 0), Random(3))
    assert not moment.over
    assert winner in {0, 1, NOBODY}


def test_a_moment_is_found_again_in_the_ledger() -> None:
    assert moment_of(line_of((0.25, 0.5, 0.25), 2)) == Moment((0.25, 0.5, 0.25), (0.0, 0.0, 1.0))
    assert moment_of(line_of((0.25, 0.75), NOBODY)) == Moment((0.25, 0.75), (0.5, 0.5))


ALL = Namespace(ruleset=None, workers=1)


def test_only_the_rulesets_that_are_wished_for_are_played() -> None:
    missing = [Leg("tortuga", 2, 0), Leg("nest", 2, 0), Leg("jamaica", 2, 0)]
    one = Namespace(ruleset=["nest"], workers=1)
    assert list(play_legs(Leg.named, missing, one, games=1)) == [missing[1].named()]
    assert len(list(play_legs(Leg.named, missing, ALL, games=1))) == len(missing)


def begin_and_fail(begun: Path, leg: Leg) -> None:
    (begun / str(leg.number)).touch()
    raise ValueError(leg)


def test_a_leg_that_fails_ends_the_run_and_the_legs_behind_it_are_not_played(tmp_path: Path) -> None:
    legs = [Leg("tortuga", 2, number) for number in range(2000)]
    with pytest.raises(ValueError, match="tortuga"):
        list(play_legs(partial(begin_and_fail, tmp_path), legs, ALL, games=1))
    assert 0 < len(list(tmp_path.iterdir())) < len(legs)
