"""The simplest bot: any legal choice is as good as another."""

from random import Random

from cartagena.rules.view import View


def choose(view: View, chance: Random) -> int:
    """The code of a choice for the viewer, who must be the seat to act."""
    assert view.legal, "only the seat to act has choices"
    return chance.choice(view.legal)
