"""What the handlers of tables share: who asks, and the answer that shows where a table stands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from cartagena.messages.requests import Keyed
from cartagena.messages.updates import Update
from cartagena.server.http.authorization import check_scope
from cartagena.server.http.client_address import Households
from cartagena.server.http.rate_limits import PLAYING, TableLimits
from cartagena.server.http.request import Call
from cartagena.server.http.responses import JSON, Answer
from cartagena.server.http.routing import Handler, Route
from cartagena.server.shared.callers import Scope, Session
from cartagena.server.shared.errors import Problem
from cartagena.server.tables.access import audience_of
from cartagena.server.tables.creating import Chance, Creations
from cartagena.server.tables.frames import current
from cartagena.server.tables.ports import Announcer, Sender, Store
from cartagena.server.tables.seating import Sitter, checked_hash
from cartagena.server.tables.service import RequestOutcome, Tables
from cartagena.server.tables.table import Change, Table


class Blocks(Protocol):
    """Who wants nothing to do with whom."""

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:
        """Whether the player has blocked one of the others, or was blocked by one of them."""


class Seatings(Protocol):
    """Who sits where."""

    async def unfinished(self, player: UUID) -> int:
        """How many tables whose game is not over a player sits at."""


class Analyses(Protocol):
    """Which games players have asked to have analysed."""

    async def is_asked(self, table_id: UUID) -> bool:
        """Whether the analysis of a table's game has been asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """All that the handlers of tables work with."""

    tables: Tables
    store: Store
    creations: Creations
    announcer: Announcer
    blocks: Blocks
    analyses: Analyses
    seatings: Seatings
    limits: TableLimits
    households: Households
    chance: Chance
    now: Callable[[], int]
    """Milliseconds since 1970, for ids alone; for decisions PostgreSQL is asked."""


class _TableAnswer(Struct, frozen=True, kw_only=True):
    """A `TableAnswer` whose state is already encoded."""

    id: str
    seat: int | None
    invite: str | None
    current: Raw


def table_answer(table: Table, player: UUID | None, audience: int) -> Answer:
    """Show where a table stands to an audience that may know."""
    seat = table.sheet.seat_of(player)
    content = _TableAnswer(
        id=str(table.id),
        seat=seat,
        invite=None if seat is None else table.sheet.invite,
        current=Raw(current(table, audience)),
    )
    return Answer(content=msgspec.json.encode(content), media_type=JSON)


async def seen_table(kit: Kit, call: Call, invite: str | None) -> tuple[Table, int]:
    """Return the table that the path names and the caller's audience; refuses those who may not see it."""
    player = reader_of(call)
    table = await kit.tables.newest(call.uuid("table_id"))
    return table, audience_of(table, player, invite)


async def opened_answer(kit: Kit, table_id: UUID, player: UUID) -> Answer:
    """Show where a table stands to the player who had it opened."""
    table = await kit.tables.newest(table_id)
    return table_answer(table, player, audience_of(table, player))


def outcome_answer(outcome: RequestOutcome, player: UUID) -> Answer:
    """Return what the caller is told after a request.

    A caller who repeats an earlier request may have been sent away since.
    """
    if outcome.frames is None:
        audience_of(outcome.table, player)
    return Answer(content=outcome.frame(player), media_type=JSON)


def reader_of(call: Call) -> UUID | None:
    """Return who looks, if they have a session; it must be one that may read."""
    if call.session is None:
        return None
    check_scope(call.session, Scope.READ)
    return call.session.player_id


def sender_of(call: Call) -> Sender:
    """Who sent a request, and under which key."""
    return Sender(player=call.player.player_id, key=call.body(Keyed).key)


def sitter_of(kit: Kit, call: Call, nonce_hash: str | None) -> Sitter:
    """Return the caller as a player who wants a chair."""
    session = call.player
    return Sitter(
        household=kit.households.name_of(call.address),
        player=session.player_id,
        name=session.name,
        guest=session.is_guest,
        nonce_hash=checked_hash(nonce_hash),
    )


def mind_strangers(kit: Kit, call: Call) -> None:
    """Count a request of a player who is not seated at the table in the path; raises TOO_MANY."""
    table_id = call.uuid("table_id")
    # As it was last seen: a player who has just sat down at another node counts as a stranger once.
    table = kit.tables.kept(table_id)
    if table is not None and table.sheet.seat_of(call.player.player_id) is None:
        kit.limits.count_stranger(table_id)


async def require_room(kit: Kit, session: Session) -> None:
    """Raise TOO_MANY for a player who already sits at as many tables as allowed."""
    kit.limits.check_tables(await kit.seatings.unfinished(session.player_id), is_guest=session.is_guest)


async def changed(kit: Kit, call: Call, make: Callable[[Table], Change]) -> Answer:
    """Change the table that the path names, whatever came before, and answer with its state."""
    mind_strangers(kit, call)
    outcome = await kit.tables.change(call.uuid("table_id"), sender_of(call), make)
    return outcome_answer(outcome, call.player.player_id)


def table_post(
    tag: str, verb: str, summary: str, handler: Handler, body: type[Struct], problems: tuple[Problem, ...]
) -> Route:
    """A route that changes a table and answers with its state."""
    return Route(
        method="POST",
        path=f"/api/tables/{{table_id:uuid}}/{verb}",
        name=verb.replace("/", "_").replace("-", "_"),
        tag=tag,
        summary=summary,
        handler=handler,
        body=body,
        answer=Update,
        scope=Scope.PLAY,
        limit=PLAYING,
        problems=problems,
        # The table's own log has every one of them.
        quiet=True,
    )
