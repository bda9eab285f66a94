"""The service in a thread of its own, on a new database that is dropped at the end."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

import structlog
import uvicorn
from prometheus_client import CollectorRegistry

from cartagena.server.http.observability import discreet_errors
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Parts, opened_parts
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import upgrade
from cartagena.server.web_app import opened_web
from harness.databases import own_database

PACE: Final = "1000000"
"""So high that no rate limit applies."""
VAPID: Final = {
    "CARTAGENA_VAPID_PRIVATE_KEY": "AQ" + "E" * 41,
    "CARTAGENA_VAPID_SUBJECT": "mailto:harbour@example.org",
}
"""So that browsers can be kept; nothing is sent, for there is no worker."""
PATIENCE: Final = 30.0
FAULTS: Final = frozenset({"warning", "error", "exception", "critical"})
"""The levels of the log at which something is wrong with the service itself."""

_MAKE_ADMIN: Final = "UPDATE directory.players SET is_guest = false, is_admin = true WHERE player_id = $1"

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A running web node, and the loop in which it runs."""

    url: str
    parts: Parts
    loop: asyncio.AbstractEventLoop
    log: list[str] = field(repr=False)
    """What went wrong inside, a line for each answer that was the service's own fault."""

    def call(self, doing: Coroutine[object, object, Answer]) -> Answer:
        """Do something in the service's own thread."""
        return asyncio.run_coroutine_threadsafe(doing, self.loop).result(PATIENCE)

    def make_admin(self, player_id: str) -> None:
        """Give a guest the rights of an administrator; sessions made later have them."""
        self.call(self._make_admin(player_id))

    async def _make_admin(self, player_id: str) -> None:
        await self.parts.directory.pool.execute(_MAKE_ADMIN, player_id)


@asynccontextmanager
async def new_database(server: str) -> AsyncIterator[str]:
    """The address of a new database with the newest schemas."""
    async with own_database(server, "contract") as dsn:
        await upgrade(_settings(dsn), lambda _: None)
        yield dsn


def _settings(dsn: str) -> Settings:
    chosen = {"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": dsn, "CARTAGENA_PACE": PACE}
    return Settings.read(chosen | VAPID)


@contextmanager
def serving(dsn: str) -> Iterator[Serving]:
    """Serve a database that has its schemas, on a free port of this machine."""
    started: list[Serving] = []
    is_up, is_done = threading.Event(), threading.Event()
    thread = threading.Thread(target=asyncio.run, args=(_serve(dsn, started, is_up, is_done),), daemon=True)
    thread.start()
    try:
        if not is_up.wait(PATIENCE):
            raise TimeoutError("the service does not start")
        yield started[0]
    finally:
        is_done.set()
        thread.join(PATIENCE)


async def _serve(dsn: str, started: list[Serving], is_up: threading.Event, is_done: threading.Event) -> None:
    log: list[str] = []
    # schemathesis begins each round with a malformed request, to learn what it can send at all.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    structlog.configure(processors=[discreet_errors, _keeping_faults(log)], cache_logger_on_first_use=False)
    async with AsyncExitStack() as opened:
        parts = await opened.enter_async_context(opened_parts(_settings(dsn), program="cartagena contract"))
        web = await opened.enter_async_context(opened_web(parts, CollectorRegistry()))
        server = uvicorn.Server(uvicorn_config(web.app, port=0, graceful_seconds=1))
        task = asyncio.create_task(server.serve())
        while not server.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event to wait for
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        started.append(Serving(url=f"http://127.0.0.1:{port}", parts=parts, loop=loop, log=log))
        is_up.set()
        await asyncio.to_thread(is_done.wait)
        await web.hub.drain()
        server.should_exit = True
        await task


def _keeping_faults(log: list[str]) -> Callable[..., dict[str, object]]:
    """Return a log processor that keeps what is the service's own fault, and writes nothing."""

    def keep(_logger: object, level: str, line: dict[str, object]) -> dict[str, object]:
        if level in FAULTS:
            log.append(str(line))
        raise structlog.DropEvent

    return keep
