"""Chat: lines that people say at a table, in their own order beside the events."""

from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace as with_fields

from cartagena.tables.errors import SILENCED, Problem, ServiceError
from cartagena.tables.frames import audiences, chat_message
from cartagena.tables.playing import resign
from cartagena.tables.ports import ChatAnnouncer, ChatLine, ChatPlace, ChatStore
from cartagena.tables.seating import leave
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Change, EventKind, Table, by_seat, step

# Forgetting: when a player deletes their account, their tables go on without their name.


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


LONGEST_LINE: Final = 500


def clean(text: str) -> str:
    """A line of chat as it may be shown: printable, on one line, not empty and not too long."""
    line = " ".join(text.split())
    if not line or len(line) > LONGEST_LINE or not line.isprintable():
        raise ServiceError(Problem.UNFIT, f"a line of chat has 1 to {LONGEST_LINE} printable letters")
    return line


async def say(store: ChatStore, announcer: ChatAnnouncer, table: Table, line: ChatLine, *, key: UUID) -> int:
    """Keep a line of chat and tell everybody; returns its number. A repeated `key` says nothing new."""
    if table.sheet.is_muted(line.player):
        raise ServiceError(Problem.MUTED, SILENCED)
    said = await store.say(table.id, line, key)
    if said is None:
        return await _said_before(store, table.id, line.player, key)
    _tell(announcer, table, line, said)
    return said.number


async def remove(
    store: ChatStore,
    announcer: ChatAnnouncer,
    table: Table,
    by: ChatLine,
    *,
    key: UUID,
    is_admin: bool = False,
) -> None:
    """Take the line that `by` names away for everybody, and tell them; a removed line stays removed.

    Its speaker, the host and administrators may do so. Raises NO_SUCH_THING, FORBIDDEN or KEY_REUSED.
    """
    line = await line_at(store, table.id, by.removes)
    if not is_admin and by.player not in (line.player, table.sheet.host):
        raise ServiceError(Problem.FORBIDDEN, "only its speaker and the host may take a line away")
    if line.is_removed:
        return
    said = await store.say(table.id, by, key)
    if said is not None:
        _tell(announcer, table, by, said)
    elif not (await line_at(store, table.id, by.removes)).is_removed:
        raise ServiceError(Problem.KEY_REUSED, "another request has this key")


async def line_at(store: ChatStore, table_id: UUID, number: int | None, *, after: int = 0) -> ChatLine:
    """A line of chat after number `after`, or what is left of it; raises NO_SUCH_THING."""
    line = None if number is None or number <= after else await store.line(table_id, number)
    if line is None or line.removes is not None:
        raise ServiceError(Problem.NO_SUCH_THING, "no line of chat has this number")
    return line


def _tell(announcer: ChatAnnouncer, table: Table, line: ChatLine, said: ChatPlace) -> None:
    kept = msgspec.structs.replace(chat_message(line), number=said.number, at=said.at)
    announcer.chat(table.id, said, dict.fromkeys(audiences(table), msgspec.json.encode(kept)))


async def _said_before(store: ChatStore, table_id: UUID, player: UUID | None, key: UUID) -> int:
    found = await store.find_line(table_id, key)
    if found is None or found[1] != player:
        raise ServiceError(Problem.KEY_REUSED, "another player's request has this key")
    return found[0]
