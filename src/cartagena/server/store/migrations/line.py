"""A line of revisions, and the SQL that leads from one to the next."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

HERE: Final = Path(__file__).parent

_PIECE: Final = re.compile(
    r"""
      (?P<comment> --[^\n]* | /\*.*?\*/ )
    | (?P<end> ; )
    | (?P<text>
        \b[eE]'(?:[^'\\]|\\.|'')*'     # a string with escapes
      | '(?:[^']|'')*'                 # a string
      | "(?:[^"]|"")*"                 # a quoted name
      | \$(?P<tag>[^\W\d]\w*|)\$ .*? \$(?P=tag)\$   # the body of a function
      | \w+ | .                        # anything else, whole words at a time
      )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What was done to one schema, in order: a folder of revisions."""

    schema: str
    folder: Path

    def head(self) -> str:
        """The newest revision."""
        head = self._scripts().get_current_head()
        assert head is not None, f"{self.folder} holds no revision"
        return head

    def knows(self, revision: str) -> bool:
        """Whether a revision stands in this line."""
        return any(script.revision == revision for script in self._scripts().walk_revisions())

    def after(self, revision: str | None, to: str) -> list[str]:
        """The revisions that come after one, or all if there is none, up to another."""
        scripts = self._scripts().iterate_revisions(to, revision or "base")
        return [script.revision for script in scripts][::-1]

    def statements(self, start: str | None, end: str) -> list[str]:
        """The SQL from one revision to another, in transactions, with the mark of how far it came."""
        written = StringIO()
        command.upgrade(self._config(written), end if start is None else f"{start}:{end}", sql=True)
        home = [] if start else [f"CREATE SCHEMA IF NOT EXISTS {self.schema}"]
        return [*home, *statements_of(written.getvalue())]

    def _scripts(self) -> ScriptDirectory:
        return ScriptDirectory.from_config(self._config())

    def _config(self, written: StringIO | None = None) -> Config:
        config = Config(output_buffer=written or StringIO(), attributes={"schema": self.schema})
        config.set_main_option("script_location", str(HERE).replace("%", "%%"))
        config.set_main_option("version_locations", str(self.folder).replace("%", "%%"))
        config.set_main_option("path_separator", "newline")
        return config


def statements_of(sql: str) -> Iterator[str]:
    r"""The statements of a text, without comments.

    >>> list(statements_of("SELECT ';'; -- one; two\nSELECT 2"))
    ["SELECT ';'", 'SELECT 2']
    """
    statement = ""
    for piece in _PIECE.finditer(sql):
        if piece["end"]:
            if statement.strip():
                yield statement.strip()
            statement = ""
        else:
            # A comment keeps apart what stands on both sides of it.
            statement += " " if piece["comment"] else piece["text"]
    if statement.strip():
        yield statement.strip()


SHARD: Final = Line(schema="shard", folder=HERE / "shard")
DIRECTORY: Final = Line(schema="directory", folder=HERE / "directory")
