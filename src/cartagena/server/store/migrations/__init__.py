"""How the databases became what they are: two lines of revisions in plain SQL.

`shard/` is about the games, `directory/` about players, lobby and ratings. A revision is a file,
`0002_name.sql`, and its number is its place in the line. What must not run in a transaction, such as `CREATE
INDEX CONCURRENTLY`, stands at the end, after a line that says `-- Outside of a transaction:`; all of a
revision must be able to run again after an upgrade that was cut short.

A released revision is never changed, only followed; and the program of the revision before must be able to
live with it, because nodes are replaced one by one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
HEAD: Final = "head"
"""Stands for the newest revision."""
OUTSIDE: Final = "-- Outside of a transaction:\n"
JOB_TABLES: Final = "directory_0004"
"""The revision that begins with the tables of PgQueuer, as the library itself makes them."""

# The name is that of Alembic, which wrote these statements up to version 0.1.0.
VERSION_TABLE: Final = (
    "CREATE TABLE {schema}.alembic_version "
    "(version_num varchar(32) CONSTRAINT alembic_version_pkc PRIMARY KEY)"
)
FIRST_NOTE: Final = "INSERT INTO {schema}.alembic_version (version_num) VALUES ('{revision}')"
NOTE: Final = "UPDATE {schema}.alembic_version SET version_num = '{revision}'"

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
    """What was done to one schema, in order: a folder of revisions; `0002_name.sql` is `schema_0002`."""

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

    def statements(self, revision: str) -> Iterator[str]:
        """The SQL of one revision, in a transaction that notes how far the schema came."""
        inside, _, outside = self._sql(revision).partition(OUTSIDE)
        is_first = revision == self._revisions()[0]
        if is_first:
            yield f"CREATE SCHEMA IF NOT EXISTS {self.schema}"
        yield "BEGIN"
        if is_first:
            yield VERSION_TABLE.format(schema=self.schema)
        if revision == JOB_TABLES:
            yield from statements_of(_job_tables())
        yield from statements_of(inside)
        if outside:
            yield "COMMIT"
            yield from statements_of(outside)
            yield "BEGIN"
        note = FIRST_NOTE if is_first else NOTE
        yield note.format(schema=self.schema, revision=revision)
        yield "COMMIT"

    def _sql(self, revision: str) -> str:
        (file,) = self.folder.glob(f"{revision[-4:]}_*.sql")
        return file.read_text(encoding="utf-8")

    def _revisions(self) -> list[str]:
        names = sorted(path.name for path in self.folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
        assert names, f"{self.folder} holds no revision"
        return [f"{self.schema}_{name[:4]}" for name in names]


def _job_tables() -> str:
    # The library loads slowly, and a node that only checks how far a database is does not need it.
    from cartagena.server.store.job_queue import install_sql  # noqa: PLC0415

    return install_sql()


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
