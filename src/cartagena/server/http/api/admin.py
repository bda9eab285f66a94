"""For those who run this place, over HTTP: what was reported, and what comes of it."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Example, Route
from cartagena.messages.accounts import BanPlayer, CloseReport, ReportsMessage
from cartagena.server.accounts.moderation import ban, close_report, lift_ban, open_reports
from cartagena.server.http.api.accounts_base import LARGE, MANAGING, AccountKit
from cartagena.tables.errors import Problem

ADMIN: Final = "admin"


class ReportsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which page: the reports after the one with this id."""

    after: UUID | None = None


class AdminApi:
    """The handlers."""

    def __init__(self, kit: AccountKit) -> None:
        self._sessions = kit.sessions
        self._directory = kit.directory

    async def reports(self, call: Call) -> ReportsMessage:
        """A page of the reports that wait."""
        after = call.query(ReportsQuery).after
        return ReportsMessage(reports=await open_reports(self._directory, after=after))

    async def close_report(self, call: Call) -> None:
        """Write down what came of a report."""
        verdict = call.body(CloseReport).verdict
        await close_report(self._directory, call.player.player_id, call.uuid("report_id"), verdict)

    async def ban(self, call: Call) -> None:
        """Let a player only watch."""
        await ban(self._sessions, call.uuid("player_id"), call.body(BanPlayer).days)

    async def lift(self, call: Call) -> None:
        """Let a banned player play again."""
        await lift_ban(self._sessions, call.uuid("player_id"))


def admin_routes(kit: AccountKit) -> tuple[Route, ...]:
    """Everything that only those who run this place may do."""
    api = AdminApi(kit)
    return (*_report_routes(api), *_ban_routes(api))


def _report_routes(api: AdminApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/admin/reports",
            name="reports",
            tag=ADMIN,
            summary="See the reports that wait",
            description="The oldest first, up to a hundred; `after` the last id comes the next page.",
            handler=api.reports,
            query=ReportsQuery,
            answer=ReportsMessage,
            scope=Scope.ADMIN,
        ),
        Route(
            method="POST",
            path="/api/admin/reports/{report_id:uuid}/close",
            name="close_report",
            tag=ADMIN,
            summary="Say what came of a report",
            handler=api.close_report,
            body=CloseReport,
            scope=Scope.ADMIN,
            limit=MANAGING,
            body_limit=LARGE,
            problems=(Problem.UNFIT,),
            example=Example(body=CloseReport(verdict="Banned for a week.")),
        ),
    )


def _ban_routes(api: AdminApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/admin/players/{player_id:uuid}/ban",
            name="ban_player",
            tag=ADMIN,
            summary="Let a player only watch for some days",
            description="He keeps what is his and may take his data along; his streams are closed at once.",
            handler=api.ban,
            body=BanPlayer,
            scope=Scope.ADMIN,
            limit=MANAGING,
            problems=(Problem.UNFIT, Problem.NO_SUCH_PLAYER),
            example=Example(body=BanPlayer(days=7)),
        ),
        Route(
            method="POST",
            path="/api/admin/players/{player_id:uuid}/lift",
            name="lift_ban",
            tag=ADMIN,
            summary="Let a banned player play again",
            handler=api.lift,
            scope=Scope.ADMIN,
            limit=MANAGING,
            problems=(Problem.NO_SUCH_PLAYER,),
        ),
    )
