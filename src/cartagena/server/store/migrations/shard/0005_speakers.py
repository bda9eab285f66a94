"""An index to find what one player has said at all tables."""

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0005"
down_revision = "shard_0004"


def upgrade() -> None:
    """Set it."""
    run_sql_beside(__file__)
