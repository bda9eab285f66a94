"""Play many games over HTTP and prove that nothing was lost, unfair or given away: `make play-over-http`.

Two web nodes and two workers of the real service run on free ports, on a database of their own. Games of all
rulesets are played by HTTP clients through both nodes at once, with bots of the service, private tables,
rated games, clocks, chat, undo, resigning, wrong requests and spectators. Afterwards every game is checked:

- it is over, and its log has no gap and no choice twice;
- every client was given the same record, which verifies, replays, and keeps the promise the client saw;
- what each client heard on its stream is the log of the store, seen through its view;
- no byte that a client received gives away cards that it could not know, or any secret;
- every rated game was rated once;
- the logs of the service hold no card and no secret.
"""

import argparse
import asyncio
import json
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table as Grid

from cartagena.server.resources import Resources, opened_resources
from harness.play.checks import PROGRAM, Verdict, check_game, settled_ratings
from harness.play.game import Played, Table
from harness.play.plan import GamePlan, plan
from harness.play.service import Harbour, harbour
from harness.play.traces import Secrets

MOST_SHOWN: Final = 20
OUR_FAULT: Final = "internal"
"""The error code of a failure that is the service's own fault."""
CHECKERS: Final = 2


@dataclass(slots=True)
class Tally:
    """What came of all games so far."""

    verdicts: list[Verdict] = field(default_factory=list)
    rated: dict[str, int] = field(default_factory=dict)
    """The rated games, each with its number of seats."""
    refusals: "Counter[str]" = field(default_factory=Counter)
    secrets: Secrets = field(default_factory=Secrets)
    received: int = 0
    rated_once: int = 0
    log_lines: int = 0
    troubles: list[str] = field(default_factory=list)
    log_leaks: list[str] = field(default_factory=list)

    def add(self, played: Played, verdict: Verdict) -> None:
        """One more game."""
        number = played.plan.number
        self.secrets.add(verdict.secrets)
        self.verdicts.append(replace(verdict, secrets=Secrets()))
        self.refusals += played.refusals
        self.troubles += [f"game {number}: the service failed"] * played.refusals[OUR_FAULT]
        self.received += played.bytes_received
        self.troubles += [f"game {number}: {trouble}" for trouble in verdict.troubles]
        self.troubles += [f"game {number}: {leak}" for leak in verdict.leaks]
        if played.plan.terms.rated and verdict.ending is not None:
            self.rated[played.table_id] = played.plan.terms.seats

    @property
    def leaks(self) -> int:
        """How much was given away."""
        return sum(len(verdict.leaks) for verdict in self.verdicts) + len(self.log_leaks)


class Evening:
    """All games of one run."""

    def __init__(self, wish: argparse.Namespace, console: Console) -> None:
        self._wish = wish
        self._console = console
        self._tally = Tally()

    async def play(self, folder: Path) -> Tally:
        """Play them all, then look at ratings and logs."""
        async with harbour(folder) as running:
            quiet = replace(running.settings, nats=None)
            async with opened_resources(quiet, program=PROGRAM) as resources:
                with ProcessPoolExecutor(CHECKERS, multiprocessing.get_context("spawn")) as checkers:
                    await self._games(running, resources, checkers)
                ratings = await settled_ratings(resources.databases.directory, self._tally.rated)
                self._tally.rated_once = ratings.once
                self._tally.troubles += ratings.troubles
            self._tally.troubles += running.troubles()
            self._tally.troubles += await running.stop()
            self._search_logs(running)
        return self._tally

    async def _games(self, running: Harbour, resources: Resources, checkers: Executor) -> None:
        room = asyncio.Semaphore(self._wish.together)
        checking = asyncio.Semaphore(CHECKERS + self._wish.together // 2)

        async def one(game: GamePlan) -> None:
            async with checking:
                async with room:
                    table = Table(game, running.nodes, resources.directory, self._wish.seed)
                    played = await table.play()
                loop = asyncio.get_running_loop()
                verdict = await loop.run_in_executor(checkers, check_game, running.settings, played)
            self._tally.add(played, verdict)
            self._tell(len(self._tally.verdicts))

        await asyncio.gather(*map(one, plan(self._wish.games, self._wish.seed)))

    def _tell(self, done: int) -> None:
        if done % 10 == 0 or done == self._wish.games:
            tally = self._tally
            self._console.print(
                f"{done} of {self._wish.games} games, {tally.received // 1_000_000} MB received, "
                f"{len(tally.troubles)} troubles"
            )

    def _search_logs(self, running: Harbour) -> None:
        for program in running.programs:
            for line in program.log.read_text(encoding="utf-8", errors="replace").splitlines():
                self._tally.log_lines += 1
                found = self._tally.secrets.found_in_line(line)
                self._tally.log_leaks += [f"log of {program.name}: {leak}" for leak in found]
                if '"level":"error"' in line:
                    self._tally.troubles.append(f"{program.name}: {line[:300]}")
        self._tally.troubles += self._tally.log_leaks


# --- The report ------------------------------------------------------------------------------------


def report(tally: Tally, plans: Sequence[GamePlan], seconds: float, console: Console) -> dict[str, object]:
    """A table by ruleset and seats, the first troubles, and the figures for the one line of JSON."""
    grid = Grid("ruleset", "seats", "games", "over", "actions", "streams", "updates checked", "leaks")
    for column in grid.columns[1:]:
        column.justify = "right"
    verdicts = {verdict.plan_number: verdict for verdict in tally.verdicts}
    for cell in sorted({(game.terms.ruleset, game.terms.seats) for game in plans}):
        own = [verdicts[game.number] for game in plans if (game.terms.ruleset, game.terms.seats) == cell]
        over = sum(verdict.ending is not None for verdict in own)
        figures = [
            sum(numbers)
            for numbers in zip(
                *((one.actions, one.streams, one.updates, len(one.leaks)) for one in own), strict=True
            )
        ]
        grid.add_row(cell[0], *(f"{number:,}" for number in (cell[1], len(own), over, *figures)))
    console.print(grid)
    for trouble in tally.troubles[:MOST_SHOWN]:
        console.print(trouble, soft_wrap=True, markup=False)
    return figures_of(tally, len(plans), seconds)


def figures_of(tally: Tally, games: int, seconds: float) -> dict[str, object]:
    """What one line of JSON says."""
    return {
        "games": games,
        "over": sum(verdict.ending is not None for verdict in tally.verdicts),
        "endings": dict(Counter(verdict.ending or "not over" for verdict in tally.verdicts)),
        "actions": sum(verdict.actions for verdict in tally.verdicts),
        "streams_equal_to_the_store": sum(
            verdict.streams for verdict in tally.verdicts if not verdict.troubles
        ),
        "rated_games": len(tally.rated),
        "rated_once": tally.rated_once,
        "updates_checked": sum(verdict.updates for verdict in tally.verdicts),
        "bytes_checked": tally.received,
        "log_lines_checked": tally.log_lines,
        "leaks": tally.leaks,
        "refusals": dict(sorted(tally.refusals.items())),
        "troubles": len(tally.troubles),
        "seconds": round(seconds, 1),
    }


def arguments(words: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Play many games over HTTP and check everything.")
    parser.add_argument("--games", type=int, default=200, help="how many games (default 200)")
    parser.add_argument("--together", type=int, default=16, help="how many at the same time (default 16)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the plan (default 1)")
    parser.add_argument("--logs", type=Path, help="keep the logs of the service in this folder")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Play and check; 1 if anything went wrong."""
    wish = arguments(words)
    console = Console(width=None if sys.stdout.isatty() else 110, highlight=False)
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="cartagena-play-") as folder:
        logs = wish.logs or Path(folder)
        logs.mkdir(parents=True, exist_ok=True)
        tally = asyncio.run(Evening(wish, console).play(logs))
    figures = report(tally, plan(wish.games, wish.seed), time.perf_counter() - begin, console)
    print(json.dumps(figures))
    return 1 if tally.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
