"""Hints and analyses of a device: worked out in this process, the analyses kept in the log."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from cartagena.local.config import DeviceConfig
from cartagena.local.store import LocalStore
from cartagena.messages.replays import AnalysisFound, AnalysisMessage, HintFound, HintMessage, JobState
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.notation.record import Record
from cartagena.rules.hidden.view import view
from cartagena.rules.refusals import CartagenaError
from cartagena.tables.ids import random_key
from cartagena.tables.records import whole_record
from cartagena.tables.service import Tables
from cartagena.tables.thinking import analysis_message, find_hint, seed_from

_HINTS_KEPT: Final = 64

logger = logging.getLogger(__name__)


class Background:
    """Work that goes on beside the requests."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin some work."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Leave nothing running."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class LocalHints:
    """Hints, from what the seat sees; implements the port `endpoints.kit.Hints`."""

    def __init__(self, tables: Tables, config: DeviceConfig, background: Background) -> None:
        self._tables = tables
        self._config = config
        self._background = background
        self._ids: dict[tuple[UUID, int, UUID], UUID] = {}
        self._found: dict[tuple[UUID, UUID, UUID], HintMessage] = {}

    async def ask(
        self,
        table_id: UUID,
        seq: int,
        *,
        seat: int,
        player: UUID,
        household: str,  # noqa: ARG002 - what the port is asked
    ) -> HintMessage:
        """The hint for a seat of a table at `seq`; if there is none yet, a search is started."""
        moment = table_id, seq, player
        known = None if moment not in self._ids else await self.find(table_id, self._ids[moment], player)
        if known is not None and known.state != "failed":
            return known
        hint_id = random_key(self._config.chance)
        waiting = HintMessage(id=str(hint_id), state="waiting", seat=seat, seq=seq)
        self._ids[moment] = hint_id
        self._found[table_id, hint_id, player] = waiting
        self._forget_old()
        self._background.start(self._find((table_id, hint_id, player), waiting))
        return waiting

    async def find(self, table_id: UUID, hint_id: UUID, player: UUID) -> HintMessage | None:
        """A hint that this player asked for lately."""
        return self._found.get((table_id, hint_id, player))

    async def _find(self, key: tuple[UUID, UUID, UUID], waiting: HintMessage) -> None:
        try:
            found = await self._search(key[0], waiting)
        except CartagenaError:
            found = None
        state: JobState = "failed" if found is None else "ready"
        if key in self._found:
            self._found[key] = replace(waiting, state=state, found=found)

    async def _search(self, table_id: UUID, waiting: HintMessage) -> HintFound | None:
        table = await self._tables.newest(table_id)
        if table.position is None or (table.game_seq, table.to_act) != (waiting.seq, waiting.seat):
            return None
        message = encode(view_message(view(table.position, waiting.seat)))
        seed, simulations = seed_from(self._config.chance), self._config.hint_simulations
        result = await self._config.aside(lambda: find_hint(message, seed, simulations))
        if result.found is None:
            logger.error("no hint was found: %s", result.trouble)
            return None
        return msgspec.json.decode(result.found, type=HintFound)

    def _forget_old(self) -> None:
        while len(self._ids) > _HINTS_KEPT:
            table_id, _, player = moment = next(iter(self._ids))
            self._found.pop((table_id, self._ids.pop(moment), player), None)


class LocalAnalyses:
    """Analyses, one for each game; implements the port `endpoints.kit.Analyses`."""

    def __init__(
        self, tables: Tables, store: LocalStore, config: DeviceConfig, background: Background
    ) -> None:
        self._tables = tables
        self._store = store
        self._config = config
        self._background = background
        self._under_way: dict[UUID, float] = {}
        """How much is done, from 0 to 1."""
        self._failed: set[UUID] = set()

    async def is_asked(self, table_id: UUID) -> bool:
        """Whether the analysis of a table's game has been asked for."""
        return await self.find(table_id) is not None

    async def find(self, table_id: UUID) -> AnalysisMessage | None:
        """The analysis of a table's game, None if none was asked for."""
        kept = self._store.kept(table_id)
        if kept is not None and kept.analysis is not None:
            return AnalysisMessage(table=str(table_id), state="ready", found=kept.analysis)
        if table_id in self._under_way:
            return AnalysisMessage(table=str(table_id), state="waiting", done=self._under_way[table_id])
        if table_id in self._failed:
            return AnalysisMessage(table=str(table_id), state="failed")
        return None

    async def ask(
        self,
        table_id: UUID,
        *,
        player: UUID,  # noqa: ARG002 - what the port is asked
        household: str,  # noqa: ARG002
    ) -> AnalysisMessage:
        """The analysis of a table's game; if there is none yet, it is started."""
        known = await self.find(table_id)
        if known is not None and known.state != "failed":
            return known
        self._under_way[table_id] = 0.0
        self._background.start(self._make(table_id))
        return AnalysisMessage(table=str(table_id), state="waiting", done=0.0)

    async def _make(self, table_id: UUID) -> None:
        try:
            record = await whole_record(
                self._store, await self._tables.newest(table_id), aside=self._config.aside
            )
            await self._store.keep_analysis(table_id, await self._found(table_id, record))
        except Exception:
            logger.exception("no analysis was made")
            self._failed.add(table_id)
        finally:
            del self._under_way[table_id]

    async def _found(self, table_id: UUID, record: Record) -> AnalysisFound:
        from cartagena.bots.analysis.annotation import analysing  # noqa: PLC0415 - only who asks waits for it

        def progress(done: int, of: int) -> None:
            self._under_way[table_id] = done / of

        steps = analysing(record, simulations=self._config.analysis_simulations, progress=progress)
        found = None
        while found is None:
            found = await self._config.aside(lambda: next(steps))
            # Where work is not put aside, requests are answered between two steps.
            await asyncio.sleep(0)
        return analysis_message(record, found)
