"""`cartagena serve`: tables for everybody, in one process or as one node of many."""

import os

import click

from cartagena.cli.style import Command, CommandRefused, Flag, no_service, say
from cartagena.install import NODE, installed_from, pages_command
from cartagena.rules.refusals import CartagenaError

try:
    from cartagena.cli.listening import cannot_listen
    from cartagena.server.main import run, serve
    from cartagena.server.pages.built import has_pages
    from cartagena.server.shared.listening import CannotListen
    from cartagena.server.shared.settings import Settings
    from cartagena.server.store.migrate import Done, upgrade
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None


@click.command("serve", cls=Command)
@click.option("--host", metavar="ADDRESS", cls=Flag)
@click.option("--port", type=click.IntRange(1, 65535), metavar="PORT", cls=Flag)
@click.option("--worker/--no-worker", "with_worker", default=True, cls=Flag)
@click.option("--upgrade/--no-upgrade", "upgrades", default=None, cls=Flag)
def command(host: str | None, port: int | None, *, with_worker: bool, upgrades: bool | None) -> None:
    """Serve until told to end; what is under way is finished."""
    if MISSING is not None:
        raise no_service(MISSING)
    try:
        settings = _settings(host, port)
        run(_serve(settings, with_worker=with_worker, upgrades=upgrades), settings)
    except CannotListen as error:
        raise cannot_listen(error, flag="--port") from error
    except CartagenaError as error:
        raise CommandRefused("error.service", reason=error) from error


def _settings(host: str | None, port: int | None) -> "Settings":
    environment = dict(os.environ)
    if host is not None:
        environment["CARTAGENA_HOST"] = host
    if port is not None:
        environment["CARTAGENA_PORT"] = str(port)
    return Settings.read(environment)


async def _serve(settings: "Settings", *, with_worker: bool, upgrades: bool | None) -> None:
    # A single process may bring its databases up to date; with several, the operator decides when.
    if settings.nats is None if upgrades is None else upgrades:
        await upgrade(settings, _tell)
    await serve(settings, with_worker=with_worker, on_start=lambda: _greet(settings))


def _greet(settings: "Settings") -> None:
    say("serve.started", url=settings.url)
    if settings.lacks_url:
        say("serve.no_url", host=settings.host, url=settings.url)
    if not has_pages():
        say("serve.no_pages", node=NODE, command=pages_command(installed_from()))


def _tell(done: "Done") -> None:
    say("db.done", database=done.database, revision=done.revision)
