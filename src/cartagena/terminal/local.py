"""A table on this device as a source: people take turns at one keyboard, and bots think beside it."""

import asyncio
import random
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from cartagena.client import Patience, Player, TableConnection, TableState, Told, tables
from cartagena.client.request import Answer, Request, error_of
from cartagena.client.stream import Follower
from cartagena.client.tables import TableId
from cartagena.engine_protocol import make
from cartagena.local import Device, DeviceConfig
from cartagena.messages.updates import TableAnswer, Update
from cartagena.notation.record import Record
from cartagena.rules.ruleset import Ruleset
from cartagena.tables.branches import parted
from cartagena.terminal.background import in_background
from cartagena.terminal.recorded import happened_in
from cartagena.terminal.remote import HeardTable, SeatedTable, WatchedTable
from cartagena.terminal.source import Declined, Moment, Role, Show, Tip
from cartagena.words.sentences import Names

PACE: Final = 0.35
"""Seconds between two actions of a bot, so that people can follow them."""


async def _forget(_: str) -> None:
    """Keep no line of a log: a game at this keyboard is kept as its record."""


class Ear:
    """Hears a stream of a device."""

    def __init__(self) -> None:
        self._heard: asyncio.Queue[bytes | None] = asyncio.Queue()

    def hear(self, words: bytes | None) -> None:
        """Take the next bytes; None is the end."""
        self._heard.put_nowait(words)

    async def next(self) -> bytes | None:
        """What was heard next; None once the stream has ended."""
        return await self._heard.get()


class DeviceConnection(TableConnection):
    """The way from one seat to a table of a device in this process; `seat` is None for who only watches.

    `keep` is called before a change is told. A stream goes on after what `listener` heard, and ends when the
    device looks from another seat.
    """

    def __init__(
        self, device: Device, seat: int | None, listener: HeardTable, keep: Callable[[int], Awaitable[None]]
    ) -> None:
        self._device = device
        self._seat = seat
        self._listener = listener
        self._keep = keep

    async def send(self, request: Request[Answer]) -> Answer:
        """Send a request to the device; raises Refused."""
        answer = await ask(self._device, request)
        if isinstance(answer, Update):
            await self._keep(answer.seq)
        return answer

    async def stream(
        self,
        table_id: TableId,
        *,
        invite: str | None = None,  # noqa: ARG002 - nobody is invited to a device
        last: str | None = None,
        on_away: Callable[[], None] = lambda: None,  # noqa: ARG002 - a device is never away
    ) -> AsyncGenerator[Told, None]:
        """Everything that happens at the table, as long as the device looks from this seat."""
        last = last or f"{self._listener.standing.seq}.0"
        follower = Follower(table_id, patience=Patience(), chance=random.random, last=last)
        ear = Ear()
        following = asyncio.ensure_future(self._device.follow(f"{follower.path}?last={last}", ear))
        following.add_done_callback(lambda _: ear.hear(None))
        try:
            while not follower.is_left and (words := await ear.next()) is not None:
                for told in follower.feed(words):
                    if isinstance(told, Update) and told.view is not None and told.view.seat != self._seat:
                        return
                    await self._keep(follower.place.seq if follower.place else 0)
                    yield told
            refused = following.result() if following.done() else None
            if refused is not None:
                raise error_of(refused.status, refused.body)
        finally:
            following.cancel()


async def ask(device: Device, request: Request[Answer]) -> Answer:
    """Send a request to a device; raises Refused."""
    path = f"{request.path}?{urlencode(request.query)}" if request.query else request.path
    answer = await device.answer(request.method, path, request.content or b"")
    return request.answer(answer.status, answer.body)


class LocalTable:
    """A game at this keyboard: a table of a device, looked at by one person after the other.

    It goes on from a record; `levels` says which bot plays each seat, None a person. `keep` is called with
    the game as it stands before each change is shown; it returns what people must be told, usually nothing.
    Everybody plays from a seat of their own. While a hidden hand waits for its owner, the table is only
    watched; where hands are hidden, each seat has its own log.
    """

    def __init__(  # noqa: PLR0913 - all but two by name
        self,
        record: Record,
        names: Names,
        *,
        levels: Sequence[str | None],
        keep: Callable[[Record], str] = lambda _: "",
        auto_end: bool = False,
        seed: str | None = None,
        pace: float = PACE,
    ) -> None:
        chance = secrets.token_bytes if seed is None else random.Random(seed).randbytes
        self.device = Device(
            _forget,
            config=DeviceConfig(
                aside=in_background, chance=chance, least_seconds=pace, make=make, gave_up=self._bot_gave_up
            ),
        )
        self._record = record
        self._names = names
        self._levels = levels
        self._keep_record = keep
        self._auto_end = auto_end
        self._note = ""
        self._kept = -1
        self._keeping = asyncio.Lock()
        self._opened: TableAnswer | None = None
        self._listeners: dict[int | None, HeardTable] = {}
        self._tables: dict[int | None, SeatedTable | WatchedTable] = {}
        self._active: SeatedTable | WatchedTable | None = None

    @property
    def role(self) -> Role:
        """The people at this keyboard play."""
        return Role.PLAYING

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return self._record.headers.ruleset

    # What is shown.

    async def run(self, show: Show) -> None:
        """Show everything that happens, to one person after the other, until the game is over."""
        try:
            self._opened = await ask(self.device, tables.take_up(self._record, levels=self._levels))
            self._kept = self._opened.current.seq
            while not await self._look(show):
                pass
        finally:
            await self.device.close()

    async def _look(self, show: Show) -> bool:
        """Show the table from the seat that it is looked from; return whether the game is over."""
        found = await ask(self.device, tables.see(self._table_id))
        seat, listener = found.seat, self._listener_at(found.seat)
        if seat not in self._tables:
            self._tables[seat] = self._table_at(seat, listener)
        self._active = self._tables[seat]

        def shown(moment: Moment) -> None:
            # What was missed is told at once, and not to those at another seat.
            is_caught_up = listener.standing.seq >= found.current.seq
            if is_caught_up and moment.view is not None and moment.view.seat == seat:
                show(self._moment(moment, seat))

        await self._active.run(shown)
        return listener.standing.is_over

    def _moment(self, moment: Moment, seat: int | None) -> Moment:
        assert moment.view is not None, "the cards are dealt at once"
        to_act = moment.view.to_act
        waits = seat is None and not moment.is_over and self._levels[to_act] is None
        return replace(
            moment,
            covered=to_act if waits else None,
            audience=None if self.ruleset.hands_open else seat,
            note=self._note,
        )

    def _bot_gave_up(self, name: str, reason: str) -> None:
        self._note = self._names.words.say("play.bot_gave_up", bot=name, reason=reason)

    @property
    def _table_id(self) -> str:
        assert self._opened is not None, "the table is open before anybody looks at it"
        return self._opened.id

    def _listener_at(self, seat: int | None) -> HeardTable:
        assert self._opened is not None, "the table is open before anybody looks at it"
        audience = None if self.ruleset.hands_open else seat
        if audience not in self._listeners:
            # It has heard nothing yet, not even that the cards are dealt.
            standing = replace(TableState.of(self._opened.current), seq=0)
            listener = self._listeners[audience] = HeardTable(standing, self._names)
            # The table tells again what can still be taken back, and nothing from before.
            before, _ = parted(self._record, self._levels)
            listener.recall(happened_in(before, seat))
        return self._listeners[audience]

    def _table_at(self, seat: int | None, listener: HeardTable) -> SeatedTable | WatchedTable:
        assert self._opened is not None, "the table is open before anybody looks at it"
        connection = DeviceConnection(self.device, seat, listener, self._keep)
        if seat is None:
            return WatchedTable(connection, listener)
        current = self._opened.current
        assert current.table is not None, "a whole state tells the table"
        player = Player(current, UUID(current.table.chairs[seat].player), lambda _: None)
        return SeatedTable(connection, player, listener, auto_end=self._auto_end)

    async def _keep(self, seq: int) -> None:
        """Keep the game as it stands, unless that was done at `seq` or later."""
        async with self._keeping:
            if seq > self._kept:
                self._kept = seq
                found = await self.device.record(UUID(self._table_id))
                self._note = self._keep_record(replace(found, headers=self._record.headers)) or self._note

    # What is asked for.

    async def act(self, code: int) -> None:
        """Do what a code says, for the person to act."""
        self._note = ""
        await self._seated().act(code)

    async def undo(self) -> None:
        """Take back the last choice of the turn."""
        self._note = ""
        await self._seated().undo()

    async def tip(self) -> Tip:
        """What the person to act might do."""
        seated = self._seated()
        try:
            return await seated.tip()
        except Declined:
            if self._active is not seated:
                # Another person looks by now, who did not ask.
                raise Declined from None
            raise

    async def uncover(self) -> None:
        """The person to act has come to the keyboard."""
        await ask(self.device, tables.uncover(self._table_id))

    def go(self, steps: int) -> None:
        """Do nothing: a game in progress has no steps to go through."""

    def _seated(self) -> SeatedTable:
        if not isinstance(self._active, SeatedTable):
            raise Declined(self._names.words.say("terminal.not_your_turn"))
        return self._active
