"""A world for streams: a log of frames, a real server on a loopback port, and clients that read."""

import asyncio
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final
from urllib.parse import parse_qs, urlencode
from uuid import UUID

import msgspec
import uvicorn

from cartagena.endpoints.asgi import Receive, Scope, Send
from cartagena.endpoints.events import Frame
from cartagena.server.bus import Announcement
from cartagena.server.http.response_headers import refusal_of
from cartagena.server.http.streams.connections import SLOTS
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import StreamSettings, Visitor
from cartagena.server.http.streams.sse import Connection
from cartagena.server.http.uvicorn_server import StreamProtocol, abort_of
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import ServiceError
from tests.waiting import PATIENCE, until

GAME: Final = UUID(int=7 << 76)
"""The table that is watched."""
QUICK: Final = StreamSettings(heartbeat=60, check_every=60, lobby_every=60, sessions_every=60, patience=2)
"""Settings under which nothing happens by itself during a test."""


class Log:
    """Frames in the order in which they happened; each audience has its own words for them."""

    def __init__(self, audiences: Sequence[int] = (0, 1, SPECTATOR), *, size: int = 0) -> None:
        self.audiences = audiences
        self.readings: list[tuple[object, ...]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.trouble: Exception | None = None
        self.ended: set[UUID] = set()
        self.lobby = b'{"tables":[]}'
        self.timeline = "00000001"
        self.chance: Random | None = None
        self._padding = "x" * size
        self._frames: dict[UUID, list[dict[int, Frame]]] = defaultdict(list)
        self._places: dict[UUID, tuple[int, int]] = {}

    def open(self, game_id: UUID) -> None:
        """A table that stands at 0.0."""
        self._places[game_id] = (0, 0)

    def update(self, game_id: UUID) -> Announcement:
        """One more update, and how it is announced."""
        seq, chat = self._places[game_id]
        return self._add(game_id, Frame(event="update", seq=seq + 1, chat=chat, data=b""))

    def say(self, game_id: UUID, *, not_to: Sequence[int] = ()) -> Announcement:
        """One more line of chat."""
        seq, chat = self._places[game_id]
        return self._add(game_id, Frame(event="chat", seq=seq, chat=chat + 1, data=b""), not_to)

    async def current(self, game_id: UUID, audience: int) -> Frame:
        """The whole state."""
        await self._read("current", game_id, audience)
        seq, chat = self._places[game_id]
        await self._linger()
        return Frame(event="update", seq=seq, chat=chat, data=_json(whole=seq, lines=chat, audience=audience))

    async def effort(self, game_id: UUID, seq: int) -> int:
        """How many events came after `seq`: it keeps their frames, and need not make any."""
        return self._places[game_id][0] - seq

    async def since(self, game_id: UUID, audience: int, seq: int, chat: int) -> list[Frame]:
        """What an audience missed."""
        await self._read("since", game_id, audience, seq, chat)
        told = [frames[audience] for frames in self._frames[game_id] if audience in frames]
        await self._linger()
        return [one for one in told if (one.seq > seq if one.event == "update" else one.chat > chat)]

    async def timelines(self) -> str:
        """The timelines of the databases."""
        return self.timeline

    async def cursors(self, game_ids: Sequence[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """How far each table is."""
        await self._read("cursors", len(game_ids))
        places = {game_id: self._places[game_id] for game_id in game_ids if game_id in self._places}
        await self._linger()
        return places

    async def listing(self) -> bytes:
        """The lobby."""
        await self._read("listing")
        return self.lobby

    async def ended_among(self, session_ids: Collection[UUID]) -> set[UUID]:
        """Which sessions are no longer valid."""
        await self._read("sessions", sorted(session_ids))
        return self.ended & set(session_ids)

    async def _read(self, *what: object) -> None:
        self.readings.append(what)
        await self._linger()
        await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble

    async def _linger(self) -> None:
        """Take some time, as a store does before it looks and after it has looked."""
        await asyncio.sleep(0 if self.chance is None else self.chance.uniform(0, 0.003))

    def _add(self, game_id: UUID, frame: Frame, not_to: Sequence[int] = ()) -> Announcement:
        told = {
            audience: replace(frame, data=self._words(frame, audience))
            for audience in self.audiences
            if audience not in not_to
        }
        self._frames[game_id].append(told)
        self._places[game_id] = (frame.seq, frame.chat)
        frames = {audience: one.data for audience, one in told.items()}
        return Announcement(game_id=game_id, seq=frame.seq, chat=frame.chat, kind=frame.event, frames=frames)

    def _words(self, frame: Frame, audience: int) -> bytes:
        number = frame.seq if frame.event == "update" else frame.chat
        return _json(**{frame.event: number}, audience=audience, padding=self._padding)


def _json(**words: object) -> bytes:
    return msgspec.json.encode(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event as a client got it."""

    event: str = ""
    id: str | None = None
    data: str = ""
    retry: int | None = None
    comment: bool = False

    @property
    def words(self) -> dict[str, object]:
        """What it says."""
        words: dict[str, object] = msgspec.json.decode(self.data)
        return words


def event_of(block: bytes) -> Event:
    """Read one block of a stream as a browser does."""
    said: dict[str, list[str]] = defaultdict(list)
    for line in block.decode().splitlines():
        name, _, value = line.partition(":")
        said[name].append(value.removeprefix(" "))
    retry = said.get("retry")
    return Event(
        event="".join(said["event"]),
        id=said["id"][-1] if "id" in said else None,
        data="\n".join(said["data"]),
        retry=None if retry is None else int(retry[-1]),
        comment="" in said,
    )


@dataclass(slots=True, kw_only=True)
class Client:
    """A client that reads a stream over a plain socket."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    last: str | None = None
    retry: int | None = None
    _rest: bytes = b""
    _blocks: list[bytes] = field(default_factory=list)

    async def read_headers(self) -> None:
        """Wait until the server answers."""
        async with asyncio.timeout(PATIENCE):
            self.status = int((await self.reader.readline()).split()[1])
            while line := (await self.reader.readline()).decode().strip():
                name, _, value = line.partition(": ")
                self.headers[name] = value

    async def next(self) -> Event:
        """The next event, without comments and waiting times; fails if the stream ends or nothing comes."""
        while True:
            event = event_of(await self.block())
            if event.retry is not None:
                self.retry = event.retry
            if event.id is not None:
                self.last = event.id
            if event.event:
                return event

    async def several(self, number: int) -> list[Event]:
        """The next `number` events."""
        return [await self.next() for _ in range(number)]

    async def block(self) -> bytes:
        """The next block, whatever it is; raises EOFError when the stream has ended."""
        async with asyncio.timeout(PATIENCE):
            while not self._blocks:
                await self._read_chunk()
        return self._blocks.pop(0)

    async def has_ended(self) -> bool:
        """Whether the server ends the stream without another event."""
        try:
            while event_of(await self.block()).comment:
                pass
        except (EOFError, ConnectionError):
            return True
        return False

    def leave(self) -> None:
        """Cut the connection."""
        self.writer.transport.abort()

    async def _read_chunk(self) -> None:
        size = int((await self.reader.readline()).strip() or b"0", 16)
        if not size:
            raise EOFError
        chunk = await self.reader.readexactly(size + 2)
        *blocks, self._rest = (self._rest + chunk[:-2]).split(b"\n\n")
        self._blocks += blocks


@dataclass(slots=True, kw_only=True)
class World:
    """A hub behind a real server."""

    hub: StreamHub
    log: Log
    port: int
    server: uvicorn.Server
    clients: list[Client] = field(default_factory=list)

    async def ask(
        self, path: str, *, small: bool = False, last: str | None = None, session: UUID | None = None
    ) -> Client:
        """Open a stream; a small client has room for a few kilobytes only."""
        if session is not None:
            path = f"{path}{'&' if '?' in path else '?'}session={session}"
        connection = socket.create_connection(("127.0.0.1", self.port)) if not small else _small(self.port)
        reader, writer = await asyncio.open_connection(sock=connection, limit=2048 if small else 2**16)
        client = Client(reader=reader, writer=writer)
        self.clients.append(client)
        place = "" if last is None else f"Last-Event-ID: {last}\r\n"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: test\r\n{place}\r\n".encode())
        await client.read_headers()
        return client

    async def watch(
        self, game_id: UUID, audience: int = SPECTATOR, last: str | None = None, *, form: str = ""
    ) -> Client:
        """Open the stream of a table; a client may prefer a form of its updates."""
        query = urlencode({"audience": audience, "form": form})
        return await self.ask(f"/tables/{game_id}?{query}", last=last)

    async def is_silent(self, client: Client) -> bool:
        """Whether nothing is on its way to a client: a heartbeat sent now is what it hears next."""
        for _ in range(SLOTS):
            await self.hub._beat()
        while True:
            event = event_of(await client.block())
            client.retry = client.retry if event.retry is None else event.retry
            if event.event or event.comment:
                return event.comment


def _small(port: int) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    return connection


class App:
    """The few lines between ASGI and the hub; the query says who asks and for which audience."""

    def __init__(self, hub: StreamHub, *, can_cut: bool) -> None:
        self._hub = hub
        self._can_cut = can_cut

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream, or say why not."""
        asked = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
        connection = Connection(receive=receive, send=send, abort=abort_of(scope) if self._can_cut else None)
        visitor = Visitor(
            audience=int(asked.get("audience", SPECTATOR)),
            address=asked.get("address", "somewhere"),
            player_id=_uuid(asked.get("player")),
            session_id=_uuid(asked.get("session")),
        )
        last = dict(scope["headers"]).get(b"last-event-id", b"").decode() or asked.get("last")
        try:
            if scope["path"] == "/lobby":
                await self._hub.lobby(visitor, connection)
            else:
                game_id = UUID(scope["path"].removeprefix("/tables/"))
                await self._hub.table(game_id, visitor, connection, last=last, form=asked.get("form"))
        except (ServiceError, TimeoutError) as error:
            refused = refusal_of(error)
            body = refused.problem.code.encode()
            length = [(b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": refused.status, "headers": length})
            await send({"type": "http.response.body", "body": body})


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)


@asynccontextmanager
async def world(log: Log, settings: StreamSettings = QUICK, *, can_cut: bool = True) -> AsyncIterator[World]:
    """A hub behind a real server, which ends with everything that belongs to it."""
    hub = StreamHub(log, log, log, chance=Random(4), settings=settings)
    async with served(hub, log, can_cut=can_cut) as here:
        yield here


@asynccontextmanager
async def served(hub: StreamHub, log: Log, *, can_cut: bool = True) -> AsyncIterator[World]:
    """A hub that was made elsewhere, behind a real server."""
    hub.start()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            App(hub, can_cut=can_cut), http=StreamProtocol, lifespan="off", log_level="critical", backlog=4096
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listening]))
        here = World(hub=hub, log=log, port=listening.getsockname()[1], server=server)
        try:
            await until(lambda: server.started, what="the start of uvicorn")
            yield here
        finally:
            for client in here.clients:
                client.leave()
            await hub.drain()
            await hub.close()
            server.should_exit = True
            async with asyncio.timeout(PATIENCE):
                await serving
