"""How the databases became what they are: two lines of revisions in plain SQL, run with Alembic.

`shard/` is about the games, `directory/` about players, lobby and ratings. A revision is a pair of files,
`0002_name.sql` and `0002_name.py`; the second is its place in the line, and hardly ever more than this:

    from cartagena.server.store.migrations import run_sql_beside

    revision = "shard_0002"
    down_revision = "shard_0001"

    def upgrade() -> None:
        run_sql_beside(__file__)

What must not run in a transaction, such as `CREATE INDEX CONCURRENTLY`, goes into a block
`with op.get_context().autocommit_block():`. A released revision is never changed, only followed; and the
program of the revision before must be able to live with it, because nodes are replaced one by one.
"""

from pathlib import Path


def run_sql_beside(revision_file: str) -> None:
    """Run the SQL file that belongs to a revision, statement by statement."""
    from alembic import context  # noqa: PLC0415 - a node that starts imports this package, and runs nothing of it

    context.static_output(Path(revision_file).with_suffix(".sql").read_text(encoding="utf-8"))
