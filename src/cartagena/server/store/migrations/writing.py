"""The SQL from one revision to another, written by Alembic; only an upgrade pays for importing it."""

from io import StringIO
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config

HERE: Final = Path(__file__).parent


def sql_between(schema: str, folder: Path, start: str | None, end: str) -> str:
    """All statements on the way, in transactions, with the mark of how far it came."""
    written = StringIO()
    config = Config(output_buffer=written, attributes={"schema": schema})
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("version_locations", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    command.upgrade(config, end if start is None else f"{start}:{end}", sql=True)
    return written.getvalue()
