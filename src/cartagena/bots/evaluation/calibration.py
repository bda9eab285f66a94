"""Confidence: how far to believe the chances that a search finds.

At some tables a search is too sure of the result, at others not sure enough. `make research RUN=confidence`
compares its chances with who wins in the end, and prints the power that makes them fit best.
"""

from collections.abc import Sequence
from typing import Final

from cartagena.rules.ruleset import FEWEST_SEATS

CONFIDENCE: Final = {"escape": (1.0, 1.1, 1.15, 1.1), "nest": (0.7, 1.3, 0.9, 1.1)}
"""The power for each family, from two seats to five."""


def confidence_in(family: str, seats: int) -> float:
    """Return the power for tables of `family` with `seats` seats."""
    return CONFIDENCE[family][seats - FEWEST_SEATS]


def believed(chances: Sequence[float], confidence: float) -> tuple[float, ...]:
    """Raise chances, or numbers in proportion to them, to a power: above 1 the likely gets likelier still.

    >>> believed((0.75, 0.25), 1.0)
    (0.75, 0.25)
    >>> believed((0.75, 0.25), 2.0)
    (0.9, 0.1)
    """
    powers = [chance**confidence for chance in chances]
    whole = sum(powers)
    return tuple(power / whole for power in powers)
