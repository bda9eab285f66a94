"""Chat: lines that people say at a table, in their own order beside the events."""

from typing import Final
from uuid import UUID

import msgspec

from cartagena.server.shared.errors import Problem, ServiceError
from cartagena.server.tables.ports import Announcer, Line, Store
from cartagena.server.tables.table import Table
from cartagena.server.tables.telling import audiences, chat_message

LONGEST_LINE: Final = 500


def clean(text: str) -> str:
    """A line of chat as it may be shown: printable, on one line, not empty and not too long."""
    line = " ".join(text.split())
    if not line or len(line) > LONGEST_LINE or not line.isprintable():
        raise ServiceError(Problem.UNFIT, f"a line of chat has 1 to {LONGEST_LINE} printable letters")
    return line


async def say(store: Store, announcer: Announcer, table: Table, line: Line, *, key: UUID) -> int:
    """Keep a line of chat and tell everybody; returns its number. The same key again says nothing new."""
    if table.sheet.is_muted(line.player):
        raise ServiceError(Problem.MUTED, "the host has muted you at this table")
    said = await store.say(table.id, line, key)
    if said is None:
        return await _said_before(store, table.id, line.player, key)
    kept = msgspec.structs.replace(chat_message(line), number=said.number, at=said.at)
    frame = msgspec.json.encode(kept)
    announcer.chat(table.id, said, dict.fromkeys(audiences(table), frame))
    return said.number


async def _said_before(store: Store, table_id: UUID, player: UUID | None, key: UUID) -> int:
    found = await store.find_line(table_id, key)
    if found is None or found[1] != player:
        raise ServiceError(Problem.KEY_REUSED, "another player's request has this key")
    return found[0]
