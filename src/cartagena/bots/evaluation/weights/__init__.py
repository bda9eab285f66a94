"""The weights that were learned: two text files for each family and number of seats, for worth and insight.

A file begins with comments that tell the command and the seed that made it. Each line after them names a
kind of weight, as in `cartagena.bots.evaluation.linear` and `.network`, and its values.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from cartagena.bots.evaluation.linear import (
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
from cartagena.bots.evaluation.network import INSIGHTS, STRAIGHT, SUM, Insight

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
INSIGHT_KINDS: Final = {
    **{f"sum {first // SUM + 1}": first for first in range(0, STRAIGHT, SUM)},
    "straight": STRAIGHT,
}
"""The name of each kind of insight weight, and where it begins."""


@cache
def learned_worth(family: str, seats: int) -> Worth:
    """Return the learned worth of a crew in `family` with `seats` seats."""
    return Worth(parse_weights(_text(worth_file(family, seats)), KINDS, WEIGHTS))


@cache
def learned_insight(family: str, seats: int) -> Insight:
    """Return the learned insight into tables of `family` with `seats` seats."""
    weights = parse_weights(_text(insight_file(family, seats)), INSIGHT_KINDS, INSIGHTS)
    return Insight(learned_worth(family, seats), weights)


def worth_file(family: str, seats: int) -> str:
    """The file of the worth of crews."""
    return f"{family}-{seats}.txt"


def insight_file(family: str, seats: int) -> str:
    """The file of the insight."""
    return f"{family}-{seats}-insight.txt"


def _text(file: str) -> str:
    return files(__name__).joinpath(file).read_text()


def format_weights(weights: list[float], kinds: Mapping[str, int], comments: Iterable[str]) -> str:
    """The text of a file of weights."""
    bounds = [*kinds.values(), len(weights)]
    lines = [f"# {comment}" for comment in comments]
    for number, kind in enumerate(kinds):
        values = weights[bounds[number] : bounds[number + 1]]
        lines.append(f"{kind}: {' '.join(f'{value:.4f}' for value in values)}")
    return "\n".join(lines) + "\n"


def parse_weights(text: str, kinds: Mapping[str, int], number: int) -> list[float]:
    """Read the weights of a text; there must be `number` of them."""
    weights: list[float] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            kind, _, values = line.partition(": ")
            assert len(weights) == kinds[kind], f"{kind} is out of its place"
            weights += map(float, values.split())
    assert len(weights) == number, f"{len(weights)} weights instead of {number}"
    return weights
