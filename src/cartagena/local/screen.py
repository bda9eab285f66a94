"""A shared screen: several people at one device, which looks from one seat at a time."""

from uuid import UUID

from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table


class SharedScreen:
    """Decides from which seat the device looks at each table.

    While it looks from none, it is told what a spectator is told.
    """

    def __init__(self) -> None:
        self._looking: dict[UUID, int] = {}

    def seat(self, table: Table) -> int | None:
        """The seat that is looked from."""
        looking, asked = self._looking.get(table.id), _asked(table)
        if _is_covered(table):
            return looking if asked in {None, looking} else None
        if asked is not None:
            return asked
        return table.sheet.seat_of(table.sheet.host) if looking is None else looking

    def audience(self, table: Table) -> int:
        """What the device belongs to as a listener."""
        seat = self.seat(table)
        return table.sheet.watchers if seat is None else table.sheet.audience_of(seat)

    def player(self, table: Table) -> UUID | None:
        """The person who asks, None while nobody may."""
        seat = self.seat(table)
        return None if seat is None else table.sheet.chairs[seat].player

    def turn(self, table: Table) -> None:
        """Take note of how a table stands: a hand is covered as soon as another person is asked."""
        asked = _asked(table)
        if asked is None:
            return
        if not _is_covered(table):
            self._looking[table.id] = asked
        elif self._looking.get(table.id) != asked:
            self._looking.pop(table.id, None)

    def uncover(self, table: Table) -> None:
        """Look from the seat that is asked: its owner has come; raises WRONG_STAGE if no person is asked."""
        table.require(Stage.RUNNING)
        asked = _asked(table)
        if asked is None:
            raise ServiceError(Problem.WRONG_STAGE, "no person is to act")
        self._looking[table.id] = asked

    def cover(self, table: Table) -> None:
        """Look from no seat, until somebody comes."""
        if _is_covered(table):
            self._looking.pop(table.id, None)

    def forget(self, table_id: UUID) -> None:
        """Drop what is known of a table."""
        self._looking.pop(table_id, None)


def _asked(table: Table) -> int | None:
    """The seat of the person whose choice is awaited."""
    return table.to_act if table.bot_to_act is None else None


def _is_covered(table: Table) -> bool:
    """Whether hands are hidden from each other here: several people play, and not with open hands.

    Who has resigned still counts: they sit at the device and would see the next hand.
    """
    sheet = table.sheet
    people = sum(chair.player is not None for chair in sheet.chairs)
    return sheet.stage is Stage.RUNNING and people > 1 and not sheet.rules.hands_open
