"""Write what the evaluations of `examples/ppo.py` say into docs/how-to/train-a-bot.md, and draw the curve.

`python -m research.ppo_page` does it. The results come from `python -m examples.evaluate --results`.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from cartagena.arena.tally import WinRate
from harness.plotting import CREWS, FAINT, INK, picture, text
from research.experiment import RESULTS
from research.how_strong import with_table

FILE: Final = RESULTS / "ppo.jsonl"
DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE: Final = DOCS / "how-to" / "train-a-bot.md"
CURVE: Final = DOCS / "pictures" / "ppo.svg"

PAR: Final = 50
"""The per cent that one of two equals wins."""

WIDTH, HEIGHT, LEFT, TOP = 420, 200, 46, 56
TITLE: Final = "Games won by the learner while it learns"

Line = dict[str, Any]
"""One evaluation: a checkpoint against a level."""


def lines() -> list[Line]:
    """Every evaluation that is kept."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def rate_of(line: Line) -> WinRate:
    """How often the learner won."""
    return WinRate(line["score"], line["games"])


def last_table(kept: Sequence[Line]) -> str:
    """The last checkpoint against every level, in Markdown."""
    steps = max(line["steps"] for line in kept)
    rows = [
        f"| {line['level']} | {line['games']} | {rate_of(line)} |" for line in kept if line["steps"] == steps
    ]
    return "\n".join(["| against | games | win rate [95 %] |", "|---|---:|---|", *rows])


def draw(kept: Sequence[Line]) -> str:
    """The curve: the win rate against the levels that every checkpoint played, by steps."""
    most = max(line["steps"] for line in kept)
    floor = TOP + HEIGHT
    drawn = [
        text(LEFT, 20, TITLE, "start", bold=True),
        text(LEFT, 36, "Tortuga for two, by choices made; bars: 95 % intervals; dashed: as strong", "start"),
    ]
    for percent in (0, 25, 50, 75, 100):
        y = floor - HEIGHT * percent / 100
        line = f'stroke="{INK}" stroke-dasharray="4 3"' if percent == PAR else f'stroke="{FAINT}"'
        drawn.append(f'<path d="M{LEFT} {y}h{WIDTH}" stroke-width="0.5" {line}/>')
        drawn.append(text(LEFT - 5, y + 4, f"{percent} %", "end"))
    drawn += [
        text(LEFT + WIDTH * quarter / 4, floor + 15, f"{most * quarter / 4e6:.2f} million", "middle")
        for quarter in range(5)
    ]
    levels = list(dict.fromkeys(line["level"] for line in kept))
    checkpoints = {line["steps"] for line in kept}
    played = {name: [line for line in kept if line["level"] == name] for name in levels}
    followed = [name for name in levels if len(played[name]) == len(checkpoints)]
    for colour, name in zip(CREWS, followed, strict=False):
        drawn += _curve(sorted(played[name], key=lambda line: line["steps"]), most, colour)
    return picture(LEFT + WIDTH + 80, floor + 30, TITLE, drawn)


def _curve(points: Sequence[Line], most: int, colour: str) -> Iterator[str]:
    """One level: its points, their intervals, and its name behind the last."""
    at = [
        (round(LEFT + WIDTH * line["steps"] / most, 1), round(_height(rate_of(line).share), 1))
        for line in points
    ]
    way = " ".join(f"{x},{y}" for x, y in at)
    yield f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for (x, y), line in zip(at, points, strict=True):
        low, high = (round(_height(end), 1) for end in rate_of(line).interval)
        yield f'<line x1="{x}" x2="{x}" y1="{low}" y2="{high}" stroke="{colour}"/>'
        yield f'<circle cx="{x}" cy="{y}" r="2" fill="{colour}"/>'
    x, y = at[-1]
    yield text(x + 8, y + 4, points[-1]["level"], "start", bold=True)


def _height(share: float) -> float:
    return TOP + HEIGHT * (1 - share)


def main() -> None:
    """Fill in the table and draw the curve."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    kept = lines()
    CURVE.write_text(draw(kept), encoding="utf-8")
    page = with_table(PAGE.read_text(encoding="utf-8"), "last", last_table(kept))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
