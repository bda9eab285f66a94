"""A line of chat may remove another one, once."""

from alembic import op

from cartagena.server.store.migrations import run_sql_beside

revision = "shard_0007"
down_revision = "shard_0006"


def upgrade() -> None:
    """Set it while others go on talking; an interrupted upgrade starts it again."""
    run_sql_beside(__file__)
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS shard.chat_removes")
        op.execute(
            "CREATE UNIQUE INDEX CONCURRENTLY chat_removes ON shard.chat (game_id, removes) "
            "WHERE removes IS NOT NULL"
        )
