"""How long the picture of a link takes: the first that is asked for, a new one, and one that was kept.

    python -m benchmarks.pictures --games 5

Prints one JSON line, in milliseconds: what a node draws beforehand, with the start of its process; then the
median of new pictures by ruleset and seats, of sheets of words, and of pictures that were drawn before. A
picture may take 200 ms on a machine that draws an empty one, `empty`, in 40. So, on any machine, however
busy, the command fails if drawing a new one takes more than five times the processor time of an empty one,
drawn in turn with it; `ratio` is the worst median of a row.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from random import Random
from typing import Final, TypeVar

import msgspec

from cartagena import Game
from cartagena.messages import view_message
from cartagena.rules.ruleset import PRESETS
from cartagena.server.pages.link_pictures import HEIGHT, WIDTH, LinkPicture
from cartagena.server.pages.pictures import Renderer
from cartagena.server.pages.rasterizing import png_of, render
from cartagena.server.shared.processes import ProcessPool

GAMES: Final = 5
CHOICES: Final = 60
"""How far each game is played: pirates are everywhere."""
SEATS: Final = (2, 5)
MOST: Final = 5.0
"""How many times as long as an empty picture one may take."""
EMPTY: Final = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"/>'
SECONDS: Final = 60.0

Drawn = TypeVar("Drawn", str, bytes)


def of_a_game(ruleset: str, seats: int, seed: int) -> LinkPicture:
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


def of_words(ruleset: str, number: int) -> LinkPicture:
    """A sheet, as the page of a player or a lesson has it drawn."""
    return LinkPicture(
        language="en",
        title=f"Barnacle Agnes {number}",
        text="1,234 points, 56 games. Come and play a round of pirates.",
        ruleset=ruleset,
    )


async def took(work: Awaitable[bytes | None]) -> float:
    """The milliseconds until a picture is there."""
    began = time.perf_counter()
    assert await work is not None
    return (time.perf_counter() - began) * 1000


def worked(draw: Callable[[Drawn], bytes], picture: Drawn) -> float:
    """The processor time that a picture takes, in seconds."""
    began = time.process_time()
    draw(picture)
    return time.process_time() - began


class Bench:
    """A renderer that has started, and what it took."""

    def __init__(self) -> None:
        self._processes = ProcessPool(1)
        self._renderer = Renderer(self._processes)
        self._empty: list[float] = []
        self._kept: list[float] = []
        self._ratios: list[float] = []
        self.figures: dict[str, float] = {}

    async def prepare(self) -> None:
        """Draw what is drawn beforehand."""
        began = time.perf_counter()
        self._renderer.start()
        await self._renderer.prepared()
        self.figures["beforehand"] = (time.perf_counter() - began) * 1000

    async def measure(self, name: str, pictures: Iterable[LinkPicture]) -> None:
        """Draw new pictures, in turn with empty ones, and then ask for each again."""
        wanted = list(pictures)
        new, empty, ratios = [], [], []
        for one in wanted:
            empty.append(await took(self._processes.work("empty", SECONDS, render, EMPTY)))
            new.append(await took(self._renderer.drawn(one)))
            idle = await self._processes.work("empty", SECONDS, worked, render, EMPTY)
            busy = await self._processes.work("new", SECONDS, worked, png_of, msgspec.json.encode(one))
            ratios.append(busy / idle)
        self._kept += [await took(self._renderer.drawn(one)) for one in wanted]
        self._empty += empty
        self._ratios.append(statistics.median(ratios))
        self.figures[name] = statistics.median(new)

    async def close(self) -> None:
        """End the process, and sum up."""
        await self._renderer.close()
        self.figures["kept"] = statistics.median(self._kept)
        self.figures["empty"] = statistics.median(self._empty)
        self.figures["ratio"] = max(self._ratios)


async def measured(games: int) -> dict[str, float]:
    """Every figure by its name."""
    bench = Bench()
    await bench.prepare()
    for ruleset in PRESETS:
        for seats in SEATS:
            pictures = (of_a_game(ruleset, seats, seed) for seed in range(games))
            await bench.measure(f"{ruleset} {seats}", pictures)
        await bench.measure(f"{ruleset} words", (of_words(ruleset, number) for number in range(games)))
    await bench.close()
    return bench.figures


def main() -> None:
    """Measure, print, and fail if a picture takes too long."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=GAMES, help="for each ruleset and number of seats (5)")
    figures = asyncio.run(measured(parser.parse_args().games))
    print(json.dumps({name: round(figure, 2) for name, figure in figures.items()}))
    if figures["ratio"] > MOST:
        sys.exit(
            f"a picture takes {figures['ratio']:.1f} times as long as an empty one; {MOST:g} are allowed"
        )


if __name__ == "__main__":
    main()
