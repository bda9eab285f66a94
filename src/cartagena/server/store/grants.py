"""Grants: what the role of web nodes and workers may do in a schema that another role owns.

They can only read and write rows, so that a hole in a node can neither change a table nor switch off a
trigger. Tables of later revisions are granted in the transaction that creates them, by default privileges.
"""

from typing import Final

from cartagena.rules.refusals import CartagenaError
from cartagena.server.store.pool import Connection

READ_ONLY: Final = ("alembic_version", "identity")
"""Tables that only an upgrade writes."""
SHOWN: Final = 3
"""How many names a sentence lists."""

ROLE: Final = "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = $1"

# Grants made by hand, or by an older version, are revoked first.
GRANTS: Final = """
REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE ON SEQUENCES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT EXECUTE ON FUNCTIONS TO {role};
"""
ONLY_READ: Final = "REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}"
TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename = ANY ($2)"

# PostgreSQL only warns a role that grants what it does not own.
NOT_OWNED: Final = """
SELECT nspname AS name FROM pg_namespace
WHERE nspname = $1 AND NOT pg_has_role(nspowner, 'USAGE')
UNION ALL
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') AND NOT pg_has_role(c.relowner, 'USAGE')
UNION ALL
SELECT n.nspname || '.' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = $1 AND NOT pg_has_role(p.proowner, 'USAGE')
ORDER BY name
"""

# CASE keeps each check from objects that it does not fit.
MISSING: Final = """
SELECT n.nspname AS name FROM pg_namespace n
WHERE n.nspname = $1 AND NOT has_schema_privilege($2::name, n.oid, 'USAGE')
UNION ALL
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND CASE
    WHEN c.relkind = 'S' THEN NOT has_sequence_privilege($2::name, c.oid, 'USAGE')
    WHEN c.relkind <> 'r' THEN false
    WHEN c.relname = ANY ($3) THEN NOT has_table_privilege($2::name, c.oid, 'SELECT')
    ELSE NOT (
        has_table_privilege($2::name, c.oid, 'SELECT') AND has_table_privilege($2::name, c.oid, 'INSERT')
        AND has_table_privilege($2::name, c.oid, 'UPDATE') AND has_table_privilege($2::name, c.oid, 'DELETE')
    )
END
UNION ALL
SELECT n.nspname || '.' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = $1 AND NOT has_function_privilege($2::name, p.oid, 'EXECUTE')
ORDER BY name
"""

# With CREATEROLE a role of PostgreSQL 15 can make itself a member of the owner.
EXCESS: Final = """
SELECT 'attributes such as SUPERUSER or CREATEROLE' FROM pg_roles
WHERE rolname = $2 AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication)
UNION ALL
SELECT 'database ' || datname FROM pg_database
WHERE datname = current_database()
    AND (pg_has_role($2::name, datdba, 'MEMBER') OR has_database_privilege($2::name, oid, 'CREATE'))
UNION ALL
SELECT 'schema ' || nspname FROM pg_namespace
WHERE nspname IN ($1, 'public')
    AND (pg_has_role($2::name, nspowner, 'MEMBER') OR has_schema_privilege($2::name, oid, 'CREATE'))
UNION ALL
SELECT 'table ' || n.nspname || '.' || c.relname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relkind = 'r' AND (
    pg_has_role($2::name, c.relowner, 'MEMBER')
    OR has_table_privilege($2::name, c.oid, 'TRUNCATE, TRIGGER, REFERENCES')
)
UNION ALL
SELECT 'function ' || n.nspname || '.' || p.proname
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = $1 AND pg_has_role($2::name, p.proowner, 'MEMBER')
"""


class GrantRefused(CartagenaError):
    """A role cannot be given exactly what a node needs; the sentence says why."""


async def grant(connection: Connection, schema: str, role: str) -> None:
    """Let a role read and write rows of a schema, and no more; raises GrantRefused, granting nothing."""
    quoted = await connection.fetchval(ROLE, role)
    if quoted is None:
        raise GrantRefused(f"there is no role {role}: create it with `createuser {role}`")
    if others := tuple(row["name"] for row in await connection.fetch(NOT_OWNED, schema)):
        raise GrantRefused(f"only the owner of {shown(others)} can grant it: run this as the owner")
    async with connection.transaction():
        await connection.execute(GRANTS.format(schema=schema, role=quoted))
        for row in await connection.fetch(TABLES, schema, READ_ONLY):
            await connection.execute(ONLY_READ.format(table=f"{schema}.{row['tablename']}", role=quoted))
        if held := await excess_of(connection, schema, role):
            raise GrantRefused(
                f"{role} could change more than rows ({shown(held)}): take that away, or name another role"
            )


async def missing_for(connection: Connection, schema: str, role: str) -> tuple[str, ...]:
    """What a node needs of a schema but a role may not use; empty if there is no such schema."""
    return tuple(row["name"] for row in await connection.fetch(MISSING, schema, role, READ_ONLY))


async def excess_of(connection: Connection, schema: str, role: str) -> tuple[str, ...]:
    """What would let a role change more than rows of a schema."""
    return tuple(row[0] for row in await connection.fetch(EXCESS, schema, role))


def shown(names: tuple[str, ...]) -> str:
    """The first few names, for a sentence.

    >>> shown(("shard.games", "shard.events", "shard.chat", "shard.tables"))
    'shard.games, shard.events, shard.chat, ...'
    """
    return ", ".join([*names[:SHOWN], *(["..."] if len(names) > SHOWN else [])])
