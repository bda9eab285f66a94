"""Players, their sessions and all that belongs to an account."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    run_sql_beside(__file__)
