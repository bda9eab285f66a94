"""A change of what a level chooses raises its version, so that games of older choices no longer count."""

import json
from pathlib import Path
from random import Random

import pytest

from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.levels import VERSIONS, version_of
from cartagena.bots.players.registry import LEVELS, make
from cartagena.bots.random_games import Dice, playout, random_opening
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS

STORED = json.loads(Path(__file__).with_name("choices.json").read_text(encoding="utf-8"))
POSITIONS = [(preset, seats, played) for preset in PRESETS for seats in (2, 4) for played in (9, 60)]
"""Ruleset, seats, and how many choices chance made before: the beginning of a game, and its middle."""


@pytest.mark.parametrize(
    "level", [pytest.param(name, marks=[pytest.mark.sampled] * (name == "captain")) for name in LEVELS]
)
def test_a_level_chooses_as_its_version_says(level: str) -> None:
    chosen = [_choice(level, _position(*asked), number) for number, asked in enumerate(POSITIONS)]
    now = {"version": VERSIONS[level], "choices": chosen}
    advice = f"raise {level} in cartagena.bots.players.levels, and write {json.dumps(now)} into choices.json"
    assert now == STORED[level], advice


def test_a_bot_of_others_is_known_by_its_name() -> None:
    assert version_of("sailor", "a_package:Bot") == f"a_package:Bot, sailor {VERSIONS['sailor']}"


def test_every_level_has_a_version() -> None:
    assert set(VERSIONS) == set(LEVELS) == set(STORED)


def _position(preset: str, seats: int, played: int) -> Position:
    dice = Dice(seats * 1_000 + played)
    position = random_opening(PRESETS[preset], seats, dice)
    playout(position, dice, played)
    return position


def _choice(level: str, position: Position, number: int) -> int:
    """The first choice, on a turn that the level has just begun to think about."""
    return make(level).choose(view(position, position.to_act), Random(number), UNHURRIED)
