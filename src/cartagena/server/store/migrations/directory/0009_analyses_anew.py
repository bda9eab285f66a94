"""Analyses whose numbers agree."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0009"
down_revision = "directory_0008"


def upgrade() -> None:
    """Make it."""
    run_sql_beside(__file__)
