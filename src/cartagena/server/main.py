"""The program of a web node: it serves until told to stop, and lets every client keep its place."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from types import FrameType
from typing import Final, TypeVar

import structlog
import uvicorn
from prometheus_client import CollectorRegistry

from cartagena.server.http.observability import configure_logs
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import opened_resources
from cartagena.server.shared.listening import listening_sockets
from cartagena.server.shared.settings import Settings
from cartagena.server.web_app import connections_of, opened_web
from cartagena.server.worker_app import opened_worker

PICTURES_AFTER: Final = 20.0
"""Seconds before a node draws what pictures of links have in common, which takes seconds of a processor."""

COLLECT_SELDOM: Final = (50_000, 20, 100)
"""A full collection over thousands of streams stalls a process for more than half a second."""

Answer = TypeVar("Answer")


class _Server(uvicorn.Server):
    """Dismisses the streams first: otherwise uvicorn would wait for them to end by themselves."""

    def __init__(self, config: uvicorn.Config, hub: StreamHub, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._hub = hub
        self._on_start = on_start

    async def startup(self, sockets: object = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)  # type: ignore[arg-type]  # handed on as it came
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: object = None) -> None:
        """Let every client resume elsewhere from its place, then finish what is under way."""
        await self._hub.drain()
        await super().shutdown(sockets)  # type: ignore[arg-type]  # handed on as it came

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn's signature
        """Shut down in order; on a second Ctrl-C, do not wait for what is under way.

        Unlike uvicorn, which raises the signal again once the server is down: that would end the process
        before the worker has stopped and its own processes are gone.
        """
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


async def serve(settings: Settings, *, with_worker: bool, on_start: Callable[[], None]) -> None:
    """Serve until a signal comes; with a worker inside, one process serves a whole club.

    Raises CannotListen before it opens anything else.
    """
    async with AsyncExitStack() as opened:
        sockets = listening_sockets(settings.host, settings.port)
        for bound in sockets:
            opened.callback(bound.close)
        registry = CollectorRegistry()
        resources = await opened.enter_async_context(opened_resources(settings, program="cartagena web"))
        web = await opened.enter_async_context(opened_web(resources, registry))
        worker = await opened.enter_async_context(opened_worker(resources, registry)) if with_worker else None
        config = uvicorn_config(
            web.app,
            host=settings.host,
            port=settings.port,
            connections=connections_of(settings, registry),
            secure=settings.secure,
        )

        def started() -> None:
            web.renderer.start(after=PICTURES_AFTER)
            on_start()

        server = _Server(config, web.hub, started)
        spare_collector()
        async with asyncio.TaskGroup() as group:
            if worker is not None:
                group.create_task(worker.run())
            await server.serve(sockets)
            if worker is not None:
                await worker.stop()


def spare_collector() -> None:
    """Exclude existing objects from later garbage collections, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_SELDOM)


def run(program: Coroutine[object, object, Answer], settings: Settings) -> Answer:
    """Run a program of the service: on uvloop where available, with its log on standard error."""
    configure_logs(sys.stderr, style=settings.log)
    for name, near in settings.unknown:
        structlog.get_logger(__name__).warning("setting_unknown", name=name, near=near)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(program)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - there is none on some systems
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop
