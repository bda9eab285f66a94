"""A service and a device that are asked the same: real handlers on a real PostgreSQL, and no difference."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import msgspec

from cartagena.endpoints.callers import Scope, Session
from cartagena.endpoints.events import farewell, written
from cartagena.endpoints.kit import Kit
from cartagena.endpoints.playing import playing_routes
from cartagena.endpoints.seating import seating_routes
from cartagena.endpoints.tables import branch_routes, table_routes
from cartagena.local import Device, DeviceAnswer
from cartagena.local.own_routes import person
from cartagena.local.store import EventLine
from cartagena.messages.streams import StreamPosition
from cartagena.server.http.app import build_app
from cartagena.server.http.client_address import Households
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.rate_limits import TableLimits
from cartagena.server.shared.processes import in_thread
from cartagena.server.store.analyses import DirectoryAnalyses
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.store.group_commit import DirectoryCreations
from cartagena.server.store.job_queue import JobQueue
from cartagena.tables import playing
from cartagena.tables.ids import OF_DEVICE
from cartagena.tables.ports import Sender
from cartagena.tables.service import Make, Tables
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table
from tests.local.local_table import NAMES, NOW, Ear, Paper, chance_of, config
from tests.server.tables_world import Heard
from tests.waiting import until

HOME = "https://cartagena.example"
PACE = 1_000_000


class Callers:
    """Sessions whose token is the player's id and name."""

    async def find(self, token: str) -> Session | None:
        player, _, name = token.partition(".")
        return Session(
            id=UUID(player),
            player_id=UUID(player),
            name=name,
            is_guest=False,
            scopes=frozenset(Scope),
            by_cookie=False,
            token_hash=b"",
        )


class Nobody:
    """Nobody is blocked, and nobody sits anywhere else."""

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:  # noqa: ARG002 - the port's
        return False

    async def is_person_among(self, player: UUID, others: list[UUID]) -> bool:
        return player in others

    async def unfinished(self, player: UUID) -> int:  # noqa: ARG002 - the port's
        return 0

    async def check(self, players: Sequence[UUID]) -> None:
        """Nobody is a bot."""

    async def count(self, game_id: UUID, players: Sequence[UUID]) -> None:
        """Nobody is a bot."""


class Twins:
    """Asks both for the same, as the person whom the device looks for."""

    def __init__(self, databases: Databases, seed: int) -> None:
        self.heard = Heard()
        self.store = Games(databases)
        self.tables = Tables(self.store, self.heard)
        directory = databases.directory
        kit = Kit(
            tables=self.tables,
            store=self.store,
            creations=DirectoryCreations(directory),
            blocks=Nobody(),
            analyses=DirectoryAnalyses(directory, JobQueue(directory)),
            seatings=Nobody(),
            limits=TableLimits(pace=PACE),
            bot_games=Nobody(),
            households=Households(b"secret"),
            chance=chance_of(seed),
            aside=in_thread,
            now=lambda: NOW,
            version=OF_DEVICE,
            endless=True,
        )
        app = build_app(
            (*table_routes(kit), *branch_routes(kit), *seating_routes(kit), *playing_routes(kit)),
            sessions=Callers(),
            settings=HttpSettings(own_origins=frozenset({HOME}), pace=PACE),
            ready_checks={},
        )
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=HOME)
        self.paper = Paper()
        self.times = [NOW]
        self.device = Device(self.paper.append, (), replace(config(seed), now=self._now))
        self.people: list[tuple[UUID, str]] = []
        self.id = ""
        self.look: int | None = 0
        self.ear = Ear()
        self.expected: list[bytes] = []
        self.following: asyncio.Task[DeviceAnswer | None] | None = None
        self._read = 0
        self._announced = 0
        self._dealt = False

    def _now(self) -> int:
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]

    # Asking.

    async def of_service(
        self, seat: int | None, method: str, path: str, body: bytes | None = None
    ) -> DeviceAnswer:
        """What the service answers the person of a seat, or somebody without one."""
        headers = {} if seat is None else {"authorization": "Bearer {}.{}".format(*self.people[seat])}
        if body is not None:
            headers["content-type"] = "application/json"
        answer = await self.client.request(method, path, content=body, headers=headers)
        kind = answer.headers.get("content-type") if answer.content else None
        return DeviceAnswer(status=answer.status_code, body=answer.content, media_type=kind)

    async def same(self, method: str, path: str, body: dict[str, Any] | None = None) -> DeviceAnswer:
        """Ask both as the person whom the device looks for; there must be no difference."""
        content = None if body is None else msgspec.json.encode(body)
        there = await self.of_service(self.look, method, path, content)
        here = await self.device.answer(method, path, content or b"", None)
        assert (here.status, here.media_type, here.body) == (there.status, there.media_type, there.body)
        return here

    async def comes(self, path: str, **body: Any) -> DeviceAnswer:
        """Let the next person open a table, or sit down at it."""
        seat = len(self.people)
        key = UUID(int=seat + 1, version=4)
        self.people.append((person(key), NAMES[seat]))
        content = msgspec.json.encode({"key": key, **body})
        there = await self.of_service(seat, "POST", path, content)
        if not seat:
            told = msgspec.json.decode(there.body)
            self.times.append(told["current"]["table"]["created"])
        here = await self.device.answer("POST", path, content, NAMES[seat])
        assert (here.status, here.body) == (there.status, there.body)
        return here

    async def open(self, people: int, bots: tuple[str, ...] = (), **terms: Any) -> None:
        """Open a table and seat its people."""
        told = await self.comes("/api/tables", terms=terms, bots=bots)
        assert told.status == 201
        self.id = msgspec.json.decode(told.body)["id"]
        for _ in range(1, people):
            await self.comes(f"/api/tables/{self.id}/sit")
        self._announced = len(self.heard.updates)
        self._read = len(self.paper.lines)
        await self.follow()

    async def follow(self) -> None:
        """Follow the table on the device; the service says what must be heard."""
        self.ear = Ear()
        self.following = asyncio.create_task(self.device.follow(f"/api/tables/{self.id}/stream", self.ear))
        told = msgspec.json.decode(
            (await self.of_service(self.look, "GET", f"/api/tables/{self.id}")).body, type=Standing
        )
        seq = msgspec.json.decode(told.current, type=Numbered).seq
        self.expected = [written("update", bytes(told.current), StreamPosition(seq, 0))]
        await until(lambda: self.ear.words)

    async def shown(self) -> dict[str, Any]:
        """The table as both show it."""
        answer = await self.same("GET", f"/api/tables/{self.id}")
        told: dict[str, Any] = msgspec.json.decode(answer.body)["current"]
        return told

    async def act(self, verb: str, **body: Any) -> None:
        """Do something at the table that is allowed; who looks may change by it."""
        path, key = f"/api/tables/{self.id}/{verb}", UUID(int=2**64 + len(self.paper.lines), version=4)
        content = msgspec.json.encode({"key": key, **body})
        before = self.look
        there = await self.of_service(before, "POST", path, content)
        assert there.status == 200, there.body
        here = await self.device.answer("POST", path, content, None)
        told = await self._catch_up(1)
        assert here.status == 200
        assert here.body == (there.body if self.look == before else told)
        await self._let_bots_act()

    async def uncover(self) -> None:
        """Let the person to act come to the device."""
        told = await self.shown()
        self.look = told["view"]["to_act"]
        here = await self.device.answer("POST", f"/api/tables/{self.id}/uncover")
        there = await self.of_service(self.look, "GET", f"/api/tables/{self.id}")
        assert here.body == there.body
        await self._listen_anew()

    async def _let_bots_act(self) -> None:
        """Wait until the bots of the device have acted, and do at the service what they did."""
        while True:
            table = await self.tables.newest(UUID(self.id))
            if table.bot_to_act is None:
                return
            line = await until(self._next_line)
            assert line is not None
            sender = Sender(player=None, key=line.key)
            await self.tables.change_at(table.id, table.seq, sender, repeated(line))
            await self._catch_up(1)

    def _next_line(self) -> EventLine | None:
        if self._read == len(self.paper.lines):
            return None
        return msgspec.json.decode(self.paper.lines[self._read], type=EventLine)

    async def _catch_up(self, events: int) -> bytes:
        """Note what the service announced, and what the device must have told its listener."""
        told = b""
        for _ in range(events):
            table, frames = self.heard.updates[self._announced]
            self._announced += 1
            self._read += 1
            look = looked_from(table, self.look, is_new=not self._dealt)
            self._dealt = table.position is not None
            audience = table.sheet.watchers if look is None else table.sheet.audience_of(look)
            told = frames[audience]
            if look != self.look:
                self.look = look
                await self._listen_anew()
            else:
                self.expected.append(written("update", told, StreamPosition(table.seq, 0)))
        return told

    async def _listen_anew(self) -> None:
        """The device looks from elsewhere: its stream has ended."""
        self.expected.append(farewell("forbidden"))
        await self.compare_streams()
        await self.follow()

    async def compare_streams(self) -> None:
        """What the listener heard is what the service says."""
        await until(lambda: len(self.ear.words) >= len(self.expected))
        assert self.ear.words[: len(self.expected)] == self.expected

    async def close(self) -> None:
        """Leave both."""
        await self.device.close()
        assert self.following is not None
        await self.following
        await self.client.aclose()


def repeated(line: EventLine) -> Make:
    """What a bot of the device did, done at the service."""
    seat, code = line.seat, line.code
    assert seat is not None
    assert code is not None
    return lambda table: playing.act(table, seat, code)


class Standing(msgspec.Struct):
    """A table as it is shown, its update still as it came."""

    current: msgspec.Raw


class Numbered(msgspec.Struct):
    """The number of an update."""

    seq: int


def looked_from(table: Table, before: int | None, *, is_new: bool) -> int | None:
    """The seat from which a shared device must look after an event: the rule once more, in other words."""
    asked = table.to_act if table.bot_to_act is None else None
    people = sum(chair.player is not None for chair in table.sheet.chairs)
    if table.sheet.stage is Stage.RUNNING and people > 1 and not table.sheet.rules.hands_open:
        # A hand stays open until another person is asked; at the deal nobody has come yet.
        return before if not is_new and asked in {None, before} else None
    return before if asked is None else asked
