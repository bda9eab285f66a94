"""Learning insight: PyTorch and the compiled net agree, and studying makes the net wiser."""

import math

import pytest

from cartagena.bots.evaluation.network import INPUTS, INSIGHTS, STRAIGHT, WORTH_AFTER, Insight
from cartagena.bots.evaluation.weights import learned_insight, learned_worth
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.search.turn_candidates import Survey
from cartagena.rules.position import Position
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame

torch = pytest.importorskip("torch")

from research.training.insight import (  # noqa: E402 - it needs torch
    STEP,
    Case,
    InsightNet,
    observed_game,
    study,
)

TABLES = [(ruleset, seats) for ruleset in PRESETS.values() for seats in range(FEWEST_SEATS, MOST_SEATS + 1)]


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_pytorch_and_the_compiled_net_agree(ruleset: Ruleset, seats: int) -> None:
    insight = learned_insight(ruleset.family, seats)
    net = InsightNet.of_weights(insight.weights)
    for seed in range(10):
        position = midgame(ruleset, seats, seed)
        inputs = insight.inputs(position, position)
        by_pytorch = net(torch.tensor(inputs, dtype=torch.float64)).tolist()
        assert by_pytorch == pytest.approx([insight.answer(seat) for seat in inputs], abs=1e-5)


def test_a_net_has_its_weights_in_the_order_of_the_file() -> None:
    weights = [number / INSIGHTS for number in range(INSIGHTS)]
    assert InsightNet.of_weights(weights).weights() == weights


def test_studying_begins_with_worth_and_by_the_seed() -> None:
    net = InsightNet.begun(3)
    assert net.weights() == InsightNet.begun(3).weights() != InsightNet.begun(4).weights()
    assert net.weights()[STRAIGHT:] == [float(number == WORTH_AFTER) for number in range(INPUTS)]
    assert len(net.weights()) == INSIGHTS


def observed(position: Position, insight: Insight, dice: Dice) -> tuple[list[Case], list[float]]:
    """The cases of a game, and its result."""
    survey = Survey(insight.worth, width=4, margin=1.0, beam=3)
    cases = observed_game(position, survey, insight, 0.2, dice)
    return cases, insight.worth.chances(position)


def test_who_studies_is_surprised_less_and_less() -> None:
    dice, insight = Dice(8), learned_insight("escape", 2)
    cases: list[Case] = []
    results: list[list[float]] = []
    while len(cases) < 2 * STEP:
        found, result = observed(random_opening(TORTUGA, 2, dice), insight, dice)
        cases += found
        results += [result] * len(found)
    surprises: list[float] = []
    study(
        InsightNet.begun(5),
        torch.tensor(cases, dtype=torch.float64),
        torch.tensor(results, dtype=torch.float64),
        readings=20,
        rate=0.02,
        seed=5,
        report=surprises.append,
    )
    assert len(surprises) == 20
    assert surprises[-1] < surprises[0] - 0.05


@pytest.mark.parametrize("family", ["escape", "nest"])
@pytest.mark.parametrize("seats", range(FEWEST_SEATS, MOST_SEATS + 1))
def test_insight_tells_more_than_worth(family: str, seats: int) -> None:
    """These games are not the ones that were learned from."""
    ruleset = TORTUGA if family == "escape" else PRESETS["nest"]
    insight, dice = learned_insight(family, seats), Dice(4711)
    by_worth = Insight(learned_worth(family, seats), [0.0] * INSIGHTS)
    by_worth.weights[STRAIGHT + WORTH_AFTER] = 1.0
    surprise = surprise_by_worth = 0.0
    number = 0
    for _ in range(12):
        cases, result = observed(random_opening(ruleset, seats, dice), insight, dice)
        number += len(cases)
        for case in cases:
            surprise += surprised(insight, case, result)
            surprise_by_worth += surprised(by_worth, case, result)
    assert surprise < surprise_by_worth < number * (math.log(seats) + 0.2)


def surprised(judge: Insight, case: Case, result: list[float]) -> float:
    """How surprising a result is to a judge."""
    answers = torch.tensor([judge.answer(seat) for seat in case], dtype=torch.float64)
    chances: list[float] = torch.log_softmax(answers, dim=0).tolist()
    return -sum(share * chance for share, chance in zip(result, chances, strict=True))
