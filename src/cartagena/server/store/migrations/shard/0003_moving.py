"""A bucket can leave for another database while its games are played."""

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0003"
down_revision = "shard_0002"


def upgrade() -> None:
    """Set it."""
    run_sql_beside(__file__)
