"""What a stranger may know about an address, for pages and for pictures of links."""

import asyncio
import enum
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import structlog
from msgspec import Struct

from cartagena.endpoints.limits import READING
from cartagena.messages.accounts import PlayerMessage
from cartagena.messages.lobby import RatingMessage
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import player
from cartagena.server.http.client_address import household_of
from cartagena.server.http.rate_limits import Buckets, Paced
from cartagena.server.lobby.listings import is_public
from cartagena.server.lobby.ratings import ratings_of
from cartagena.server.store.databases import AWAY
from cartagena.tables.access import audience_of, is_invitation
from cartagena.tables.errors import ServiceError
from cartagena.tables.service import Tables
from cartagena.tables.table import Table

# The page is sent whether or not the databases answer: what takes too long, or is asked for too often, counts
# as unknown. How long an answer takes does not tell a private table from one that does not exist.

PATIENCE: Final = 0.3
"""Seconds that a page waits for what it says about itself."""
STEP: Final = 0.05
"""Seconds; a refusal comes a whole number of steps after the question, and reading takes less than one."""
AT_ONCE: Final = 16
"""How many lookups run at a time; a database that hangs is asked no more often than this."""

_Found = TypeVar("_Found")
_log: Final = structlog.get_logger()


class Missing(enum.Enum):
    """Why there is nothing to tell."""

    HIDDEN = enum.auto()
    """It is not for strangers, or does not exist."""
    UNREAD = enum.auto()
    """Unknown: it took too long, or was asked for too often."""


class SeenTable(Struct, frozen=True, kw_only=True):
    """A table that the reader may see; `invited` if the address brings its invitation."""

    table: Table
    invited: bool = False


class SeenPlayer(Struct, frozen=True, kw_only=True):
    """What everybody may know of a player."""

    player: PlayerMessage
    ratings: tuple[RatingMessage, ...]


class Lookup:
    """Reads what the API reads, at the same rate for each address."""

    def __init__(
        self,
        tables: Tables,
        directory: Directory,
        *,
        pace: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = tables
        self._directory = directory
        self._clock = clock
        self._rate = Paced(pace).rate(READING.address)
        self._buckets = Buckets()
        # Held until they end, however late: each holds a connection.
        self._under_way: set[asyncio.Task[object]] = set()

    async def table(self, table_id: UUID, invite: str | None, address: str) -> SeenTable | Missing:
        """Look up a table as a stranger may see it, or as the holder of the code `invite` may."""
        began = self._clock()
        if invite is None:
            found = await self._read(address, partial(self._public_table, table_id))
            if found is Missing.HIDDEN:
                await asyncio.sleep((began - self._clock()) % STEP)
            return found
        found = await self._read(address, partial(self._invited_table, table_id, invite))
        if isinstance(found, SeenTable):
            return found
        # Loading a private table takes longer than finding none: a wrong code always waits to the end.
        await asyncio.sleep(max(0.0, began + PATIENCE - self._clock()))
        return Missing.HIDDEN

    async def player(self, player_id: UUID, address: str) -> SeenPlayer | Missing:
        """A player as everybody may know them."""
        return await self._read(address, partial(self._player, player_id))

    async def close(self) -> None:
        """Give up what is still under way."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _public_table(self, table_id: UUID) -> SeenTable:
        # The directory has no private tables, so nothing of one is read here.
        if not await is_public(self._directory.pool, table_id):
            raise _Hidden
        table = await self._tables.newest(table_id)
        audience_of(table, None)
        return SeenTable(table=table)

    async def _invited_table(self, table_id: UUID, invite: str) -> SeenTable:
        table = await self._tables.newest(table_id)
        audience_of(table, None, invite)
        return SeenTable(table=table, invited=is_invitation(table.sheet, invite))

    async def _player(self, player_id: UUID) -> SeenPlayer:
        known = await player(self._directory, player_id)
        return SeenPlayer(player=known, ratings=await ratings_of(self._directory.pool, player_id))

    async def _read(self, address: str, read: Callable[[], Awaitable[_Found]]) -> _Found | Missing:
        key = ("page texts", household_of(address))
        if len(self._under_way) >= AT_ONCE or self._buckets.wait(key, self._rate, self._clock()):
            return Missing.UNREAD
        task = asyncio.ensure_future(_settled(read))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # Not cancelled when it is late: to cancel a query, asyncpg asks the database once more.
        await asyncio.wait({task}, timeout=PATIENCE)
        return task.result() if task.done() else Missing.UNREAD


class _Hidden(Exception):
    """The directory knows of no such table."""


async def _settled(read: Callable[[], Awaitable[_Found]]) -> _Found | Missing:
    """Return what was read, or why nothing was; a page must not fail for lack of a title."""
    try:
        return await read()
    except (ServiceError, _Hidden):
        return Missing.HIDDEN
    except AWAY:
        return Missing.UNREAD
    except Exception:  # noqa: BLE001  # whatever it is, the page works without
        _log.warning("page_text_failed", exc_info=True)
        return Missing.UNREAD
