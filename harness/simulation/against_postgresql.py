"""Compare the model with the real thing: ask PostgreSQL what simulations asked, answer by answer.

PostgreSQL gets the simulated time from functions that come before its own in the search path.
"""

import asyncio
import datetime as dt
import os
from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import Any, Final

import asyncpg
from rich.console import Console

from cartagena.server.store.databases import A_LATER_COMMIT
from cartagena.server.store.migrate import SchemaPlace, upgrade_place
from cartagena.server.store.migrations import SHARD
from cartagena.server.store.shards import Connection
from harness.services import own_database, services
from harness.simulation.database import BEGAN_AGAIN, COPIED_INTO, Heard
from harness.simulation.rows import KINDS, Row, Rows
from harness.simulation.run import run_seed
from harness.simulation.world import PLACES

MOST_SHOWN: Final = 5
UNKNOWABLE: Final = {"pg_logical_emit_message", "case"}
"""Places in the real log."""
NOT_REPLAYED: Final = {A_LATER_COMMIT}
MOST_SAID: Final = 500

OUR_TIME: Final = """
CREATE SCHEMA simulated;
CREATE FUNCTION simulated.now() RETURNS timestamptz STABLE LANGUAGE sql
    AS $$ SELECT current_setting('simulated.now')::timestamptz $$;
CREATE FUNCTION simulated.pg_walfile_name(pg_lsn) RETURNS text STABLE LANGUAGE sql
    AS $$ SELECT current_setting('simulated.timeline') $$;
"""
FIRST_OURS: Final = "SET search_path TO simulated, pg_catalog, public"
"""Named explicitly, PostgreSQL's own functions come after ours."""


class Replay:
    """The real databases on which one run after another is replayed."""

    def __init__(self, connections: list[Connection]) -> None:
        self._connections = connections
        self.statements = 0
        self.differences: list[str] = []

    async def run(self, seed: int) -> None:
        """Replay one seed, beginning with an empty database."""
        # In a thread, because it has an event loop of its own.
        run = await asyncio.to_thread(run_seed, seed)
        for place, connection in enumerate(self._connections):
            await self._fill(connection, Rows(run.identities[place]))
        for number, heard in enumerate(run.heard):
            if heard.statement in NOT_REPLAYED:
                continue
            expected, found = _plain(heard.answer), await self._answer(heard)
            if expected == asyncpg.UniqueViolationError.__name__:
                expected = []  # replayed one after another, the second finds the first and returns nothing
            self.statements += 1
            if expected != found:
                self.differences.append(
                    f"seed {seed}, statement {number}, {heard.statement.strip()[:60]!r}: "
                    f"{str(expected)[:MOST_SAID]} is {str(found)[:MOST_SAID]}"
                )
                return

    async def _answer(self, heard: Heard) -> list[str] | str:
        connection = self._connections[heard.place]
        if heard.statement == BEGAN_AGAIN:
            await self._fill(connection, heard.args[0])
            return []
        if heard.statement.startswith(COPIED_INTO):
            await _bring(connection, heard.statement.removeprefix(COPIED_INTO), list(heard.args))
            return []
        await connection.execute("SELECT set_config('simulated.now', $1, false)", heard.now.isoformat())
        try:
            rows = await connection.fetch(heard.statement, *heard.args)
        except asyncpg.PostgresError as error:
            return type(error).__name__
        return _plain([dict(row) for row in rows])

    async def _fill(self, connection: Connection, rows: Rows) -> None:
        """Replace all rows with these."""
        await connection.execute(f"TRUNCATE {', '.join(f'shard.{kind}' for kind in KINDS)}, shard.identity")
        await connection.execute("INSERT INTO shard.identity VALUES ($1)", rows.identity)
        await connection.execute("SELECT set_config('simulated.timeline', $1, false)", rows.timeline)
        # Departures last, games before them: a game cannot begin in a bucket that has left.
        for kind in (*(kind for kind in KINDS if kind not in ("games", "departures")), "games", "departures"):
            kept = getattr(rows, kind).values()
            flat = [row for each in kept for row in (each if isinstance(each, tuple) else (each,))]
            await _bring(connection, kind, flat)


async def _bring(connection: Connection, kind: str, rows: list[Row]) -> None:
    if rows:
        names = list(rows[0])
        records = [tuple(row[name] for name in names) for row in rows]
        await connection.copy_records_to_table(kind, schema_name="shard", columns=names, records=records)


def _plain(answer: list[Row] | str) -> list[str] | str:
    """An answer in a form that can be compared: rows of a set have no order."""
    if isinstance(answer, str):
        return answer
    return sorted(
        repr({name: _value(value) for name, value in sorted(row.items()) if name not in UNKNOWABLE})
        for row in answer
    )


def _value(value: Any) -> Any:
    if isinstance(value, (list, tuple, asyncpg.Record)):
        return [_value(one) for one in value]
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    return int(value) if isinstance(value, int) else value


async def compare(seeds: Iterable[int], console: Console) -> int:
    """Replay seeds; 1 if an answer differs."""
    server = services()[0].address(os.environ)
    async with AsyncExitStack() as opened:
        connections = []
        for _ in range(PLACES):
            dsn = await opened.enter_async_context(own_database(server, "simulated"))
            connections.append(await _prepared(dsn))
            opened.push_async_callback(connections[-1].close)
        replay = Replay(connections)
        runs = 0
        with console.status("replaying") as status:
            for seed in seeds:
                await replay.run(seed)
                runs += 1
                status.update(f"replaying seed {seed}: {replay.statements:,} statements")
    console.print(
        f"{runs} seeds replayed on PostgreSQL: {replay.statements:,} statements, "
        f"{len(replay.differences)} differ"
    )
    for difference in replay.differences[:MOST_SHOWN]:
        console.print(f"  {difference}", soft_wrap=True)
    return 1 if replay.differences else 0


async def _prepared(dsn: str) -> Connection:
    """A database with the tables of the service, in which the time is ours."""
    connection: Connection = await asyncpg.connect(dsn)
    await connection.execute(OUR_TIME)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"ALTER DATABASE {name} SET search_path TO simulated, pg_catalog, public")
    await upgrade_place(SchemaPlace(line=SHARD, dsn=dsn, variable=""), lambda *_: None)
    await connection.execute(FIRST_OURS)
    return connection
