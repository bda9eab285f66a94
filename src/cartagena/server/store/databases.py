"""The databases while the service runs: a pool of connections to each."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Final, TypeVar
from uuid import UUID

import asyncpg
import structlog

from cartagena.rules.refusals import CartagenaError
from cartagena.server.shared.settings import Settings
from cartagena.server.shared.settings_parsing import without_secret
from cartagena.server.store import statements
from cartagena.server.store.shards import VARIABLE, Connection, Held, Pool, ShardDirectory, ShardMap
from cartagena.tables.ids import bucket_of

# Replication: what is acknowledged is also on the synchronous standby, where a primary has one.
#
# A commit that waits for its standby may be interrupted, by a timeout here or by a cancel on the server. It
# is then visible to all in the primary, and is lost with it. Nothing tells which commits those are; but a
# standby that has confirmed a later commit has everything before it.

CONFIRM_SECONDS: Final = 5.0
A_LATER_COMMIT: Final = f"SELECT {statements.LATER}"
WARNING: Final = "WARNING"


class NotConfirmed(ConnectionError):
    """PostgreSQL was made to stop waiting for the standby: only the primary is sure to have a commit."""


async def fetch_confirmed(
    pool: Pool, statement: str, *arguments: object, seconds: float | None = None
) -> list[asyncpg.Record]:
    """Run a statement that writes; raises NotConfirmed if its wait for the standby was interrupted."""
    async with pool.acquire() as connection:
        return await _fetch_confirmed(connection, statement, *arguments, seconds=seconds)


async def fetch_seen(pool: Pool, statement: str, *arguments: object) -> asyncpg.Record | None:
    """The row that a statement sees, once the standby has it; the statement calls `LATER` if it sees one.

    Looking first and confirming later would not do: in between, the standby may have taken over without it.
    Raises one of AWAY.
    """
    rows = await fetch_confirmed(pool, statement, *arguments, seconds=CONFIRM_SECONDS)
    return rows[0] if rows else None


async def confirm(pool: Pool) -> None:
    """Return once the standby has all that is visible in the primary now; raises one of AWAY otherwise."""
    await fetch_confirmed(pool, A_LATER_COMMIT, seconds=CONFIRM_SECONDS)


async def confirm_on(connection: Held) -> None:
    """Return once the standby has what was done or seen on a connection; raises one of AWAY otherwise.

    A pool may lead to another primary by now, which never had it.
    """
    await _fetch_confirmed(connection, A_LATER_COMMIT, seconds=CONFIRM_SECONDS)


async def _fetch_confirmed(
    connection: Held, statement: str, *arguments: object, seconds: float | None = None
) -> list[asyncpg.Record]:
    warnings: list[str | None] = []

    def hear(_: "Connection | Held", message: asyncpg.PostgresLogMessage) -> None:
        # PostgreSQL only warns about it, and then reports success.
        if getattr(message, "severity_en", None) == WARNING:
            warnings.append(message.sqlstate)

    connection.add_log_listener(hear)
    try:
        rows = await connection.fetch(statement, *arguments, timeout=seconds)
    finally:
        connection.remove_log_listener(hear)
    if warnings:
        raise NotConfirmed("a commit was not confirmed by the standby")
    return rows


Opened = TypeVar("Opened")

PATIENCE: Final = 30.0
"""How many seconds a database may take to become reachable when the service starts."""
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 2.0
CONNECT_SECONDS: Final = 10.0
COMMAND_SECONDS: Final = 30.0
"""After this long without an answer the connection is given up: the network may have swallowed it."""
LOCK_TIMEOUT: Final = "5s"
"""How long a statement waits for a row or a table that another one holds."""
CLOSE_SECONDS: Final = 5.0

AWAY: Final = (
    OSError,  # a timeout is one too
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the connection ended while asyncpg asked for the types of a statement
    asyncpg.OperatorInterventionError,  # it shuts down, crashed, or is just starting
    asyncpg.InsufficientResourcesError,  # its disk is full, or it has no room for one more connection
    asyncpg.LockNotAvailableError,  # another transaction holds the lock for too long
)
"""What is raised when a database does not answer; whether it did what it was asked is unknown."""

_MAY_PASS: Final = (
    OSError,  # nothing listens there, no such host yet, a connection cut; a timeout is one too
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)
_NOT_LET_IN: Final = (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InsufficientPrivilegeError)
_log: Final = structlog.get_logger()


class DatabaseAway(CartagenaError):
    """A database that the service needs cannot be used; the sentence says what to do."""


class Databases:
    """Every database of the service: the directory, and the databases of games by the shard map.

    The directory has its own pool even where it is the same database: the lobby never keeps a move waiting.
    """

    def __init__(self, directory: Pool, shards: tuple[Pool, ...], shard_map: ShardMap) -> None:
        self.directory = directory
        self._shards = shards
        self.whereabouts = ShardDirectory(shards, shard_map)

    @classmethod
    async def open(cls, settings: Settings, *, program: str, patience: float = PATIENCE) -> "Databases":
        """Connect to all of them; `program` is the application name that PostgreSQL shows.

        Raises SettingsError or DatabaseAway, each saying what to do about it.
        """
        shard_map = ShardMap.parse(settings.shards)
        async with AsyncExitStack() as opened:

            async def pool(variable: str, dsn: str, most: int) -> Pool:
                made = await reach(
                    dsn, lambda: _pool(dsn, program, most), variable=variable, patience=patience
                )
                opened.push_async_callback(_close, made, CLOSE_SECONDS)
                return made

            directory = await pool("CARTAGENA_DIRECTORY", settings.directory, settings.directory_pool)
            shards = [await pool(VARIABLE, dsn, settings.pool) for dsn in shard_map.primaries]
            opened.pop_all()
            return cls(directory, tuple(shards), shard_map)

    def shard_of(self, game_id: UUID) -> Pool:
        """The database that holds a game."""
        return self._shards[self.whereabouts.place_of(bucket_of(game_id))]

    async def look_again(self, game_id: UUID, asked: Pool) -> bool:
        """Whether to look once more for a game that a database does not know: its bucket has moved."""
        return await self.whereabouts.follow(bucket_of(game_id), self._shards.index(asked))

    def shards(self) -> tuple[Pool, ...]:
        """Every database of games, each once."""
        return self._shards

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:  # noqa: ASYNC109  # what is late is cut off
        """Let what is under way finish within `timeout` seconds, then hang up."""
        await asyncio.gather(*(_close(pool, timeout) for pool in (self.directory, *self._shards)))


async def reach(
    dsn: str, connect: Callable[[], Awaitable[Opened]], *, variable: str, patience: float = PATIENCE
) -> Opened:
    """Connect, retrying while the trouble may pass; raises DatabaseAway if it does not."""
    loop = asyncio.get_running_loop()
    last_moment, pause, told = loop.time() + patience, FIRST_PAUSE, ""
    while True:
        try:
            return await connect()
        except _MAY_PASS as trouble:
            if loop.time() + pause > last_moment:
                raise DatabaseAway(_sentence(dsn, trouble, variable)) from trouble
            told = _tell_once(dsn, _reason(trouble), told)
        except asyncpg.PostgresError as trouble:
            raise DatabaseAway(_sentence(dsn, trouble, variable)) from trouble
        except (asyncpg.InterfaceError, ValueError) as trouble:
            # The error's own text, and that of its cause, may quote the password.
            raise DatabaseAway(_sentence(dsn, trouble, variable)) from None
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _tell_once(dsn: str, reason: str, told: str) -> str:
    if reason != told:
        _log.warning("waiting_for_database", database=without_secret(dsn), reason=reason)
    return reason


async def _pool(dsn: str, program: str, most: int) -> Pool:
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=most,
        reset=_nothing_to_reset,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        statement_cache_size=256,
        server_settings={
            "application_name": program,
            "timezone": "UTC",
            # Our statements are short; compiling one takes longer than running it.
            "jit": "off",
            # A node that froze must not keep a game locked, and what is locked must not hold up others.
            "idle_in_transaction_session_timeout": "30s",
            "lock_timeout": LOCK_TIMEOUT,
        },
    )


async def _nothing_to_reset(_: Connection) -> None:
    """Save the round trip that asyncpg makes whenever a connection comes back.

    An open transaction is rolled back before this; no code sets, listens or locks on a pooled connection.
    """


async def _close(pool: Pool, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await pool.close()  # interrupted, it hangs up at once


def _sentence(dsn: str, trouble: Exception, variable: str) -> str:
    return f"{without_secret(dsn)}: {_advice(dsn, trouble)}, or set {variable} to another database"


def _advice(dsn: str, trouble: Exception) -> str:
    if isinstance(trouble, asyncpg.InvalidCatalogNameError):
        name = without_secret(dsn).rpartition("/")[2]
        return f"there is no such database; create it with `createdb {name}`"
    if isinstance(trouble, _NOT_LET_IN):
        return f"PostgreSQL does not let this user in ({_reason(trouble)}); check user and password"
    if isinstance(trouble, asyncpg.PostgresError):
        return f"PostgreSQL refuses ({_reason(trouble)}); put that right"
    if isinstance(trouble, _MAY_PASS):
        return f"nothing answers there ({_reason(trouble)}); start PostgreSQL"
    return "this address cannot be understood; write postgresql://user@host:5432/name"


def _reason(trouble: Exception) -> str:
    return str(trouble) or type(trouble).__name__
