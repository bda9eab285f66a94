"""The player interface: what every bot is given, and what it gives back."""

from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from cartagena.rules.hidden.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a choice may take.

    A level is a number of simulations, so that it plays the same on every machine; a server that cannot
    wait names the seconds after which the bot must choose with what it has found so far.
    """

    seconds: float | None = None


UNHURRIED: Final = Budget()
"""No hurry: every bot thinks as long as its level does."""


class Bot(Protocol):
    """A player that is a program. Each seat of each game gets its own bot.

    It may keep what it planned for the rest of its turn. It must not count on that: after an undo or a
    restart it is asked about a view it has never seen.
    """

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        """The code of one of `view.legal`; the viewer is the seat to act."""
