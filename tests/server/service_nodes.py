"""Whole nodes for tests: the real app on a real database, behind a real uvicorn, on a bus of their own."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
from prometheus_client import CollectorRegistry

from cartagena.server.http.streams.ports import StreamSettings
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.web_app import Web, opened_web
from tests.server.http_house import NO_CERTIFICATES, serving
from tests.waiting import PATIENCE, until

# Any: whatever an answer in JSON holds.
Json = dict[str, Any]


@dataclass(kw_only=True)
class Node:
    """A running web node."""

    url: str
    resources: Resources
    web: Web


@asynccontextmanager
async def running_node(settings: Settings, streams: StreamSettings | None = None) -> AsyncIterator[Node]:
    """A web node while the block lasts; its streams are sent away before it ends."""
    async with (
        opened_resources(settings, program="cartagena test") as resources,
        opened_web(resources, CollectorRegistry(), streams=streams) as web,
        serving(uvicorn_config(web.app, port=0)) as port,
    ):
        yield Node(url=f"http://127.0.0.1:{port}", resources=resources, web=web)
        await web.hub.drain()


@dataclass(kw_only=True)
class Person:
    """A guest at one node, with a bearer token."""

    client: httpx.AsyncClient
    id: str
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def post(self, path: str, *, status: int = 200, **body: object) -> Json:
        """Send a POST, with a key of its own unless one is given; return its content."""
        answer = await self.client.post(path, json={"key": str(uuid4()), **body}, headers=self.headers)
        assert answer.status_code == status, answer.text
        told: Json = answer.json()
        return told

    async def status_of(self, path: str, **body: object) -> int:
        """Send a POST; return its status, whatever it is."""
        answer = await self.client.post(path, json={"key": str(uuid4()), **body}, headers=self.headers)
        return answer.status_code

    async def get(self, path: str, *, status: int = 200) -> Json:
        """Send a GET; return its content."""
        answer = await self.client.get(path, headers=self.headers)
        assert answer.status_code == status, answer.text
        told: Json = answer.json()
        return told


@asynccontextmanager
async def guest(node: Node, name: str) -> AsyncIterator[Person]:
    """A new guest at a node."""
    async with httpx.AsyncClient(base_url=node.url, timeout=PATIENCE, verify=NO_CERTIFICATES) as client:
        answer = await client.post("/api/guest", json={"name": name, "bearer": True})
        told = answer.json()
        yield Person(client=client, id=told["me"]["id"], token=told["token"])


@dataclass
class Listener:
    """A stream that is being read: its events in order, and how it ended.

    Presence is kept apart: it has no place in the log, and may come at any time.
    """

    events: list[tuple[str, str, Json]] = field(default_factory=list)
    presence: list[Json] = field(default_factory=list)
    is_over: bool = False

    async def until(self, seq: int) -> None:
        """Wait until an update of this number has come."""
        await until(lambda: any(told.get("seq", -1) >= seq for _, _, told in self.events), what=f"seq {seq}")

    async def until_told(self) -> None:
        """Wait until anything has come."""
        await until(lambda: self.events, what="the first event")

    async def until_over(self) -> str:
        """Wait until the stream has ended; return why."""
        await until(lambda: self.is_over, what="the end of the stream")
        return str(self.events[-1][2].get("code")) if self.events else ""

    @property
    def last_id(self) -> str:
        return next(id_ for _, id_, _ in reversed(self.events) if id_)


@asynccontextmanager
async def listening(person: Person, path: str, last: str | None = None) -> AsyncIterator[Listener]:
    """Read a stream in the background while the block lasts."""
    listener = Listener()
    headers = person.headers | ({"Last-Event-ID": last} if last else {})

    async def read() -> None:
        with suppress(httpx.HTTPError):
            async with person.client.stream("GET", path, headers=headers, timeout=None) as answer:
                assert answer.status_code == 200, await answer.aread()
                await _read_events(answer, listener)
        listener.is_over = True

    task = asyncio.create_task(read())
    try:
        yield listener
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _read_events(answer: httpx.Response, listener: Listener) -> None:
    event, id_, data = "", "", ""
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            event = value
        elif name == "id":
            id_ = value
        elif name == "data":
            data = value
        elif not line and data:
            if event == "presence":
                listener.presence.append(json.loads(data))
            else:
                listener.events.append((event, id_, json.loads(data)))
            event, id_, data = "", "", ""
