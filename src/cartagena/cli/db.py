"""`cartagena db`: the databases of the service, brought up to date and looked at."""

import json
from collections.abc import Callable
from typing import Final

import click

from cartagena.cli.db_dump import dump_task
from cartagena.cli.db_shards import move_task, shards_task
from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, ExitCode, Flag, Task, Tasks, say, words

try:
    from cartagena.cli.db_run import databases_of, run
    from cartagena.server.lobby.repair import RepairStep, repair
    from cartagena.server.shared.settings import Settings
    from cartagena.server.store.migrate import Done, SchemaState, State, check, shown, upgrade
    from cartagena.server.store.outbox import AllOutboxes
    from cartagena.server.store.shard_migration import alone
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

REPAIRED: Final = {
    "tables": "db.repaired.tables",
    "strangers": "db.repaired.strangers",
    "ratings": "db.repaired.ratings",
}


@click.group("db", cls=Tasks, missing=MISSING)
def command() -> None:
    """Look after the databases."""


command.add_command(shards_task)
command.add_command(move_task)
command.add_command(dump_task)


@command.command("upgrade", cls=Task, words_key="command.db.upgrade")
@click.option("--grant", "grant_to", metavar="ROLE", cls=Flag)
@JSON
def _upgrade(*, grant_to: str | None, as_json: bool) -> None:
    """Make every revision that is missing, and let a role read and write rows."""
    made: list[Done] = []

    def progress(done: "Done") -> None:
        made.append(done)
        if not as_json:
            say("db.done", database=done.database, revision=done.revision)

    run(lambda settings: upgrade(settings, progress, grant_to=grant_to))
    if as_json:
        click.echo(
            json.dumps([{"database": done.database, "revision": done.revision} for done in made], indent=2)
        )
        return
    if not made:
        say("db.nothing_to_do")
    if grant_to is not None:
        say("db.granted", role=grant_to)


@command.command("check", cls=Task, words_key="command.db.check")
@JSON
def _check(*, as_json: bool) -> None:
    """Compare; fails unless every database is as this program wants it and every bucket in one of them."""
    standings = run(check)
    if as_json:
        click.echo(json.dumps([_as_json(standing) for standing in standings], indent=2))
    else:
        for standing in standings:
            click.echo(_line(standing))
    if any(standing.state is not State.CURRENT for standing in standings):
        raise click.exceptions.Exit(ExitCode.REFUSED)
    run(_find_buckets)


async def _find_buckets(settings: "Settings") -> None:
    """Raises SettingsError if a bucket has moved to a database that the settings do not name."""
    async with databases_of(settings):
        pass


@command.command("repair", cls=Task, words_key="command.db.repair")
@JSON
def _repair(*, as_json: bool) -> None:
    """Rebuild lobby, results and ratings from the games."""
    last = dict.fromkeys(REPAIRED, 0)
    with progress_bar() as bar:
        task = bar.add_task("", total=None)

        def progress(step: "RepairStep") -> None:
            last[step.doing] = step.done
            bar.update(task, description=words().say(REPAIRED[step.doing], number=step.done))

        run(lambda settings: _repaired(settings, progress))
    if as_json:
        click.echo(json.dumps(last, indent=2))
        return
    for doing, done in last.items():
        say(REPAIRED[doing], number=done)


async def _repaired(settings: "Settings", progress: Callable[["RepairStep"], None]) -> None:
    async with databases_of(settings) as databases, alone(databases.directory):
        await repair(AllOutboxes(databases), databases.directory, progress)


def _line(standing: "SchemaState") -> str:
    keys = {
        State.CURRENT: "db.current",
        State.BEHIND: "db.behind",
        State.AHEAD: "db.ahead",
        State.CLOSED: "db.closed",
    }
    return words().say(
        keys[standing.state],
        schema=standing.schema,
        database=standing.database,
        found=standing.found or words().say("db.empty"),
        wanted=standing.wanted,
        role=standing.role,
        missing=shown(standing.missing),
    )


def _as_json(standing: "SchemaState") -> dict[str, object]:
    return {
        "database": standing.database,
        "schema": standing.schema,
        "found": standing.found,
        "wanted": standing.wanted,
        "state": standing.state.value,
        "role": standing.role,
        "missing": standing.missing,
        "may_alter": standing.may_alter,
    }
