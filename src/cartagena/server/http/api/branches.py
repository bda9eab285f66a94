"""Other actions in a game that is over, over HTTP: as a line to look at, or at a new table."""

from typing import Annotated, Final
from uuid import uuid5

from msgspec import Meta

from cartagena.messages.replays import LineMessage
from cartagena.messages.requests import BranchFrom, Seq
from cartagena.messages.updates import TableAnswer
from cartagena.server.http.api.base import (
    Kit,
    opened_answer,
    require_room,
    seen_table,
    sender_of,
    sitter_of,
)
from cartagena.server.http.api.tables import SEEN, Invitation
from cartagena.server.http.rate_limits import CREATING, REPLAYING
from cartagena.server.http.request import Call
from cartagena.server.http.responses import Answer
from cartagena.server.http.routing import Route
from cartagena.server.shared.callers import Scope
from cartagena.server.shared.errors import Problem
from cartagena.server.tables.branches import branch_sheet, line_from
from cartagena.server.tables.creating import New
from cartagena.server.tables.ports import Sender
from cartagena.server.tables.sheet import Stage
from cartagena.server.tables.starting import start

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
        return await line_from(self.kit.store, table, query.step, codes)

    async def branch(self, call: Call) -> Answer:
        """Open a table that goes on from the game, and start it."""
        kit, player, body = self.kit, call.player.player_id, call.body(BranchFrom)
        old, _ = await seen_table(kit, call, body.invite)
        await require_room(kit, call.player)
        made = New(kit.now(), kit.chance)
        sheet = await branch_sheet(kit.store, old, body.step, sitter_of(kit, call, None), made)
        table_id = await kit.creations.claim(player, body.key, made.id)
        await kit.store.open(table_id, sheet, old.secret, sender_of(call))
        if (await kit.tables.newest(table_id)).sheet.stage is Stage.OPEN:
            # At one table a key stands for one request.
            await kit.tables.change(table_id, Sender(player=player, key=uuid5(body.key, "start")), start)
        return await opened_answer(kit, table_id, player)


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
