"""Calibration: the power that was true is found again, promises are gathered in bins, gaps are measured."""

from random import Random

import pytest

from cartagena.bots.evaluation.calibration import believed
from cartagena.rules.position import NOBODY
from cartagena.rules.ruleset import TORTUGA
from research.calibration import (
    CALIBRATION,
    CONFIDENCE_STUDY,
    LEAST,
    Bin,
    Panel,
    best_power,
    bins_of,
    confidence_table,
    draw,
    moment_of,
    panels,
    play,
    promises,
    result_of,
    studied,
    surprises,
)
from research.experiment import Experiment, Game, Row, Summary, summed, write_summaries

pytestmark = pytest.mark.usefixtures("own_results")


def keep(experiment: Experiment, cell: str, *rows: Row) -> None:
    """Write a summary of these rows."""
    write_summaries(experiment, {cell: summed(experiment, rows, Summary())}, "1", "a test")


def test_a_promise_that_is_kept_has_no_gap() -> None:
    assert Bin(4, 2.0, 2.0).gap == 0
    assert Bin(4, 2.0, 3.0).gap == 0.25
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
    # In Tortuga with two seats chances are believed as they are; in the Nest they are drawn together.
    tortuga, nest = (
        bins_of(summed(CALIBRATION, [row(cell, 0), row(cell, 1)], Summary()))
        for cell in ("tortuga 2", "nest 2")
    )
    assert tortuga[18] == pytest.approx((2, 1.8, 1.0))
    assert tortuga[2] == pytest.approx((2, 0.2, 1.0))
    assert nest[16] == pytest.approx((2, 2 * believed((0.9, 0.1), 0.7)[0], 1.0))


def row(cell: str, winner: int) -> Row:
    return {"cell": cell, "chances": [0.9, 0.1], "winner": winner}


def test_what_is_studied_is_not_measured() -> None:
    keep(CONFIDENCE_STUDY, "nest 2", row("nest 2", 0))
    assert panels() == []
    keep(CALIBRATION, "nest 2", row("nest 2", 0), row("nest 2", 1))
    assert [(panel.ruleset, panel.seats, panel.games) for panel in panels()] == [("nest", 2, 2)]
    assert studied("nest", 2).games == 1


def test_a_game_gives_one_moment_before_its_end_and_who_won() -> None:
    moment, winner = moment_of(TORTUGA, 2, Random(3))
    assert not moment.over
    assert winner in {0, 1, NOBODY}


def test_a_moment_follows_from_the_name_of_its_game() -> None:
    game = Game("calibration", "tortuga 2", 5, "1")
    found = play(game)
    assert found == play(game)
    assert sum(found["chances"]) == pytest.approx(1, abs=0.002)
    assert promises(found)


def test_a_game_without_a_winner_is_shared() -> None:
    assert result_of({"chances": [0.25, 0.75], "winner": NOBODY}) == [0.5, 0.5]


@pytest.mark.parametrize("true", [0.7, 1.0, 1.7])
def test_the_power_that_was_true_is_found_again(true: float) -> None:
    chance = Random(1672)
    rows = []
    for _ in range(2000):
        first = 0.05 + 0.9 * chance.random()
        won = chance.random() < believed((first, 1 - first), true)[0]
        rows.append({"chances": [first, 1 - first], "winner": 0 if won else 1})
    found = best_power(summed(CONFIDENCE_STUDY, rows, Summary()))
    assert found.games == 2000
    assert found.low <= true <= found.high
    assert found.power == pytest.approx(true, abs=0.15)


def test_the_rulesets_of_a_family_are_studied_together() -> None:
    keep(CONFIDENCE_STUDY, "tortuga 2", row("tortuga 2", 0), row("tortuga 2", 1))
    keep(CONFIDENCE_STUDY, "jamaica 2", row("jamaica 2", 1))
    keep(CONFIDENCE_STUDY, "nest 2", row("nest 2", 0))
    assert studied("escape", 2).games == 3
    assert studied("nest", 2).games == 1
    assert "| escape | 2 | 3 | " in confidence_table()
    assert "| nest | 3 |" not in confidence_table()


def test_a_wonder_does_not_outweigh_everything() -> None:
    impossible, hardly = ({"chances": [least, 1 - least], "winner": 0} for least in (0.0, LEAST))
    assert surprises(impossible)["1.00"] == surprises(hardly)["1.00"]
