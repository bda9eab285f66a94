"""How strong is a checkpoint of `examples/ppo.py`? It plays every level, and the table shows 95 % intervals.

    python -m examples.evaluate tortuga.pt                             every level
    python -m examples.evaluate tortuga.pt --against sailor --games 1000 --workers 2

Every deal is played with every rotation of the seats, as in the arena; the same seed gives the same games.
The levels that search take seconds for a game, so they play fewer of them unless --games says otherwise.
"""

import argparse
import functools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
import torch

from cartagena import View, world
from cartagena.arena.contest import Contest, Contestant, contestant, line_up
from cartagena.arena.run import play_games
from cartagena.arena.tally import Tally, WinRate
from cartagena.bots import Budget
from cartagena.envs.batch import BatchTable
from cartagena.envs.observation import encoder_of
from examples.ppo import net_of

GAMES: Final = {"random": 200, "deckhand": 400, "sailor": 1000, "bosun": 100, "captain": 20}
"""The levels, and how many games are enough to see where a learner stands."""


class Learned:
    """A bot that takes the choice which a trained net finds likeliest."""

    def __init__(self, file: Path) -> None:
        self.table, self.net = trained(file)
        self.encoder = encoder_of(self.table.fields, self.table.rules.family)

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002 - it needs no time
        """The likeliest code."""
        # Every position that fits the view shows the seat the same, so nothing hidden can leak.
        written = self.encoder.encode(world(view, chance), view.to_act)
        seen = np.frombuffer(written, np.uint8, self.encoder.size)[None]
        mask = np.frombuffer(written, np.bool_, offset=self.encoder.size)[None]
        with torch.no_grad():
            chances, _ = self.net(torch.from_numpy(self.net.sight.look(seen)), torch.from_numpy(mask.copy()))
        return int(chances.argmax())


@functools.cache
def trained(file: Path) -> tuple[BatchTable, Any]:
    """The table and the net of a checkpoint; read once, though every game has bots of its own."""
    torch.set_num_threads(1)
    state = torch.load(file, weights_only=True)
    table = BatchTable(state["options"]["ruleset"], state["options"]["seats"])
    net = net_of(table, state["options"]["hidden"])
    net.load_state_dict(state["net"])
    return table, net


class Result(NamedTuple):
    """What the games against one level showed."""

    level: str
    rate: WinRate
    par: float
    turns: float
    undecided: int


def results(file: Path, games: dict[str, int], seed: str, workers: int) -> Iterator[Result]:
    """Let the checkpoint play each level; it has one seat, and the level all others."""
    table, _ = trained(file)
    learner = Contestant(file.stem, functools.partial(Learned, file))
    for level, number in games.items():
        bots = line_up([learner, contestant(level)], table.seats)
        tally = Tally(Contest(ruleset=table.rules, line_up=bots, seed=seed))
        for played in play_games(tally.contest, range(tally.contest.whole_deals(number)), workers=workers):
            tally.add(played)
        standing = tally.standing(learner.name)
        yield Result(level, standing.rate, standing.par, standing.turns, tally.undecided)


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--against", nargs="+", default=list(GAMES), metavar="BOT", help="levels or bots")
    parser.add_argument("--games", type=int, help="games against each of them")
    parser.add_argument("--seed", default="1", help="the seed of all games (1)")
    parser.add_argument("--workers", type=int, default=1, help="processes that play (1)")
    parser.add_argument("--results", type=Path, help="a file to which each result is added as a line of JSON")
    asked = parser.parse_args()
    games = {bot: asked.games or GAMES.get(bot, 100) for bot in asked.against}
    state = torch.load(asked.checkpoint, weights_only=True)
    about = {
        **{name: state["options"][name] for name in ("ruleset", "seats")},
        "training_seed": state["options"]["seed"],
        "steps": state["steps"],
        "minutes": round(state["seconds"] / 60, 1),
        "processor_minutes": round(state["processor_seconds"] / 60, 1),
        "seed": asked.seed,
    }
    print(f"{asked.checkpoint} after {state['steps']:,} steps\n")
    print("| against | games | no winner | win rate [95 %] | par | turns a game |")
    print("|---|---:|---:|---|---:|---:|")
    for one in results(asked.checkpoint, games, asked.seed, asked.workers):
        print(
            f"| {one.level} | {one.rate.games} | {one.undecided} | {one.rate} "
            f"| {100 * one.par:.0f} % | {one.turns:.1f} |",
            flush=True,
        )
        if asked.results:
            keep(asked.results, one, about)


def keep(file: Path, result: Result, about: dict[str, object]) -> None:
    """Add a result to a file, as one line."""
    low, high = result.rate.interval
    figures = {"level": result.level, "games": result.rate.games, "score": result.rate.score}
    interval = {"low": round(low, 4), "high": round(high, 4)}
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({**about, **figures, **interval}) + "\n")


if __name__ == "__main__":
    main()
