"""A table on a device for tests: sends requests as a page would, and keeps all that it is answered."""

import asyncio
import itertools
from collections.abc import Iterable
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from cartagena.local import Device, DeviceAnswer, DeviceConfig
from harness.play.clients import Exchange
from tests.waiting import until

NOW = 1_767_225_600_000
NAMES = ("Anne", "Bart", "Cora", "Dirk", "Elsa")
FEW = 8
"""Simulations for a hint or an analysis; how good it is, others test."""


def chance_of(seed: int) -> Any:
    """Bytes from a seed."""
    return Random(seed).randbytes


def config(seed: int = 1672, now: int = NOW) -> DeviceConfig:
    """A configuration in which nothing is left to chance; time goes on by a second with each look at it."""
    moments = itertools.count(now, 1_000)
    return DeviceConfig(
        now=lambda: next(moments),
        chance=chance_of(seed),
        hint_simulations=FEW,
        analysis_simulations=FEW,
    )


class Paper:
    """A log that is written line by line; it may be full."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = list(lines)
        self.is_full = False

    async def append(self, line: str) -> None:
        """Keep a line."""
        await asyncio.sleep(0)
        if self.is_full:
            raise OSError("no room left")
        self.lines.append(line)


class Ear:
    """Hears a stream."""

    def __init__(self) -> None:
        self.words: list[bytes] = []

    def hear(self, words: bytes) -> None:
        """Take the next bytes."""
        self.words.append(words)


class LocalGame:
    """One table of a device, and the requests that a page sends to it."""

    def __init__(self, device: Device, table_id: str = "") -> None:
        self.device = device
        self.id = table_id
        self.exchanges: list[Exchange] = []
        self.streams: list[tuple[Ear, asyncio.Task[DeviceAnswer | None]]] = []
        self._keys = Random(table_id)

    @property
    def uuid(self) -> UUID:
        return UUID(self.id)

    def key(self) -> str:
        """A key for the next request."""
        return str(UUID(bytes=self._keys.randbytes(16), version=4))

    async def send(
        self, method: str, path: str, body: dict[str, Any] | None = None, name: str | None = None
    ) -> DeviceAnswer:
        """Send a request, and keep what comes back."""
        content = b"" if body is None else msgspec.json.encode(body)
        answer = await self.device.answer(method, path, content, name)
        plain = path.partition("?")[0]
        self.exchanges.append(
            Exchange(method=method, path=plain, status=answer.status, headers=(), body=bytearray(answer.body))
        )
        return answer

    async def open(self, name: str = NAMES[0], bots: tuple[str, ...] = (), **terms: Any) -> dict[str, Any]:
        """Open a table."""
        body = {"key": self.key(), "terms": terms, "bots": bots}
        answer = await self.send("POST", "/api/tables", body, name)
        assert answer.status == 201, answer.body
        told: dict[str, Any] = msgspec.json.decode(answer.body)
        self.id = told["id"]
        return told

    async def post(self, verb: str, name: str | None = None, **body: Any) -> DeviceAnswer:
        """Ask for something at the table."""
        return await self.send("POST", f"/api/tables/{self.id}/{verb}", {"key": self.key(), **body}, name)

    async def done(self, verb: str, name: str | None = None, **body: Any) -> dict[str, Any]:
        """Ask for something that is allowed."""
        answer = await self.post(verb, name, **body)
        assert answer.status < 300, answer.body
        told: dict[str, Any] = msgspec.json.decode(answer.body)
        return told

    async def get(self, what: str = "") -> DeviceAnswer:
        """Look at something of the table."""
        return await self.send("GET", f"/api/tables/{self.id}{what}")

    async def shown(self) -> dict[str, Any]:
        """The table as the device is told it now."""
        told: dict[str, Any] = msgspec.json.decode((await self.get()).body)
        return told

    async def follow(self, last: str | None = None) -> Ear:
        """Follow the table; returns once the stream has begun."""
        ear, query = Ear(), "" if last is None else f"?last={last}"
        path = f"/api/tables/{self.id}/stream{query}"
        task = asyncio.create_task(self.device.follow(path, ear))
        self.streams.append((ear, task))
        await until(lambda: ear.words or task.done())
        return ear

    async def start(self, ruleset: str, seats: int, people: int = 1, level: str = "random") -> None:
        """Open a table, seat its people, and deal; bots fill the last seats."""
        bots = (level,) * (seats - people)
        await self.open(ruleset=ruleset, seats=seats, bots=bots)
        for name in NAMES[1:people]:
            await self.done("sit", name)
        await self.done("start")

    async def turn(self) -> dict[str, Any] | None:
        """What the person to act is shown, uncovered if need be; None once the game is over."""
        while True:
            told = (await self.shown())["current"]
            if told["table"]["stage"] == "over":
                return None
            if told["view"].get("legal"):
                current: dict[str, Any] = told
                return current
            uncovered = await self.post("uncover")
            if uncovered.status == 200:
                continue
            # A bot thinks.
            await asyncio.sleep(0)

    async def play(self, chance: Random, most: int = 10_000) -> None:
        """Play on at random, with some choices taken back, at most `most` choices."""
        for _ in range(most):
            told = await self.turn()
            if told is None:
                return
            if told.get("undo") and chance.random() < 0.1:
                await self.done("undo", seq=told["seq"])
            else:
                await self.done("actions", seq=told["seq"], code=chance.choice(told["view"]["legal"]))

    async def close(self) -> None:
        """Leave everything."""
        await self.device.close()
        for _, task in self.streams:
            await task
