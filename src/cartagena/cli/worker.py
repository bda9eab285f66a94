"""`cartagena worker`: plays for bots, watches the clocks, tells the lobby, works out what takes long."""

import asyncio
import os
import signal
from typing import Final

import click

from cartagena.cli.style import Command, CommandRefused, Flag, no_service
from cartagena.rules.refusals import CartagenaError

try:
    import structlog
    from prometheus_client import CollectorRegistry

    from cartagena.cli.listening import cannot_listen
    from cartagena.server.main import run
    from cartagena.server.resources import opened_resources
    from cartagena.server.shared.listening import CannotListen
    from cartagena.server.shared.settings import Settings
    from cartagena.server.worker.bot_players import Worker
    from cartagena.server.worker.metrics import open_metrics
    from cartagena.server.worker_app import PROGRAM, opened_worker
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@click.command("worker", cls=Command)
@click.option("--metrics-port", type=click.IntRange(1, 65535), metavar="PORT", cls=Flag)
def command(metrics_port: int | None) -> None:
    """Work until told to end; what is under way is finished."""
    if MISSING is not None:
        raise no_service(MISSING)
    try:
        settings = Settings.read(os.environ)
        run(_work(settings, metrics_port), settings)
    except CannotListen as error:
        raise cannot_listen(error, flag="--metrics-port") from error
    except CartagenaError as error:
        raise CommandRefused("error.service", reason=error) from error


async def _work(settings: "Settings", metrics_port: int | None) -> None:
    registry = CollectorRegistry()
    async with (
        opened_resources(settings, program=PROGRAM) as resources,
        opened_worker(resources, registry) as worker,
    ):
        if metrics_port is not None:
            open_metrics(settings.host, metrics_port, registry, settings.metrics_token)
        await _until_asked(worker)


async def _until_asked(worker: "Worker") -> None:
    """Run until this process is asked to end; if asked again, stop at once."""
    logger = structlog.get_logger(__name__)
    loop, is_asked = asyncio.get_running_loop(), asyncio.Event()
    for asking in SIGNALS:
        loop.add_signal_handler(asking, is_asked.set)
    running, asked = asyncio.create_task(worker.run()), asyncio.create_task(is_asked.wait())
    logger.info("worker_started")
    await asyncio.wait({running, asked}, return_when=asyncio.FIRST_COMPLETED)
    for asking in SIGNALS:
        loop.add_signal_handler(asking, running.cancel)
    if asked.done():
        logger.info("worker_stopping")
        await worker.stop()
    asked.cancel()
    await asyncio.wait({running, asked})
    logger.info("worker_stopped")
    if not running.cancelled():
        running.result()
