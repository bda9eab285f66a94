"""Every kind of picture of the library on one page, to be looked at: `make pictures`.

    python -m scripts.contact_sheet build/pictures

Writes, for each ruleset with 2 to 5 seats, a game at its start, in its middle as a game, as a position, as
the view of a seat and of a spectator, and at its end as a record. Each is an SVG; `index.html` has them all.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from cartagena import Game
from cartagena.drawing import svg
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS

CHOICES: Final = 60
"""How far a game is played for its middle: pirates are everywhere."""
NAMES: Final = ("Anne", "Bartholomew the Black of Bristol", "Cora", "Old One-Eared Wanderer", "Eve")


def pictures(ruleset: str, seats: int) -> Iterator[tuple[str, str]]:
    """Every picture of a game at such a table, by its name."""
    game, chance = Game.start(ruleset, seats=seats, seed=seats, names=NAMES[:seats]), Random(seats)
    for _ in range(CHOICES):
        game.push(chance.choice(game.moves()))
    yield "start", svg(Game.start(ruleset, seats=seats, seed=seats))
    yield "game", svg(game)
    yield "position", svg(game.position)
    yield "view", svg(game.view(0))
    yield "spectator", svg(game.view(None))
    game.play_out(["deckhand"] * seats)
    yield "record", svg(game.record())
    yield "board", svg(game.position, board_only=True)


def write(folder: Path) -> int:
    """Write all of them and the page; return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for ruleset in PRESETS:
        for seats in range(FEWEST_SEATS, MOST_SEATS + 1):
            for kind, drawing in pictures(ruleset, seats):
                name = f"{ruleset}-{seats}-{kind}.svg"
                (folder / name).write_text(drawing, encoding="utf-8")
                image = f'<img src="{name}" alt="" width="640">'
                shown.append(f"<figure>{image}<figcaption>{name}</figcaption></figure>")
    page = f'<!doctype html><meta charset="utf-8"><title>Pictures</title>{"".join(shown)}'
    (folder / "index.html").write_text(page, encoding="utf-8")
    return len(shown)


def main() -> None:
    """Write them where the command says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    number = write(folder)
    print(f"{number} pictures: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
