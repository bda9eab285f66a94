"""The engines of the tests: the examples, and those that are wrong in one way."""

import os
import shlex
import sys
from pathlib import Path

from cartagena.bots.players.registry import ENGINE
from cartagena.engine_protocol.conversation import Conversation
from cartagena.engine_protocol.player import EngineBot
from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.rules.hidden.view import View, view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS

EXAMPLES = Path(__file__).parents[2] / "examples" / "engines"
BROKEN = Path(__file__).with_name("broken.py")
PYTHON = (sys.executable, "-S", "-E")
"""Starts sooner, without the libraries of the environment: an engine needs none."""

FURTHEST = (*PYTHON, str(EXAMPLES / "furthest.py"))
FURTHEST_JS = ("node", str(EXAMPLES / "furthest.mjs"))


def broken(way: str, *more: object) -> tuple[str, ...]:
    """The command of an engine that is wrong in one way; `first` is right in all."""
    return (*PYTHON, str(BROKEN), way, *map(str, more))


def named(command: tuple[str, ...]) -> str:
    """The name of the bot that a command starts."""
    return f"{ENGINE}{shlex.join(command)}"


def dealt(preset: str = "jamaica", seats: int = 3) -> Position:
    """A game before its first choice."""
    ruleset = PRESETS[preset]
    return opening(lone_shuffle("test", bytes(32), ruleset, seats), ruleset, seats)


def first_view(preset: str = "jamaica", seats: int = 3) -> View:
    """What the seat to act sees then."""
    position = dealt(preset, seats)
    return view(position, position.to_act)


def process_of(player: EngineBot | Conversation) -> int | None:
    """The id of the process of an engine, None before it has begun."""
    talk = player._conversation if isinstance(player, EngineBot) else player
    return None if talk is None else talk._process.id


def is_there(process_id: int) -> bool:
    """Whether a process is there, also one that has ended and that nobody has waited for."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True
