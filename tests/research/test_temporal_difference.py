"""Learning worth: PyTorch counts what the compiled sum counts, and every lesson points the right way."""

import pytest

from cartagena.bots.evaluation.linear import WEIGHTS, Worth
from cartagena.bots.players.simple import sailors_worth
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.search.turn_candidates import Survey
from cartagena.rules.ruleset import NEST, PRESETS, TORTUGA, Ruleset
from tests.bots.positions import midgame

torch = pytest.importorskip("torch")

from research.training.temporal_difference import (  # noqa: E402 - it needs torch
    TemporalDifferences,
    WorthModel,
    counted,
    in_common,
    moment_of,
    remembered_game,
)


def any_weights() -> list[float]:
    """Weights that all differ."""
    dice = Dice(7)
    return [dice.below(1000) / 1000 for _ in range(WEIGHTS)]


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_pytorch_and_the_compiled_sum_agree(ruleset: Ruleset, seats: int) -> None:
    model, worth = WorthModel(any_weights()), Worth(any_weights())
    positions = [midgame(ruleset, seats, seed) for seed in range(10)]
    chances = model(counted([moment_of(position) for position in positions])).exp()
    for found, position in zip(chances.tolist(), positions, strict=True):
        assert found == pytest.approx(worth.chances(position), abs=1e-5)


def test_a_lesson_moves_the_chances_towards_the_result() -> None:
    model = WorthModel(any_weights())
    moments = [moment_of(midgame(TORTUGA, 3, 4))]
    before = model(counted(moments)).exp()[0, 1].item()
    teacher = TemporalDifferences(model, 0.6)
    for _ in range(5):
        teacher.learn(moments, [0.0, 1.0, 0.0], 0.05)
    assert model(counted(moments)).exp()[0, 1].item() > before + 0.05


def test_each_moment_learns_from_what_came_of_it() -> None:
    teacher = TemporalDifferences(WorthModel(any_weights()), 0.75)
    chances = torch.tensor([[0.5, 0.5], [0.6, 0.4], [0.2, 0.8]])
    found = teacher.targets(chances, torch.tensor([0.0, 1.0])).flatten().tolist()
    # The last one from the result, each other from 3/4 of what the next one learns and 1/4 of its chances.
    assert found == pytest.approx([0.1875, 0.8125, 0.05, 0.95, 0.0, 1.0])


def test_with_no_trace_only_the_last_moment_learns_from_the_result() -> None:
    teacher = TemporalDifferences(WorthModel(any_weights()), 0.0)
    chances = torch.tensor([[0.5, 0.5], [0.6, 0.4]])
    found = teacher.targets(chances, torch.tensor([0.0, 1.0])).flatten().tolist()
    assert found == pytest.approx([0.6, 0.4, 0.0, 1.0])


def test_neighbours_learn_together() -> None:
    shares = in_common()
    assert shares.diagonal().tolist() == [1.0] * WEIGHTS
    assert shares[10, 12].item() == shares[12, 10].item() == 0.5
    assert shares[10, 14].item() == 0.0


def test_a_game_is_remembered_turn_by_turn_and_repeats_from_its_seed() -> None:
    worth = Worth([0.04 * weight for weight in sailors_worth(NEST).weights])
    survey = Survey(worth, width=4, margin=1.0, beam=3)
    games = []
    for _ in range(2):
        dice = Dice(11)
        position = random_opening(PRESETS["nest"], 2, dice)
        games.append(remembered_game(position, survey, 0.1, dice))
        assert position.over
        assert len(games[-1]) <= position.turn
    assert games[0] == games[1]
