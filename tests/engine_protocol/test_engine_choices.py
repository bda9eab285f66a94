"""What engines are told of their choices comes from the view alone, and is what the service tells."""

from random import Random

import pytest

from cartagena.engine_protocol.conversation import choices_of
from cartagena.fairness.shuffle import lone_shuffle, shuffler
from cartagena.messages.wishes import legal_messages
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance, legal
from cartagena.rules.ruleset import PRESETS
from tests.engine_protocol.engines import dealt


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
def test_the_choices_of_a_view_are_those_of_the_truth(preset: str, seats: int) -> None:
    position, chance = dealt(preset, seats), Random(1)
    renewed = shuffler(lone_shuffle("test", bytes(32), PRESETS[preset], seats))
    for _ in range(60):
        if position.over:
            break
        assert choices_of(view(position, position.to_act)) == legal_messages(position)
        advance(position, chance.choice(legal(position)))
        while position.order_due:
            take_order(position, renewed(cards_due(position)))
