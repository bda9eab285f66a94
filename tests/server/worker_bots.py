"""Bots that behave badly, by their names `tests.server.worker_bots:Class`."""

import os
import time
from pathlib import Path
from random import Random

from cartagena.bots.players.interface import Budget
from cartagena.rules.hidden.view import View

HERE = "tests.server.worker_bots"
GATE = "TEST_GATE"
"""The variable that names the folder of the gate."""
SEEN: list[View] = []
"""The views that the watchful bot of this process was shown."""
BUDGETS: list[float | None] = []
"""The seconds that the timed bot of this process was given."""


class Raising:
    """Stumbles, and says what it saw."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002 - as every bot
        raise ValueError(f"my hand is {view.hands}")


class Cheating:
    """Does what is not allowed."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        return 1023


class Quitting:
    """Wants to end the program."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        raise SystemExit


class Dying:
    """Takes its process with it."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        os._exit(1)


class Hanging:
    """Never comes to an end."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        while True:
            pass


class Gated:
    """Says that it was asked, and chooses when it is allowed to (`worker_world.Gate`)."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        folder = Path(os.environ[GATE])
        with (folder / "asked").open("a") as asked:
            asked.write("x")
        choice = (folder / "asked").stat().st_size
        while int((folder / "let").read_text()) < choice:
            time.sleep(0.01)
        return chance.choice(view.legal)


class Watchful:
    """Keeps what it is shown."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002
        SEEN.append(view)
        return chance.choice(view.legal)


class Timed:
    """Keeps how much time it is given."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        BUDGETS.append(budget.seconds)
        return chance.choice(view.legal)
