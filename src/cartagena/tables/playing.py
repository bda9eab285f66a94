"""During the game: acting, undoing, and what happens to a seat whose owner is gone."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from cartagena.fairness.shuffle import shuffler
from cartagena.messages.views import ENDINGS
from cartagena.rules.position import NOBODY
from cartagena.rules.ruleset import FEWEST_SEATS
from cartagena.rules.undoable_game import UndoableGame
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.seating import shuffle_of
from cartagena.tables.sheet import Chair, EndingWord, Sheet, Stage
from cartagena.tables.table import (
    NO_NEWS,
    Change,
    EventKind,
    News,
    Table,
    TimeGuard,
    by_seat,
    require_calm,
    step,
)

HIGHEST_CODE: Final = 1023
"""Action codes are small; a larger number is not a code, and the compiled engine could not even hold it."""

DECLINED: Final = "declined"
"""The text of the news that a player would rather play on."""


def act(table: Table, seat: int, code: int, *, hurried: bool = False) -> Change:
    """A seat acts; raises IllegalAction if the rules refuse. A bot may be `hurried`: this is told with it."""
    game = table.running_game().fork()
    require_turn(table, seat)
    code = code if 0 <= code <= HIGHEST_CODE else -1
    told = game.act(code, _Orders(table))
    event = game.events[-1]
    change = step(table, EventKind.ACTED, sheet=_sheet_after(table.sheet, game), game=game)
    return replace(
        change,
        seat=seat,
        code=code,
        orders=event.orders,
        news=News(seat=seat) if hurried else NO_NEWS,
        told=tuple(told),
        guard=_in_time(table, seat),
    )


class _Orders:
    """Draws an order when one is due; the shuffle is computed only then, because it is seldom needed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.more = 0

    def __call__(self, due: Sequence[int]) -> Sequence[int]:
        position = self.table.position
        assert position is not None
        order = shuffler(shuffle_of(self.table), position.renewals + self.more)
        self.more += 1
        return order(due)


def require_turn(table: Table, seat: int) -> None:
    """Raise NOT_YOUR_TURN unless the seat is to act; whether a person or a bot acts is checked elsewhere."""
    if table.to_act != seat:
        raise ServiceError(Problem.NOT_YOUR_TURN, "another seat is to act")


def _in_time(table: Table, seat: int) -> TimeGuard:
    return TimeGuard.IN_TIME if table.sheet.chairs[seat].bot is None else TimeGuard.ANY_TIME


def _sheet_after(sheet: Sheet, game: UndoableGame) -> Sheet:
    position = game.position
    if not position.over:
        return sheet
    winner = None if position.winner == NOBODY else position.winner
    return ended(sheet, ENDINGS[position.ending] or "won", winner)


def ended(sheet: Sheet, ending: EndingWord, winner: int | None) -> Sheet:
    """The sheet of a game that is over, without the household that opened the table."""
    return replace(sheet, stage=Stage.OVER, ending=ending, winner=winner, household="")


def undo(table: Table, seat: int) -> Change:
    """A seat takes its last choice back; raises IllegalAction if the rules refuse."""
    game = table.running_game().fork()
    require_turn(table, seat)
    if game.position.seat != seat:
        raise ServiceError(Problem.NOT_YOUR_TURN, "undo belongs to the seat whose turn it is")
    game.undo()
    change = step(table, EventKind.UNDONE, game=game)
    return replace(by_seat(change, seat), guard=_in_time(table, seat))


def resign(table: Table, seat: int) -> Change:
    """With two seats, the other one has won; with more, a bot plays the crew on for good."""
    table.require(Stage.RUNNING)
    chair = _in_play(table, seat)
    sheet = table.sheet.with_chair(seat, replace(chair, resigned=True, minded=True, agrees=False))
    if len(sheet.chairs) == FEWEST_SEATS:
        sheet = ended(sheet, "resigned", 1 - seat)
    return by_seat(step(table, EventKind.RESIGNED, sheet=sheet), seat)


def _in_play(table: Table, seat: int) -> Chair:
    chair = table.chair(seat)
    if chair.resigned:
        raise ServiceError(Problem.WRONG_STAGE, "you have resigned from this game")
    return chair


def expire(table: Table) -> Change:
    """The clock of the seat to act has run out: a bot plays on, and the owner may come back."""
    table.require(Stage.RUNNING)
    seat = table.to_act
    if seat is None or table.sheet.chairs[seat].bot is not None:
        raise ServiceError(Problem.WRONG_STAGE, "no clock is running")
    chair = replace(table.sheet.chairs[seat], minded=True, lost=True, agrees=False)
    change = step(table, EventKind.EXPIRED, sheet=table.sheet.with_chair(seat, chair))
    return replace(by_seat(change, seat), guard=TimeGuard.EXPIRED)


def take_back(table: Table, seat: int) -> Change:
    """The owner is back and plays on, with a full bank of time."""
    table.require(Stage.RUNNING)
    chair = _in_play(table, seat)
    if not chair.minded:
        raise ServiceError(Problem.WRONG_STAGE, "nobody plays on for this seat")
    sheet = table.sheet.with_chair(seat, replace(chair, minded=False))
    return by_seat(replace(step(table, EventKind.TAKEN_BACK, sheet=sheet), refill=seat), seat)


def abandon(table: Table, seat: int, *, agrees: bool) -> Change:
    """A player agrees, or not, to end the game without a result; it ends once all people agree."""
    table.require(Stage.RUNNING)
    require_calm(table)
    chair = _in_play(table, seat)
    if not agrees and not chair.agrees and chair.bot is None:
        return _decline(table, seat)
    sheet = table.sheet.with_chair(seat, replace(chair, agrees=agrees))
    if not agrees:
        return by_seat(step(table, EventKind.ABANDON_WITHDRAWN, sheet=sheet), seat)
    if all(chair.agrees for chair in sheet.chairs if chair.bot is None):
        return by_seat(step(table, EventKind.ABANDONED, sheet=ended(sheet, "abandoned", None)), seat)
    return by_seat(step(table, EventKind.ABANDON_ASKED, sheet=sheet), seat)


def _decline(table: Table, seat: int) -> Change:
    """A player who was asked to abandon the game plays on, which cancels every open wish to abandon it."""
    chairs = tuple(replace(chair, agrees=False) if chair.agrees else chair for chair in table.sheet.chairs)
    # No kind of its own: a node of the previous release could not read it.
    change = by_seat(
        step(table, EventKind.ABANDON_WITHDRAWN, sheet=replace(table.sheet, chairs=chairs)), seat
    )
    return replace(change, news=News(seat=seat, name=change.news.name, text=DECLINED))
