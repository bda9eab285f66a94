"""Experiments: numbered games in several cells, and the small summaries of them that are committed.

A game is named by its experiment, its cell, its number and the seed of the run, and follows from that name:
it is the same wherever and whenever it is played, except for the times that bots took.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from cartagena.rules.ruleset import PRESETS, Ruleset
from harness.ledger import commit

RESULTS: Final = Path(__file__).parent / "results"
SEED: Final = "1"
"""The seed of the results that are committed."""

Row = dict[str, Any]
"""One finished game, as a row of a Parquet file."""


@dataclass(frozen=True, slots=True)
class Game:
    """The name of one game."""

    experiment: str
    cell: str
    number: int
    seed: str

    def __str__(self) -> str:
        return f"{self.experiment}/{self.seed}/{self.cell}/{self.number}"

    def chance(self) -> Random:
        """All the chance that the game may use."""
        return Random(str(self))


@dataclass(frozen=True, kw_only=True, eq=False)
class Experiment:
    """What to play and what to keep of it.

    `games` is how many games a whole run has in each cell; `bots` are the bots of a cell with their versions,
    and results of other versions do not count. `play` plays one game, and `figures` is what its row adds to
    the summary; `table` tells in Markdown what the committed summaries say. A batch is played in one go, on
    one core.
    """

    name: str
    games: Mapping[str, int]
    bots: Callable[[str], str]
    play: Callable[[Game], Row]
    figures: Callable[[Row], Mapping[str, float]]
    table: Callable[[], str]
    batch: int = 20


def table_cells(seats: Iterable[int]) -> list[str]:
    """A cell for each ruleset and number of seats, such as "tortuga 2".

    >>> table_cells([2, 4])
    ['tortuga 2', 'tortuga 4', 'jamaica 2', 'jamaica 4', 'nest 2', 'nest 4']
    """
    return [f"{ruleset} {number}" for ruleset in PRESETS for number in seats]


def table_of(cell: str) -> tuple[Ruleset, int]:
    """The ruleset and the number of seats of such a cell."""
    ruleset, seats = cell.split()
    return PRESETS[ruleset], int(seats)


@dataclass
class Summary:
    """The sums of the figures of a cell's games from the first one on."""

    games: int = 0
    figures: Counter[str] = field(default_factory=Counter)

    def add(self, figures: Mapping[str, float]) -> None:
        """Add one game."""
        self.games += 1
        self.figures.update(figures)


def summary_of(experiment: Experiment, cell: str, seed: str = SEED) -> Summary:
    """What the committed results say of a cell; an empty summary if today's bots have not played it."""
    for line in _lines(experiment):
        if (line["cell"], line["seed"], line["bots"]) == (cell, seed, experiment.bots(cell)):
            return Summary(line["games"], Counter(line["figures"]))
    return Summary()


def write_summaries(
    experiment: Experiment, summaries: Mapping[str, Summary], seed: str, command: str
) -> None:
    """Write these cells into the results, instead of what stood there, with the commit and the command."""
    kept = [line for line in _lines(experiment) if line["cell"] not in summaries]
    new = [
        {
            "cell": cell,
            "seed": seed,
            "bots": experiment.bots(cell),
            "commit": commit(),
            "command": command,
            "games": summary.games,
            "figures": {name: round(figure, 6) for name, figure in sorted(summary.figures.items())},
        }
        for cell, summary in summaries.items()
    ]
    order = list(experiment.games)
    lines = sorted([*kept, *new], key=lambda line: order.index(line["cell"]) if line["cell"] in order else -1)
    RESULTS.mkdir(exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    _file(experiment).write_text(text, encoding="utf-8")


def summed(experiment: Experiment, rows: Iterable[Row], summary: Summary) -> Summary:
    """Add games to a summary."""
    for row in rows:
        summary.add(experiment.figures(row))
    return summary


def _lines(experiment: Experiment) -> list[dict[str, Any]]:
    file = _file(experiment)
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def _file(experiment: Experiment) -> Path:
    return RESULTS / f"{experiment.name}.jsonl"
