"""Wakes: the games in which something is due, claimed so that one worker at a time looks after each."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cartagena.server.store.databases import Databases
from cartagena.server.store.log_compaction import fold
from cartagena.server.store.statements import CLAIM_WAKES, POSTPONE_WAKE

REST: Final = """
UPDATE shard.games SET wake_at = deadline, wake_tries = 0 WHERE game_id = $1 AND seq = $2
"""
"""Nothing is due here before the clock runs out, if one is running."""


PUT_BACK: Final = """
UPDATE shard.games SET wake_at = now() + $3 * interval '1 millisecond', wake_tries = 0
WHERE game_id = $1 AND seq = $2
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueGame:
    """A claimed game: where it stood, and how often it was claimed since its last event."""

    game_id: UUID
    seq: int
    tries: int


class ShardTimers:
    """The wakes of every database of games."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._pools = databases.shards()

    @property
    def places(self) -> int:
        """How many databases there are; each is addressed by its number."""
        return len(self._pools)

    def place_of(self, bucket: int) -> int:
        """The number of the database that holds a bucket."""
        return self._databases.whereabouts.place_of(bucket)

    async def claim(self, place: int, most: int, lease: int) -> list[DueGame]:
        """Claim up to `most` games that are due; after `lease` milliseconds they are due again."""
        rows = await self._pools[place].fetch(CLAIM_WAKES, most, lease)
        return [DueGame(game_id=row["game_id"], seq=row["seq"], tries=row["wake_tries"]) for row in rows]

    async def postpone(self, game_id: UUID, seq: int, milliseconds: int) -> None:
        """Let a claimed game be due in `milliseconds`, unless it has gone on meanwhile."""
        await self._databases.shard_of(game_id).execute(POSTPONE_WAKE, game_id, seq, milliseconds)

    async def put_back(self, game_id: UUID, seq: int, milliseconds: int) -> None:
        """Like `postpone`, but forget the tries: nothing was tried with this game."""
        await self._databases.shard_of(game_id).execute(PUT_BACK, game_id, seq, milliseconds)

    async def rest(self, game_id: UUID, seq: int) -> None:
        """Let a claimed game be due when its clock runs out, unless it has gone on meanwhile."""
        await self._databases.shard_of(game_id).execute(REST, game_id, seq)

    async def fold(self, game_id: UUID) -> bool:
        """Fold the log of a game that is over, and let it rest."""
        return await fold(self._databases.shard_of(game_id), game_id)
