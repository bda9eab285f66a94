"""Games are vacuumed more often than PostgreSQL would by itself."""

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0002"
down_revision = "shard_0001"


def upgrade() -> None:
    """Set it."""
    run_sql_beside(__file__)
