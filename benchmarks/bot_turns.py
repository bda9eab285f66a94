"""How long people wait for a bot's turn when many play against bots at once.

    .venv-compiled/bin/python -m benchmarks.bot_turns --short

A web node and workers run on free ports, on a database of their own, with a process to think in for each
core. Everybody comes from an address of their own, plays against one bot over HTTP and takes `--think`
seconds for a turn, a half more or less. A bot's turn lasts from the answer that ends the person's turn until
the stream says that the person is to act again. First one game is played alone, then all of them. With
`--kill` one of the workers is killed in the middle. Prints one JSON line; everything runs on this machine.
"""

import argparse
import asyncio
import json
import os
import secrets
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

import httpx

from cartagena.client import AsyncClient, Player, Pledge, tables
from cartagena.client.sample_bot import hasty
from cartagena.client.sending import trusted
from cartagena.client.stream import Told
from cartagena.messages import Update
from cartagena.messages.requests import TermsMessage
from cartagena.rules import position as engine
from harness import ledger
from harness.play.service import Harbour, harbour

IDLE_SECONDS: Final = 10.0
IDLE_THINK: Final = 0.2
IDLE_WARM_UP: Final = 3.0
NO_LIMITS: Final = "1000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many play, how long, and on how much."""

    games: int = 200
    think: float = 20.0
    seconds: float = 120.0
    warm_up: float = 25.0
    level: str = "captain"
    ruleset: str = "tortuga"
    workers: int = 1
    processes: int = os.cpu_count() or 1
    kill: bool = False


@dataclass(slots=True, kw_only=True)
class Waits:
    """The turns of bots that people waited for."""

    seconds: list[float] = field(default_factory=list)
    hurried: int = 0

    def figures(self) -> dict[str, float]:
        """What is printed of them."""
        shown = statistics.quantiles(self.seconds, n=100, method="inclusive")
        return {
            "turns": len(self.seconds),
            "p50_ms": round(shown[49] * 1000),
            "p99_ms": round(shown[98] * 1000),
            "longest_ms": round(max(self.seconds) * 1000),
            "hurried": round(self.hurried / len(self.seconds), 3),
        }


class Person:
    """Plays one game after the other against a bot, and notes how long the bot takes."""

    def __init__(self, client: AsyncClient, plan: Plan, waits: Waits, chance: Random) -> None:
        self._client = client
        self._plan = plan
        self._waits = waits
        self._chance = chance
        self._ended: float | None = None
        self._is_hurried = False

    async def play(self) -> None:
        """Play until stopped."""
        await asyncio.sleep(self._chance.uniform(0, self._plan.think))
        me = await self._client.become_guest()
        while True:
            pledge = Pledge.draw(secrets.token_bytes)
            terms = TermsMessage(ruleset=self._plan.ruleset, seats=2)
            opening = tables.open_table(terms, bots=[self._plan.level], nonce_hash=pledge.nonce_hash)
            answer = await self._client.send(opening)
            await self._play(Player(answer.current, me.id, hasty, pledge=pledge))

    async def _play(self, player: Player) -> None:
        self._ended = None
        async with aclosing(self._client.stream(player.table_id)) as stream:
            async for told in stream:
                was_asked = player.is_asked
                player.hear(told)
                self._note(told)
                if player.is_asked and not was_asked:
                    self._waited()
                    await asyncio.sleep(self._plan.think * self._chance.uniform(0.5, 1.5))
                await self._client.grant(player)
                if player.is_done:
                    return
                if not player.is_asked and self._ended is None:
                    self._ended = asyncio.get_running_loop().time()

    def _note(self, told: Told) -> None:
        if isinstance(told, Update) and told.news is not None and told.news.kind == "hurried":
            self._is_hurried = True

    def _waited(self) -> None:
        if self._ended is not None:
            self._waits.seconds.append(asyncio.get_running_loop().time() - self._ended)
            self._waits.hurried += self._is_hurried
        self._ended, self._is_hurried = None, False


async def measured(plan: Plan, service: Harbour) -> Waits:
    """The waits of all who play for as long as the plan says."""
    waits, context = Waits(), trusted()
    async with AsyncExitStack() as opened:
        people = []
        for number in range(plan.games):
            http = httpx.AsyncClient(
                base_url=service.nodes[0],
                verify=context,
                trust_env=False,
                headers={"X-Forwarded-For": f"10.1.{number // 250}.{number % 250 + 1}"},
            )
            client = AsyncClient(service.nodes[0], http=await opened.enter_async_context(http))
            people.append(asyncio.create_task(Person(client, plan, waits, Random(number)).play()))
        try:
            # Until all have come, and every process has started that thinks for bots.
            await _for_a_while(people, plan.warm_up)
            waits.seconds, waits.hurried = [], 0
            await _for_a_while(people, plan.seconds / 2)
            if plan.kill:
                service.programs[-1].process.kill()
            await _for_a_while(people, plan.seconds / 2)
        finally:
            for person in people:
                person.cancel()
            await asyncio.gather(*people, return_exceptions=True)
    return waits


async def _for_a_while(people: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    """Let them play; the first that fails ends the run."""
    done, _ = await asyncio.wait(people, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for person in done:
        person.result()


async def run(plan: Plan) -> dict[str, object]:
    """The figures of one game alone and of all of them."""
    settings = {"CARTAGENA_BOT_WORKERS": str(plan.processes), "CARTAGENA_PACE": NO_LIMITS}
    alone = replace(plan, games=1, think=IDLE_THINK, seconds=IDLE_SECONDS, warm_up=IDLE_WARM_UP, kill=False)
    with tempfile.TemporaryDirectory() as folder:
        async with harbour(Path(folder), nodes=1, workers=plan.workers, settings=settings) as service:
            idle = (await measured(alone, service)).figures()
            loaded = (await measured(plan, service)).figures()
    return {
        "games": plan.games,
        "think_s": plan.think,
        "level": plan.level,
        "ruleset": plan.ruleset,
        "workers": plan.workers,
        "processes": plan.processes,
        "killed": plan.kill,
        "engine": "interpreted" if str(engine.__file__).endswith(".py") else "compiled",
        "idle": idle,
        "loaded": loaded,
        "ratio_p50": round(loaded["p50_ms"] / idle["p50_ms"], 2),
    }


SHORT: Final = Plan(games=12, think=1.0, seconds=15.0, warm_up=5.0)


def main() -> None:
    """Measure and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--short", action="store_true", help="12 games, a second a turn: less than a minute")
    parser.add_argument("--games", type=int, help="how many games at once")
    parser.add_argument("--think", type=float, help="how many seconds people take for a turn")
    parser.add_argument("--seconds", type=float, help="how long they play")
    parser.add_argument("--level", help="which bot they play against")
    parser.add_argument("--ruleset", help="which game")
    parser.add_argument("--workers", type=int, help="how many workers")
    parser.add_argument("--processes", type=int, help="in how many processes each of them thinks")
    parser.add_argument("--kill", action="store_true", default=None, help="kill a worker in the middle")
    parser.add_argument("--ledger", help="keep the line in benchmarks/results/LEDGER.jsonl too")
    wish = parser.parse_args()
    asked = {name: value for name, value in vars(wish).items() if value is not None}
    plan = SHORT if asked.pop("short") else Plan()
    name = asked.pop("ledger", None)
    figures = asyncio.run(run(replace(plan, **asked)))
    print(json.dumps(figures))
    if name:
        ledger.append(name, **figures)


if __name__ == "__main__":
    main()
