"""The words that a report is about."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0008"
down_revision = "directory_0007"


def upgrade() -> None:
    """Make it."""
    run_sql_beside(__file__)
