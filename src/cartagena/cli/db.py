"""`cartagena db`: the databases of the service, brought up to date and looked at."""

import asyncio
import json
import os
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import click

from cartagena.cli.style import JSON, Command, ExitCode, Refused, Speaking, say, words
from cartagena.rules.refusals import CartagenaError

try:
    from cartagena.server.lobby.repair import Step, repair
    from cartagena.server.shared.settings import Settings
    from cartagena.server.store.databases import Databases
    from cartagena.server.store.migrate import Done, Standing, State, check, upgrade
    from cartagena.server.store.news import AllNews
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

Answer = TypeVar("Answer")

REPAIRED: Final = {
    "tables": "db.repaired.tables",
    "strangers": "db.repaired.strangers",
    "ratings": "db.repaired.ratings",
}


class Task(Speaking):
    """One thing to do with the databases; `words_key` is where the catalogue says what it is."""

    def __init__(
        self, *args: Any, words_key: str, **kwargs: Any
    ) -> None:  # click hands over its own parameters
        super().__init__(*args, **kwargs)
        self.words_key = words_key

    def help_key(self) -> str:
        """Where the catalogue says what this is."""
        return self.words_key


class Tasks(Command, click.Group):
    """A command that is several, each with a line on its help page."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each."""
        tasks = [task for task in self.commands.values() if isinstance(task, Task)]
        with formatter.section(words(ctx).say("command.commands")):
            formatter.write_dl([(str(task.name), words(ctx).say(task.help_key())) for task in tasks])


@click.group("db", cls=Tasks)
def command() -> None:
    """Look after the databases; fails without the libraries of the service."""
    if MISSING is not None:
        raise Refused("error.no_service", library=MISSING)


@command.command("upgrade", cls=Task, words_key="command.db.upgrade")
def _upgrade() -> None:
    """Make every revision that is missing."""
    made: list[Done] = []

    def progress(done: "Done") -> None:
        made.append(done)
        say("db.done", database=done.database, revision=done.revision)

    _run(lambda settings: upgrade(settings, progress))
    if not made:
        say("db.nothing_to_do")


@command.command("check", cls=Task, words_key="command.db.check")
@JSON
def _check(*, as_json: bool) -> None:
    """Compare; fails unless every database is as this program wants it."""
    standings = _run(check)
    if as_json:
        click.echo(json.dumps([_as_json(standing) for standing in standings], indent=2))
    else:
        for standing in standings:
            click.echo(_line(standing))
    if any(standing.state is not State.CURRENT for standing in standings):
        raise click.exceptions.Exit(ExitCode.REFUSED)


@command.command("repair", cls=Task, words_key="command.db.repair")
def _repair() -> None:
    """Rebuild lobby, results and ratings from the games."""
    last: dict[str, int] = {}

    def progress(step: "Step") -> None:
        last[step.doing] = step.done

    _run(lambda settings: _repaired(settings, progress))
    for doing, done in last.items():
        say(REPAIRED[doing], number=done)


async def _repaired(settings: "Settings", progress: Callable[["Step"], None]) -> None:
    databases = await Databases.open(settings, program="cartagena db")
    try:
        await repair(AllNews(databases), databases.directory, progress)
    finally:
        await databases.close()


def _run(work: Callable[["Settings"], Coroutine[None, None, Answer]]) -> Answer:
    """Do it with the settings of this environment; what goes wrong says itself what to do."""
    try:
        return asyncio.run(work(Settings.read(os.environ)))
    except CartagenaError as error:
        raise Refused("error.service", reason=error) from error


def _line(standing: "Standing") -> str:
    keys = {State.CURRENT: "db.current", State.BEHIND: "db.behind", State.AHEAD: "db.ahead"}
    return words().say(
        keys[standing.state],
        schema=standing.schema,
        database=standing.database,
        found=standing.found or words().say("db.empty"),
        wanted=standing.wanted,
    )


def _as_json(standing: "Standing") -> dict[str, object]:
    return {
        "database": standing.database,
        "schema": standing.schema,
        "found": standing.found,
        "wanted": standing.wanted,
        "state": standing.state.value,
    }
