"""People whom a club's own provider knows, and those who are on their way there."""

from cartagena.server.store.migrations import run_sql_beside

revision = "directory_0006"
down_revision = "directory_0005"


def upgrade() -> None:
    """Make them."""
    run_sql_beside(__file__)
