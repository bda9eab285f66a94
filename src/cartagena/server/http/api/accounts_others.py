"""Programs and other players over HTTP: personal tokens, blocks, reports."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import CREATING
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import (
    BlocksMessage,
    MakeToken,
    PlayerMessage,
    ReportPlayer,
    TokenMadeMessage,
    TokenMessage,
    TokensMessage,
)
from cartagena.server.accounts.moderation import block, blocked_by, report, unblock
from cartagena.server.accounts.sessions.devices import make_token, tokens_of
from cartagena.server.http.api.accounts_base import LARGE, MANAGING, AccountKit
from cartagena.tables.errors import Problem, ServiceError

TOKENS: Final = "personal tokens"
OTHERS: Final = "other players"


class ReportMadeMessage(Struct, frozen=True, kw_only=True):
    """Your report was taken; the same key gives the same id."""

    id: UUID


class OthersApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._kit = kit
        self._directory = kit.directory

    async def make_token(self, call: Call) -> TokenMadeMessage:
        """Make a token for a program of the caller's."""
        return await make_token(self._directory, call.player, call.body(MakeToken))

    async def tokens(self, call: Call) -> TokensMessage:
        """The caller's tokens."""
        return TokensMessage(tokens=await tokens_of(self._directory, call.player.player_id))

    async def revoke_token(self, call: Call) -> None:
        """End a token."""
        await self._kit.sessions.revoke(call.player.player_id, call.uuid("token_id"))

    async def blocks(self, call: Call) -> BlocksMessage:
        """Whom the caller blocked."""
        return BlocksMessage(players=await blocked_by(self._directory, call.player.player_id))

    async def block(self, call: Call) -> None:
        """Keep a player out of the caller's way."""
        await block(self._directory, call.player.player_id, call.uuid("player_id"))

    async def unblock(self, call: Call) -> None:
        """Take a block back."""
        await unblock(self._directory, call.player.player_id, call.uuid("player_id"))

    async def report(self, call: Call) -> ReportMadeMessage:
        """Report a player, and what they said, to those who run this place."""
        told, reporter = call.body(ReportPlayer), call.player.player_id
        said = await self._said(reporter, told)
        return ReportMadeMessage(id=await report(self._directory, reporter, told, said))

    async def _said(self, reporter: UUID, told: ReportPlayer) -> str | None:
        if told.line is None:
            return None
        if told.table is None or self._kit.said is None:
            raise ServiceError(Problem.UNFIT, "a line of chat was said at a table: name it")
        return await self._kit.said(reporter, told)


TOKEN: Final = TokenMessage(
    id=UUID("019a4b1c-7d31-7abc-babc-0123456789ab"),
    name="my bot",
    scopes=("read", "play"),
    created=1_767_225_600_000,
    seen=1_767_312_000_000,
)
MARY: Final = PlayerMessage(
    id=UUID("019a4b1c-7d32-7def-8abc-0123456789ab"),
    name="Mary Read",
    is_guest=False,
    created=1_767_225_600_000,
)
REPORT: Final = ReportPlayer(
    key=UUID("6f1d3c5a-7b1e-4a0b-8f52-1c2d3e4f5a6b"), player=MARY.id, text="Swears at everybody."
)


def other_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Personal tokens, blocks and reports."""
    api = OthersApi(kit)
    return (*_token_routes(api), *_block_routes(api), _report_route(api))


def _token_routes(api: OthersApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/tokens",
            name="my_tokens",
            tag=TOKENS,
            summary="See your personal tokens",
            handler=api.tokens,
            answer=TokensMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=TokensMessage(tokens=(TOKEN,))),
        ),
        Route(
            method="POST",
            path="/api/me/tokens",
            name="make_token",
            tag=TOKENS,
            summary="Make a token for a program of yours",
            description="It lasts until you revoke it, and is shown this once.",
            handler=api.make_token,
            body=MakeToken,
            answer=TokenMadeMessage,
            status=201,
            scope=Scope.ACCOUNT,
            limit=CREATING,
            problems=(Problem.UNFIT, Problem.FORBIDDEN, Problem.NO_SUCH_PLAYER),
            example=Example(body=MakeToken(name="my bot", scopes=("read", "play"))),
        ),
        Route(
            method="DELETE",
            path="/api/me/tokens/{token_id:uuid}",
            name="revoke_token",
            tag=TOKENS,
            summary="Revoke a personal token",
            handler=api.revoke_token,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
        ),
    )


def _block_routes(api: OthersApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/blocks",
            name="my_blocks",
            tag=OTHERS,
            summary="See whom you blocked",
            handler=api.blocks,
            answer=BlocksMessage,
            scope=Scope.ACCOUNT,
            example=Example(answer=BlocksMessage(players=(MARY,))),
        ),
        Route(
            method="PUT",
            path="/api/me/blocks/{player_id:uuid}",
            name="block_player",
            tag=OTHERS,
            summary="Block a player",
            description="From now on neither of you can sit down where the other sits.",
            handler=api.block,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
            problems=(Problem.UNFIT, Problem.NO_SUCH_PLAYER),
        ),
        Route(
            method="DELETE",
            path="/api/me/blocks/{player_id:uuid}",
            name="unblock_player",
            tag=OTHERS,
            summary="Take a block back",
            handler=api.unblock,
            scope=Scope.ACCOUNT,
            limit=MANAGING,
        ),
    )


def _report_route(api: OthersApi) -> Route:
    return Route(
        method="POST",
        path="/api/reports",
        name="report_player",
        tag=OTHERS,
        summary="Report a player to those who run this place",
        handler=api.report,
        body=ReportPlayer,
        answer=ReportMadeMessage,
        status=201,
        scope=Scope.ACCOUNT,
        limit=CREATING,
        body_limit=LARGE,
        problems=(
            Problem.UNFIT,
            Problem.NO_SUCH_PLAYER,
            Problem.NO_SUCH_TABLE,
            Problem.NO_SUCH_THING,
            Problem.KICKED,
            Problem.FORBIDDEN,
        ),
        example=Example(
            body=REPORT, answer=ReportMadeMessage(id=UUID("019a4b1c-7d33-7012-9abc-0123456789ab"))
        ),
    )
