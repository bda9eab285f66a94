"""The simplest bot: any legal choice is as good as another."""

from random import Random

from cartagena.bots.player import Budget
from cartagena.rules.hidden.view import View


class RandomBot:
    """Chooses by chance alone; every other bot should beat it."""

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002  # it needs no time
        """The code of any legal choice; the viewer must be the seat to act."""
        assert view.legal, "only the seat to act has choices"
        return chance.choice(view.legal)
