"""Hints and analyses, which take long: kept in the directory, found by way of the queue."""

from typing import Final
from uuid import UUID

import asyncpg
import msgspec

from cartagena.messages.replays import (
    AnalysisFound,
    AnalysisMessage,
    AnalysisOrder,
    HintFound,
    HintMessage,
    HintOrder,
    JobState,
)
from cartagena.server.store.job_queue import JobQueue
from cartagena.server.store.shards import Pool

HINT: Final = "hint"
ANALYSIS: Final = "analysis"

ASK_HINT: Final = """
INSERT INTO directory.hints (game_id, seq, seat, player_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (game_id, seq, player_id) DO UPDATE SET asked_at = now(), failed = false
RETURNING hint_id, seat, seq, found, failed
"""

FIND_HINT: Final = """
SELECT hint_id, seat, seq, found, failed FROM directory.hints
WHERE hint_id = $1 AND game_id = $2 AND player_id = $3 AND asked_at > now() - interval '1 hour'
"""

HINT_WANTED: Final = "SELECT count(*) FROM directory.hints WHERE hint_id = $1 AND found IS NULL"

KEEP_HINT: Final = (
    "UPDATE directory.hints SET found = $2, failed = false WHERE hint_id = $1 AND found IS NULL"
)

FAIL_HINT: Final = "UPDATE directory.hints SET failed = true WHERE hint_id = $1 AND found IS NULL"

FORGET_HINTS: Final = "DELETE FROM directory.hints WHERE asked_at < now() - interval '1 hour'"

ASK_ANALYSIS: Final = """
INSERT INTO directory.analyses (game_id) VALUES ($1)
ON CONFLICT (game_id) DO UPDATE SET failed = false
RETURNING game_id, found, failed
"""

FIND_ANALYSIS: Final = "SELECT game_id, found, failed FROM directory.analyses WHERE game_id = $1"

ANALYSIS_ASKED: Final = "SELECT count(*) FROM directory.analyses WHERE game_id = $1"

ANALYSIS_WANTED: Final = "SELECT count(*) FROM directory.analyses WHERE game_id = $1 AND found IS NULL"

KEEP_ANALYSIS: Final = """
UPDATE directory.analyses SET found = $2, found_at = now(), failed = false
WHERE game_id = $1 AND found IS NULL
"""

FAIL_ANALYSIS: Final = "UPDATE directory.analyses SET failed = true WHERE game_id = $1 AND found IS NULL"

_FIRST: Final = 10
"""A person waits for a hint, so it goes first."""

Row = asyncpg.Record


class DirectoryHints:
    """Hints, each for one player at one moment of a table."""

    def __init__(self, directory: Pool, queue: JobQueue) -> None:
        self._directory = directory
        self._queue = queue

    async def ask(
        self, table_id: UUID, seq: int, *, seat: int, player: UUID, household: str = ""
    ) -> HintMessage:
        """The hint for a seat of a table at `seq`; if there is none yet, a search is started."""
        row = await self._directory.fetchrow(ASK_HINT, table_id, seq, seat, player)
        assert row is not None
        if row["found"] is None:
            # Asked again, it is queued again: perhaps the first request did not get that far.
            order = HintOrder(
                hint=row["hint_id"], table=table_id, seat=seat, seq=seq, household=household, player=player
            )
            await self._queue.put(HINT, msgspec.json.encode(order), key=str(order.hint), priority=_FIRST)
        return _hint(row)

    async def find(self, table_id: UUID, hint_id: UUID, player: UUID) -> HintMessage | None:
        """A hint of the last hour that this player asked for."""
        row = await self._directory.fetchrow(FIND_HINT, hint_id, table_id, player)
        return None if row is None else _hint(row)

    async def is_wanted(self, hint_id: UUID) -> bool:
        """Whether a hint is still to be found."""
        return bool(await self._directory.fetchval(HINT_WANTED, hint_id))

    async def keep(self, hint_id: UUID, found: bytes) -> None:
        """Keep the JSON of a hint; the first one counts."""
        await self._directory.execute(KEEP_HINT, hint_id, found)

    async def fail(self, hint_id: UUID) -> None:
        """Note that no hint can be found."""
        await self._directory.execute(FAIL_HINT, hint_id)

    async def forget_old(self) -> None:
        """Drop hints that are too old to be read."""
        await self._directory.execute(FORGET_HINTS)


class DirectoryAnalyses:
    """Analyses, one for each game."""

    def __init__(self, directory: Pool, queue: JobQueue) -> None:
        self._directory = directory
        self._queue = queue

    async def ask(
        self, table_id: UUID, *, player: UUID | None = None, household: str = ""
    ) -> AnalysisMessage:
        """The analysis of a table's game; if there is none yet, it is started."""
        row = await self._directory.fetchrow(ASK_ANALYSIS, table_id)
        assert row is not None
        if row["found"] is None:
            order = AnalysisOrder(table=table_id, household=household, player=player)
            await self._queue.put(ANALYSIS, msgspec.json.encode(order), key=str(table_id))
        return _analysis(row)

    async def find(self, table_id: UUID) -> AnalysisMessage | None:
        """The analysis of a table's game, None if none was asked for."""
        row = await self._directory.fetchrow(FIND_ANALYSIS, table_id)
        return None if row is None else _analysis(row)

    async def is_asked(self, table_id: UUID) -> bool:
        """Whether the analysis of a table's game has been asked for."""
        return bool(await self._directory.fetchval(ANALYSIS_ASKED, table_id))

    async def is_wanted(self, table_id: UUID) -> bool:
        """Whether an analysis is still to be made."""
        return bool(await self._directory.fetchval(ANALYSIS_WANTED, table_id))

    async def keep(self, table_id: UUID, found: bytes) -> None:
        """Keep the JSON of an analysis; the first one counts."""
        await self._directory.execute(KEEP_ANALYSIS, table_id, found)

    async def fail(self, table_id: UUID) -> None:
        """Note that the game cannot be analysed."""
        await self._directory.execute(FAIL_ANALYSIS, table_id)


def _hint(row: Row) -> HintMessage:
    found = None if row["found"] is None else _HINTS.decode(row["found"])
    return HintMessage(
        id=str(row["hint_id"]), state=_state(row), seat=row["seat"], seq=row["seq"], found=found
    )


def _analysis(row: Row) -> AnalysisMessage:
    found = None if row["found"] is None else _ANALYSES.decode(row["found"])
    return AnalysisMessage(table=str(row["game_id"]), state=_state(row), found=found)


def _state(row: Row) -> JobState:
    if row["found"] is not None:
        return "ready"
    return "failed" if row["failed"] else "waiting"


_HINTS: Final = msgspec.json.Decoder(HintFound)
_ANALYSES: Final = msgspec.json.Decoder(AnalysisFound)
