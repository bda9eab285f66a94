"""Confidence is studied: the power that surprises least is found, in all games of a family together."""

from pathlib import Path
from random import Random

import pytest

from cartagena.bots.confidence import believed
from tools import ledger
from tools.calibration import search_key
from tools.confidence import LEAST, POWERS, found_in, surprise


@pytest.fixture(autouse=True)
def own_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "RESULTS", tmp_path)
    monkeypatch.setattr(ledger, "commit", lambda: "0000000000")


def keep(ruleset: str, true: float, games: int, seats: int = 2) -> None:
    """A leg of games in which a seat won as often as its chance, raised to a power, said."""
    chance = Random(ruleset)
    surprises = [0.0] * len(POWERS)
    for _ in range(games):
        first = 0.05 + 0.9 * chance.random()
        found = (first, 1 - first)
        won = chance.random() < believed(found, true)[0]
        for number, power in enumerate(POWERS):
            surprises[number] += surprise(believed(found, power), [float(won), float(not won)])
    ledger.append(
        "confidence", **search_key(), ruleset=ruleset, seats=seats, games=games, surprises=surprises
    )


def test_the_power_that_was_true_is_found_again() -> None:
    keep("nest", 0.7, 2000)
    keep("nest", 1.7, 2000, seats=3)
    for seats, true in ((2, 0.7), (3, 1.7)):
        found = found_in("nest", seats)
        assert found.games == 2000
        assert found.low <= true <= found.high
        assert found.power == pytest.approx(true, abs=0.15)


def test_the_rulesets_of_a_family_are_studied_together() -> None:
    keep("tortuga", 1.0, 1500)
    keep("jamaica", 1.4, 1500)
    assert found_in("escape", 2).games == 3000
    assert found_in("escape", 2).power == pytest.approx(1.2, abs=0.15)


def test_a_wonder_does_not_outweigh_everything() -> None:
    assert surprise((0.0, 1.0), [1.0, 0.0]) == surprise((LEAST, 1 - LEAST), [1.0, 0.0])
