"""Hints: what a seat might do, and the chances of every seat with it."""

from dataclasses import dataclass
from random import Random
from typing import Final

from cartagena.bots.analysis.comparison import Prospect, Scales
from cartagena.rules.hidden.view import View
from cartagena.rules.hidden.world import Worlds

SIMULATIONS: Final = 600
"""As many as run before a person notices the wait: some tenths of a second on the compiled engine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The best decision of a seat, and up to three alternatives, best first."""

    best: Prospect
    alternatives: tuple[Prospect, ...]


def hint(view: View, *, chance: Random, simulations: int = SIMULATIONS) -> Hint:
    """What the viewer might do now; it needs nothing but the view.

    The same view, chance and number of simulations give the same hint. Raises ValueError if the viewer is
    not to act.
    """
    if view.legal is None:
        raise ValueError("there is nothing to hint at: the viewer is not to act")
    scales = Scales(Worlds(view).draw, chance, simulations)
    best, *alternatives = scales.best(scales.sighted())
    return Hint(best=best, alternatives=tuple(alternatives))
