"""Quick tables: open to everyone, they start by themselves when they are full."""

from typing import Final
from uuid import UUID, uuid5

from cartagena.rules.ruleset import Ruleset
from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.ports import Sender
from cartagena.server.tables.seating import Terms
from cartagena.server.tables.sheet import SECOND, Clock, Sheet, Stage
from cartagena.server.tables.starting import start
from cartagena.server.tables.table import Change, Table
from cartagena.server.tables.tables import Tables

CLOCK: Final = Clock(kind="live", bank=300 * SECOND, increment=15 * SECOND)
"""Five minutes plus fifteen seconds for each turn: a game with strangers is played in one sitting."""

ALREADY: Final = frozenset({Problem.WRONG_STAGE, Problem.NOT_FULL})


def quick_terms(ruleset: Ruleset, seats: int) -> Terms:
    """The terms of a quick table: casual, with a clock, and everybody may watch."""
    return Terms(
        ruleset=ruleset,
        seats=seats,
        clock=CLOCK,
        listed=True,
        rated=False,
        spectators=True,
        quick=True,
    )


def starts_by_itself(sheet: Sheet) -> bool:
    """Whether a quick table is full and may start.

    After a start that was called off it waits until every person has promised a number again: a player who
    does not is probably gone, and the host may send them away.
    """
    if not sheet.quick or sheet.stage is not Stage.OPEN or any(chair.is_open for chair in sheet.chairs):
        return False
    return not sheet.called_off or all(chair.nonce_hash for chair in sheet.chairs if chair.player)


async def start_if_full(tables: Tables, game_id: UUID, sheet: Sheet) -> Table | None:
    """Start a quick table that is full; None if it does not start, or was started by another request."""
    if not starts_by_itself(sheet):
        return None
    # The same start has the same key, whichever process makes it, so it happens only once.
    sender = Sender(player=None, key=uuid5(game_id, f"start {sheet.starts}"))
    try:
        return (await tables.change(game_id, sender, _start)).table
    except ServiceError as error:
        if error.problem not in ALREADY:
            raise
        return None


def _start(table: Table) -> Change:
    if not starts_by_itself(table.sheet):
        raise ServiceError(Problem.WRONG_STAGE, "this table does not start by itself")
    return start(table)
