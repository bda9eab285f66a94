"""Bring the databases to the revision that this program was written for, or report their state."""

import asyncio
import enum
import functools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final
from zlib import crc32

import asyncpg

from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.settings import Settings
from cartagena.server.shared.settings_parsing import without_secret
from cartagena.server.store.databases import CONNECT_SECONDS, PATIENCE, reach
from cartagena.server.store.migrations import DIRECTORY, HEAD, SHARD, RevisionLine
from cartagena.server.store.shards import VARIABLE, Connection, ShardMap

# Grants: what the role of web nodes and workers may do in a schema that another role owns.
#
# They can only read and write rows, so that a hole in a node can neither change a table nor switch off a
# trigger. Tables of later revisions are granted in the transaction that creates them, by default privileges.

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


OLDEST_POSTGRES: Final = 15
LOCK_TIMEOUT: Final = "3s"
"""How long a statement waits for a table; all later statements would have to wait behind it."""
LOCK_TRIES: Final = 100
TURN_PAUSE: Final = 0.2
TURN_PATIENCE: Final = 600.0
"""How many seconds an upgrade waits for another one of the same database."""


class MigrationError(CartagenaError):
    """A database cannot be upgraded; the sentence says why."""


class State(enum.Enum):
    """How a database stands in relation to this program."""

    CURRENT = "current"
    BEHIND = "behind"
    AHEAD = "ahead"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """One schema of one database: the revision found there, and the one this program wants.

    `role` is the role that asked, `missing` what it needs and may not use; `may_alter` says that it could
    change more than rows.
    """

    database: str
    schema: str
    found: str | None
    wanted: str
    state: State
    role: str = ""
    missing: tuple[str, ...] = ()
    may_alter: bool = True

    def __str__(self) -> str:
        place = f"{self.schema} in {self.database}"
        if self.state is State.CLOSED:
            closed = f"{place} is closed to the role {self.role} ({shown(self.missing)})"
            return f"{closed}: {_as_owner(self.role)}"
        if self.state is State.AHEAD:
            return f"{place} is at {self.found}, which this program does not know: install a newer one"
        if self.state is State.BEHIND:
            return (
                f"{place} is at {self.found or 'nothing'}, not at {self.wanted}: run `cartagena db upgrade`"
            )
        return f"{place} is at {self.wanted}"


def _as_owner(role: str) -> str:
    """What opens a database to a role that does not own it; without the grant it would stay closed."""
    return f"as the owner of its tables run `cartagena db upgrade --grant {role}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A revision that was just applied."""

    database: str
    revision: str


Progress = Callable[[Done], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaPlace:
    """A database with the line that it follows; `variable` is where its address came from."""

    dsn: str
    line: RevisionLine
    variable: str

    @property
    def shown(self) -> str:
        """Its address without secrets."""
        return without_secret(self.dsn)


def places_of(
    settings: Settings, *, directory: RevisionLine = DIRECTORY, shard: RevisionLine = SHARD
) -> list[SchemaPlace]:
    """Every database of the service, the directory first, each with its line."""
    primaries = ShardMap.parse(settings.shards).primaries
    return [
        SchemaPlace(dsn=settings.directory, line=directory, variable="CARTAGENA_DIRECTORY"),
        *(SchemaPlace(dsn=dsn, line=shard, variable=VARIABLE) for dsn in primaries),
    ]


async def upgrade(settings: Settings, progress: Progress, *, grant_to: str | None = None) -> None:
    """Bring every database to the newest revision; those that are there already stay as they are.

    Two upgrades at once are safe: the second waits, and finds nothing left to do. The role `grant_to` may
    then read and write rows everywhere, and no more.
    """
    for place in places_of(settings):
        await upgrade_place(place, progress, grant_to=grant_to)


async def check(settings: Settings) -> list[SchemaState]:
    """How every database stands; a node starts only if all are current."""
    return [await standing_of(place) for place in places_of(settings)]


async def upgrade_place(
    place: SchemaPlace, progress: Progress, *, to: str = HEAD, grant_to: str | None = None
) -> None:
    """Upgrade one database to a revision, in one transaction per step, and open it to a role."""
    async with _connected(place) as connection, _turn(connection, place):
        role = await connection.fetchval("SELECT current_user")
        try:
            await _upgrade(connection, place, progress, to)
        except asyncpg.InsufficientPrivilegeError as trouble:
            sentence = f"{place.shown}: the role {role} may not upgrade it ({trouble})"
            raise MigrationError(f"{sentence}: {_as_owner(grant_to or role)}") from trouble
        if grant_to is not None:
            try:
                await grant(connection, place.line.schema, grant_to)
            except GrantRefused as trouble:
                raise MigrationError(f"{place.shown}: {trouble}") from trouble


async def _upgrade(connection: Connection, place: SchemaPlace, progress: Progress, to: str) -> None:
    found = await _found(connection, place.line)
    if found is not None and not place.line.knows(found):
        raise MigrationError(str(_standing(place, found)))
    for revision in place.line.after(found, to):
        await _make_patiently(connection, place, list(place.line.statements(revision)))
        progress(Done(database=place.shown, revision=revision))


async def standing_of(place: SchemaPlace, *, patience: float = PATIENCE) -> SchemaState:
    """How one database stands."""
    async with _connected(place, patience) as connection:
        schema, role = place.line.schema, await connection.fetchval("SELECT current_user")
        missing = await missing_for(connection, schema, role)
        may_alter = bool(await excess_of(connection, schema, role))
        if missing:
            # A role that lacks something might not even be allowed to read the revision.
            standing = replace(_standing(place, None), state=State.CLOSED, missing=missing)
        else:
            standing = _standing(place, await _found(connection, place.line))
        return replace(standing, role=role, may_alter=may_alter)


def _standing(place: SchemaPlace, found: str | None) -> SchemaState:
    wanted = place.line.head()
    if found == wanted:
        state = State.CURRENT
    else:
        state = State.BEHIND if found is None or place.line.knows(found) else State.AHEAD
    return SchemaState(
        database=place.shown, schema=place.line.schema, found=found, wanted=wanted, state=state
    )


async def _found(connection: Connection, line: RevisionLine) -> str | None:
    table = f"{line.schema}.alembic_version"
    if await connection.fetchval("SELECT to_regclass($1)", table) is None:
        return None
    found: str | None = await connection.fetchval(f"SELECT version_num FROM {table}")  # noqa: S608  # our own name
    return found


async def _make_patiently(connection: Connection, place: SchemaPlace, statements: list[str]) -> None:
    """Apply a revision, from its beginning again whenever others hold a table for too long."""
    for _ in range(LOCK_TRIES):
        try:
            await _make(connection, place, statements)
        except asyncpg.LockNotAvailableError:
            await connection.execute("ROLLBACK")
            await asyncio.sleep(TURN_PAUSE)
        else:
            return
    raise MigrationError(
        f"{place.shown}: others hold a table for too long; try again when there is less to do"
    )


async def _make(connection: Connection, place: SchemaPlace, statements: list[str]) -> None:
    for statement in statements:
        try:
            await connection.execute(statement)
        except (asyncpg.LockNotAvailableError, asyncpg.InsufficientPrivilegeError):
            raise
        except asyncpg.PostgresError as trouble:
            beginning = statement.splitlines()[0][:100]
            raise MigrationError(f"{place.shown}: {trouble} (at `{beginning}`)") from trouble


@asynccontextmanager
async def _connected(place: SchemaPlace, patience: float = PATIENCE) -> AsyncIterator[Connection]:
    """A dedicated connection: closing it undoes whatever was left half done."""
    connect = functools.partial(_connect, place.dsn)
    connection = await reach(place.dsn, connect, variable=place.variable, patience=patience)
    try:
        version = connection.get_server_version()
        if version.major < OLDEST_POSTGRES:
            raise MigrationError(
                f"{place.shown} is PostgreSQL {version.major}; it must be {OLDEST_POSTGRES} or newer"
            )
        yield connection
    finally:
        connection.terminate() if connection.is_in_transaction() else await connection.close()


async def _connect(dsn: str) -> Connection:
    return await asyncpg.connect(
        dsn,
        timeout=CONNECT_SECONDS,
        server_settings={"application_name": "cartagena db", "lock_timeout": LOCK_TIMEOUT},
    )


@asynccontextmanager
async def _turn(connection: Connection, place: SchemaPlace) -> AsyncIterator[None]:
    """Let upgrades of one database run one after another."""
    # Polled, not waited for: an index that is built concurrently waits for every statement under way, and so
    # would also wait for one that waits here.
    key = crc32(f"cartagena {place.line.schema}".encode())
    tries = int(TURN_PATIENCE / TURN_PAUSE)
    while not await connection.fetchval("SELECT pg_try_advisory_lock($1)", key):
        tries -= 1
        if not tries:
            raise MigrationError(
                f"{place.shown} is being upgraded by another program; try again when it is done"
            )
        await asyncio.sleep(TURN_PAUSE)
    yield  # the lock ends with the connection
