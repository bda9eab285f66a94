"""Bots for the tests of the arena: a good one, a slow one and some that fail."""

import os
import time
from dataclasses import dataclass, field
from random import Random

from cartagena.arena.contest import Contest, Contestant, contestant, line_up
from cartagena.bots.players.interface import Budget
from cartagena.rules.actions import Kind, action_of
from cartagena.rules.codes import END_TURN
from cartagena.rules.hidden.view import View
from cartagena.rules.ruleset import PRESETS


def plays_of(view: View) -> list[int]:
    """The codes that play a card."""
    return [code for code in view.legal if action_of(view.ruleset, code).kind is Kind.PLAY]


class Runner:
    """Plays a card whenever it can, else by chance: far better than random."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        return chance.choice(plays_of(view) or view.legal)


class Steady:
    """Leaves nothing to chance: the same view, the same choice."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        return max(plays_of(view) or view.legal)


class Slow(Runner):
    """Takes two milliseconds for every choice."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        time.sleep(0.002)
        return super().choose(view, chance, budget)


class Cheat:
    """Ends its turn whether it may or not."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        return END_TURN


class Broken:
    """Cannot think."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        raise KeyError("no idea")


class Crash:
    """Takes its process down with it."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        os._exit(1)


class Vague:
    """Answers with something that is not a code."""

    def choose(self, view: View, chance: Random, budget: Budget) -> object:  # noqa: ARG002
        return 1.5


@dataclass
class Witness(Runner):
    """Writes down every view it is shown."""

    seen: list[View] = field(default_factory=list)

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        self.seen.append(view)
        return super().choose(view, chance, budget)


RANDOM = contestant("random")
TWIN = Contestant("twin", RANDOM.make)
RUNNER = Contestant("runner", Runner)


def contest(*bots: Contestant, preset: str = "tortuga", seats: int = 2, seed: str = "1") -> Contest:
    """A contest on a preset."""
    return Contest(ruleset=PRESETS[preset], line_up=line_up(bots, seats), seed=seed)
