"""What the handlers of tables share: who asks, and the answer that shows where a table stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID, uuid5

import msgspec
from msgspec import Raw, Struct

from cartagena.endpoints.callers import Scope, Session, check_scope
from cartagena.endpoints.limits import PLAYING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import JSON, Answer
from cartagena.endpoints.routing import Handler, Route
from cartagena.messages.replays import AnalysisMessage, HintMessage
from cartagena.messages.requests import Keyed
from cartagena.messages.updates import Reached, Update
from cartagena.rules.ruleset import Ruleset
from cartagena.tables.access import audience_of
from cartagena.tables.creating import Chance, Creations, NewTable
from cartagena.tables.errors import SENT_AWAY, SILENCED, Problem, ServiceError
from cartagena.tables.frames import current
from cartagena.tables.ids import OF_SERVICE
from cartagena.tables.ports import Aside, Sender, Store
from cartagena.tables.rulesets import require_end
from cartagena.tables.seating import Sitter, checked_hash, start
from cartagena.tables.service import RequestOutcome, Tables
from cartagena.tables.sheet import Sheet, Stage
from cartagena.tables.table import Change, Table


class Blocks(Protocol):
    """Who wants nothing to do with whom, and which players are one person."""

    async def any_between(self, player: UUID, others: list[UUID]) -> bool:
        """Whether the player has blocked one of the others, or was blocked by one of them."""

    async def is_person_among(self, player: UUID, others: list[UUID]) -> bool:
        """Whether one of the others is the player, their owner, or a bot of the same owner."""


class Seatings(Protocol):
    """Who sits where."""

    async def unfinished(self, player: UUID) -> int:
        """How many tables whose game is not over a player sits at."""


class Hints(Protocol):
    """Hints, each for one player at one moment of a table."""

    async def ask(self, table_id: UUID, seq: int, *, seat: int, player: UUID, household: str) -> HintMessage:
        """The hint for a seat of a table at `seq`; if there is none yet, a search is started."""

    async def find(self, table_id: UUID, hint_id: UUID, player: UUID) -> HintMessage | None:
        """A hint of the last hour that this player asked for."""


class Analyses(Protocol):
    """Analyses, one for each game."""

    async def ask(self, table_id: UUID, *, player: UUID, household: str) -> AnalysisMessage:
        """The analysis of a table's game; if there is none yet, it is started."""

    async def is_asked(self, table_id: UUID) -> bool:
        """Whether the analysis of a table's game has been asked for."""

    async def find(self, table_id: UUID) -> AnalysisMessage | None:
        """The analysis of a table's game, None if none was asked for."""


class TableQuotas(Protocol):
    """How much may be done at each table, and at how many tables a player may sit."""

    def count_stranger(self, table_id: UUID) -> None:
        """Count a request of a player who is not seated at this table; raises `too_many`."""

    def count_watcher(self, table_id: UUID) -> None:
        """Count a line of chat of a watcher; raises `too_many`."""

    def check_tables(self, tables: int, *, is_guest: bool) -> None:
        """Raise `too_many` for a player who sits at too many unfinished tables."""


class BotQuota(Protocol):
    """How many games against bots the account of a bot may begin in a day."""

    async def check(self, players: Sequence[UUID]) -> None:
        """Raise `too_many` if a bot among these players may not begin a game with another one now."""

    async def count(self, game_id: UUID, players: Sequence[UUID]) -> None:
        """Count a game that begins, once for each bot among these players; raises `too_many`."""


class HouseholdNames(Protocol):
    """Gives households names that reveal nothing about their addresses."""

    def name_of(self, address: str) -> str:
        """Return the name of the household that an address belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """All that the handlers of tables work with."""

    tables: Tables
    store: Store
    creations: Creations
    blocks: Blocks
    analyses: Analyses
    seatings: Seatings
    limits: TableQuotas
    bot_games: BotQuota
    households: HouseholdNames
    chance: Chance
    aside: Aside
    now: Callable[[], int]
    """Milliseconds since 1970, for ids alone; for decisions the store is asked."""
    version: int = OF_SERVICE
    """That of the ids of new tables."""
    endless: bool = False
    """Whether a new table may have a game that need not end: on a device nobody else bears what it costs."""

    def new(self) -> NewTable:
        """What chance gives a new table."""
        return NewTable(self.now(), self.chance, self.version)

    def check_end(self, ruleset: Ruleset) -> None:
        """Raise UNFIT for the game of a new table that must end and need not."""
        if not self.endless:
            require_end(ruleset)


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


async def continued_table(kit: Kit, proposed: UUID, sheet: Sheet, *, secret: bytes, key: UUID) -> Table:
    """Open a table that goes on from a game, and start it unless that game is over or a seat is open.

    `proposed` is its id, unless the host's request with this `key` opened a table before.
    """
    table_id = await kit.creations.claim(sheet.host, key, proposed)
    await kit.store.open(table_id, sheet, secret, Sender(player=sheet.host, key=key))
    table = await kit.tables.newest(table_id)
    if table.sheet.stage is not Stage.OPEN or any(chair.is_open for chair in table.sheet.chairs):
        return table
    # At one table a key stands for one request.
    begun = Sender(player=sheet.host, key=uuid5(key, "start"))
    # The whole game up to here is played again, which would keep other requests waiting.
    beginning = await kit.aside(lambda: start(table))

    def begin(newest: Table) -> Change:
        stands = (newest.seq, newest.timeline) == (table.seq, table.timeline)
        return beginning if stands else start(newest)

    return (await kit.tables.change(table_id, begun, begin)).table


MINIMAL: Final = "return=minimal"
"""What a client prefers that follows the table anyway; nodes of earlier releases answer with the update."""


def outcome_answer(call: Call, outcome: RequestOutcome) -> Answer:
    """Return what the caller is told after a request.

    A caller who repeats an earlier request may have been sent away since.
    """
    player = call.player.player_id
    if outcome.frames is None:
        audience_of(outcome.table, player)
    if call.prefers(MINIMAL):
        return Answer(content=Reached(seq=outcome.table.seq))
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
        program=session.is_bot,
        nonce_hash=checked_hash(nonce_hash),
    )


def mind_strangers(kit: Kit, call: Call) -> None:
    """Count a request of a player who is not seated at the table in the path; raises TOO_MANY."""
    table_id = call.uuid("table_id")
    # As it was last seen: a player who has just sat down at another node counts as a stranger once.
    table = kit.tables.kept(table_id)
    if table is not None and table.sheet.seat_of(call.player.player_id) is None:
        kit.limits.count_stranger(table_id)


async def require_welcome(kit: Kit, table: Table, player: UUID) -> None:
    """Raise KICKED for a bot whose owner was sent away, and for the owner of a bot that was.

    Not for who sits there: to keep a seat without one's bot is no way back in.
    """
    if table.sheet.seat_of(player) is None and await kit.blocks.is_person_among(
        player, list(table.sheet.kicked)
    ):
        raise ServiceError(Problem.KICKED, SENT_AWAY)


async def require_voice(kit: Kit, table: Table, player: UUID) -> None:
    """Raise KICKED or MUTED for who may not speak here, be it by a bot of theirs.

    The host always may, even after muting a bot of their own.
    """
    await require_welcome(kit, table, player)
    if table.sheet.host != player and await kit.blocks.is_person_among(player, list(table.sheet.silent)):
        raise ServiceError(Problem.MUTED, SILENCED)


async def require_room(kit: Kit, session: Session) -> None:
    """Raise TOO_MANY for a player who already sits at as many tables as allowed."""
    kit.limits.check_tables(await kit.seatings.unfinished(session.player_id), is_guest=session.is_guest)


async def changed(kit: Kit, call: Call, make: Callable[[Table], Change]) -> Answer:
    """Change the table that the path names, whatever came before, and answer with its state."""
    mind_strangers(kit, call)
    outcome = await kit.tables.change(call.uuid("table_id"), sender_of(call), make)
    return outcome_answer(call, outcome)


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
