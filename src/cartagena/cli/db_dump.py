"""`cartagena db dump`: the games that their players give away, as files."""

import json
from pathlib import Path

import click

from cartagena.cli.progress import progress_bar
from cartagena.cli.style import JSON, CommandRefused, Task, say, words

try:
    from cartagena.cli.db_run import databases_of, run
    from cartagena.server.lobby.open_data import OpenGame, open_games
    from cartagena.server.lobby.open_data_files import OpenDataFolder
    from cartagena.server.shared.settings import Settings
    from cartagena.server.store.games import Games
except ModuleNotFoundError:
    """The group of these tasks says what is missing."""


@click.command("dump", cls=Task, words_key="command.db.dump")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@JSON
def dump_task(*, folder: Path, as_json: bool) -> None:
    """Write every open game into a folder that does not exist yet."""
    if folder.exists():
        raise CommandRefused("error.folder_exists", folder=folder)
    files = run(lambda settings: _dumped(settings, folder))
    if as_json:
        told = {**files.counts, "withheld": dict(files.withheld), "parquet": files.with_parquet}
        click.echo(json.dumps({"games": 0, "choices": 0} | told, indent=2))
        return
    say("db.dumped", games=files.counts["games"], choices=files.counts["choices"], folder=folder)
    if files.withheld:
        say("db.dump_withheld", number=files.withheld.total())
    if not files.with_parquet:
        say("db.dump_without_parquet")


async def _dumped(settings: "Settings", folder: Path) -> "OpenDataFolder":
    async with databases_of(settings) as databases:
        games = Games(databases)
        with OpenDataFolder(folder) as files, progress_bar() as bar:
            task = bar.add_task(words().say("db.dumping", number=0), total=None)
            async for game in open_games(databases.directory, games):
                if isinstance(game, OpenGame):
                    files.add(game)
                else:
                    files.withheld[game] += 1
                bar.update(task, description=words().say("db.dumping", number=files.counts["games"]))
        return files
