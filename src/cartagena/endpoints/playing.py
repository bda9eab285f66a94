"""During the game: acting, undoing, leaving, talking."""

from dataclasses import dataclass, replace
from typing import Final

from cartagena.endpoints.callers import Scope, Session
from cartagena.endpoints.kit import (
    Kit,
    changed,
    mind_strangers,
    outcome_answer,
    require_voice,
    sender_of,
    table_post,
)
from cartagena.endpoints.limits import CHATTING, PLAYING
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Route
from cartagena.endpoints.seating import SEATED
from cartagena.messages.requests import Abandon, Act, Keyed, RemoveLine, Say, Undo
from cartagena.messages.updates import Said
from cartagena.notation import find_action
from cartagena.tables import playing
from cartagena.tables.access import audience_of, own_crew, seat_of
from cartagena.tables.chat import clean, remove, say
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import ChatAnnouncer, ChatLine, ChatStore
from cartagena.tables.table import Change, Table


class PlayingApi:
    """The handlers."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    async def act(self, call: Call) -> Answer:
        """Act, by code or by notation."""
        body, player = call.body(Act), call.player.player_id
        if (body.code is None) == (body.action is None):
            raise ServiceError(Problem.UNREADABLE, "give either a code or an action")
        mind_strangers(self.kit, call)

        def make(table: Table) -> Change:
            seat = own_crew(table, player)
            # Before the text is read: what it may mean depends on the hand of the seat to act.
            playing.require_turn(table, seat)
            return playing.act(table, seat, code_of(table, body))

        outcome = await self.kit.tables.change_at(call.uuid("table_id"), body.seq, sender_of(call), make)
        return outcome_answer(call, outcome)

    async def undo(self, call: Call) -> Answer:
        """Take the last choice back."""
        body, player = call.body(Undo), call.player.player_id
        mind_strangers(self.kit, call)
        outcome = await self.kit.tables.change_at(
            call.uuid("table_id"),
            body.seq,
            sender_of(call),
            lambda table: playing.undo(table, own_crew(table, player)),
        )
        return outcome_answer(call, outcome)

    async def resign(self, call: Call) -> Answer:
        """Give up."""
        player = call.player.player_id
        return await changed(self.kit, call, lambda table: playing.resign(table, seat_of(table, player)))

    async def take_back(self, call: Call) -> Answer:
        """Take the seat back from the bot that plays on."""
        player = call.player.player_id
        return await changed(self.kit, call, lambda table: playing.take_back(table, seat_of(table, player)))

    async def abandon(self, call: Call) -> Answer:
        """Agree to end the game without a result."""
        player, agrees = call.player.player_id, call.body(Abandon).agrees
        return await changed(
            self.kit, call, lambda table: playing.abandon(table, seat_of(table, player), agrees=agrees)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatApi:
    """The handlers of what is said at a table."""

    kit: Kit
    store: ChatStore
    announcer: ChatAnnouncer

    async def say(self, call: Call) -> Said:
        """Say something at the table."""
        body, session = call.body(Say), call.player
        table = await self.kit.tables.newest(call.uuid("table_id"))
        audience_of(table, session.player_id, body.invite)
        await require_voice(self.kit, table, session.player_id)
        line = replace(line_by(session, table), text=clean(body.text))
        if line.seat is None:
            self.kit.limits.count_watcher(table.id)
        number = await say(self.store, self.announcer, table, line, key=body.key)
        return Said(number=number)

    async def remove_line(self, call: Call) -> None:
        """Take a line of chat away; those who run this place need not be let in."""
        body, session = call.body(RemoveLine), call.player
        mind_strangers(self.kit, call)
        table = await self.kit.tables.newest(call.uuid("table_id"))
        is_admin = Scope.ADMIN in session.scopes
        if not is_admin:
            audience_of(table, session.player_id, body.invite)
        by = replace(line_by(session, table), removes=call.number("number"))
        await remove(self.store, self.announcer, table, by, key=body.key, is_admin=is_admin)


def line_by(session: Session, table: Table) -> ChatLine:
    """Return an empty line of chat by a player at a table."""
    seat = table.sheet.seat_of(session.player_id)
    return ChatLine(number=0, player=session.player_id, seat=seat, name=session.name, text="", at=0)


def code_of(table: Table, body: Act) -> int:
    """The code of the action that a request of the seat to act names."""
    if body.code is not None:
        return body.code
    assert body.action is not None
    return find_action(table.running_game().position, body.action)


TURN: Final = (
    *SEATED,
    Problem.STALE,
    Problem.TOO_LATE,
    Problem.NOT_YOUR_TURN,
    Problem.SEAT_MINDED,
    Problem.REFUSED,
    Problem.UNREADABLE,
)


def playing_routes(kit: Kit) -> tuple[Route, ...]:
    """Everything during the game."""
    api = PlayingApi(kit)
    return (
        table_post("playing", "actions", "Act", api.act, Act, TURN),
        table_post("playing", "undo", "Take back the last choice", api.undo, Undo, TURN),
        table_post("playing", "resign", "Give up", api.resign, Keyed, SEATED),
        table_post("playing", "take-back", "Take the seat back from a bot", api.take_back, Keyed, SEATED),
        table_post(
            "playing", "abandon", "Agree to end the game without a result", api.abandon, Abandon, SEATED
        ),
    )


def chat_routes(kit: Kit, store: ChatStore, announcer: ChatAnnouncer) -> tuple[Route, ...]:
    """What is said at a table."""
    api = ChatApi(kit=kit, store=store, announcer=announcer)
    return (
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/chat",
            name="chat",
            tag="playing",
            summary="Say something at the table",
            handler=api.say,
            body=Say,
            answer=Said,
            status=201,
            scope=Scope.PLAY,
            limit=CHATTING,
            problems=(*SEATED, Problem.MUTED, Problem.FORBIDDEN),
        ),
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/chat/{number:int}/remove",
            name="remove_line",
            tag="playing",
            summary="Take a line of chat away for everybody",
            description="Your own, any at a table whose host you are, and any for those who run this place.",
            handler=api.remove_line,
            body=RemoveLine,
            scope=Scope.PLAY,
            limit=PLAYING,
            problems=(Problem.NO_SUCH_TABLE, Problem.KICKED, Problem.FORBIDDEN, Problem.KEY_REUSED),
        ),
    )
