"""The load generator: one process that plays prepared games over HTTP and listens to their streams.

It is told what to do by lines of JSON on its standard input, one at a time, and answers each with a line:
what came of it and what processor time it took here.
"""

import asyncio
import gc
import json
import resource
import statistics
import sys
import time
from array import array
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import uvloop

from benchmarks.server_games import PreparedGame
from benchmarks.server_listening import Listeners, Wanted
from benchmarks.server_posting import Play, Posts

PATIENCE: Final = 15.0
"""How many seconds the last moves may take to arrive everywhere."""

Figures = dict[str, float]


class Generator:
    """The clients of all games; the last prepared game is kept for the crowd that watches one table."""

    def __init__(self, games: Sequence[PreparedGame]) -> None:
        self._games = games
        self._plays = [
            Play(game.id, game.tokens, game.seq, game.moves, number) for number, game in enumerate(games)
        ]
        self._posts: list[Posts] = []
        self._listeners = Listeners(self._hear)
        self._crowd = Listeners(self._hear_in_crowd)
        self._heard: list[int] = [0] * len(games)
        self._latencies = array("d")
        self._reached = array("d")

    # What it can be told to do.

    async def connect(self, ports: Sequence[int], number: int) -> Figures:
        """Open the connections for moves, in place of those that were open before."""
        for posts in self._posts:
            posts.close()
        going_on = [play for play in self._plays[:-1] if not play.is_over]
        self._posts = [
            Posts(port, number // len(ports), going_on[place :: len(ports)])
            for place, port in enumerate(ports)
        ]
        await self._reconnect()
        return {"connections": number}

    async def _reconnect(self) -> None:
        for posts in self._posts:
            await posts.connect()

    async def listen(self, port: int) -> Figures:
        """Open the stream of each player of each game."""
        wanted = [
            Wanted(game=number * 2 + seat, table_id=game.id, token=token)
            for number, game in enumerate(self._games[:-1])
            for seat, token in enumerate(game.tokens)
        ]
        await self._listeners.add(port, wanted)
        return {"open": self._listeners.open, "refused": self._listeners.refused}

    async def flood(self, seconds: float) -> Figures:
        """Send as many moves as the service takes, for `seconds`."""
        return await self._measured([posts.flood(seconds) for posts in self._posts])

    async def drip(self, rate: float, seconds: float) -> Figures:
        """Send `rate` moves a second, for `seconds`."""
        share = rate / len(self._posts)
        return await self._measured(
            [posts.drip(share, seconds, Random(place)) for place, posts in enumerate(self._posts)]
        )

    async def gather(self, port: int, number: int) -> Figures:
        """Let a crowd watch one table."""
        await self._crowd.add(port, [Wanted(game=0, table_id=self._games[-1].id)] * number)
        return {"open": self._crowd.open, "refused": self._crowd.refused}

    async def wave(self) -> Figures:
        """One move at the table of the crowd: when the first and when the last of them knows it."""
        self._reached = array("d")
        await self._reconnect()
        began = time.perf_counter()
        self._posts[0].send_one(self._plays[-1])
        await until(lambda: len(self._reached) >= self._crowd.open)
        times = sorted(moment - began for moment in self._reached)
        return {"reached": len(times), "first_ms": times[0] * 1000, "last_ms": times[-1] * 1000}

    async def count(self) -> Figures:
        """How many streams are open."""
        return {"open": self._listeners.open, "crowd": self._crowd.open}

    # How it finds out.

    async def _measured(self, work: Sequence[Awaitable[None]]) -> Figures:
        self._latencies = array("d")
        for posts in self._posts:
            posts.latencies = None if self._listeners.open else self._latencies
        await self._reconnect()
        posted, cpu, began = self._posted(), cpu_seconds(), time.perf_counter()
        await asyncio.gather(*work)
        in_time, spent = len(self._latencies), time.perf_counter() - began
        sent = self._posted() - posted
        await until(lambda: len(self._latencies) >= sent)
        for posts in self._posts:
            posts.check()
        return {
            "sent": sent,
            "missing": sent - len(self._latencies),
            "per_s": in_time / spent,
            "p50_ms": quantile(self._latencies, 50),
            "p99_ms": quantile(self._latencies, 99),
            "cpu_s": cpu_seconds() - cpu,
        }

    def _posted(self) -> int:
        return sum(posts.posted for posts in self._posts)

    def _hear(self, stream: int, seq: int, now: float) -> None:
        game, seat = stream >> 1, stream & 1
        play = self._plays[game]
        # A client's own moves come back too, but only what reaches another client counts.
        if play.mover_of(seq) != seat:
            self._latencies.append(now - play.due_of(seq))

    def _hear_in_crowd(self, _stream: int, _seq: int, now: float) -> None:
        self._reached.append(now)


async def until(is_so: Callable[[], bool]) -> None:
    """Check `is_so` again and again, but not for ever."""
    last_moment = time.perf_counter() + PATIENCE
    # An event would add work for every message, in the middle of what is measured.
    while not is_so() and time.perf_counter() < last_moment:  # noqa: ASYNC110 - see above
        await asyncio.sleep(0.005)


def quantile(values: Sequence[float], percent: int) -> float:
    """The value, in thousandths, that `percent` per cent of `values` do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] * 1000


def cpu_seconds() -> float:
    """The processor time of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def obey(generator: Generator) -> None:
    """Do what each line says and answer it, until there is none."""
    loop = asyncio.get_running_loop()
    tasks: dict[str, Callable[..., Awaitable[Figures]]] = {
        "connect": generator.connect,
        "listen": generator.listen,
        "flood": generator.flood,
        "drip": generator.drip,
        "gather": generator.gather,
        "wave": generator.wave,
        "count": generator.count,
    }
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        wish = json.loads(line)
        figures = await tasks[wish.pop("do")](**wish)
        print(json.dumps(figures), flush=True)


def main() -> None:
    """Read the prepared games and obey."""
    games = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=list[PreparedGame])
    generator = Generator(games)
    # A search for garbage would look like a slow server.
    gc.freeze()
    gc.disable()
    uvloop.run(obey(generator))


if __name__ == "__main__":
    main()
