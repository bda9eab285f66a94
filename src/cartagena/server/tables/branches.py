"""Branches: a finished game continued from one of its moments, as a line to look at or a table to play at.

Anyone who has read the replay knows its cards, so such a table is private, casual, and against bots alone.
"""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from cartagena.fairness.opening import shuffler
from cartagena.messages.replays import LineMessage, ReplayStep
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.undoable_game import Game
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.creating import New
from cartagena.server.tables.ports import Store
from cartagena.server.tables.records import Telling, everything, whole_record
from cartagena.server.tables.seating import Sitter, bot_chair
from cartagena.server.tables.sheet import MINDER, Branch, Chair, Sheet, Stage
from cartagena.server.tables.starting import shuffle_of
from cartagena.server.tables.table import Table


async def branch_sheet(store: Store, old: Table, step: int, sitter: Sitter, made: New) -> Sheet:
    """A table that continues a game after `step` actions: the sitter chooses next, against bots."""
    record = await _over(store, old)
    game = await asyncio.to_thread(_game_after, record, step)
    seat = game.position.to_act
    chairs = tuple(
        _with_number_of(chair, sitter.chair(0) if number == seat else bot_chair(chair.level or MINDER))
        for number, chair in enumerate(old.sheet.chairs)
    )
    sheet = old.sheet
    return Sheet(
        ruleset=sheet.ruleset,
        chairs=chairs,
        host=sitter.player,
        clock=None,
        listed=False,
        rated=False,
        spectators=False,
        invite=made.invite,
        commitment=sheet.commitment,
        household=sitter.household,
        branch=Branch(
            table=old.id,
            shuffle=sheet.shuffle_id(old.id),
            codes=tuple(event.code for event in game.events),
        ),
    )


def _with_number_of(old: Chair, chair: Chair) -> Chair:
    """A chair with the number that entered the shuffle from this seat."""
    return replace(chair, nonce_hash=old.nonce_hash, nonce=old.nonce)


async def line_from(store: Store, table: Table, step: int, codes: Sequence[int]) -> LineMessage:
    """What would have happened with other actions after `step`; raises IllegalAction if the rules refuse."""
    record = await _over(store, table)
    return await asyncio.to_thread(_line, table, record, step, codes)


def _line(table: Table, record: Record, step: int, codes: Sequence[int]) -> LineMessage:
    game = _game_after(record, step)
    order = shuffler(shuffle_of(table), game.position.renewals)
    telling = Telling(game, look=everything, hear=lambda told: told)
    steps: list[ReplayStep] = []
    for code in codes:
        turn, seat = game.position.turn, game.position.to_act
        steps.append(telling.step(turn, seat, code, game.act(code, order)))
    return LineMessage(first=telling.first, steps=tuple(steps))


async def _over(store: Store, table: Table) -> Record:
    """The record of a game that is over; raises WRONG_STAGE until then."""
    table.require(Stage.OVER)
    return await whole_record(store, table)


def _game_after(record: Record, step: int) -> Game:
    """The game after `step` actions; raises UNFIT if it is over by then."""
    game = begin(record.headers)
    for played in record.steps[:step]:
        replay_step(game, played)
    if step > len(record.steps) or game.position.over:
        raise ServiceError(Problem.UNFIT, "the game is over by then")
    return game
