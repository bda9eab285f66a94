"""Write what the ledgers know into docs/bots/how-strong.md: the bars, and what the order of play is worth.

`make how-strong` runs it. Each table stands between two comments of its name; the words around are ours.
"""

import io
import re
from pathlib import Path
from typing import Final

from rich.console import Console

from tools.arena_bars import Bars, arguments, report
from tools.seat_advantage import panels
from tools.seat_plot import Panel, draw

PAGE: Final = Path(__file__).parents[1] / "docs" / "bots" / "how-strong.md"
PLOT: Final = PAGE.with_name("seat-advantage.svg")
WIDTH: Final = 200


def main() -> None:
    """Fill in both tables and draw the picture."""
    found = panels()
    PLOT.write_text(draw(found))
    text = with_table(PAGE.read_text(encoding="utf-8"), "bars", bars_table())
    PAGE.write_text(with_table(text, "seats", seats_table(found)), encoding="utf-8")


def with_table(text: str, name: str, table: str) -> str:
    """The page with another table between the comments of a name."""
    filled = f"<!-- {name} -->\n{table}\n<!-- /{name} -->"
    return re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: filled, text, flags=re.DOTALL)


def bars_table() -> str:
    """The bars, as the ledger has them."""
    wish = arguments(["--told", "--markdown"])
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False)
    report(Bars(wish, console).run(), console, wish)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines() if line.strip())


def seats_table(found: list[Panel]) -> str:
    """The share of each seat, as the ledger has it."""
    rows = [
        "| game | seats | games | no winner | share of each seat, in the order of play |",
        "|---|---:|---:|---:|---|",
    ]
    for panel in found:
        shares = ", ".join(map(str, panel.rates))
        rows.append(f"| {panel.ruleset} | {panel.seats} | {panel.games:,} | {panel.drawn} | {shares} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
