"""Forgetting: when a player deletes their account, their tables go on without their name."""

from uuid import UUID

from msgspec.structs import replace as with_fields

from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.playing import resign
from cartagena.server.tables.seating import leave
from cartagena.server.tables.sheet import Stage
from cartagena.server.tables.table import Change, EventKind, Table, by_seat, step


def farewell(table: Table, player: UUID) -> Change | None:
    """What a player who leaves for good must do first: get up, or resign; None if nothing is left to do."""
    seat = table.sheet.seat_of(player)
    if seat is None:
        return None
    if table.sheet.stage is Stage.OPEN:
        return leave(table, seat)
    if table.sheet.stage is Stage.RUNNING and not table.sheet.chairs[seat].resigned:
        return resign(table, seat)
    if table.sheet.stage is Stage.STARTING:
        raise ServiceError(Problem.UNAVAILABLE, "a start ends by itself: come back later")
    return None


def forget_name(table: Table, player: UUID, name: str) -> Change | None:
    """Rename a player's chair; None if it has that name already, or the player holds no chair."""
    seat = table.sheet.seat_of(player)
    if seat is None or table.sheet.chairs[seat].name == name:
        return None
    chair = with_fields(table.sheet.chairs[seat], name=name)
    return by_seat(step(table, EventKind.RENAMED, sheet=table.sheet.with_chair(seat, chair)), seat)
