"""Whose names the tables still have to forget."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0005"
down_revision = "directory_0004"


def upgrade() -> None:
    """Make it known."""
    run_sql_beside(__file__)
