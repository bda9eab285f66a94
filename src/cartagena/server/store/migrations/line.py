"""A line of revisions, and the SQL that leads from one to the next."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
HEAD: Final = "head"
"""Stands for the newest revision."""

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
class RevisionLine:
    """What was done to one schema, in order: a folder of revisions, numbered by their names.

    `0002_name.py` is the revision `schema_0002`. So a node that only checks how far a database is need not
    import Alembic, which takes longer than all of the service's own modules.
    """

    schema: str
    folder: Path

    def head(self) -> str:
        """The newest revision."""
        return self._revisions()[-1]

    def knows(self, revision: str) -> bool:
        """Whether a revision is in this line."""
        return revision in self._revisions()

    def after(self, revision: str | None, to: str) -> list[str]:
        """The revisions after `revision`, or all if it is None, up to `to`."""
        revisions = self._revisions()
        start = 0 if revision is None else revisions.index(revision) + 1
        return revisions[start : revisions.index(self.head() if to == HEAD else to) + 1]

    def statements(self, start: str | None, end: str) -> list[str]:
        """The SQL from one revision to another, in transactions, each noting how far it came."""
        from cartagena.server.store.migrations.writing import sql_between  # noqa: PLC0415 - as said above

        home = [] if start else [f"CREATE SCHEMA IF NOT EXISTS {self.schema}"]
        return [*home, *statements_of(sql_between(self.schema, self.folder, start, end))]

    def _revisions(self) -> list[str]:
        names = sorted(path.name for path in self.folder.glob("[0-9][0-9][0-9][0-9]_*.py"))
        assert names, f"{self.folder} holds no revision"
        return [f"{self.schema}_{name[:4]}" for name in names]


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
            # A comment separates what stands on both sides of it.
            statement += " " if piece["comment"] else piece["text"]
    if statement.strip():
        yield statement.strip()


SHARD: Final = RevisionLine(schema="shard", folder=HERE / "shard")
DIRECTORY: Final = RevisionLine(schema="directory", folder=HERE / "directory")
