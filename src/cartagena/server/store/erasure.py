"""Erasure of a person: where they sat, their name in chat and log, and what they said, for their export."""

from contextlib import AbstractAsyncContextManager
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw

from cartagena.server.shared.moments import milliseconds
from cartagena.server.store.databases import Databases
from cartagena.server.store.log_compaction import rename
from cartagena.server.store.shard_migration import alone
from cartagena.server.store.shards import Held

TO_FORGET: Final = """
SELECT player_id FROM directory.players
WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL
ORDER BY deleted_at
LIMIT $1
"""

SEATS: Final = "SELECT game_id FROM directory.seatings WHERE player_id = $1 ORDER BY game_id"

FORGOTTEN: Final = "UPDATE directory.players SET forgotten_at = now() WHERE player_id = $1"

ERASED: Final = "\u2026"
"""What replaces the words of a player who left for good; it needs no translation."""

ERASE_LINES: Final = """
UPDATE shard.chat SET name = $2, text = CASE text WHEN '' THEN '' ELSE $3 END
WHERE player = $1 AND (name <> $2 OR text NOT IN ('', $3))
"""
"""A line that was removed stays empty."""

RENAME_EVENTS: Final = """
UPDATE shard.events
SET detail = convert_to(
    jsonb_set(convert_from(detail, 'UTF8')::jsonb, '{name}', to_jsonb($4::text))::text, 'UTF8'
)
WHERE game_id = $1 AND detail IS NOT NULL
    AND (player = $2 OR convert_from(detail, 'UTF8')::jsonb ->> 'name' = $3)
"""
"""What the player did, and what others did to the player under the old name."""


class Forgetting:
    """The rows behind the names of players who left for good."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def alone(self) -> AbstractAsyncContextManager[Held]:
        """Keep buckets from moving meanwhile: a name that was copied before would not be forgotten."""
        return alone(self._databases.directory)

    async def waiting(self, most: int) -> list[UUID]:
        """Players whose names some table may still show."""
        rows = await self._databases.directory.fetch(TO_FORGET, most)
        return [row["player_id"] for row in rows]

    async def tables_of(self, player: UUID) -> list[UUID]:
        """The tables where a player sits or sat."""
        return [row["game_id"] for row in await self._databases.directory.fetch(SEATS, player)]

    async def rename(self, table_id: UUID, player: UUID, old: str | None, name: str) -> None:
        """Rename a player in the log of a table."""
        shard = self._databases.shard_of(table_id)
        await shard.execute(RENAME_EVENTS, table_id, player, old, name)
        await rename(shard, table_id, player, old, name)

    async def erase_lines(self, player: UUID, name: str) -> None:
        """Erase what a player said and replace the name, also where the player only watched.

        The lines keep their numbers, by which streams count.
        """
        for shard in self._databases.shards():
            await shard.execute(ERASE_LINES, player, name, ERASED)

    async def done(self, player: UUID) -> None:
        """Note that no table shows the player's name any more."""
        await self._databases.directory.execute(FORGOTTEN, player)


SAID: Final = "SELECT game_id, number, text, at FROM shard.chat WHERE player = $1 AND text <> ''"
"""Neither a removed line nor the line that removes it has any words."""


async def lines_by(databases: Databases, player: UUID) -> Raw:
    """Every line of chat that a player wrote, the oldest first, as JSON."""
    lines = {
        # While a bucket moves, both databases have its lines.
        (row["game_id"], row["number"]): {"at": milliseconds(row["at"]), "text": row["text"]}
        for shard in databases.shards()
        for row in await shard.fetch(SAID, player)
    }
    told = [{"table": table, "number": number, **line} for (table, number), line in lines.items()]
    return Raw(msgspec.json.encode(sorted(told, key=lambda line: (line["at"], line["number"]))))
