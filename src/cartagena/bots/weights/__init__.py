"""The weights that were learned, one text file for each family and number of seats.

A file begins with comments that tell the command and the seed that made it. Each line after them names a
kind of weight, as in `cartagena.bots.worth`, and its values.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

from cartagena.bots.worth import (
    AT,
    AT_DOCK_TWO,
    CARDS,
    GOLD_CARD,
    HELD,
    TEMPO,
    TO_MOVE,
    WAITING,
    WEIGHTS,
    Worth,
)

KINDS: Final = {
    **{
        f"{name} {kind}": role + first
        for name, role in (("to_move", TO_MOVE), ("waiting", WAITING))
        for kind, first in (
            ("at", AT),
            ("at_dock_two", AT_DOCK_TWO),
            ("cards", CARDS),
            ("held", HELD),
            ("gold_card", GOLD_CARD),
        )
    },
    "tempo": TEMPO,
}
"""The name of each kind of weight, and where it begins."""


@cache
def learned_worth(family: str, seats: int) -> Worth:
    """What a crew is worth in a family and with so many seats, as it was learned."""
    return Worth(parse_weights(files(__name__).joinpath(file_name(family, seats)).read_text()))


def file_name(family: str, seats: int) -> str:
    """The file of a family and a number of seats."""
    return f"{family}-{seats}.txt"


def format_weights(weights: list[float], comments: Iterable[str]) -> str:
    """The text of a file of weights."""
    bounds = [*KINDS.values(), WEIGHTS]
    lines = [f"# {comment}" for comment in comments]
    for number, kind in enumerate(KINDS):
        values = weights[bounds[number] : bounds[number + 1]]
        lines.append(f"{kind}: {' '.join(f'{value:.4f}' for value in values)}")
    return "\n".join(lines) + "\n"


def parse_weights(text: str) -> list[float]:
    """The weights of a text."""
    weights: list[float] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            kind, _, values = line.partition(": ")
            assert len(weights) == KINDS[kind], f"{kind} is out of its place"
            weights += map(float, values.split())
    assert len(weights) == WEIGHTS, f"{len(weights)} weights instead of {WEIGHTS}"
    return weights
