"""A flood: a separate process that asks as fast as it is answered, and counts the answers."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from typing import Final

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
