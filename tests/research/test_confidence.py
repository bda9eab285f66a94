"""Confidence is studied: the power that fits best is found, in all games of a family together."""

from random import Random

import pytest

from cartagena.bots.evaluation.calibration import believed
from research.confidence import LEAST, confidence_table, find, studied, surprise
from research.legs import Leg
from research.moments import Moment, keep

pytestmark = pytest.mark.usefixtures("own_results")


@pytest.mark.parametrize("true", [0.7, 1.0, 1.7])
def test_the_power_that_was_true_is_found_again(true: float) -> None:
    chance = Random(1672)
    moments: list[Moment] = []
    for _ in range(2000):
        first = 0.05 + 0.9 * chance.random()
        won = float(chance.random() < believed((first, 1 - first), true)[0])
        moments.append(Moment((first, 1 - first), (won, 1 - won)))
    found = find(moments)
    assert found.games == 2000
    assert found.low <= true <= found.high
    assert found.power == pytest.approx(true, abs=0.15)


def test_the_rulesets_of_a_family_are_studied_together() -> None:
    keep(Leg("tortuga", 2, 0), [[600, 0], [300, 1]])
    keep(Leg("jamaica", 2, 0), [[500, 1]])
    keep(Leg("nest", 2, 0), [[900, 0]])
    assert len(studied("escape", 2)) == 3
    assert len(studied("nest", 2)) == 1
    assert "| escape | 2 | 3 | " in confidence_table()
    assert "| nest | 3 |" not in confidence_table()


def test_a_wonder_does_not_outweigh_everything() -> None:
    impossible, hardly = Moment((0.0, 1.0), (1.0, 0.0)), Moment((LEAST, 1 - LEAST), (1.0, 0.0))
    assert surprise([impossible], 1.0) == surprise([hardly], 1.0)
