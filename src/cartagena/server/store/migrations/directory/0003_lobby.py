"""Lobby, results and ratings: what the directory knows of games."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0003"
down_revision = "directory_0002"


def upgrade() -> None:
    """Make it."""
    run_sql_beside(__file__)
