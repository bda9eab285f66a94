"""A worker on its parts: bots and clocks, slow jobs, news for the directory, notices to players."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import CollectorRegistry

from cartagena.server.accounts.notices import Notices
from cartagena.server.accounts.posting import Poster
from cartagena.server.parts import Parts
from cartagena.server.store.news import AllNews
from cartagena.server.worker.building import Ground, built_worker
from cartagena.server.worker.news import News, NewsMetrics, Teller
from cartagena.server.worker.news_notices import Messenger, NoticeMetrics, NoticeRounds
from cartagena.server.worker.service import Service, Worker


@asynccontextmanager
async def opened_worker(parts: Parts, registry: CollectorRegistry) -> AsyncIterator[Worker]:
    """A worker that is ready to run."""
    ground = Ground(
        settings=parts.settings,
        databases=parts.databases,
        bus=parts.bus,
        store=parts.store,
        tables=parts.tables,
        registry=registry,
    )
    async with Poster(private=parts.settings.private_notices) as poster:
        others = [_news(parts, registry), _notices(parts, poster, registry)]
        async with built_worker(ground, others) as worker:
            yield worker


def _notices(parts: Parts, poster: Poster, registry: CollectorRegistry) -> Service:
    notices = Notices(directory=parts.directory, poster=poster, vapid=parts.settings.vapid)
    messenger = Messenger(
        directory=parts.databases.directory,
        source=AllNews(parts.databases),
        tell=notices.tell,
        metrics=NoticeMetrics(registry),
    )
    return NoticeRounds(messenger)


def _news(parts: Parts, registry: CollectorRegistry) -> Service:
    teller = Teller(
        directory=parts.databases.directory,
        tables=parts.tables,
        bus=parts.bus,
        metrics=NewsMetrics(registry),
    )
    return News(teller, AllNews(parts.databases).shards)
