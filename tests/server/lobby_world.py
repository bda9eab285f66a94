"""A world for tests of the lobby: tables on a real store, people in the directory, and a teller of news."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any
from uuid import UUID, uuid4

import msgspec
from asyncpg import Record
from prometheus_client import CollectorRegistry

from cartagena.messages.lobby import LobbyChangeMessage, LobbyMessage, LobbyQuery
from cartagena.rules.legality import legal
from cartagena.server.bus import LobbyChange
from cartagena.server.bus.interface import LocalBus
from cartagena.server.lobby.listings import TableSummary, lobby
from cartagena.server.lobby.matchmaking import Matches
from cartagena.server.store.databases import Databases
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.worker.outbox import DirectoryWriter, OutboxMetrics, OutboxPace
from cartagena.tables import playing, seating
from cartagena.tables.ports import Sender
from cartagena.tables.seating import Terms
from cartagena.tables.sheet import EndingWord
from cartagena.tables.table import Change, EventKind, Table, step
from tests.server.tables_world import LIVE, Player, World, shows, terms

NAME = """
INSERT INTO directory.players (player_id, name, name_key, is_guest, created_at) VALUES ($1, $2, $3, $4, now())
"""
BLOCK = "INSERT INTO directory.blocks (blocker_id, blocked_id, at) VALUES ($1, $2, now())"
PAGE = 4
_NUMBERS = count()


class DirectoryBlocks:
    """Who blocked whom, asked of the directory; it fits `lobby.matchmaking.Blocks`."""

    def __init__(self, databases: Databases) -> None:
        self._directory = databases.directory

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:
        found = await self._directory.fetchval(
            "SELECT count(*) FROM directory.blocks WHERE blocker_id = $1 AND blocked_id = ANY ($2)"
            " OR blocked_id = $1 AND blocker_id = ANY ($2)",
            player,
            others,
        )
        return bool(found)


class LobbyWorld(World):
    """Tables, and a directory that hears of them when `told` is called."""

    def __init__(self, databases: Databases) -> None:
        super().__init__(databases)
        self.directory = databases.directory
        self.source = AllOutboxes(databases)
        self.bus = LocalBus()
        self.frames: list[LobbyChangeMessage] = []
        self.teller = self.another_teller()
        self.matches = Matches(
            directory=self.directory,
            source=self.source,
            tables=self.tables,
            store=self.store,
            blocks=DirectoryBlocks(databases),
        )

    def another_teller(self, pace: OutboxPace | None = None) -> DirectoryWriter:
        """One more worker that tells news."""
        return DirectoryWriter(
            directory=self.directory,
            tables=self.tables,
            bus=self.bus,
            metrics=OutboxMetrics(CollectorRegistry()),
            pace=pace or OutboxPace(),
        )

    async def listen(self) -> None:
        """Keep what is said about the lobby."""

        def hear(change: LobbyChange) -> None:
            self.frames.append(msgspec.json.decode(change.frame, type=LobbyChangeMessage))

        await self.bus.subscribe(LobbyChange, hear)

    async def people(self, number: int, *, guest: bool = False) -> list[Player]:
        """People whom the directory knows."""
        made = [Player(uuid4(), f"Mate {next(_NUMBERS)} {uuid4().hex[:6]}", guest) for _ in range(number)]
        for player in made:
            await self.directory.execute(NAME, player.id, player.name, player.name.casefold(), guest)
        return made

    async def block(self, blocker: Player, blocked: Player) -> None:
        """Let `blocker` block `blocked`."""
        await self.directory.execute(BLOCK, blocker.id, blocked.id)

    async def told(self) -> int:
        """Let the directory hear all news; return how many tables it heard of."""
        total = 0
        for shard in self.source.shards:
            while told := await self.teller.tell_due(shard):
                total += told
        return total

    async def standing(self, game_id: UUID) -> TableSummary:
        """How a table stands now."""
        (standing,) = await self.source.standings([game_id])
        return standing

    async def table_of(self, players: Sequence[Player], wanted: Terms) -> UUID:
        """A table where `players` sit, ready to start."""
        table_id = await self.open(wanted, players[0])
        for player in players[1:]:
            await self.sits(table_id, player)
        return table_id

    async def sits(self, table_id: UUID, player: Player) -> Table:
        """Let `player` sit down."""
        outcome = await self.change(table_id, lambda table: seating.sit(table, player.sitter(), None), player)
        return outcome.table

    async def playing(self, players: Sequence[Player], wanted: Terms) -> Table:
        """A running game of these players."""
        table_id = await self.table_of(players, wanted)
        outcome = await self.change(table_id, seating.start, players[0])
        for seat, player in enumerate(players):
            outcome = await self.change(table_id, shows(seat, player), player)
        return outcome.table

    async def ends(
        self, table_id: UUID, winner: int | None, *, lost: Sequence[int] = (), ending: EndingWord = "won"
    ) -> Table:
        """End the game at once with this result; the seats in `lost` had run out of time."""

        def make(table: Table) -> Change:
            sheet = table.sheet
            for seat in lost:
                sheet = sheet.with_chair(
                    seat, msgspec.structs.replace(sheet.chairs[seat], lost=True, minded=True)
                )
            return step(table, EventKind.ACTED, sheet=playing.ended(sheet, ending, winner))

        return (await self.tables.change(table_id, Sender(player=None, key=uuid4()), make)).table

    async def rated(
        self,
        players: Sequence[Player],
        winner: int | None,
        *,
        lost: Sequence[int] = (),
        ruleset: str = "tortuga",
    ) -> UUID:
        """A rated game with this result, of which the directory has not heard."""
        table = await self.playing(players, terms(ruleset, len(players), LIVE, rated=True))
        await self.ends(table.id, winner, lost=lost)
        return table.id

    async def lobby(
        self, viewer: Player | None = None, **query: Any
    ) -> LobbyMessage:  # Any: as the query has it
        """What the lobby shows `viewer`."""
        asked = LobbyQuery(**query)
        return await lobby(self.directory, asked, None if viewer is None else viewer.id, most=PAGE)

    async def listed(self, viewer: Player | None = None, **query: Any) -> list[UUID]:
        """The tables that the lobby shows `viewer`."""
        return [table.id for table in (await self.lobby(viewer, **query)).tables]

    async def rows(self, table: str) -> list[Record]:
        """Everything in a table of the directory."""
        return await self.directory.fetch(f"SELECT * FROM directory.{table} AS t ORDER BY t::text")  # noqa: S608 - our own names

    async def has_news(self, table_id: UUID) -> bool:
        """Whether the directory has something to hear of a table, now or after a lease."""
        return bool(
            await self.databases.shard_of(table_id).fetchval(
                "SELECT news_at IS NOT NULL FROM shard.games WHERE game_id = $1", table_id
            )
        )

    async def lease_ends(self) -> None:
        """Let all leases on news run out, as if their workers had died."""
        for pool in self.databases.shards():
            await pool.execute("UPDATE shard.games SET news_at = now() WHERE news_at IS NOT NULL")


def private(wanted: Terms) -> Terms:
    """Return the terms for a private table, which nobody sees without an invitation."""
    return replace(wanted, listed=False)


async def passed_on(world: LobbyWorld, table: Table) -> Table:
    """The table when another seat is to act."""
    seat, chance = table.to_act, Random(5)
    assert seat is not None
    while table.to_act == seat:
        assert table.position is not None
        code = chance.choice(legal(table.position))
        table = (await world.change(table.id, lambda now, c=code: playing.act(now, seat, c))).table  # type: ignore[misc]
    return table
