"""Floods against a real node: the others must go on playing, and the flooder is told to wait.

`make flood` starts a web node on a database of its own. Honest players move at their tables all the time,
first undisturbed, then while one address, one account, or a crowd of strangers at one of these tables asks
as fast as it can. All come from the loopback address; a trusted proxy's header names the address of each.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import msgspec

from cartagena.endpoints.limits import READING
from harness.play.service import harbour

HOST: Final = "127.0.0.1"
TOO_MANY: Final = 429


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One request of a flood, and the address from which it seems to come."""

    method: str
    path: str
    address: str
    token: str | None = field(default=None, repr=False)
    content: bytes | None = None

    def written(self) -> bytes:
        """The request as it goes over the wire."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {self.address}"]
        if self.token is not None:
            lines.append(f"Authorization: Bearer {self.token}")
        if self.content is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.content)}"]
        return "\r\n".join([*lines, "", ""]).encode() + (self.content or b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """Requests repeated on `connections` connections, each at most `per_second` times a second."""

    name: str
    wishes: tuple[Wish, ...]
    connections: int = 8
    per_second: float = 100.0
    half: bool = False
    """Send only half of each request, and hold the connection."""


@dataclass(slots=True)
class Answered:
    """The answers to a flood."""

    statuses: Counter[int] = field(default_factory=Counter)
    without_wait: int = 0
    """Refusals that did not say how long to wait."""


async def poured(flood: Flood, port: int, seconds: float) -> Answered:
    """Run a flood in a separate process, so that it does not slow down the measuring."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        return await asyncio.get_running_loop().run_in_executor(apart, pour, flood, port, seconds)


def pour(flood: Flood, port: int, seconds: float) -> Answered:
    """The flood itself."""
    answered = Answered()
    asyncio.run(_pour(flood, port, seconds, answered))
    return answered


async def _pour(flood: Flood, port: int, seconds: float, answered: Answered) -> None:
    end = time.monotonic() + seconds
    wishes = cycle(flood.wishes)
    async with asyncio.TaskGroup() as group:
        for _ in range(flood.connections):
            group.create_task(_connection(flood, port, end, wishes, answered))


async def _connection(
    flood: Flood, port: int, end: float, wishes: Iterator[Wish], answered: Answered
) -> None:
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        while (began := time.monotonic()) < end:
            wish = next(wishes).written()
            if flood.half:
                writer.write(wish[: len(wish) // 2])
                await asyncio.sleep(end - began)
                return
            writer.write(wish)
            status, headers = await _answer(reader)
            answered.statuses[status] += 1
            answered.without_wait += status == TOO_MANY and "retry-after" not in headers
            await asyncio.sleep(max(0.0, 1 / flood.per_second - (time.monotonic() - began)))
    finally:
        writer.transport.abort()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, Mapping[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    await reader.readexactly(int(headers.get("content-length", "0")))
    return int(first.split()[1]), headers


BOUND: Final = 0.5
"""Seconds within which 99 of 100 moves of the others must be answered during a flood, on an idle machine."""
FACTOR: Final = 3
"""On a busy machine the bound is this many times what they take without a flood."""
TABLES: Final = 6
PAUSE: Final = 0.1
"""Seconds between two moves at a table."""
STRANGERS: Final = 6

# Any: whatever an answer in JSON holds.
Json = dict[str, Any]


@dataclass(kw_only=True)
class Person:
    """An honest player with their own address."""

    client: httpx.AsyncClient
    address: str
    token: str = field(default="", repr=False)

    async def come_in(self) -> None:
        """Become a guest."""
        self.token = (await self.ask("/api/guest", bearer=True))["token"]

    async def ask(self, path: str, **body: object) -> Json:
        """Ask for something; fails unless it is granted."""
        headers = {"X-Forwarded-For": self.address}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        keyed = body if path == "/api/guest" else {"key": str(uuid4()), **body}
        answer = await self.client.post(path, json=keyed, headers=headers)
        if answer.is_error:
            raise SystemExit(f"an honest player was refused: {path} {answer.status_code} {answer.text}")
        told: Json = answer.json()
        return told


@dataclass(kw_only=True)
class Table:
    """Two honest players and their game; a new one when it is over."""

    people: tuple[Person, Person]
    path: str = ""
    update: Json = field(default_factory=dict)

    async def begin(self) -> None:
        """Sit down and start."""
        host, other = self.people
        told = await host.ask("/api/tables", terms={"ruleset": "jamaica", "seats": 2})
        self.path = f"/api/tables/{told['id']}"
        await other.ask(f"{self.path}/sit")
        self.update = await host.ask(f"{self.path}/start")

    async def move(self) -> float:
        """Make one move; return how long it took."""
        view = self.update["view"]
        mover = self.people[view["to_act"]]
        current = await self._seen_by(mover)
        began = time.monotonic()
        self.update = await mover.ask(
            f"{self.path}/actions", seq=current["seq"], code=current["view"]["legal"][0]
        )
        taken = time.monotonic() - began
        if self.update["view"]["to_act"] is None:
            await self.begin()
        return taken

    async def _seen_by(self, mover: Person) -> Json:
        headers = {"X-Forwarded-For": mover.address, "Authorization": f"Bearer {mover.token}"}
        answer = await mover.client.get(self.path, headers=headers)
        current: Json = answer.raise_for_status().json()["current"]
        return current


async def played(tables: list[Table], ended: asyncio.Event) -> list[float]:
    """How long each move took, at all tables, until `ended` is set."""

    async def play(table: Table) -> list[float]:
        times = []
        while not ended.is_set():
            times.append(await table.move())
            await asyncio.sleep(PAUSE)
        return times

    return [taken for times in await asyncio.gather(*map(play, tables)) for taken in times]


def p99(times: list[float]) -> float:
    """What 99 of 100 stay below."""
    return statistics.quantiles(times, n=100, method="inclusive")[-1]


def floods(tables: list[Table], account: Person, strangers: list[Person]) -> tuple[Flood, ...]:
    """Every flood: from one address, of one account, at one table, and of requests that do not end."""
    table = tables[0].path
    act = msgspec.json.encode({"seq": 2, "code": 0, "key": str(uuid4())})
    say = msgspec.json.encode({"text": "ahoy", "key": str(uuid4())})
    address = "192.0.2.66"
    guest = msgspec.json.encode({"name": "Flood", "bearer": True})
    many = [f"198.51.100.{number}" for number in range(1, 101)]
    return (
        Flood(
            name="one address",
            wishes=tuple(
                Wish(method="GET", path=path, address=address)
                for path in ("/api/lobby", f"{table}/replay", table, "/api/ladder?ruleset=jamaica")
            ),
        ),
        Flood(
            name="guests of one address",
            wishes=(Wish(method="POST", path="/api/guest", address=address, content=guest),),
        ),
        Flood(
            name="one account, many addresses",
            wishes=tuple(
                Wish(method="GET", path="/api/me/games", address=place, token=account.token) for place in many
            ),
        ),
        Flood(
            name="strangers at one table",
            wishes=tuple(
                Wish(
                    method="POST", path=f"{table}/{what}", address=one.address, token=one.token, content=body
                )
                for one in strangers
                for what, body in (("actions", act), ("chat", say))
            ),
        ),
        Flood(
            name="half requests",
            wishes=(Wish(method="POST", path="/api/guest", address=address, content=guest),),
            connections=200,
            half=True,
        ),
    )


def wrong(
    flood: Flood, answered: Answered, times: list[float], bound: float, seconds: float = 0
) -> list[str]:
    """What went wrong; on a slow machine a flood may stay within the limits and need no refusal."""
    refused = answered.statuses[TOO_MANY]
    allowed = READING.address.burst + seconds * READING.address.per_second
    is_flood = answered.statuses.total() > allowed
    faults = {
        f"{flood.name}: the others waited {p99(times):.3f} s": p99(times) > bound,
        f"{flood.name}: nobody was told to wait": is_flood and not flood.half and not refused,
        f"{flood.name}: {answered.without_wait} were not told how long": answered.without_wait > 0,
        f"{flood.name}: the service failed": any(status >= 500 for status in answered.statuses),  # noqa: PLR2004
    }
    return [sentence for sentence, holds in faults.items() if holds]


async def flooded(seconds: float, bound: float) -> list[str]:
    """Everything that went wrong, after every flood."""
    faults: list[str] = []
    async with AsyncExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        running = await opened.enter_async_context(harbour(folder, nodes=1, workers=0))
        (node,) = running.nodes
        client = await opened.enter_async_context(httpx.AsyncClient(base_url=node, timeout=30))
        people = [
            Person(client=client, address=f"203.0.113.{number}")
            for number in range(1, 2 * TABLES + STRANGERS + 2)
        ]
        for person in people:
            await person.come_in()
        honest, account, strangers = people[: 2 * TABLES], people[2 * TABLES], people[2 * TABLES + 1 :]
        tables = [Table(people=(honest[place], honest[place + 1])) for place in range(0, 2 * TABLES, 2)]
        for table in tables:
            await table.begin()
        peace, _ = await _measured("in peace", tables, asyncio.sleep(seconds))
        bound = max(bound, FACTOR * p99(peace))
        for flood in floods(tables, account, strangers):
            port = httpx.URL(node).port
            assert port is not None
            times, answered = await _measured(flood.name, tables, poured(flood, port, seconds))
            assert answered is not None
            faults += wrong(flood, answered, times, bound, seconds)
        faults += running.troubles()
    return faults


async def _measured(
    name: str, tables: list[Table], meanwhile: Awaitable[Answered | None]
) -> tuple[list[float], Answered | None]:
    ended = asyncio.Event()
    playing = asyncio.create_task(played(tables, ended))
    answered = await meanwhile
    ended.set()
    times = await playing
    told = "" if answered is None else f"; the flood was answered {dict(sorted(answered.statuses.items()))}"
    print(f"{name}: {len(times)} moves of the others, 99 of 100 within {p99(times) * 1000:.0f} ms{told}")
    return times, answered


def main() -> None:
    """Run every flood; exit code 1 if anything was not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each flood lasts")
    parser.add_argument(
        "--bound", type=float, default=BOUND, help="seconds for 99 of 100 moves of the others"
    )
    asked = parser.parse_args()
    faults = asyncio.run(flooded(asked.seconds, asked.bound))
    print(*faults or ["all is well"], sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
