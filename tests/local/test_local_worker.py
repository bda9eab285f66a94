"""The bridge of a worker in a browser: each stream is ended once, and nothing of it is kept."""

import asyncio

import msgspec

from cartagena.local.worker import WorkerBridge, open_door
from tests.local.local_table import Paper
from tests.waiting import until

TERMS = {"ruleset": "jamaica", "seats": 2}
KEY = "00000000-0000-4000-8000-000000000001"
NOWHERE = "/api/tables/019a9a2e-5c1f-8d3e-8f00-5f0d3c2b1a00/stream"


class Page:
    """What a page was told."""

    def __init__(self, bridge: WorkerBridge) -> None:
        self.bridge = bridge
        self.replies: list[tuple[int, str, str]] = []
        self.pieces: list[str] = []
        self.ends = 0

    def reply(self, status: int, media_type: str, text: str) -> None:
        self.replies.append((status, media_type, text))

    def end(self) -> None:
        self.ends += 1

    async def ask(self, method: str, path: str, body: object = None) -> str:
        """Send a request; returns the text of the answer."""
        before = len(self.replies)
        content = None if body is None else msgspec.json.encode(body).decode()
        self.bridge.answer(method, path, content, "Anne", self.reply)
        await until(lambda: len(self.replies) > before)
        return self.replies[-1][2]

    async def open(self) -> str:
        """Open a table; returns the path of it."""
        told = await self.ask("POST", "/api/tables", {"key": KEY, "terms": TERMS, "bots": ["random"]})
        return f"/api/tables/{msgspec.json.decode(told)['id']}"

    def follow(self, path: str) -> None:
        self.bridge.follow("page 1", path, self.reply, self.pieces.append, self.end)


def page() -> Page:
    """A page of a bridge that has no tables yet."""
    return Page(open_door(Paper().append, ""))


def streams() -> list[asyncio.Task[object]]:
    """The streams that are under way."""
    return [task for task in asyncio.all_tasks() if "_follow" in repr(task.get_coro())]


async def test_a_stream_is_told_and_ends_with_its_table() -> None:
    reader = page()
    path = await reader.open()
    reader.follow(f"{path}/stream")
    await until(lambda: reader.pieces)
    assert reader.replies[-1] == (200, "text/event-stream", "")
    await reader.ask("DELETE", path)
    await until(lambda: reader.ends)
    await until(lambda: not reader.bridge._followed)
    assert reader.pieces[-1].startswith("event: closed")


async def test_a_refused_stream_ends() -> None:
    reader = page()
    reader.follow(NOWHERE)
    await until(lambda: reader.replies)
    assert reader.replies[0][0] == 404
    await until(lambda: reader.ends)
    await until(lambda: not reader.bridge._followed)
    assert reader.pieces == []


async def test_a_stream_that_is_left_is_told_nothing_more() -> None:
    reader = page()
    path = await reader.open()
    reader.follow(f"{path}/stream")
    await until(lambda: reader.pieces)
    reader.bridge.leave("page 1")
    told = len(reader.pieces)
    await until(lambda: not streams())
    await reader.ask("DELETE", path)
    assert len(reader.pieces) == told
    assert reader.ends == 0
    assert not reader.bridge._followed


async def test_a_key_that_was_left_can_be_used_at_once() -> None:
    reader = page()
    path = await reader.open()
    reader.follow(f"{path}/stream")
    await until(lambda: reader.pieces)
    reader.bridge.leave("page 1")
    reader.follow(f"{path}/stream")
    await until(lambda: len(streams()) == 1)
    assert "page 1" in reader.bridge._followed
