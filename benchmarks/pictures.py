"""How long the picture of a link takes: the first of a process, a new one, and one that was kept.

    python -m benchmarks.pictures --games 5

Prints one JSON line, in milliseconds: the first picture with the start of its process, then the median of new
pictures by ruleset and seats, and of pictures that were drawn before.
"""

import argparse
import asyncio
import json
import statistics
import time
from random import Random
from typing import Final

from cartagena import Game
from cartagena.messages import view_message
from cartagena.rules.ruleset import PRESETS
from cartagena.server.pages.link_pictures import LinkPicture
from cartagena.server.pages.pictures import Renderer

GAMES: Final = 5
CHOICES: Final = 60
"""How far each game is played: pirates are everywhere."""
SEATS: Final = (2, 5)


def picture(ruleset: str, seats: int, seed: int) -> LinkPicture:
    """A game, as the page of its table has it drawn."""
    game, chance = Game.start(ruleset, seats=seats, seed=seed), Random(seed)
    for _ in range(CHOICES):
        game.push(chance.choice(game.moves()))
    return LinkPicture(
        language="en",
        title=ruleset.title(),
        text=f"{seats} players · 10 min + 15 s. The game is on, come and watch.",
        seats=tuple(f"Barnacle Agnes {seat}" for seat in range(seats)),
        view=view_message(game.view(None)),
    )


async def took(renderer: Renderer, wanted: LinkPicture) -> float:
    """The milliseconds until a picture is there."""
    began = time.perf_counter()
    assert await renderer.drawn(wanted) is not None
    return (time.perf_counter() - began) * 1000


async def measured(games: int) -> dict[str, float]:
    """Every figure by its name."""
    renderer = Renderer()
    figures = {}
    kept = []
    for ruleset in PRESETS:
        figures[f"first {ruleset}"] = await took(renderer, picture(ruleset, 3, games))
        for seats in SEATS:
            wanted = [picture(ruleset, seats, seed) for seed in range(games)]
            figures[f"{ruleset} {seats}"] = statistics.median([await took(renderer, one) for one in wanted])
            kept += [await took(renderer, one) for one in wanted]
    await renderer.close()
    return {**figures, "kept": statistics.median(kept)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES, help="for each ruleset and number of seats (5)")
    figures = asyncio.run(measured(parser.parse_args().games))
    print(json.dumps({name: round(figure, 2) for name, figure in figures.items()}))


if __name__ == "__main__":
    main()
