"""What takes long: a hint during a casual game, the analysis of a game that is over."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.kit import Analyses, Hints, HouseholdNames, reader_of
from cartagena.endpoints.limits import Limit, Rate
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Example, Route
from cartagena.endpoints.tables import SEEN, Invitation
from cartagena.messages.replays import (
    AnalysedStep,
    AnalysisFound,
    AnalysisMessage,
    HintFound,
    HintMessage,
    ProspectMessage,
)
from cartagena.messages.studies import MOST_ACTIONS
from cartagena.tables.access import audience_of, own_crew
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Store
from cartagena.tables.records import require_short
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table

TAG: Final = "learning"
ASKING: Final = Limit(group="asking", player=Rate(10, 0.5), address=Rate(60, 2))
"""Whatever is asked for here keeps a processor busy for a while."""
WAITING: Final = 202


@dataclass(frozen=True, slots=True, kw_only=True)
class JobApi:
    """The handlers."""

    tables: Tables
    store: Store
    hints: Hints
    analyses: Analyses
    households: HouseholdNames

    async def ask_hint(self, call: Call) -> Answer:
        """Ask for a hint."""
        player = call.player.player_id
        table = await self.tables.newest(call.uuid("table_id"))
        seat = seat_to_hint(table, player)
        household = self.households.name_of(call.address)
        hint = await self.hints.ask(table.id, table.game_seq, seat=seat, player=player, household=household)
        return _answer(_now(hint, table))

    async def read_hint(self, call: Call) -> Answer:
        """Read a hint that the caller asked for."""
        player = call.player.player_id
        hint = await self.hints.find(call.uuid("table_id"), call.uuid("hint_id"), player)
        if hint is None:
            raise ServiceError(Problem.NO_SUCH_THING, "you have asked for no such hint, or too long ago")
        return _answer(_now(hint, await self.tables.newest(call.uuid("table_id"))))

    async def ask_analysis(self, call: Call) -> Answer:
        """Ask for the analysis of a game."""
        household, player = self.households.name_of(call.address), call.player.player_id
        table = await self._over(call)
        await require_short(self.store, table)
        return _answer(await self.analyses.ask(table.id, household=household, player=player))

    async def read_analysis(self, call: Call) -> Answer:
        """Read the analysis of a game."""
        analysis = await self.analyses.find((await self._over(call)).id)
        if analysis is None:
            raise ServiceError(Problem.NO_SUCH_THING, "nobody has asked for this analysis")
        return _answer(analysis)

    async def _over(self, call: Call) -> Table:
        """Return the table of a call, if its game is over and the caller may look at it."""
        table = await self.tables.newest(call.uuid("table_id"))
        player = reader_of(call)
        audience_of(table, player, call.query(Invitation).invite)
        table.require(Stage.OVER)
        if table.game is None:
            raise ServiceError(Problem.WRONG_STAGE, "the cards of this table have not been dealt")
        return table


def seat_to_hint(table: Table, player: UUID) -> int:
    """The seat that a hint is for: the player's own, while it is to act where hints are allowed."""
    seat = own_crew(table, player)
    table.require(Stage.RUNNING)
    if table.sheet.rated:
        raise ServiceError(Problem.NOT_WHILE_RATED, "there are no hints in a rated game")
    if not table.sheet.allows_hints:
        raise ServiceError(Problem.NO_HINTS, "the host of this table allows no hints among people")
    if table.to_act != seat:
        raise ServiceError(Problem.NOT_YOUR_TURN, "a hint is for the seat that is to act")
    return seat


def _now(hint: HintMessage, table: Table) -> HintMessage:
    """Return a hint with the newest `seq` for which it holds: it is found for a game, not for a table."""
    return replace(hint, seq=table.seq) if table.stood_at(hint.seq) else hint


def _answer(message: HintMessage | AnalysisMessage) -> Answer:
    return Answer(content=message, status=WAITING if message.state == "waiting" else None)


_RETREAT: Final = ProspectMessage(codes=(14,), actions=("retreat 14",), chances=(0.5312, 0.4688))
_HINT: Final = Example(
    answer=HintMessage(
        id="0d3f2c1b-5a69-4788-96a5-b4c3d2e1f001",
        state="ready",
        seat=0,
        seq=17,
        found=HintFound(best=_RETREAT, alternatives=()),
    )
)
_STEP: Final = AnalysedStep(
    turn=1, seat=0, code=14, action="retreat 14", chances=(0.5312, 0.4688), decision=None
)
_ANALYSIS: Final = Example(
    answer=AnalysisMessage(
        table="019a4b1c-7d2e-7123-8abc-0123456789ab",
        state="ready",
        found=AnalysisFound(simulations=300, seed="1672", before=(0.5, 0.5), steps=(_STEP,)),
    )
)
_LATER: Final = {WAITING: "It is being worked out: ask again soon."}
_OF_HINTS: Final = (
    *SEEN,
    Problem.WRONG_STAGE,
    Problem.NOT_SEATED,
    Problem.SEAT_MINDED,
    Problem.NOT_WHILE_RATED,
    Problem.NO_HINTS,
    Problem.NOT_YOUR_TURN,
)


def job_routes(
    tables: Tables, store: Store, hints: Hints, analyses: Analyses, households: HouseholdNames
) -> tuple[Route, ...]:
    """The routes for hints and analyses."""
    api = JobApi(tables=tables, store=store, hints=hints, analyses=analyses, households=households)
    return (*_hint_routes(api), *_analysis_routes(api))


def _hint_routes(api: JobApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/hint",
            name="ask_hint",
            tag=TAG,
            summary="Ask what you might do now",
            description=(
                "For the seat to act in a casual game, among people only where the terms say `hints`; until "
                "something happens it is the same hint."
            ),
            handler=api.ask_hint,
            answer=HintMessage,
            scope=Scope.PLAY,
            limit=ASKING,
            problems=_OF_HINTS,
            other_answers=_LATER,
            example=_HINT,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/hints/{hint_id:uuid}",
            name="read_hint",
            tag=TAG,
            summary="Read a hint that you asked for",
            description="Only who asked may read it, for an hour.",
            handler=api.read_hint,
            answer=HintMessage,
            scope=Scope.READ,
            other_answers=_LATER,
            example=_HINT,
        ),
    )


def _analysis_routes(api: JobApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/analysis",
            name="ask_analysis",
            tag=TAG,
            summary="Ask for the analysis of a game",
            description=(
                "After the end, for everybody who may look at the table. It is made once and kept. "
                f"A game of more than {MOST_ACTIONS} actions is refused."
            ),
            handler=api.ask_analysis,
            query=Invitation,
            answer=AnalysisMessage,
            scope=Scope.PLAY,
            limit=ASKING,
            problems=(*SEEN, Problem.WRONG_STAGE, Problem.UNFIT),
            other_answers=_LATER,
            example=_ANALYSIS,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/analysis",
            name="read_analysis",
            tag=TAG,
            summary="Read the analysis of a game",
            handler=api.read_analysis,
            query=Invitation,
            answer=AnalysisMessage,
            problems=(*SEEN, Problem.WRONG_STAGE),
            other_answers=_LATER,
            example=_ANALYSIS,
        ),
    )
