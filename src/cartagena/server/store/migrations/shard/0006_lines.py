"""A request for a line of chat counts only once, even in a race."""

from alembic import op

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0006"
down_revision = "shard_0005"


def upgrade() -> None:
    """Set it while others go on talking; an interrupted upgrade starts it again."""
    run_sql_beside(__file__)
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS shard.chat_key")
        op.execute("CREATE UNIQUE INDEX CONCURRENTLY chat_key ON shard.chat (game_id, key)")
