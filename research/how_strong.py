"""Write what the ledgers know into docs/bots/how-strong.md: how strong levels are, how true their chances.

`make how-strong` runs it. Each table stands between two comments with its name; the text around is ours.
"""

import argparse
import io
import re
from pathlib import Path
from typing import Final

from rich.console import Console

from research import calibration
from research.arena_bars import BARS, arguments, ledger_of, report
from research.confidence import confidence_table
from research.league import league_tables
from research.openspiel_match import match_table
from research.seat_advantage import Panel, draw, panels

PAGE: Final = Path(__file__).parents[1] / "docs" / "bots" / "how-strong.md"
PLOT: Final = PAGE.with_name("seat-advantage.svg")
CALIBRATION: Final = PAGE.with_name("calibration.svg")
WIDTH: Final = 200


def main() -> None:
    """Fill in the tables and draw the pictures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    found = panels()
    PLOT.write_text(draw(found))
    CALIBRATION.write_text(calibration.draw(calibration.panels()))
    text = PAGE.read_text(encoding="utf-8")
    tables = {
        "bars": bars_table(),
        "league": league_tables(),
        "confidence": confidence_table(),
        "calibration": calibration.calibration_table(),
        "openspiel": match_table(),
        "seats": seats_table(found),
    }
    for name, table in tables.items():
        text = with_table(text, name, table)
    PAGE.write_text(text, encoding="utf-8")


def with_table(text: str, name: str, table: str) -> str:
    """The page with `table` between the two comments that bear `name`."""
    filled = f"<!-- {name} -->\n{table}\n<!-- /{name} -->"
    return re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: filled, text, flags=re.DOTALL)


def bars_table() -> str:
    """The bars, as the ledger has them; those that were never measured are left out."""
    wish = arguments(["--markdown"])
    console = Console(file=io.StringIO(), width=WIDTH, highlight=False)
    found = {bar: measured for bar in BARS if (measured := ledger_of(bar)).games}
    report(found, console, wish)
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
