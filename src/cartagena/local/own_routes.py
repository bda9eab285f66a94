"""What can be asked of a device alone: its games, deleting one, and covering and uncovering hands."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from uuid import UUID, uuid5

from cartagena.endpoints.events import StreamFrom
from cartagena.endpoints.kit import Kit, continued_table, table_answer
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer
from cartagena.endpoints.routing import Route
from cartagena.endpoints.rulesets import rulesets_route
from cartagena.endpoints.tables import RECORD
from cartagena.local.pace import seconds_a_turn
from cartagena.local.screen import SharedScreen
from cartagena.local.store import KeptTable, LocalStore
from cartagena.messages.lobby import (
    MyGamesMessage,
    MyGamesQuery,
    MyTableMessage,
    PaceMessage,
    ResultMessage,
    SeatMessage,
)
from cartagena.messages.requests import TakeUp
from cartagena.messages.streams import EVENT_STREAM
from cartagena.messages.updates import TableAnswer
from cartagena.notation import Record, format_record, parse_record
from cartagena.notation.tokens import ReplayError
from cartagena.tables.branches import cut, levels_in, parted, taken_up
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import STAGES
from cartagena.tables.names import clean_name
from cartagena.tables.playing import act
from cartagena.tables.ports import Sender
from cartagena.tables.rulesets import rulesets
from cartagena.tables.sheet import Sheet, Stage
from cartagena.tables.table import Table

_PAGE: Final = 20


def person(key: UUID, seat: int = 0) -> UUID:
    """The id of a person who came with a request: the same request is the same person."""
    return uuid5(key, f"person {seat}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnApi:
    """The handlers; `record` returns a game with all its cards, and `delete` deletes one."""

    kit: Kit
    store: LocalStore
    screen: SharedScreen
    look: Callable[[Table], None]
    record: Callable[[UUID], Awaitable[Record]]
    delete: Callable[[UUID], Awaitable[None]]

    async def take_up(self, call: Call) -> Answer:
        """Open a table that goes on from a record, and deal; one that is over is kept as it ended."""
        body, kit = call.body(TakeUp), self.kit
        record = cut(parse_record(body.record), body.step)
        levels = body.levels or levels_in(record)
        if body.names is not None:
            record = _renamed(record, body.names)
        people = [person(body.key, seat) for seat, level in enumerate(levels) if level is None]
        made = kit.new()
        try:
            settled, last = await kit.aside(lambda: parted(record, levels))
            sheet, secret = await kit.aside(lambda: taken_up(settled, levels, people, made))
        except (ReplayError, ValueError) as error:
            raise ServiceError(Problem.UNFIT, str(error)[:200]) from error
        table = await continued_table(kit, made.id, sheet, secret=secret, key=body.key)
        # What can be taken back is done again, as events of this table.
        for number, step in enumerate(last):
            assert step.code is not None, "a record that can be replayed knows every action"
            again = Sender(player=people[0], key=uuid5(body.key, f"again {number}"))
            make = partial(act, seat=step.seat, code=step.code)
            table = (await kit.tables.change(table.id, again, make)).table
        return self._looked(table)

    async def whole_record(self, call: Call) -> Answer:
        """The record of a game with everything that another device needs to go on with it."""
        record = await self.record(call.uuid("table_id"))
        return Answer(content=format_record(record).encode(), media_type=RECORD)

    async def uncover(self, call: Call) -> Answer:
        """Look from the seat that is asked."""
        table = await self.kit.tables.newest(call.uuid("table_id"))
        self.screen.uncover(table)
        return self._looked(table)

    async def cover(self, call: Call) -> Answer:
        """Look from no seat."""
        table = await self.kit.tables.newest(call.uuid("table_id"))
        self.screen.cover(table)
        return self._looked(table)

    def _looked(self, table: Table) -> Answer:
        self.look(table)
        return table_answer(table, self.screen.player(table), self.screen.audience(table))

    async def my_games(self, call: Call) -> MyGamesMessage:
        """The games of this device that go on, those that wait for a person first; or a page of the rest."""
        asked, games = call.query(MyGamesQuery), self.store.everything()
        if not asked.over:
            running = [_my_table(game) for game in games if game.sheet.stage is not Stage.OVER]
            running.sort(key=lambda table: not table.my_turn)
            return MyGamesMessage(tables=tuple(running), results=(), next=None)
        results = [result for game in games if (result := _result(game)) is not None]
        ids = [result.id for result in results]
        first = ids.index(asked.before) + 1 if asked.before in ids else 0
        page = tuple(results[first : first + _PAGE])
        more = first + _PAGE < len(results)
        return MyGamesMessage(tables=(), results=page, next=page[-1].id if more else None)

    async def pace(self, _: Call) -> PaceMessage:
        """How long bots take here."""
        return PaceMessage(seconds=seconds_a_turn(self.store.everything()))

    async def drop(self, call: Call) -> None:
        """Delete a game."""
        await self.delete(call.uuid("table_id"))


def _renamed(record: Record, names: Sequence[str]) -> Record:
    """A record with other names of its seats; raises UNFIT unless each seat has one."""
    if len(names) != record.headers.seats:
        raise ServiceError(Problem.UNFIT, "each seat has a name")
    return replace(record, headers=replace(record.headers, names=tuple(map(clean_name, names))))


def _my_table(kept: KeptTable) -> MyTableMessage:
    sheet, to_act = kept.sheet, kept.to_act
    return MyTableMessage(
        id=kept.opened.table,
        stage=STAGES[sheet.stage],
        ruleset=sheet.rules.key,
        clock=None,
        rated=False,
        seat=_seat_of_host(sheet),
        seats=_seats(sheet),
        my_turn=sheet.stage is Stage.RUNNING and to_act is not None and sheet.chairs[to_act].bot is None,
        deadline=None,
    )


def _result(kept: KeptTable) -> ResultMessage | None:
    """How a game ended; None if it goes on, or never began."""
    sheet = kept.sheet
    if sheet.ending is None or sheet.ending == "closed":
        return None
    return ResultMessage(
        id=kept.opened.table,
        ruleset=sheet.rules.key,
        rated=False,
        ending=sheet.ending,
        winner=sheet.winner,
        seat=_seat_of_host(sheet),
        seats=_seats(sheet),
        ended=kept.last_at,
        rating=None,
    )


def _seat_of_host(sheet: Sheet) -> int:
    return sheet.seat_of(sheet.host) or 0


def _seats(sheet: Sheet) -> tuple[SeatMessage, ...]:
    return tuple(
        SeatMessage(player=chair.player, name=chair.name, level=chair.level) for chair in sheet.chairs
    )


async def _followed(_: Call) -> None:
    """Refuse: a stream is not answered at once."""
    raise ServiceError(Problem.NO_SUCH_THING, "a stream is followed, not asked for")


STREAM: Final = Route(
    method="GET",
    path="/api/tables/{table_id:uuid}/stream",
    name="table_stream",
    tag="tables",
    summary="Be told everything that happens at a table",
    handler=_followed,
    query=StreamFrom,
    answer=EVENT_STREAM,
)


def own_routes(api: OwnApi) -> tuple[Route, ...]:
    """What a device answers and a service does not, or answers from elsewhere."""
    return (STREAM, rulesets_route(rulesets), *_game_routes(api), *_screen_routes(api))


def _game_routes(api: OwnApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/me/games",
            name="my_games",
            tag="players",
            summary="See the games of this device",
            handler=api.my_games,
            query=MyGamesQuery,
            answer=MyGamesMessage,
        ),
        Route(
            method="GET",
            path="/api/me/pace",
            name="pace",
            tag="players",
            summary="See how many seconds a turn of each level took on this device",
            handler=api.pace,
            answer=PaceMessage,
        ),
        Route(
            method="POST",
            path="/api/tables/from-record",
            name="take_up",
            tag="tables",
            summary="Open a table that goes on from a record",
            handler=api.take_up,
            body=TakeUp,
            answer=TableAnswer,
            status=201,
        ),
        Route(
            method="GET",
            path="/api/tables/{table_id:uuid}/whole-record",
            name="whole_record",
            tag="tables",
            summary="Read the record of a game with all its cards",
            handler=api.whole_record,
            answer=RECORD,
        ),
        Route(
            method="DELETE",
            path="/api/tables/{table_id:uuid}",
            name="drop",
            tag="tables",
            summary="Delete a game",
            handler=api.drop,
        ),
    )


def _screen_routes(api: OwnApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/uncover",
            name="uncover",
            tag="playing",
            summary="Look from the seat that is to act",
            handler=api.uncover,
            answer=TableAnswer,
        ),
        Route(
            method="POST",
            path="/api/tables/{table_id:uuid}/cover",
            name="cover",
            tag="playing",
            summary="Look from no seat",
            handler=api.cover,
            answer=TableAnswer,
        ),
    )
