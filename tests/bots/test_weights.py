"""The files of weights: they are read as they are written, and there is one for every table."""

import pytest

from cartagena.bots.evaluation.linear import WEIGHTS
from cartagena.bots.evaluation.weights import KINDS, format_weights, learned_worth, parse_weights, worth_file
from cartagena.bots.random_games import Dice
from cartagena.rules.ruleset import ESCAPE, FEWEST_SEATS, MOST_SEATS, NEST


def any_weights() -> list[float]:
    """Weights that all differ."""
    dice = Dice(7)
    return [dice.below(1000) / 1000 for _ in range(WEIGHTS)]


def test_weights_are_read_as_they_are_written() -> None:
    text = format_weights(any_weights(), KINDS, ["made up"])
    assert text.startswith("# made up\n")
    assert parse_weights(text, KINDS, WEIGHTS) == pytest.approx(any_weights())
    assert len(text.splitlines()) == 1 + len(KINDS)


def test_weights_in_disorder_are_refused() -> None:
    first, second, *rest = format_weights(any_weights(), KINDS, []).splitlines()
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
