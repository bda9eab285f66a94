"""Ask two twin services the same: what an audience may not know must not change a byte of any answer.

Usage: python -m harness.noninterference.command --requests 200000 [--seed 1] [--ledger NAME] [--plant]

Both play the same game, with other cards where the audience (a seat, a spectator, a stranger) may not
look. At each position the audience sends requests of every shape to both; statuses, headers and bodies
must agree, except for what `harness/noninterference/requests.py` names, and so must the frames of its
stream. Then the game goes on by an action that both allow and that tells the audience the same. How long
answers take is compared as well, and reported. Every 10,000 requests are a leg, with a seed and services
of its own; with a ledger each that held is written to benchmarks/results/, and the next run leaves it out.
`--plant` puts an old leak back, to see that it is found.
"""

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import median
from types import SimpleNamespace
from typing import Final
from unittest.mock import patch
from uuid import uuid4

import structlog
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cartagena.endpoints import playing as playing_api
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from cartagena.tables import playing
from harness import ledger
from harness.noninterference.requests import Asked, Requests, Scene, where_they_differ
from harness.noninterference.twins import Deals, Twin, common_codes, dealing, twin_deals, twins
from harness.services import services

LEG: Final = 10_000
AT_EACH: Final = 10
"""Requests at each position."""
LENGTHS: Final = (2, 4, 8, 40)
"""How many positions of a game are compared before the next game begins with other cards."""
MOST_SHOWN: Final = 5
CLOCKS: Final = (None, {"kind": "live", "bank": 600, "increment": 5})


@dataclass
class Tally:
    """What was asked, and what differed."""

    wanted: int
    requests: int = 0
    games: int = 0
    frames: int = 0
    differences: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    routes: Counter[str] = field(default_factory=Counter)
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    @property
    def is_done(self) -> bool:
        """Whether enough was asked, or enough found."""
        return self.requests >= self.wanted or len(self.differences) >= MOST_SHOWN


class Course:
    """One pair of services, game after game."""

    def __init__(self, pair: tuple[Twin, Twin], deals: Deals, chance: Random, tally: Tally) -> None:
        self._pair = pair
        self._deals = deals
        self._chance = chance
        self._tally = tally
        self._requests = Requests(pair[0].routes, chance)

    async def run(self, progress: Progress) -> None:
        """Compare until enough was asked."""
        bar = progress.add_task("requests", total=self._tally.wanted)
        await asyncio.gather(*(twin.people(MOST_SEATS + 1) for twin in self._pair))
        while not self._tally.is_done:
            await self._game()
            progress.update(bar, completed=self._tally.requests)

    async def _game(self) -> None:
        chance = self._chance
        preset, seats = chance.choice(sorted(PRESETS)), chance.randint(FEWEST_SEATS, MOST_SEATS)
        audience: int | None = chance.choice((None, *range(seats), *range(seats)))
        # Without a seat the requests come from a guest who watches, or from a client without a session.
        who = audience if audience is not None else chance.choice((seats, None))
        terms = {"ruleset": preset, "seats": seats, "clock": chance.choice(CLOCKS)}
        for twin, deal in zip(self._pair, twin_deals(PRESETS[preset], seats, audience, chance), strict=True):
            self._deals[await twin.open(terms, seats)] = deal
        await asyncio.gather(*(twin.done(0, f"/api/tables/{twin.table}/start") for twin in self._pair))
        self._tally.games += 1
        one, other = self._pair
        async with one.followed(who), other.followed(who):
            for _ in range(chance.choice(LENGTHS)):
                if not await self._position(who, audience) or self._tally.is_done:
                    break
        self._deals.clear()

    async def _position(self, who: int | None, audience: int | None) -> bool:
        """Ask at one position, then let the game go on; False if every action would tell the twins apart."""
        (seq, game), (other_seq, other_game) = [await twin.standing() for twin in self._pair]
        if seq != other_seq:
            self._tally.differences.append(f"the twins are at {seq} and {other_seq}")
            return False
        scene = Scene(seat=audience, seq=seq, game=game)
        for _ in range(AT_EACH):
            await self._ask(who, self._requests.next(scene))
            if self._tally.is_done:
                return False
        codes = common_codes(game.position, other_game.position, audience)
        if not codes:
            return False
        await self._act(game.position.to_act, self._chance.choice(codes))
        return True

    async def _ask(self, who: int | None, asked: Asked) -> None:
        """Ask both twins, in random order."""
        order = self._chance.choice(((0, 1), (1, 0)))
        heard = {each: await self._pair[each].heard(who, asked) for each in order}
        self._tally.requests += 1
        for each in (0, 1):
            self._tally.seconds[each].append(heard[each].seconds)
        if heard[0].told != heard[1].told:
            self._tally.differences.append(f"{asked}: {where_they_differ(heard[0].told, heard[1].told)}")

    async def _act(self, seat: int, code: int) -> None:
        """Let the game go on in both; their streams must agree."""
        key = str(uuid4())
        for twin in self._pair:
            seq, _ = await twin.standing()
            await twin.done(seat, f"/api/tables/{twin.table}/actions", seq=seq, code=code, key=key)
            await twin.until_told(seq + 1)
        one, other = self._pair
        self._tally.frames += 1
        if one.frames != other.frames:
            self._tally.differences.append(f"frames: {where_they_differ(one.frames, other.frames)}")


def report(seed: int, tally: Tally, seconds: float) -> None:
    """Say what was found."""
    for difference in tally.differences:
        print(f"DIFFERENT: {difference}")
    print(
        f"seed {seed}: {tally.requests:,} requests to both twins at {tally.games} games in {seconds:.0f} s, "
        f"{tally.frames:,} frames; {len(tally.differences)} differences"
    )
    one, other = tally.seconds
    here, there = (median(seconds) * 1000 for seconds in tally.seconds)
    slower = sum(first > second for first, second in zip(one, other, strict=True)) / max(1, len(one))
    chance = 1.96 * sqrt(0.25 / max(1, len(one)))
    print(
        f"answers took {here:.2f} and {there:.2f} ms (median); the first twin was slower in"
        f" {slower:.1%} of them, {0.5 - chance:.1%} to {0.5 + chance:.1%} by chance alone",
        flush=True,
    )


@contextmanager
def planted(*, leak: bool) -> Iterator[None]:
    """Plant an old leak: read a typed action before checking whose turn it is, as the service once did."""
    if not leak:
        yield
        return
    hasty = SimpleNamespace(**{**vars(playing), "require_turn": lambda _table, _seat: None})
    with patch.object(playing_api, "playing", hasty):
        yield


async def compared(wanted: int, seed: int, progress: Progress) -> Tally:
    """Send `wanted` requests to both."""
    tally = Tally(wanted=wanted)
    deals: Deals = {}
    server = services()[0].address(os.environ)
    async with twins(server) as pair:
        with dealing(deals):
            await Course(pair, deals, Random(seed), tally).run(progress)
    return tally


def legs(seed: int, wanted: int, name: str | None) -> Iterator[tuple[int, int]]:
    """The seed of each leg that is to be run, and its number of requests; what a ledger has is left out."""
    there = {line["seed"] for line in ledger.entries(name)} if name else set()
    for leg, start in enumerate(range(0, wanted, LEG)):
        if seed + leg not in there:
            yield seed + leg, min(LEG, wanted - start)


def run_leg(seed: int, wanted: int, name: str | None) -> Tally:
    """Compare during one leg and say what was found; a whole one without differences goes to the ledger."""
    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=not sys.stderr.isatty()) as progress:
        tally = asyncio.run(compared(wanted, seed, progress))
    seconds = time.monotonic() - began
    report(seed, tally, seconds)
    if name and wanted == LEG and not tally.differences:
        figures = {"requests": tally.requests, "games": tally.games, "frames": tally.frames}
        ledger.append(name, seed=seed, **figures, seconds=round(seconds, 1))
    return tally


def main(arguments: list[str] | None = None) -> int:
    """Compare, report, and fail if anything differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=200_000, help="how many requests (200000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first leg; the next ones count up (1)")
    parser.add_argument("--ledger", help="where the legs are kept that were run")
    parser.add_argument("--plant", action="store_true", help="put a leak of old back: it must be found")
    chosen = parser.parse_args(arguments)
    structlog.configure(processors=[_say_nothing])
    found = False
    with planted(leak=chosen.plant):
        for seed, wanted in legs(chosen.seed, chosen.requests, chosen.ledger):
            found = bool(run_leg(seed, wanted, chosen.ledger).differences) or found
            if found and chosen.plant:
                break
    return 1 if found is not chosen.plant else 0


def _say_nothing(*_: object) -> str:
    raise structlog.DropEvent


if __name__ == "__main__":
    sys.exit(main())
