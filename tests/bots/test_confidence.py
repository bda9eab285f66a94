"""Confidence: everything that scales tell is believed as far as is known to be right, and no further."""

from random import Random

import pytest

from cartagena.bots.analysis import comparison as weighing
from cartagena.bots.analysis.comparison import Scales
from cartagena.bots.evaluation.calibration import CONFIDENCE, believed, confidence_in
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import Worlds
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA
from tests.tables import table


def test_every_family_and_number_of_seats_has_its_confidence() -> None:
    assert CONFIDENCE.keys() == {ruleset.family for ruleset in PRESETS.values()}
    for family in CONFIDENCE:
        for seats in range(FEWEST_SEATS, MOST_SEATS + 1):
            assert 0.3 < confidence_in(family, seats) < 3


def test_belief_can_be_taken_back_and_keeps_what_is_certain() -> None:
    chances = (0.6, 0.3, 0.1)
    assert sum(believed(chances, 0.7)) == pytest.approx(1)
    assert believed(believed(chances, 0.7), 1 / 0.7) == pytest.approx(chances)
    assert believed((1.0, 0.0), 0.7) == (1.0, 0.0)


@pytest.mark.sampled
def test_all_that_scales_tell_is_believed_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    position = table(TORTUGA, row="K" * 12, red=[9, 20, 30, 36], blue=[3, 4, 5, 6], hands=("BD", "H"))

    def told(confidence: float) -> list[tuple[float, ...]]:
        monkeypatch.setattr(weighing, "confidence_in", lambda _family, _seats: confidence)
        scales = Scales(Worlds(view(position, position.to_act)).draw, Random(1), 24)
        best, second, *_ = scales.best(scales.sighted())
        duel = scales.duel(best, second)
        return [scales.chances(), best.chances, duel.first.chances, duel.second.chances]

    for timid, bold in zip(told(0.5), told(2.0), strict=True):
        assert 0.5 < max(timid) < max(bold) < 1
