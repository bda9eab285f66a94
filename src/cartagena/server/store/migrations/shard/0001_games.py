"""Tables, their games, events and chat."""

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    run_sql_beside(__file__)
