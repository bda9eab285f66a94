"""What people want to play: a game, how many seats, how many bots and how strong."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from cartagena.rules.ruleset import FEWEST_SEATS, TORTUGA
from cartagena.terminal.brush import Brush
from cartagena.terminal.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The answers of the first screen."""

    preset: str = TORTUGA.key
    seats: int = FEWEST_SEATS
    bots: int = FEWEST_SEATS - 1
    level: str
    goes_on: bool = False
    """Whether to go on with the last game instead."""


Save: TypeAlias = Callable[[str], Awaitable[str]]
"""Saves a copy of a game in a file of this name; returns what people must be told about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A table that can be shown, and what to draw it with.

    After the end `again` opens the table once more, and `save` keeps a copy of the game; None where that
    is not possible.
    """

    source: Source
    brush: Brush
    again: Callable[[], Awaitable["Opened"]] | None = None
    save: Save | None = None


Deal: TypeAlias = Callable[[Setting], Opened]
"""Opens a new table with these settings."""
