"""The SQL from one revision to another, written by Alembic; only an upgrade has to import it."""

from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config

from cartagena.server.store.migrations.line import HERE


def config_of(folder: Path) -> Config:
    """How Alembic finds the revisions of a folder; a percent sign in a path stands for itself."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("version_locations", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


def sql_between(schema: str, folder: Path, start: str | None, end: str) -> str:
    """All statements on the way, in transactions, each noting how far it came."""
    written, config = StringIO(), config_of(folder)
    config.output_buffer = written
    config.attributes["schema"] = schema
    command.upgrade(config, end if start is None else f"{start}:{end}", sql=True)
    return written.getvalue()
