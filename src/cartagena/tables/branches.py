"""Branches: a game continued from one of its moments, as a line to look at or a table to play at.

Who opens such a table knows its cards. On the service it is therefore private and casual; one from a game of
the service is against bots alone, and one from a record tells everybody that its host knows them.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from msgspec.structs import replace as with_fields

from cartagena.bots.players.registry import names
from cartagena.fairness import commit
from cartagena.fairness.record import verify_record
from cartagena.fairness.shuffle import shuffler
from cartagena.messages.replays import LineMessage, ReplayStep
from cartagena.notation import format_record
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Ending, Headers, Record, Result, Step
from cartagena.notation.replay import begin, replay, replay_step
from cartagena.notation.tokens import ReplayError
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.creating import NewTable
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.ports import Aside, Store
from cartagena.tables.records import Telling, everything, whole_record
from cartagena.tables.seating import Sitter, bot_chair, shuffle_of
from cartagena.tables.sheet import MINDER, Branch, Chair, Sheet, Stage
from cartagena.tables.table import Table


async def branch_sheet(
    store: Store, old: Table, step: int, sitter: Sitter, made: NewTable, *, aside: Aside
) -> Sheet:
    """A table that continues a game after `step` actions: the sitter chooses next, against bots."""
    record = await _over(store, old, aside)
    game = await aside(lambda: _game_after(record, step))
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


def levels_in(record: Record) -> tuple[str | None, ...]:
    """The bot of each seat that is named after one, None for a person."""
    return tuple(name if name in names() else None for name in record.headers.names)


def cut(record: Record, step: int | None) -> Record:
    """A record up to its first `step` actions, at which its game goes on; the whole of it for None."""
    if step is None:
        return record
    return replace(record, steps=record.steps[:step], result=Result(Ending.RUNNING))


def set_up_sheet(record: Record, levels: Sequence[str | None], sitter: Sitter, made: NewTable) -> Sheet:
    """A table of the service that goes on from the end of a record; raises UNFIT.

    A seat without a level is a person's: the sitter takes the one that is to act, if it is one of those, and
    the others are open. The shuffle of the record does not go on, for its secret stands in it.
    """
    told = cut(record, len(record.steps))
    try:
        position = replay(told).position
    except ReplayError as error:
        raise ServiceError(Problem.UNFIT, str(error)[:200]) from error
    if position.over:
        raise ServiceError(Problem.UNFIT, "the game is over by then")
    people = [seat for seat, level in enumerate(levels) if level is None]
    if len(levels) != position.seats or not people:
        raise ServiceError(Problem.UNFIT, "each seat is a bot's or a person's, and one at least a person's")
    own = position.to_act if position.to_act in people else people[0]
    chairs = tuple(
        sitter.chair(0) if seat == own else Chair() if level is None else bot_chair(level)
        for seat, level in enumerate(levels)
    )
    begun = Headers(
        ruleset=told.headers.ruleset,
        board=told.headers.board,
        names=("",) * told.headers.seats,
        first_seat=told.headers.first_seat,
        deal=told.headers.deal,
        opening=told.headers.opening,
        rules_version=told.headers.rules_version,
    )
    return Sheet(
        ruleset=format_ruleset(begun.ruleset),
        chairs=chairs,
        host=sitter.player,
        clock=None,
        listed=False,
        rated=False,
        spectators=False,
        invite=made.invite,
        commitment=commit(made.secret),
        household=sitter.household,
        branch=Branch(
            table=made.id,
            shuffle=str(made.id),
            codes=(),
            record=format_record(replace(told, headers=begun)),
        ),
    )


def parted(record: Record, levels: Sequence[str | None]) -> tuple[Record, tuple[Step, ...]]:
    """A record up to what a person could still take back, and those last actions; raises ReplayError."""
    game, last = replay(record), len(record.steps)
    is_running = record.result.ending is Ending.RUNNING
    if is_running and record.steps and dict(enumerate(levels)).get(record.steps[-1].seat) is None:
        while game.refusal_of_undo() is None:
            game.undo()
            last -= 1
    return replace(record, steps=record.steps[:last]), record.steps[last:]


def taken_up(
    record: Record, levels: Sequence[str | None], people: Sequence[UUID], made: NewTable
) -> tuple[Sheet, bytes]:
    """A table that goes on from the end of a record, or shows one that is over, and its secret.

    Raises UNFIT or ReplayError. A seat without a level is that of the next of the `people`. A shuffle that
    the record proves goes on.
    """
    headers = record.headers
    replay(record)
    is_over = record.result.ending is not Ending.RUNNING
    is_proved = not is_over and verify_record(record).holds
    nonces = headers.nonces if is_proved and headers.nonces is not None else (None,) * headers.seats
    secret = headers.secret if is_proved and headers.secret is not None else made.secret
    coming = iter(people)
    chairs = tuple(
        _taken_chair(name, level, None if level is not None else next(coming), nonce)
        for name, level, nonce in zip(headers.names, levels, nonces, strict=True)
    )
    branch = Branch(
        table=made.id,
        shuffle=headers.game_id if is_proved and headers.game_id is not None else str(made.id),
        codes=tuple(step.code for step in record.steps if step.code is not None) if is_proved else (),
        record="" if is_proved else format_record(record),
    )
    sheet = Sheet(
        ruleset=format_ruleset(headers.ruleset),
        chairs=chairs,
        host=people[0] if people else made.id,
        clock=None,
        listed=True,
        rated=False,
        spectators=True,
        hints=True,
        invite=made.invite,
        commitment=commit(secret),
        branch=branch,
    )
    return sheet, secret


def _taken_chair(name: str, level: str | None, player: UUID | None, nonce: bytes | None) -> Chair:
    chair = Chair(level=level, name=name if level is None else level, player=player)
    if nonce is None:
        return chair
    return with_fields(chair, nonce_hash=commit(nonce), nonce=nonce.hex())


def _with_number_of(old: Chair, chair: Chair) -> Chair:
    """A chair with the number that entered the shuffle from this seat."""
    return with_fields(chair, nonce_hash=old.nonce_hash, nonce=old.nonce)


async def line_from(
    store: Store, table: Table, step: int, codes: Sequence[int], *, aside: Aside
) -> LineMessage:
    """What would have happened with other actions after `step`; raises IllegalAction if the rules refuse."""
    record = await _over(store, table, aside)
    return await aside(lambda: _line(table, record, step, codes))


def _line(table: Table, record: Record, step: int, codes: Sequence[int]) -> LineMessage:
    game = _game_after(record, step)
    order = shuffler(shuffle_of(table), game.position.renewals)
    telling = Telling(game, look=everything, hear=lambda told: told)
    steps: list[ReplayStep] = []
    for code in codes:
        turn, seat = game.position.turn, game.position.to_act
        steps.append(telling.step(turn, seat, code, game.act(code, order)))
    return LineMessage(first=telling.first, steps=tuple(steps))


async def _over(store: Store, table: Table, aside: Aside) -> Record:
    """The record of a game that is over; raises WRONG_STAGE until then."""
    table.require(Stage.OVER)
    return await whole_record(store, table, aside=aside)


def _game_after(record: Record, step: int) -> UndoableGame:
    """The game after `step` actions; raises UNFIT if it is over by then."""
    game = begin(record.headers)
    for played in record.steps[:step]:
        replay_step(game, played)
    if step > len(record.steps) or game.position.over:
        raise ServiceError(Problem.UNFIT, "the game is over by then")
    return game
