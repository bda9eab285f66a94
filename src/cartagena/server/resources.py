"""Resources: what web nodes and workers have in common, opened together and closed in order."""

import os
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from cartagena.rules.refusals import CartagenaError
from cartagena.server.accounts.directory import Directory
from cartagena.server.bus import open_bus
from cartagena.server.bus.announcer import BusAnnouncer
from cartagena.server.bus.interface import Bus
from cartagena.server.shared.settings import Nats, Settings
from cartagena.server.store.analyses import DirectoryAnalyses, DirectoryHints
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.server.store.job_queue import JobQueue
from cartagena.server.store.migrate import State, check
from cartagena.server.tracing.spans import Traces, opened_traces
from cartagena.tables.service import Tables


class NotReady(CartagenaError):
    """The service cannot start; the sentence says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Databases, bus, and the tables on them."""

    settings: Settings
    databases: Databases
    bus: Bus
    store: Games
    announcer: BusAnnouncer
    tables: Tables
    directory: Directory
    traces: Traces | None

    @property
    def hints(self) -> DirectoryHints:
        """Hints, and the queue on which they are found."""
        return DirectoryHints(self.databases.directory, JobQueue(self.databases.directory))

    @property
    def analyses(self) -> DirectoryAnalyses:
        """Analyses, and the queue on which they are made."""
        return DirectoryAnalyses(self.databases.directory, JobQueue(self.databases.directory))


@asynccontextmanager
async def opened_resources(settings: Settings, *, program: str) -> AsyncIterator[Resources]:
    """Open everything that lives as long as the process.

    Raises NotReady if a schema is not the newest, SettingsError if a file of the bus cannot be read.
    """
    trusted = None if settings.nats is None else settings.nats.trusted()
    outdated = [standing for standing in await check(settings) if standing.state is not State.CURRENT]
    if outdated:
        raise NotReady("; ".join(map(str, outdated)))
    async with AsyncExitStack() as opened:
        traces = await opened.enter_async_context(opened_traces(settings, program=program))
        databases = await Databases.open(settings, program=program)
        opened.push_async_callback(databases.close)
        await databases.whereabouts.learn()
        bus = await _bus(settings.nats, trusted)
        opened.push_async_callback(bus.close)
        store = Games(databases, traces)
        opened.push_async_callback(store.close)
        announcer = BusAnnouncer(bus, traces)
        yield Resources(
            settings=settings,
            databases=databases,
            bus=bus,
            store=store,
            announcer=announcer,
            tables=Tables(store, announcer),
            directory=Directory(pool=databases.directory, clock=_now, chance=os.urandom),
            traces=traces,
        )


async def _bus(nats: Nats | None, trusted: ssl.SSLContext | None) -> Bus:
    if nats is None:
        return await open_bus(None)
    return await open_bus(nats.url, tls=trusted, credentials=nats.credentials)


def _now() -> datetime:
    return datetime.now(UTC)
