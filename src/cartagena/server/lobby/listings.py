"""Listings: the tables that the lobby shows."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Final, Protocol
from uuid import UUID

import msgspec
from asyncpg import Pool, Record
from asyncpg.pool import PoolConnectionProxy

from cartagena.messages.lobby import ListingMessage, LobbyChangeMessage, LobbyMessage, LobbyQuery
from cartagena.messages.views import RulesetMessage, ruleset_message
from cartagena.notation.position_text import parse_ruleset
from cartagena.server.shared.moments import milliseconds
from cartagena.tables.frames import STAGES, clock_settings
from cartagena.tables.sheet import Clock, Sheet, Stage

# How a table stands, as far as the directory is concerned: no position, no secret.


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """A table after event number `seq`; `since` is when the clock of the seat to act started.

    `turn_seq` is the event before the running turn.
    """

    game_id: UUID
    seq: int
    turn_seq: int
    to_act: int | None
    since: datetime | None
    deadline: datetime | None
    created_at: datetime
    ended_at: datetime | None
    sheet: Sheet = field(repr=False)

    @property
    def by_mail(self) -> bool:
        """Whether it is played by correspondence; only then does the directory hear of every turn."""
        clock = self.sheet.clock
        return clock is not None and clock.kind == "correspondence"

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows it."""
        return self.sheet.listed and self.sheet.stage is not Stage.OVER

    @property
    def has_result(self) -> bool:
        """Whether a game was played here and is over; a table that never began leaves nothing behind."""
        return self.sheet.stage is Stage.OVER and self.sheet.ending not in {None, "closed"}

    @property
    def people(self) -> tuple[UUID, ...]:
        """The players who sit there, in the order of their seats."""
        return people_of(self.sheet)


def people_of(sheet: Sheet) -> tuple[UUID, ...]:
    """The players of a sheet, in the order of their seats."""
    return tuple(chair.player for chair in sheet.chairs if chair.player is not None)


class SummarySource(Protocol):
    """Where tables really live; the directory only follows."""

    async def standings(self, game_ids: Sequence[UUID]) -> list[TableSummary]:
        """How these tables stand now; tables that do not exist are left out."""

    async def existing(self, game_ids: Sequence[UUID]) -> frozenset[UUID]:
        """Those of these tables that exist."""

    def walk(self, most: int) -> AsyncIterator[list[UUID]]:
        """Every table there is, up to `most` at a time."""


PAGE: Final = 50

_COLUMNS: Final = """game_id, seq, stage, ruleset, rules, seats, free, host_id, host, players,
    clock, bank, increment, rated, quick, spectators, created_at"""

# An unchanged listing keeps its row, even its seq: there is no news for the lobby.
LIST: Final = f"""
INSERT INTO directory.listings AS l ({_COLUMNS})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
ON CONFLICT (game_id) DO UPDATE
SET seq = $2, stage = $3, ruleset = $4, rules = $5, seats = $6, free = $7, host_id = $8, host = $9,
    players = $10, clock = $11, bank = $12, increment = $13, rated = $14, quick = $15, spectators = $16
WHERE (l.stage, l.rules, l.seats, l.free, l.host_id, l.host, l.players, l.clock, l.bank, l.increment,
        l.rated, l.quick, l.spectators)
    IS DISTINCT FROM ($3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
RETURNING game_id
"""  # noqa: S608  # our own words

# A private table has neither of these rows, just like a table that does not exist.
IS_PUBLIC: Final = """
SELECT EXISTS (SELECT FROM directory.listings WHERE game_id = $1)
    OR EXISTS (SELECT FROM directory.results WHERE game_id = $1 AND listed)
"""

UNLIST: Final = "DELETE FROM directory.listings WHERE game_id = $1 RETURNING game_id"

# Players who blocked the asker, or whom the asker blocked, are not shown.
UNBLOCKED: Final = """
NOT EXISTS (
    SELECT FROM directory.blocks b
    WHERE (b.blocker_id = $1 AND b.blocked_id = ANY (l.players))
        OR (b.blocked_id = $1 AND b.blocker_id = ANY (l.players))
)
"""

_SHOWN: Final = f"""
SELECT {_COLUMNS}
FROM directory.listings l
WHERE ($2::text IS NULL OR ruleset = $2) AND ($3::smallint IS NULL OR seats = $3)
    AND ($4::uuid IS NULL OR game_id < $4) AND {UNBLOCKED}
    AND %s
ORDER BY game_id DESC
LIMIT $5
"""  # noqa: S608  # our own words

# The stage is part of the statement, because only then does PostgreSQL use the partial index.
SHOWN: Final = {"open": _SHOWN % "stage = 0", "running": _SHOWN % "stage = 2 AND spectators"}

# A host may have changed the terms. A table where the player already waits comes first, so that asking twice
# does not seat them at two.
QUICK: Final = f"""
SELECT game_id
FROM directory.listings l
WHERE quick AND stage = 0 AND (free > 0 OR $1 = ANY (players)) AND rules = $2 AND seats = $3
    AND NOT rated AND clock = $5 AND bank = $6 AND increment = $7
    AND game_id <> ALL ($4::uuid[]) AND {UNBLOCKED}
ORDER BY $1 = ANY (players) DESC, game_id
LIMIT 1
"""  # noqa: S608  # our own words


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingChange:
    """What to tell the lobby about a table: how it is listed now, or that it no longer is."""

    game_id: UUID
    seq: int
    listing: ListingMessage | None

    def frame(self) -> bytes:
        """The change as JSON, for everybody."""
        message = LobbyChangeMessage(id=self.game_id, seq=self.seq, table=self.listing)
        return msgspec.json.encode(message)


async def write_listing(connection: PoolConnectionProxy, standing: TableSummary) -> bool:
    """List a table as it stands, or unlist it; returns whether that changed anything."""
    if standing.is_listed:
        return await connection.fetchval(LIST, *_values(standing)) is not None
    return await connection.fetchval(UNLIST, standing.game_id) is not None


def _values(standing: TableSummary) -> tuple[object, ...]:
    sheet, clock = standing.sheet, standing.sheet.clock
    return (
        standing.game_id,
        standing.seq,
        sheet.stage,
        sheet.rules.key,
        sheet.ruleset,
        len(sheet.chairs),
        _free(standing),
        sheet.host,
        _host(standing),
        standing.people,
        None if clock is None else clock.kind,
        None if clock is None else clock.bank,
        None if clock is None else clock.increment,
        sheet.rated,
        sheet.quick,
        sheet.spectators,
        standing.created_at,
    )


def _free(standing: TableSummary) -> int:
    return sum(chair.is_open for chair in standing.sheet.chairs)


def _host(standing: TableSummary) -> str:
    sheet = standing.sheet
    seat = sheet.seat_of(sheet.host)
    return "" if seat is None else sheet.chairs[seat].name


def change_of(standing: TableSummary) -> ListingChange:
    """What the lobby's stream tells of a table."""
    listing = _listing_of(standing) if standing.is_listed else None
    return ListingChange(game_id=standing.game_id, seq=standing.seq, listing=listing)


def _listing_of(standing: TableSummary) -> ListingMessage:
    sheet = standing.sheet
    return ListingMessage(
        id=standing.game_id,
        seq=standing.seq,
        stage=STAGES[sheet.stage],
        ruleset=ruleset_message(sheet.rules),
        seats=len(sheet.chairs),
        free=_free(standing),
        host=_host(standing),
        clock=None if sheet.clock is None else clock_settings(sheet.clock),
        rated=sheet.rated,
        quick=sheet.quick,
        spectators=sheet.spectators,
        created=milliseconds(standing.created_at),
        host_id=sheet.host,
    )


async def lobby(directory: Pool, query: LobbyQuery, player: UUID | None, *, most: int = PAGE) -> LobbyMessage:
    """A page of the lobby as `player` may see it, the newest table first."""
    rows = await directory.fetch(
        SHOWN[query.stage], player, query.ruleset, query.seats, query.after, most + 1
    )
    shown = tuple(_listing_of_row(row) for row in rows[:most])
    return LobbyMessage(tables=shown, next=shown[-1].id if len(rows) > most else None)


async def is_public(directory: Pool, game_id: UUID) -> bool:
    """Whether a table is listed, or its game was when it ended, as far as the directory knows."""
    public: bool = await directory.fetchval(IS_PUBLIC, game_id)
    return public


def _listing_of_row(row: Record) -> ListingMessage:
    clock = row["clock"]
    return ListingMessage(
        id=row["game_id"],
        seq=row["seq"],
        stage=STAGES[Stage(row["stage"])],
        ruleset=_ruleset(row["rules"]),
        seats=row["seats"],
        free=row["free"],
        host=row["host"],
        clock=None
        if clock is None
        else clock_settings(Clock(kind=clock, bank=row["bank"], increment=row["increment"])),
        rated=row["rated"],
        quick=row["quick"],
        spectators=row["spectators"],
        created=milliseconds(row["created_at"]),
        host_id=row["host_id"],
    )


@lru_cache(maxsize=256)
def _ruleset(rules: str) -> RulesetMessage:
    return ruleset_message(parse_ruleset(rules))


async def quick_table(
    directory: Pool, player: UUID, *, rules: str, seats: int, clock: Clock, tried: Sequence[UUID]
) -> UUID | None:
    """The oldest table of these rules and this clock that waits for a quick match; None if there is none."""
    found: UUID | None = await directory.fetchval(
        QUICK, player, rules, seats, tried, clock.kind, clock.bank, clock.increment
    )
    return found
