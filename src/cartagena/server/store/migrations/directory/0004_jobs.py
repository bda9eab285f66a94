"""Slow jobs: the tables of PgQueuer, as the library itself makes them, and what hints and analyses found."""

from alembic import context

from cartagena.server.store.job_queue import install_sql
from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0004"
down_revision = "directory_0003"


def upgrade() -> None:
    """Make it."""
    context.static_output(install_sql())
    run_sql_beside(__file__)
