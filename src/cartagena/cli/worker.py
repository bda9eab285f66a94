"""`cartagena worker`: plays for bots, watches the clocks, works out hints and analyses."""

import asyncio
import os
import signal
import sys

import click

from cartagena.cli.style import Command, Flag, Refused
from cartagena.rules.refusals import CartagenaError

try:
    import structlog
    from prometheus_client import CollectorRegistry, start_http_server

    from cartagena.server.http.logs import configure_logs
    from cartagena.server.shared.settings import Settings
    from cartagena.server.worker.building import built_worker, opened_ground
    from cartagena.server.worker.service import Worker
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None


@click.command("worker", cls=Command)
@click.option("--metrics-port", type=click.IntRange(1, 65535), metavar="PORT", cls=Flag)
def command(metrics_port: int | None) -> None:
    """Work until told to end; what is under way is finished."""
    if MISSING is not None:
        raise Refused("error.no_service", library=MISSING)
    try:
        asyncio.run(_work(Settings.read(os.environ), metrics_port))
    except CartagenaError as error:
        raise Refused("error.service", reason=error) from error


async def _work(settings: "Settings", metrics_port: int | None) -> None:
    configure_logs(sys.stderr)
    registry = CollectorRegistry()
    async with opened_ground(settings, registry) as ground, built_worker(ground) as worker:
        if metrics_port is not None:
            start_http_server(metrics_port, addr=settings.host, registry=registry)
        await _run(worker)


async def _run(worker: "Worker") -> None:
    """Run until this process is asked to end; asked once more, it ends in the middle."""
    loop = asyncio.get_running_loop()
    is_asked = asyncio.Event()
    for asking in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(asking, is_asked.set)
    logger = structlog.get_logger(__name__)
    logger.info("worker_started")
    running = asyncio.create_task(worker.run())
    asked = asyncio.create_task(is_asked.wait())
    await asyncio.wait({running, asked}, return_when=asyncio.FIRST_COMPLETED)
    for asking in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(asking, running.cancel)
    if asked.done():
        logger.info("worker_stopping")
        await worker.stop()
    asked.cancel()
    await asyncio.wait({running, asked})
    logger.info("worker_stopped")
    if not running.cancelled():
        running.result()
