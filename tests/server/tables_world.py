"""A world for tests of tables: players, a real store, and a list of everything that was announced."""

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from uuid import UUID, uuid4

import msgspec

from cartagena.fairness import commit
from cartagena.rules.legality import legal
from cartagena.rules.ruleset import PRESETS
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.store.group_commit import DirectoryCreations
from cartagena.tables import playing, seating
from cartagena.tables.creating import NewTable, open_table
from cartagena.tables.ports import ChatPlace, Sender
from cartagena.tables.seating import Sitter, Terms
from cartagena.tables.service import RequestOutcome, Tables
from cartagena.tables.sheet import Clock, Stage
from cartagena.tables.table import Change, Table

LIVE = Clock(kind="live", bank=600_000, increment=5_000)
MAIL = Clock(kind="correspondence", bank=3 * 24 * 3_600_000)
MORE = """
WITH more AS (
    INSERT INTO shard.events (game_id, seq, kind, seat, code, orders, detail, key, player)
    SELECT game_id, seq + n, kind, seat, code, orders, detail, gen_random_uuid(), player
    FROM shard.events, generate_series(1, $3::int) n WHERE game_id = $1 AND seq = $2
)
UPDATE shard.games SET seq = seq + $3 WHERE game_id = $1
"""


@dataclass
class Heard:
    """An announcer that remembers what it was told to say."""

    updates: list[tuple[Table, Mapping[int, bytes]]] = field(default_factory=list)
    lines: list[Mapping[int, bytes]] = field(default_factory=list)
    closed: list[tuple[UUID, UUID | None, int | None]] = field(default_factory=list)
    woken: list[UUID] = field(default_factory=list)

    def update(self, table: Table, frames: Mapping[int, bytes]) -> None:
        self.updates.append((table, frames))

    def chat(self, table_id: UUID, said: ChatPlace, frames: Mapping[int, bytes]) -> None:  # noqa: ARG002 - the port's
        self.lines.append(frames)

    def close(
        self, table_id: UUID, code: str, *, player: UUID | None = None, audience: int | None = None
    ) -> None:
        assert code == "forbidden"
        self.closed.append((table_id, player, audience))

    def wake(self, table_id: UUID) -> None:
        self.woken.append(table_id)


@dataclass(frozen=True)
class Player:
    """A player with a number for the shuffle."""

    id: UUID
    name: str
    guest: bool = True
    program: bool = False

    @property
    def nonce(self) -> bytes:
        return sha256(self.id.bytes).digest()

    def sitter(self) -> Sitter:
        return Sitter(
            player=self.id,
            name=self.name,
            guest=self.guest,
            program=self.program,
            nonce_hash=commit(self.nonce),
        )

    def sends(self, key: UUID | None = None) -> Sender:
        return Sender(player=self.id, key=key or uuid4())


PLAYERS = [Player(uuid4(), name) for name in ("Anne", "Bart", "Cora", "Dirk", "Elsa")]


class World:
    """Tables on a real store."""

    def __init__(self, databases: Databases) -> None:
        self.databases = databases
        self.store = Games(databases)
        self.heard = Heard()
        self.tables = Tables(self.store, self.heard)
        self._numbers = itertools.count()

    def chance(self, size: int) -> bytes:
        """Bytes that differ each time."""
        return sha256(f"{next(self._numbers)} {uuid4()}".encode()).digest()[:size]

    async def open(self, terms: Terms, host: Player = PLAYERS[0], key: UUID | None = None) -> UUID:
        """A new table with its host."""
        return await open_table(
            self.store,
            DirectoryCreations(self.databases.directory),
            terms,
            host.sitter(),
            key=key or uuid4(),
            made=NewTable(int(time.time() * 1000), self.chance),
        )

    async def change(
        self, table_id: UUID, make: Callable[[Table], Change], by: Player = PLAYERS[0]
    ) -> RequestOutcome:
        """Make a change in the name of `by`."""
        return await self.tables.change(table_id, by.sends(), make)

    async def seated(self, terms: Terms) -> UUID:
        """A table whose seats are all taken by people, ready to start."""
        table_id = await self.open(terms)
        for player in PLAYERS[1 : terms.seats]:
            await self.change(table_id, lambda table, p=player: seating.sit(table, p.sitter(), None), player)  # type: ignore[misc]
        return table_id

    async def started(self, terms: Terms) -> Table:
        """A table whose cards are dealt."""
        table_id = await self.seated(terms)
        outcome = await self.change(table_id, seating.start)
        for seat, player in enumerate(PLAYERS[: terms.seats]):
            outcome = await self.change(table_id, shows(seat, player), player)
        return outcome.table

    async def act(self, table: Table, code: int, key: UUID | None = None) -> Table:
        """Let the seat to act play `code`."""
        seat = table.to_act
        assert seat is not None
        sender = PLAYERS[seat].sends(key)
        outcome = await self.tables.change_at(
            table.id, table.seq, sender, lambda now: playing.act(now, seat, code)
        )
        return outcome.table

    async def play(self, table: Table, chance: Random, most: int = 10_000) -> Table:
        """Play on at random, at most `most` actions."""
        for _ in range(most):
            if table.sheet.stage is Stage.OVER:
                break
            assert table.position is not None
            table = await self.act(table, chance.choice(legal(table.position)))
        return table


async def repeat_event(databases: Databases, table_id: UUID, seq: int, times: int) -> None:
    """Put the last event of a table, which has number `seq`, into its log `times` more times."""
    await databases.shard_of(table_id).execute(MORE, table_id, seq, times)


def shows(seat: int, player: Player) -> Callable[[Table], Change]:
    """The player at a seat shows the promised number."""
    return lambda table: seating.show_nonce(table, seat, player.nonce.hex())


def terms(
    ruleset: str = "tortuga", seats: int = 2, clock: Clock | None = None, *, rated: bool = False
) -> Terms:
    """The terms of an open table."""
    return Terms(
        ruleset=PRESETS[ruleset], seats=seats, clock=clock, listed=True, rated=rated, spectators=True
    )


def said(frame: bytes) -> dict[str, object]:
    """A frame without what the log does not keep: clocks, and how the table around the game looked then."""
    told: dict[str, object] = msgspec.json.decode(frame)
    told.pop("clock", None)
    told["table"] = "table" in told
    if told["table"]:
        # A table that is over by now asks nobody for a choice, not even where it began.
        told.pop("wishes", None)
    return told
