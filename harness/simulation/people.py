"""Simulated people: each plays a seat by what the stream shows, and asks again when no answer comes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from cartagena.rules.refusals import CartagenaError
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.sse import Connection
from cartagena.server.store.databases import AWAY
from cartagena.tables import playing, seating
from cartagena.tables.access import audience_of, own_crew, seat_of
from cartagena.tables.chat import say
from cartagena.tables.errors import Problem, ServiceError, WithCurrent
from cartagena.tables.ports import ChatLine, Sender
from cartagena.tables.table import Change, Table
from harness.simulation.bus import Wire
from harness.simulation.event_loop import Machine
from harness.simulation.history import Request
from harness.simulation.world import Node, World

Answer = TypeVar("Answer")
Make = Callable[[Table], Change]

PATIENCE: Final = 8.0
"""How many seconds a person waits for an answer."""
TIMES: Final = 12
"""How often a request is sent before its sender gives up."""
BESIDE, SPOKEN, TWICE, LONG, OTHER, SILENCED = 0.2, 0.5, 0.3, 0.02, 0.8, 0.5
"""How often a person who is not to act does something else, says something, clicks twice, thinks for long,
changes their mind, and silences another player."""
MOST_TRIES: Final = 3
"""A seat on turn can move within this many tries, whatever the others do."""


class NoAnswer(Exception):
    """No answer came, or none was possible: whether anything was done is unknown."""


class SeenView(Struct):
    """What a person looks at in a view."""

    turn: int
    to_act: int | str | None
    legal: tuple[int, ...] | None


class SeenUpdate(Struct):
    """What a person looks at in an update."""

    seq: int
    view: Raw = Raw(b"null")
    anew: bool = False


@dataclass(slots=True)
class Seen:
    """What a person sees: the newest view, and the place that the stream has reached."""

    seq: int = -1
    view: bytes = b"null"
    place: tuple[int, int] | None = None

    @property
    def legal(self) -> tuple[int, ...]:
        """The codes that the person may choose now."""
        view = msgspec.json.decode(self.view, type=SeenView | None)
        return () if view is None or view.legal is None else view.legal


class Person:
    """A player with a browser."""

    def __init__(self, world: World, table_id: UUID, player: UUID, name: str) -> None:
        self.world = world
        self.table_id = table_id
        self.player = player
        self.name = name
        self.session = world.new_uuid()
        self.seen = Seen()
        self.machine = world.loop.add(Machine(name))
        self.audience: int | None = None
        self.wire: Wire | None = None
        self._news = asyncio.Event()
        self._tries = 0

    def begin(self, *, hostile: bool) -> None:
        """Open the browser and play."""
        self.world.loop.on(self.machine, self._listen())
        self.world.loop.on(self.machine, self._play())
        if hostile:
            self.world.loop.on(self.machine, self._pester())

    # Asking.

    async def ask(self, node: Node, work: Callable[[Node], Awaitable[Answer]]) -> Answer:
        """Have a node do something; raises what it refuses with, or NoAnswer."""
        loop, weather = self.world.loop, self.world.weather
        answer: asyncio.Future[Answer] = loop.create_future()

        async def serve() -> None:
            await asyncio.sleep(weather.delay())
            try:
                result = await work(node)
            except (CartagenaError, *AWAY) as error:
                outcome = partial(_fail, answer, error)
            else:
                outcome = partial(_succeed, answer, result)
            await asyncio.sleep(weather.delay())
            if not weather.swallows():
                outcome()

        if not weather.swallows():
            loop.on(node.machine, serve())
        try:
            async with asyncio.timeout(PATIENCE):
                return await answer
        except (TimeoutError, *AWAY) as error:
            raise NoAnswer from error

    async def request(self, request: Request, work: Callable[[Node], Awaitable[int]]) -> None:
        """Send a request until it is answered; `work` returns the seq or number that came of it."""
        for _ in range(TIMES):
            try:
                at = await self.ask(self.world.any_node(), work)
            except NoAnswer:
                await asyncio.sleep(self.world.chance.uniform(0.1, 1.0))
            except CartagenaError as error:
                refused = error.error if isinstance(error, WithCurrent) else error
                if isinstance(refused, ServiceError) and refused.problem is Problem.UNAVAILABLE:
                    self._note_busy(refused)
                    await asyncio.sleep(self.world.chance.uniform(0.1, 1.0))
                    continue
                request.verdict, request.reason = "refused", str(refused)
                if isinstance(error, WithCurrent):
                    request.at = self._look(error.current)
                break
            else:
                request.verdict, request.at = "done", at if request.what != "say" else None
                break
        request.answered = self.world.loop.time()

    def _note_busy(self, refused: ServiceError) -> None:
        if "too much happens" in refused.sentence and self.seen.legal:
            self._count_try(self.seen.view)

    def _change(self, key: UUID, make: Make, at: int | None = None) -> Callable[[Node], Awaitable[int]]:
        async def work(node: Node) -> int:
            sender = Sender(player=self.player, key=key)
            if at is None:
                outcome = await node.tables.change(self.table_id, sender, make)
            else:
                outcome = await node.tables.change_at(self.table_id, at, sender, make)
            frame = outcome.frame(self.player)
            self.world.loop.call_soon(self._look, frame)
            return outcome.table.seq

        return work

    # Playing.

    async def _play(self) -> None:
        chance = self.world.chance
        while not self.world.is_closing:
            await self._until_news()
            await asyncio.sleep(self._thinking())
            if legal := self.seen.legal:
                await self._act(chance.choice(legal))
            elif chance.random() < BESIDE:
                await self._beside()

    async def _until_news(self) -> None:
        self._news.clear()
        if not self.seen.legal:
            try:
                async with asyncio.timeout(3):
                    await self._news.wait()
            except TimeoutError:
                return

    def _thinking(self) -> float:
        chance = self.world.chance
        return chance.uniform(5, 25) if chance.random() < LONG else chance.expovariate(1 / 0.3)

    async def _act(self, code: int) -> None:
        seen, key = self.seen, self.world.new_uuid()
        before = seen.view

        def make(table: Table) -> Change:
            return playing.act(table, own_crew(table, self.player), code)

        request = self.world.history.begin(key, self.player, "act", self.world.loop.time(), code)
        request.upon = seen.seq
        await self.request(request, self._change(key, make, seen.seq))
        if request.verdict == "done":
            self._tries = 0
        elif request.reason.startswith(Problem.STALE.code):
            self._count_try(before)

    def _count_try(self, before: bytes) -> None:
        """Count a move that was refused as stale; if the game has not changed, another player held it up."""
        self._tries = self._tries + 1 if self.seen.view == before else 0
        if self._tries >= MOST_TRIES:
            self.world.history.violate(f"a seat on turn was held up {MOST_TRIES} times")

    async def _beside(self) -> None:
        """Do something other than a move."""
        chance = self.world.chance
        if chance.random() < SPOKEN:
            await self._say()
            return
        make = chance.choice(
            [
                lambda table: playing.take_back(table, seat_of(table, self.player)),
                lambda table: playing.abandon(table, seat_of(table, self.player), agrees=False),
            ]
        )
        key = self.world.new_uuid()
        await self.request(
            self.world.history.begin(key, self.player, "change", self.world.loop.time()),
            self._change(key, make),
        )

    async def _say(self) -> None:
        key = self.world.new_uuid()

        async def work(node: Node) -> int:
            table = await node.tables.newest(self.table_id)
            line = ChatLine(number=0, player=self.player, seat=None, name=self.name, text="ahoy", at=0)
            return await say(node.store, node.announcer, table, line, key=key)

        request = self.world.history.begin(key, self.player, "say", self.world.loop.time())
        if self.world.chance.random() < TWICE:
            # A double click: the same request twice at once.
            twin = Request(key, self.player, "say", request.asked)
            await asyncio.gather(self.request(request, work), self.request(twin, work))
        else:
            await self.request(request, work)

    async def _pester(self) -> None:
        """Keep the table busy until the run closes."""
        chance, agrees = self.world.chance, False
        while not self.world.is_closing:
            await asyncio.sleep(chance.expovariate(1 / 0.1))
            agrees = not agrees if chance.random() < OTHER else agrees
            make = partial(self._nuisance, agrees=agrees)
            key = self.world.new_uuid()
            work = self._change(key, make)
            self.world.loop.on(self.machine, self._ask_in_vain(work))

    async def _ask_in_vain(self, work: Callable[[Node], Awaitable[int]]) -> None:
        try:
            await self.ask(self.world.any_node(), work)
        except (NoAnswer, CartagenaError):
            return

    def _nuisance(self, table: Table, *, agrees: bool) -> Change:
        if table.sheet.host == self.player and self.world.chance.random() < SILENCED:
            seat = 1 - seat_of(table, self.player) if len(table.sheet.chairs) == 2 else 0  # noqa: PLR2004
            return seating.mute(table, seat, muted=agrees)
        return playing.abandon(table, seat_of(table, self.player), agrees=agrees)

    # Listening.

    async def _listen(self) -> None:
        while True:
            node = self.world.any_node()
            wire = self.wire = Wire(self.world, node.machine)
            self.world.loop.on(node.machine, self._serve_stream(node, wire, self._last()))
            await wire.until_quiet(self._hear)
            await asyncio.sleep(self.world.chance.uniform(0.2, 1.5))

    def _last(self) -> str | None:
        return None if self.seen.place is None else "{}.{}".format(*self.seen.place)

    async def _serve_stream(self, node: Node, wire: Wire, last: str | None) -> None:
        try:
            if self.session in self.world.revoked.since:
                # A session that has ended opens no stream: the person signs in again.
                self.session = self.world.new_uuid()
            table = await node.hub.soon(node.tables.newest(self.table_id))
            audience = self.audience = audience_of(table, self.player)
            visitor = Visitor(
                audience=audience, address="192.0.2.1", player_id=self.player, session_id=self.session
            )
            wire.session = self.session
            connection = Connection(receive=wire.receive, send=wire.send, abort=wire.cut)
            await node.hub.table(self.table_id, visitor, connection, last=last)
        except (CartagenaError, *AWAY):
            return
        finally:
            wire.cut()

    def _hear(self, event: str, place: tuple[int, int] | None, data: bytes) -> None:
        """Receive an event of the stream."""
        if place is not None:
            self.seen.place = place
        if event == "update":
            self._look(data)

    def _look(self, data: bytes) -> int:
        """Take an update, from the stream or from an answer, unless a newer one is known; returns its seq."""
        update = msgspec.json.decode(data, type=SeenUpdate)
        view = bytes(update.view)
        if self.audience is not None:
            self.world.history.tell((self.table_id, self.audience, update.seq), view, self.name)
        if update.anew or update.seq > self.seen.seq:
            self.seen.seq, self.seen.view = update.seq, view
            self._news.set()
        return update.seq


def _succeed(answer: "asyncio.Future[Answer]", result: Answer) -> None:
    if not answer.done():
        answer.set_result(result)


def _fail(answer: "asyncio.Future[Answer]", error: BaseException) -> None:
    if not answer.done():
        answer.set_exception(error)
