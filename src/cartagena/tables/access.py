"""Who may come near a table, and as whom."""

import hmac
from uuid import UUID

from cartagena.tables.errors import SENT_AWAY, UNKNOWN_TABLE, Problem, ServiceError
from cartagena.tables.frames import audiences
from cartagena.tables.sheet import Sheet
from cartagena.tables.table import Table


def may_enter(sheet: Sheet, player: UUID | None, invite: str | None) -> bool:
    """Whether a player may see the table at all: a listed one is for anyone, a private one by invitation."""
    if player is not None and player in sheet.kicked:
        return False
    if sheet.listed or sheet.seat_of(player) is not None:
        return True
    if player is not None and player in sheet.invited:
        return True
    return is_invitation(sheet, invite)


def is_invitation(sheet: Sheet, invite: str | None) -> bool:
    """Whether `invite` is the code of the table's invitation, compared in constant time."""
    return invite is not None and hmac.compare_digest(invite.encode(), sheet.invite.encode())


def require_entry(table: Table, player: UUID | None, invite: str | None) -> None:
    """Raise KICKED, or NO_SUCH_TABLE where a private table must not even be known to exist."""
    if player is not None and player in table.sheet.kicked:
        raise ServiceError(Problem.KICKED, SENT_AWAY)
    if not may_enter(table.sheet, player, invite):
        raise ServiceError(Problem.NO_SUCH_TABLE, UNKNOWN_TABLE)


def audience_of(table: Table, player: UUID | None, invite: str | None = None) -> int:
    """The audience a player belongs to: that of their seat, or the spectators if the table allows any."""
    require_entry(table, player, invite)
    seat = table.sheet.seat_of(player)
    if seat is not None:
        return table.sheet.audience_of(seat)
    if not table.sheet.spectators and table.game is not None:
        raise ServiceError(Problem.FORBIDDEN, "this table is not for watching")
    return table.sheet.watchers


def require_audience(table: Table, audience: int) -> None:
    """Raise FORBIDDEN for an audience that no longer exists because its player got up or was moved."""
    if audience not in audiences(table):
        raise ServiceError(Problem.FORBIDDEN, "this is no longer yours to see: come in again")


def seat_of(table: Table, player: UUID) -> int:
    """The seat that a player holds; raises NOT_SEATED, or KICKED, or NO_SUCH_TABLE for a stranger."""
    seat = table.sheet.seat_of(player)
    if seat is None:
        require_entry(table, player, None)
        raise ServiceError(Problem.NOT_SEATED, "only a seated player may do that")
    return seat


def own_crew(table: Table, player: UUID) -> int:
    """The seat that a player holds and plays themselves; raises SEAT_MINDED while a bot plays on for it."""
    seat = seat_of(table, player)
    if table.sheet.chairs[seat].minded:
        raise ServiceError(Problem.SEAT_MINDED, "a bot plays on for you: take your seat back first")
    return seat


def require_host(table: Table, player: UUID) -> None:
    """Raise NOT_HOST unless the player is the host."""
    seat_of(table, player)
    if table.sheet.host != player:
        raise ServiceError(Problem.NOT_HOST, "only the host may do that")
