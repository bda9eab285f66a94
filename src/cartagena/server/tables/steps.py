"""Steps: how one event leads from a table to the next."""

from typing import Final

from msgspec.structs import replace

from cartagena.rules.game import Game
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.sheet import Sheet, Stage
from cartagena.server.tables.table import BESIDE_THE_GAME, Change, Kind, News, Table

MOST_BESIDE: Final = 100
"""The most events beside the game in a row; a table is loaded with all events since its last turn."""


def step(before: Table, kind: Kind, *, sheet: Sheet | None = None, game: Game | None = None) -> Change:
    """The change that an event makes; its effect on the clocks follows from who is to act afterwards."""
    seq = before.seq + 1
    sheet = before.sheet if sheet is None else sheet
    turned = game is not None and has_turned(before.game, game)
    beside = kind in BESIDE_THE_GAME and before.game is not None
    after = replace(
        before,
        seq=seq,
        sheet=sheet,
        game=before.game if game is None else Game(game.position) if turned else game,
        game_seq=before.game_seq if beside else seq,
        turn_seq=seq if turned else before.turn_seq,
    )
    return Change(
        kind=kind,
        before=before,
        after=after,
        settle=(before.to_act, before.bot_to_act) != (after.to_act, after.bot_to_act),
        tell_directory=concerns_directory(before, after),
    )


def require_calm(table: Table) -> None:
    """Raise TOO_MANY after too many events beside a game that does not go on."""
    if table.game is not None and table.seq - table.game_seq >= MOST_BESIDE:
        raise ServiceError(Problem.TOO_MANY, "wait until somebody has moved", retry_after=60)


def by_seat(change: Change, seat: int) -> Change:
    """The change, attributed to a seat."""
    name = change.after.sheet.chairs[seat].name or change.before.sheet.chairs[seat].name
    return replace(change, seat=seat, news=News(seat=seat, name=name))


def has_turned(before: Game | None, after: Game) -> bool:
    """Whether a new turn has begun, or the game has ended: nothing before this can be undone."""
    return before is None or after.position.turn != before.position.turn or after.position.over


def concerns_directory(before: Table, after: Table) -> bool:
    """Whether lobby, player pages or notices must hear of it; they ignore the actions of a live game."""
    if after.sheet is not before.sheet:
        return True
    by_mail = after.sheet.clock is not None and after.sheet.clock.kind == "correspondence"
    return after.sheet.stage is Stage.RUNNING and by_mail and after.to_act != before.to_act
