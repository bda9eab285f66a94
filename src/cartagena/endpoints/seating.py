"""Requests before the start: sitting down, what the host arranges, and the promises of the shuffle."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from cartagena.endpoints.kit import (
    Kit,
    changed,
    mind_strangers,
    outcome_answer,
    require_room,
    require_welcome,
    sender_of,
    sitter_of,
    table_post,
)
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Route
from cartagena.endpoints.tables import terms_of
from cartagena.messages.requests import (
    AddBot,
    ChangeTerms,
    Keyed,
    Mute,
    OfSeat,
    PromiseNonce,
    Reorder,
    ShowNonce,
    Sit,
)
from cartagena.tables import seating
from cartagena.tables.access import require_entry, require_host, seat_of
from cartagena.tables.creating import new_invite
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.sheet import Sheet, Stage
from cartagena.tables.table import Change, Table


class SeatingApi:
    """The handlers. What only the host may do goes through `_as_host`."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    async def sit(self, call: Call) -> Answer:
        """Take a seat, unless the caller has blocked a player there, or was blocked by one."""
        body, session = call.body(Sit), call.player
        sitter = sitter_of(self.kit, call, body.nonce_hash)
        mind_strangers(self.kit, call)
        await require_room(self.kit, session)
        table = await self.kit.tables.newest(call.uuid("table_id"))
        require_entry(table, session.player_id, body.invite)
        await require_welcome(self.kit, table, session.player_id)
        people = [chair.player for chair in table.sheet.chairs if chair.player is not None]
        if await self.kit.blocks.any_between(session.player_id, people):
            raise ServiceError(Problem.BLOCKED, "somebody at this table does not want to play with you")
        if session.is_bot:
            await self.kit.bot_games.check([session.player_id, *programs_of(table.sheet)])

        def make(table: Table) -> Change:
            require_entry(table, session.player_id, body.invite)
            return seating.sit(table, sitter, body.seat)

        outcome = await self.kit.tables.change(table.id, sender_of(call), make)
        return outcome_answer(call, outcome)

    async def leave(self, call: Call) -> Answer:
        """Get up."""
        player = call.player.player_id
        return await changed(self.kit, call, lambda table: seating.leave(table, seat_of(table, player)))

    async def promise(self, call: Call) -> Answer:
        """Promise a number anew."""
        player, given = call.player.player_id, call.body(PromiseNonce).nonce_hash
        return await changed(
            self.kit, call, lambda table: seating.promise(table, seat_of(table, player), given)
        )

    async def show_nonce(self, call: Call) -> Answer:
        """Show the promised number."""
        player, nonce = call.player.player_id, call.body(ShowNonce).nonce
        return await changed(
            self.kit, call, lambda table: seating.show_nonce(table, seat_of(table, player), nonce)
        )

    async def _as_host(self, call: Call, make: Callable[[Table], Change]) -> Answer:
        player = call.player.player_id

        def checked(table: Table) -> Change:
            require_host(table, player)
            return make(table)

        return await changed(self.kit, call, checked)

    async def kick(self, call: Call) -> Answer:
        """Send a player away."""
        seat, invite = call.body(OfSeat).seat, new_invite(self.kit.chance)
        return await self._as_host(call, lambda table: seating.kick(table, seat, invite=invite))

    async def add_bot(self, call: Call) -> Answer:
        """Let a bot play."""
        body = call.body(AddBot)
        return await self._as_host(call, lambda table: seating.add_bot(table, body.seat, body.level))

    async def remove_bot(self, call: Call) -> Answer:
        """Take a bot away."""
        seat = call.body(OfSeat).seat
        return await self._as_host(call, lambda table: seating.remove_bot(table, seat))

    async def reorder(self, call: Call) -> Answer:
        """Change who sits where."""
        order = call.body(Reorder).order
        return await self._as_host(call, lambda table: seating.reorder(table, order))

    async def change_terms(self, call: Call) -> Answer:
        """Change rules, clock, seats or who may come in."""
        terms = terms_of(self.kit, call.body(ChangeTerms).terms)
        return await self._as_host(call, lambda table: seating.change_terms(table, terms))

    async def mute(self, call: Call) -> Answer:
        """Silence a seat, or a player without one."""
        body = call.body(Mute)
        if (body.seat is None) == (body.player is None):
            raise ServiceError(Problem.UNREADABLE, "give either a seat or a player")
        return await self._as_host(call, lambda table: muted(table, body))

    async def start(self, call: Call) -> Answer:
        """Start the game; one of bots against bots is counted, once."""
        table = await self.kit.tables.newest(call.uuid("table_id"))
        programs = programs_of(table.sheet)
        if programs and table.sheet.stage is Stage.OPEN and table.sheet.host == call.player.player_id:
            await self.kit.bot_games.count(table.id, programs)
        return await self._as_host(call, seating.start)


def programs_of(sheet: Sheet) -> list[UUID]:
    """The accounts of bots that sit at a table."""
    return [chair.player for chair in sheet.chairs if chair.program and chair.player is not None]


def muted(table: Table, body: Mute) -> Change:
    """The table once the seat or the player that a request names is silent, or may speak again."""
    if body.seat is not None:
        return seating.mute(table, body.seat, muted=body.muted)
    assert body.player is not None
    return seating.mute_player(table, body.player, muted=body.muted)


AT_TABLE: Final = (
    Problem.NO_SUCH_TABLE,
    Problem.KICKED,
    Problem.WRONG_STAGE,
    Problem.UNFIT,
    Problem.KEY_REUSED,
    Problem.UNAVAILABLE,
)
SEATED: Final = (*AT_TABLE, Problem.NOT_SEATED)
HOST: Final = (*SEATED, Problem.NOT_HOST, Problem.SEAT_TAKEN, Problem.NEEDS_ACCOUNT, Problem.NOT_FULL)


def seating_routes(kit: Kit) -> tuple[Route, ...]:
    """Everything before the start."""
    api = SeatingApi(kit)
    comes = (
        *AT_TABLE,
        Problem.SEAT_TAKEN,
        Problem.ALREADY_SEATED,
        Problem.BLOCKED,
        Problem.NEEDS_ACCOUNT,
        Problem.FORBIDDEN,
    )
    return (
        table_post("seating", "sit", "Take a seat", api.sit, Sit, comes),
        table_post("seating", "leave", "Get up before the start", api.leave, Keyed, SEATED),
        table_post(
            "seating", "promise", "Promise a number for the shuffle", api.promise, PromiseNonce, SEATED
        ),
        table_post("seating", "nonce", "Show the promised number", api.show_nonce, ShowNonce, SEATED),
        table_post("seating", "start", "Start the game", api.start, Keyed, HOST),
        table_post("seating", "kick", "Send a player away for good", api.kick, OfSeat, HOST),
        table_post("seating", "bots", "Let a bot play on an open seat", api.add_bot, AddBot, HOST),
        table_post("seating", "bots/remove", "Take a bot away", api.remove_bot, OfSeat, HOST),
        table_post("seating", "order", "Change who sits where", api.reorder, Reorder, HOST),
        table_post(
            "seating",
            "terms",
            "Change rules, clock, seats or who may come in",
            api.change_terms,
            ChangeTerms,
            HOST,
        ),
        table_post("seating", "mute", "Silence somebody in the chat, or no longer", api.mute, Mute, HOST),
    )
