"""What a player has said, at all tables, for their export."""

from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw

from cartagena.server.shared.moments import milliseconds
from cartagena.server.store.databases import Databases

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
