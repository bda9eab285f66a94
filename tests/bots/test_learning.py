"""Learning: what is weighed is what is learned, and every lesson points the right way."""

import pytest

from cartagena.bots.evaluation.linear import WEIGHTS, Worth
from cartagena.bots.evaluation.weights import KINDS, format_weights, learned_worth, parse_weights, worth_file
from cartagena.bots.players.simple import sailors_worth
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.training.temporal_difference import TurnStart, learn_from, remembered_game
from cartagena.rules.ruleset import ESCAPE, FEWEST_SEATS, MOST_SEATS, NEST, PRESETS, Ruleset
from tests.bots.positions import midgame


def any_worth() -> Worth:
    """Weights that all differ."""
    dice = Dice(7)
    return Worth([dice.below(1000) / 1000 for _ in range(WEIGHTS)])


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_chances_of_a_moment_are_those_of_its_position(ruleset: Ruleset, seats: int) -> None:
    worth = any_worth()
    for seed in range(5):
        position = midgame(ruleset, seats, seed)
        assert TurnStart(position).chances(worth) == pytest.approx(worth.chances(position))


def test_a_lesson_moves_the_chances_towards_the_result() -> None:
    worth = any_worth()
    moment = TurnStart(midgame(PRESETS["tortuga"], 3, 4))
    before = moment.chances(worth)
    for _ in range(5):
        learn_from(worth, [moment], [0.0, 1.0, 0.0], 0.05, 0.6)
    after = moment.chances(worth)
    assert after[1] > before[1] + 0.05
    assert sum(after) == pytest.approx(1)


def test_with_no_trace_only_the_last_moment_learns_from_the_result() -> None:
    early, late = (
        TurnStart(midgame(PRESETS["tortuga"], 2, 4, 5)),
        TurnStart(midgame(PRESETS["tortuga"], 2, 4, 60)),
    )
    by_result, by_chances = any_worth(), any_worth()
    learn_from(by_result, [early], [1.0, 0.0], 0.1, 1.0)
    learn_from(by_chances, [early, late], [1.0, 0.0], 0.1, 0.0)
    nearer = any_worth()
    late_chances = late.chances(nearer)
    late.learn(nearer, late_chances, [1.0, 0.0], 0.1)
    early.learn(nearer, early.chances(nearer), late_chances, 0.1)
    assert by_chances.weights == pytest.approx(nearer.weights)
    assert by_chances.weights != pytest.approx(by_result.weights)


def test_a_game_is_remembered_turn_by_turn_and_repeats_from_its_seed() -> None:
    worth = Worth([0.04 * weight for weight in sailors_worth(NEST).weights])
    survey = Survey(worth, width=4, margin=1.0, beam=3)
    games = []
    for _ in range(2):
        dice = Dice(11)
        position = random_opening(PRESETS["nest"], 2, dice)
        moments = remembered_game(position, survey, 0.1, dice)
        assert position.over
        assert len(moments) <= position.turn
        games.append([moment.seats for moment in moments])
    assert games[0] == games[1]


def test_weights_are_read_as_they_are_written() -> None:
    weights = any_worth().weights
    text = format_weights(weights, KINDS, ["made up"])
    assert text.startswith("# made up\n")
    assert parse_weights(text, KINDS, WEIGHTS) == pytest.approx(weights)
    assert len(text.splitlines()) == 1 + len(KINDS)


def test_weights_in_disorder_are_refused() -> None:
    first, second, *rest = format_weights(any_worth().weights, KINDS, []).splitlines()
    with pytest.raises(AssertionError):
        parse_weights("\n".join([second, first, *rest]), KINDS, WEIGHTS)
    with pytest.raises(AssertionError):
        parse_weights(first, KINDS, WEIGHTS)


@pytest.mark.parametrize("family", [ESCAPE, NEST])
@pytest.mark.parametrize("seats", range(FEWEST_SEATS, MOST_SEATS + 1))
def test_every_family_and_number_of_seats_has_learned_weights(family: str, seats: int) -> None:
    worth = learned_worth(family, seats)
    home, start = worth.weights[37], worth.weights[0]
    assert home > start, worth_file(family, seats)
