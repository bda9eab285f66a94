"""The log of a game that has been over for a while is folded into one row."""

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0004"
down_revision = "shard_0003"


def upgrade() -> None:
    """Set it."""
    run_sql_beside(__file__)
