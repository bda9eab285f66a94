"""Write what the committed results say into docs/bots/how-strong.md, and draw its pictures.

`make how-strong` runs it. Each table stands between two comments with its name; the text around is ours.
"""

import argparse
import re
from pathlib import Path
from typing import Final

from research import calibration, seat_advantage
from research.arena_bars import bars_table
from research.league import league_tables
from research.openspiel_match import match_table

PAGE: Final = Path(__file__).parents[1] / "docs" / "bots" / "how-strong.md"


def main() -> None:
    """Fill in the tables and draw the pictures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    for name, picture in pictures().items():
        PAGE.with_name(name).write_text(picture, encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def pictures() -> dict[str, str]:
    """Each picture of the page, by its file."""
    return {
        "seat-advantage.svg": seat_advantage.draw(seat_advantage.panels()),
        "calibration.svg": calibration.draw(calibration.panels()),
    }


def filled(page: str) -> str:
    """The page with today's tables."""
    tables = {
        "bars": bars_table,
        "league": league_tables,
        "confidence": calibration.confidence_table,
        "calibration": calibration.calibration_table,
        "openspiel": match_table,
        "seats": seat_advantage.seats_table,
    }
    for name, table in tables.items():
        page = with_table(page, name, table())
    return page


def with_table(page: str, name: str, table: str) -> str:
    """The page with `table` between the two comments that bear `name`."""
    between = f"<!-- {name} -->\n{table}\n<!-- /{name} -->"
    return re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: between, page, flags=re.DOTALL)


if __name__ == "__main__":
    main()
