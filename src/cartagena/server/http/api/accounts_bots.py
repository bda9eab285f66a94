"""Bots over HTTP: accounts that a named player makes, for programs that play under a name of their own."""

from typing import Final
from uuid import UUID

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import BotMessage, BotsMessage, BotTokenMessage, MakeBot
from cartagena.server.accounts.bots import MOST_BOTS, bots_of, make_bot, renew_bot_token
from cartagena.server.accounts.personal_data import delete_bot
from cartagena.server.http.api.accounts_base import MANAGING, AccountKit
from cartagena.tables.errors import Problem

BOTS: Final = "bots"


class BotsApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit

    async def bots(self, call: Call) -> BotsMessage:
        """The caller's bots."""
        return await bots_of(self._kit.directory, call.player.player_id)

    async def make(self, call: Call) -> BotTokenMessage:
        """Make a bot."""
        return await make_bot(self._kit.directory, call.player, call.body(MakeBot))

    async def renew(self, call: Call) -> BotTokenMessage:
        """Give a bot another token."""
        return await renew_bot_token(self._kit.sessions, call.player, call.uuid("bot_id"))

    async def delete(self, call: Call) -> None:
        """Delete a bot."""
        await delete_bot(self._kit.sessions, call.player, call.uuid("bot_id"), self._kit.forget)


BOT: Final = BotMessage(
    id=UUID("019a4b1c-7d34-7345-8abc-0123456789ab"),
    name="Deep Blue Sea",
    engine="furthest 1.0",
    created=1_767_225_600_000,
    seen=1_767_312_000_000,
)
MADE: Final = BotTokenMessage(token="ct_" + 43 * "A", bot=BOT)


def bot_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Everything about bots of your own."""
    api = BotsApi(kit)
    return (*_making_routes(api), *_changing_routes(api))


def _making_routes(api: BotsApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/bots",
            name="my_bots",
            tag=BOTS,
            summary="See your bots",
            handler=api.bots,
            answer=BotsMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=BotsMessage(bots=(BOT,), most=MOST_BOTS)),
        ),
        Route(
            method="POST",
            path="/api/me/bots",
            name="make_bot",
            tag=BOTS,
            summary="Make an account for a bot of yours",
            description=(
                "Its token lasts until you renew it or delete the bot, and is shown this once; its scopes "
                "are `read` and `play`. A guest has no bots, and a personal token makes none."
            ),
            handler=api.make,
            body=MakeBot,
            answer=BotTokenMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(
                Problem.NEEDS_ACCOUNT,
                Problem.FORBIDDEN,
                Problem.UNFIT,
                Problem.NAME_TAKEN,
                Problem.NO_SUCH_PLAYER,
            ),
            example=Example(body=MakeBot(name="Deep Blue Sea", engine="furthest 1.0"), answer=MADE),
        ),
    )


def _changing_routes(api: BotsApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/me/bots/{bot_id:uuid}/token",
            name="renew_bot_token",
            tag=BOTS,
            summary="Give a bot of yours a new token",
            description="The old one stops working at once.",
            handler=api.renew,
            answer=BotTokenMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(Problem.FORBIDDEN, Problem.NO_SUCH_PLAYER),
            example=Example(answer=MADE),
        ),
        Route(
            method="DELETE",
            path="/api/me/bots/{bot_id:uuid}",
            name="delete_bot",
            tag=BOTS,
            summary="Delete a bot of yours",
            description="As if it went for good: its games stay, without its name.",
            handler=api.delete,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            problems=(Problem.FORBIDDEN, Problem.NO_SUCH_PLAYER),
        ),
    )
