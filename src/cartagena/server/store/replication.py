"""Replication: what is acknowledged is also on the synchronous standby, where a primary has one.

A commit that waits for its standby may be interrupted, by a timeout here or by a cancel on the server. It is
then visible to all in the primary, and is lost with it. Nothing tells which commits those are; but a standby
that has confirmed a later commit has everything before it.
"""

from typing import Final

import asyncpg

from cartagena.server.store import statements
from cartagena.server.store.pool import Connection, Held, Pool

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
