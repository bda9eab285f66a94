"""What remembers which table a request opened."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0002"
down_revision = "directory_0001"


def upgrade() -> None:
    """Make it."""
    run_sql_beside(__file__)
