"""Thinking time: all of it while nobody waits, less the more wait, and a search that makes the less of it."""

from itertools import count
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.bots import Budget
from cartagena.bots.players.levels import BOSUN, CAPTAIN
from cartagena.bots.players.registry import LEVELS
from cartagena.bots.search import bot
from cartagena.bots.search.bot import Searcher
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import TORTUGA
from cartagena.server.worker.thinking_time import (
    LEAST,
    NEEDS,
    SERVED_WITHIN,
    is_hurried,
    thinking_seconds,
)
from tests.bots.positions import midgame

USUAL = 2.0

places = st.integers(1, 64)
crowds = st.integers(0, 10_000)


@given(usual=st.floats(0.01, 60.0), places=places)
def test_while_nobody_waits_a_bot_has_its_usual_time(usual: float, places: int) -> None:
    assert thinking_seconds(usual, waiting=0, places=places) == usual


@given(usual=st.floats(0.01, 60.0), waiting=crowds, places=places)
def test_a_bot_has_never_more_than_usual_and_never_nothing(usual: float, waiting: int, places: int) -> None:
    seconds = thinking_seconds(usual, waiting=waiting, places=places)
    assert min(usual, LEAST) <= seconds <= usual
    assert thinking_seconds(usual, waiting=waiting + 1, places=places) <= seconds
    assert thinking_seconds(usual, waiting=waiting, places=places + 1) >= seconds


@given(waiting=st.integers(1, 10_000), places=places)
def test_all_who_wait_are_served_in_time_unless_each_has_the_least(waiting: int, places: int) -> None:
    seconds = thinking_seconds(USUAL, waiting=waiting, places=places)
    assert seconds == LEAST or waiting * seconds / places <= SERVED_WITHIN * 1.000001


def test_a_level_is_hurried_by_what_it_needs() -> None:
    assert not any(is_hurried(level, LEAST, usual=USUAL) for level in ("random", "deckhand", "sailor"))
    assert is_hurried("captain", 1.0, usual=USUAL)
    assert not is_hurried("captain", USUAL, usual=USUAL)
    assert not is_hurried("bosun", 0.5, usual=USUAL)
    assert is_hurried("bosun", 0.1, usual=USUAL)
    assert is_hurried("of a package", 1.0, usual=USUAL)


def test_what_levels_need_follows_from_their_simulations() -> None:
    assert NEEDS["bosun"] == BOSUN.simulations / CAPTAIN.simulations
    assert NEEDS.keys() == LEVELS.keys() - {"captain"}


def test_a_search_that_has_less_time_makes_fewer_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    position = midgame(TORTUGA, 2, 1)
    seen = view(position, position.to_act)
    # Each look at this clock finds it a hundredth of a second later.
    ticks = count()
    monkeypatch.setattr(bot, "time", SimpleNamespace(monotonic=lambda: next(ticks) / 100))

    def simulations(seconds: float | None) -> int:
        return Searcher(BOSUN).search(seen, Random(1), Budget(seconds=seconds)).visits

    made = [simulations(seconds) for seconds in (0.0, 0.02, 0.04, None)]
    assert made == sorted(set(made))
    assert made[0] == bot.BREATH
