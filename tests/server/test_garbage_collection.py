"""A move leaves nothing to Python's collector: while it looks for rings of references, no stream moves."""

import asyncio
import gc
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

from tests.server.databases import settings_for
from tests.server.service_nodes import Json, Node, Person, guest, listening, running_node

MOVES = 40


class PlainConnection:
    """A connection kept alive that leaves no rings on its own side, which no client library promises."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, person: Person, method: str, path: str, **body: object) -> Json:
        """Send a request; return the content of its answer."""
        content = json.dumps(body).encode() if body else b""
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {person.token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        self._writer.write(head.encode() + content)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.partition("content-length: ")[2].partition("\r\n")[0])
        told: Json = json.loads(await self._reader.readexactly(length))
        assert answer.startswith("http/1.1 200"), told
        return told


@asynccontextmanager
async def connected(node: Node) -> AsyncIterator[PlainConnection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(node.url).port)
    try:
        yield PlainConnection(reader, writer)
    finally:
        writer.close()


@contextmanager
def leftovers() -> Iterator[Counter[str]]:
    """Count what is made while the block lasts and only the collector can free."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(type(thing).__qualname__ for thing in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


async def test_the_count_notices_a_ring() -> None:
    with leftovers() as found:
        ring: list[object] = []
        ring.append(ring)
        del ring
    assert found["list"] == 1


async def test_a_move_leaves_nothing_to_the_collector(database_dsn: str, nats_url: str) -> None:
    settings = settings_for(database_dsn, CARTAGENA_NATS=nats_url, CARTAGENA_POOL="3")
    async with (
        running_node(settings) as here,
        running_node(settings) as there,
        guest(here, "Anne") as anne,
        guest(here, "Bart") as bart,
        guest(there, "Cora") as cora,
        connected(here) as connection,
    ):
        terms = {"ruleset": "jamaica", "seats": 2}
        table = f"/api/tables/{(await anne.post('/api/tables', status=201, terms=terms))['id']}"
        await bart.post(f"{table}/sit")
        await anne.post(f"{table}/start")
        people = (anne, bart)

        async def move() -> int:
            to_act = (await connection.ask(anne, "GET", table))["current"]["view"]["to_act"]
            now = (await connection.ask(people[to_act], "GET", table))["current"]
            action = {"seq": now["seq"], "code": now["view"]["legal"][0], "key": str(uuid4())}
            acted = await connection.ask(people[to_act], "POST", f"{table}/actions", **action)
            return int(acted["seq"])

        async with listening(cora, f"{table}/stream") as seen:
            await seen.until(await move())
            with leftovers() as found:
                seqs = [await move() for _ in range(MOVES)]
                await seen.until(seqs[-1])
    # A few may come from what runs beside the moves; one for each move, or for each request, may not.
    assert [kind for kind, count in found.items() if count >= MOVES] == []
