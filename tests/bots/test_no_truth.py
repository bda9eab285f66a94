"""A bot cannot reach the truth: the same view gives the same choice, whatever is hidden."""

from functools import partial
from random import Random

import pytest

from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.registry import Factory, make
from cartagena.bots.search.bot import Depth, Searcher
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from tests.views.test_view_law import LONG
from tests.views.twins import Tale, with_hidden_cards_reshuffled

QUICK = Depth(simulations=24)
"""A search short enough for a test; bosun and captain only run more simulations."""

BOTS: dict[str, Factory] = {
    "random": partial(make, "random"),
    "deckhand": partial(make, "deckhand"),
    "sailor": partial(make, "sailor"),
    "bosun and captain": partial(Searcher, QUICK),
}


def twins(story: Tale) -> tuple[Position, list[Position]]:
    """A position with a seat to act, and others that this seat cannot tell from it."""
    game = story.game()
    seat = game.position.to_act
    chance = Random(story.record.seed)
    found = (with_hidden_cards_reshuffled(game, seat, chance) for _ in range(40))
    ends = [list(twin.moments())[-1][0] for twin in found if twin is not None]
    return game.position, [end for end in ends if hidden(end, seat) != hidden(game.position, seat)][:3]


def hidden(position: Position, seat: int) -> tuple[object, ...]:
    """Everything that may be hidden from a seat."""
    others = [crew.cards() for owner, crew in enumerate(position.crews) if owner != seat]
    return others, position.stock(), position.trimmed


STORIES = [story for story in LONG if not story.game().position.over]


@pytest.mark.sampled
@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("number", range(len(STORIES)))
def test_the_same_view_and_chance_give_the_same_choice(level: str, number: int) -> None:
    truth, others = twins(STORIES[number])
    seat = truth.to_act
    chosen = BOTS[level]().choose(view(truth, seat), Random(5), UNHURRIED)
    for twin in others:
        assert BOTS[level]().choose(view(twin, seat), Random(5), UNHURRIED) == chosen


@pytest.mark.sampled
def test_there_are_twins_to_choose_for() -> None:
    assert sum(len(twins(story)[1]) for story in STORIES) > len(STORIES)
