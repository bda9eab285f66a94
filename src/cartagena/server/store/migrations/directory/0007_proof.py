"""When the player of a session last proved who they are."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0007"
down_revision = "directory_0006"


def upgrade() -> None:
    """Make it."""
    run_sql_beside(__file__)
