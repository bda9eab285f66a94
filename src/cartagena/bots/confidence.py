"""Confidence: how far the chances that a search finds are to be believed.

Of some tables a search thinks that more is decided than is, of others less. `make calibration` compares what
it finds with who wins in the end, and tells the power that makes chances truest.
"""

from collections.abc import Sequence
from typing import Final

from cartagena.rules.ruleset import FEWEST_SEATS

CONFIDENCE: Final = {"escape": (1.0, 1.1, 1.15, 1.1), "nest": (0.7, 1.3, 0.9, 1.1)}
"""The power for each family, from two seats to five."""


def confidence_in(family: str, seats: int) -> float:
    """The power for tables of a family with so many seats."""
    return CONFIDENCE[family][seats - FEWEST_SEATS]


def believed(chances: Sequence[float], confidence: float) -> tuple[float, ...]:
    """Chances, or what is in proportion to them, raised to a power: above 1 what is likely is likelier still.

    >>> believed((0.75, 0.25), 1.0)
    (0.75, 0.25)
    >>> believed((0.75, 0.25), 2.0)
    (0.9, 0.1)
    """
    powers = [chance**confidence for chance in chances]
    whole = sum(powers)
    return tuple(power / whole for power in powers)
