"""Alembic's entry point: it runs this file under the name `env_py` to learn how to write the SQL.

Alembic writes the SQL down and asyncpg runs it (see `store.migrate`), so no second driver is needed.
"""

from alembic import context


def write_sql() -> None:
    """Write the SQL of the revisions asked for, each in a transaction with its mark in the version table."""
    context.configure(
        dialect_name="postgresql",
        version_table_schema=context.config.attributes["schema"],
        transaction_per_migration=True,
    )
    context.run_migrations()


if __name__ == "env_py":
    write_sql()
