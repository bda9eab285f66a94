"""Records: a table's game as a text that can be replayed and, after the end, verified."""

import asyncio
import datetime as dt
from dataclasses import replace

from cartagena.fairness.record import headers_of_shuffle
from cartagena.notation import record_of, record_of_view
from cartagena.notation.record import Ending, Record, Result
from cartagena.server.shared.audience import seat_of_audience
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.history import WITHOUT_PAUSE, redo
from cartagena.server.tables.ports import Store
from cartagena.server.tables.sheet import Sheet, Stage
from cartagena.server.tables.starting import dealt, shuffle_of
from cartagena.server.tables.table import Kind, Table


async def record_for(store: Store, table: Table, audience: int) -> Record:
    """What an audience may read of a table's game: all of it after the end, only its own view before."""
    record = await whole_record(store, table)
    return record_of_view(record, seat_of_audience(audience))


async def whole_record(store: Store, table: Table) -> Record:
    """The whole game with everything that proves its shuffle; raises WRONG_STAGE before the deal."""
    if table.game is None:
        raise ServiceError(Problem.WRONG_STAGE, "the cards of this table have not been dealt")
    sheet = table.sheet
    game = dealt(table)
    date: dt.date | None = None
    for number, past in enumerate(await store.past(table.id, -1, beside_after=table.seq)):
        if past.seq > table.seq:
            break
        if number % WITHOUT_PAUSE == 0:
            await asyncio.sleep(0)
        if past.kind is Kind.BEGAN:
            date = dt.datetime.fromtimestamp(past.at / 1000, tz=dt.UTC).date()
        redo(game, past)
    names = [chair.name for chair in sheet.chairs]
    headers = replace(headers_of_shuffle(shuffle_of(table), sheet.rules, names), date=date)
    return record_of(game, headers, _result(sheet))


def _result(sheet: Sheet) -> Result:
    if sheet.stage is not Stage.OVER or sheet.ending is None:
        return Result(Ending.RUNNING)
    return Result(Ending(sheet.ending), sheet.winner)
