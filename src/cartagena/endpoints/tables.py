"""Requests about tables: opening one, looking at it, its record."""

from dataclasses import replace
from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.kit import (
    Kit,
    continued_table,
    opened_answer,
    reader_of,
    require_room,
    seen_table,
    sender_of,
    sitter_of,
    table_answer,
)
from cartagena.endpoints.limits import CREATING, REPLAYING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import SAVED, Answer, kept_as
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.replays import LineMessage, ReplayMessage
from cartagena.messages.requests import BranchFrom, GoOnFrom, OpenTable, Rematch, Seq, TermsMessage, Word
from cartagena.messages.tables import ClockSettings
from cartagena.messages.updates import TableAnswer
from cartagena.notation import format_record, parse_record
from cartagena.rules.ruleset import EDITIONS, OptionError, Ruleset
from cartagena.tables.branches import branch_sheet, cut, levels_in, line_from, set_up_sheet
from cartagena.tables.creating import NewTable, open_table, point_to_rematch, rematch_id, rematch_sheet
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Sender
from cartagena.tables.records import record_for, replay_for
from cartagena.tables.rulesets import preset_named
from cartagena.tables.seating import Sitter, Terms
from cartagena.tables.sheet import DAY, SECOND, Clock, Sheet

RECORD: Final = "text/plain; charset=utf-8"
BANK: Final = range(10, 6 * 60 * 60 + 1)
INCREMENT: Final = range(10 * 60 + 1)
DAYS: Final = range(1, 31)


class Invitation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The code that lets a caller see a private table."""

    invite: Word | None = None


def terms_of(kit: Kit, message: TermsMessage) -> Terms:
    """The terms that a request names; raises UNFIT for what no edition knows, and for a game without end."""
    terms = read_terms(message)
    kit.check_end(terms.ruleset)
    return terms


def read_terms(message: TermsMessage) -> Terms:
    """The terms that a message holds; raises UNFIT for what no edition knows."""
    return Terms(
        ruleset=_ruleset_of(message),
        seats=message.seats,
        clock=None if message.clock is None else clock_of(message.clock),
        listed=message.listed,
        rated=message.rated,
        spectators=message.spectators,
        hints=message.hints,
    )


def _ruleset_of(message: TermsMessage) -> Ruleset:
    preset = preset_named(message.ruleset)
    if message.edition is not None and message.edition not in EDITIONS:
        raise ServiceError(Problem.UNFIT, f"no edition is called so; there are {', '.join(EDITIONS)}")
    options = {**EDITIONS[message.edition or "en"], **message.options}
    try:
        return preset.with_options(**options)
    except OptionError as error:
        raise ServiceError(Problem.UNFIT, str(error)[:200]) from error


def clock_of(settings: ClockSettings) -> Clock:
    """A clock in milliseconds; raises UNFIT for one outside the allowed ranges."""
    if settings.kind == "correspondence":
        if settings.days not in DAYS:
            raise ServiceError(Problem.UNFIT, f"a turn by correspondence has {DAYS[0]} to {DAYS[-1]} days")
        return Clock(kind="correspondence", bank=settings.days * DAY)
    if settings.bank not in BANK or settings.increment not in INCREMENT:
        raise ServiceError(
            Problem.UNFIT,
            f"a live clock has a bank of {BANK[0]} to {BANK[-1]} seconds and adds up to {INCREMENT[-1]}",
        )
    return Clock(kind="live", bank=settings.bank * SECOND, increment=settings.increment * SECOND)


class TableApi:
    """The handlers."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    async def open(self, call: Call) -> Answer:
        """Open a table and sit down at it."""
        body, session = call.body(OpenTable), call.player
        made = self.kit.new()
        sitter = sitter_of(self.kit, call, body.nonce_hash)
        await require_room(self.kit, session)
        table_id = await open_table(
            self.kit.store,
            self.kit.creations,
            replace(terms_of(self.kit, body.terms), bots=body.bots),
            sitter,
            key=body.key,
            made=made,
        )
        return await opened_answer(self.kit, table_id, session.player_id)

    async def show(self, call: Call) -> Answer:
        """The table as the caller may see it."""
        table, audience = await seen_table(self.kit, call, call.query(Invitation).invite)
        return table_answer(table, reader_of(call), audience)

    async def record(self, call: Call) -> Answer:
        """The record of the game, as much of it as the caller may know."""
        table, audience = await seen_table(self.kit, call, call.query(Invitation).invite)
        record = await record_for(self.kit.store, table, audience, aside=self.kit.aside)
        content = await self.kit.aside(lambda: format_record(record).encode())
        name = kept_as(f"cartagena-{table.id}.txt")
        return Answer(content=content, media_type=RECORD, headers=(name,))

    async def replay(self, call: Call) -> ReplayMessage:
        """The game step by step, as much of it as the caller may know."""
        table, audience = await seen_table(self.kit, call, call.query(Invitation).invite)
        analysis = await self.kit.analyses.is_asked(table.id)
        return await replay_for(self.kit.store, table, audience, analysis=analysis, aside=self.kit.aside)

    async def rematch(self, call: Call) -> Answer:
        """Open the table again for a rematch; two callers at once meet at one table."""
        kit, session = self.kit, call.player
        old = await kit.tables.newest(call.uuid("table_id"))
        if old.sheet.rematch is None:
            kit.check_end(old.sheet.rules)
        made = kit.new()
        sheet = rematch_sheet(old, sitter_of(self.kit, call, call.body(Rematch).nonce_hash), made)
        next_id = rematch_id(old.id)
        sender = sender_of(call)
        await kit.store.open(next_id, sheet, made.secret, Sender(player=session.player_id, key=sender.key))
        if old.sheet.rematch is None:
            await kit.tables.change(old.id, sender, lambda table: point_to_rematch(table, session.player_id))
        return await opened_answer(kit, next_id, session.player_id)


OPEN_EXAMPLE: Final = OpenTable(
    terms=TermsMessage(ruleset="tortuga", seats=2, clock=ClockSettings(kind="live", bank=600, increment=15)),
    bots=("sailor",),
    key=UUID("0d5f1c2e-3b0a-4c8e-9a57-0a1b2c3d4e5f"),
)
SEEN: Final = (Problem.NO_SUCH_TABLE, Problem.KICKED, Problem.FORBIDDEN, Problem.MISSING_SCOPE)


def table_routes(kit: Kit) -> tuple[Route, ...]:
    """Everything about a table as a whole."""
    api = TableApi(kit)
    return (*_opening_routes(api), *_reading_routes(api))


def _opening_routes(api: TableApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/tables",
            name="open_table",
            tag="tables",
            summary="Open a table and sit down at it",
            handler=api.open,
            body=OpenTable,
            answer=TableAnswer,
            status=201,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(Problem.UNFIT, Problem.NEEDS_ACCOUNT, *SEEN),
            example=Example(body=OPEN_EXAMPLE),
        ),
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/rematch",
            name="rematch",
            tag="tables",
            summary="Open the same table again",
            handler=api.rematch,
            body=Rematch,
            answer=TableAnswer,
            status=201,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(*SEEN, Problem.WRONG_STAGE, Problem.NOT_SEATED, Problem.UNFIT, Problem.KEY_REUSED),
        ),
    )


def _reading_routes(api: TableApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}",
            name="show_table",
            tag="tables",
            summary="Look at a table",
            handler=api.show,
            query=Invitation,
            answer=TableAnswer,
            problems=SEEN,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/record",
            name="record",
            tag="tables",
            summary="Read the record of a game",
            description="All of it after the end; until then what the asker may know, `?` for hidden cards.",
            handler=api.record,
            query=Invitation,
            answer=RECORD,
            limit=REPLAYING,
            problems=(*SEEN, Problem.WRONG_STAGE),
            answer_headers=SAVED,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/replay",
            name="replay",
            tag="tables",
            summary="Read a game step by step",
            description="A first view, then what each action changed in it; hands are open after the end.",
            handler=api.replay,
            query=Invitation,
            answer=ReplayMessage,
            limit=REPLAYING,
            problems=(*SEEN, Problem.WRONG_STAGE),
        ),
    )


# Other actions in a game that is over: as a line to look at, or at a new table.

Codes = Annotated[
    str, Meta(pattern="^([0-9]{1,4}(,[0-9]{1,4}){0,11})?$", description="codes of actions, with commas")
]


class LineQuery(Invitation, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which actions, and after how many of the game."""

    step: Seq
    codes: Codes = ""


class BranchApi:
    """The handlers."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    async def line(self, call: Call) -> LineMessage:
        """What would have happened with other actions."""
        query = call.query(LineQuery)
        table, _ = await seen_table(self.kit, call, query.invite)
        codes = [int(code) for code in query.codes.split(",") if code]
        return await line_from(self.kit.store, table, query.step, codes, aside=self.kit.aside)

    async def branch(self, call: Call) -> Answer:
        """Open a table that goes on from the game, and start it."""
        kit, body = self.kit, call.body(BranchFrom)
        old, _ = await seen_table(kit, call, body.invite)
        kit.check_end(old.sheet.rules)
        await require_room(kit, call.player)
        made = kit.new()
        sitter = sitter_of(kit, call, None)
        sheet = await branch_sheet(kit.store, old, body.step, sitter, made, aside=kit.aside)
        table = await continued_table(kit, made.id, sheet, secret=old.secret, key=body.key)
        return await opened_answer(kit, table.id, call.player.player_id)

    async def set_up(self, call: Call) -> Answer:
        """Open a table that goes on from a record, and start it if nobody is waited for."""
        kit, body = self.kit, call.body(GoOnFrom)
        await require_room(kit, call.player)
        made, sitter = kit.new(), sitter_of(kit, call, None)
        sheet = await kit.aside(lambda: _set_up(body, sitter, made))
        kit.check_end(sheet.rules)
        table = await continued_table(kit, made.id, sheet, secret=made.secret, key=body.key)
        return await opened_answer(kit, table.id, call.player.player_id)


def _set_up(body: GoOnFrom, sitter: Sitter, made: NewTable) -> Sheet:
    record = cut(parse_record(body.record), body.step)
    return set_up_sheet(record, body.levels or levels_in(record), sitter, made)


_OF_BRANCHES: Final = (*SEEN, Problem.WRONG_STAGE, Problem.UNFIT)


def branch_routes(kit: Kit) -> tuple[Route, ...]:
    """Other actions in a game that is over."""
    api = BranchApi(kit)
    return (
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/line",
            name="line",
            tag="tables",
            summary="Look at other actions in a game that is over",
            description="`codes` are played after the first `step` actions of the game.",
            handler=api.line,
            query=LineQuery,
            answer=LineMessage,
            limit=REPLAYING,
            problems=(*_OF_BRANCHES, Problem.REFUSED),
        ),
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/branch",
            name="branch",
            tag="tables",
            summary="Play on from a moment of a game that is over",
            description="The table is private, casual and against bots; the asker has the next choice.",
            handler=api.branch,
            body=BranchFrom,
            answer=TableAnswer,
            status=201,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(*_OF_BRANCHES, Problem.KEY_REUSED),
        ),
    )


_RECORD_BODY: Final = 40_000
"""Bytes; the lines of the longest record, as JSON has them."""


def record_routes(kit: Kit) -> tuple[Route, ...]:
    """Playing on from a record that somebody brings."""
    return (
        Route(
            method="POST",
            path="/api/tables/from-record",
            name="take_up",
            tag="tables",
            summary="Play on from a record, or from a position in one",
            description=(
                "The table is private and casual. The asker has the next choice if a person plays that seat, "
                "the other seats of people are open; without such it begins at once."
            ),
            handler=BranchApi(kit).set_up,
            body=GoOnFrom,
            answer=TableAnswer,
            status=201,
            scope=Scope.PLAY,
            limit=CREATING,
            body_limit=_RECORD_BODY,
            problems=(Problem.UNFIT,),
        ),
    )
