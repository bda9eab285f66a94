"""What a restore drill loses and restores: a PostgreSQL cluster, and the one process that serves from it."""

import asyncio
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncpg

from cartagena.server.store.shards import Connection
from harness.faults.processes import READY_SECONDS, Child, is_ready
from harness.servers import OwnPostgres, as_postgres, free_port, give_to_postgres, program
from harness.services import environment_with

SCRIPTS: Final = Path(__file__).parents[2] / "deploy" / "backup"
ARCHIVE_SECONDS: Final = 1
"""The archive_timeout of the drill; a club has 60."""
PATIENCE: Final = 60.0
NOW: Final = "SELECT clock_timestamp() AS at, pg_walfile_name(pg_current_wal_lsn()) AS piece"


SIGN_OF_LIFE: Final = "SELECT pg_logical_emit_message(false, 'drill', 'ahoy')"
"""Writes something: PostgreSQL never archives a piece of the log in which nothing was written."""


class DrillFailed(Exception):
    """The drill cannot go on; the sentence says what did not happen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A moment by PostgreSQL's own clock, and how far its log had come then."""

    at: datetime
    piece: str

    def __str__(self) -> str:
        return self.at.astimezone(UTC).isoformat(sep=" ")


class Cluster:
    """A cluster with log archiving; everything of it, backups too, lives in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.backups = folder / "backups"
        self._scripts = folder / "scripts"
        self._pass_file = folder / "pgpass"
        keep = f"BACKUPS={self.backups} {self._scripts}/keep-wal %p %f"
        settings = {
            "archive_mode": "on",
            "archive_command": keep,
            "archive_timeout": str(ARCHIVE_SECONDS),
        }
        self._own = OwnPostgres(folder / "postgres", settings)
        self._server = ""

    async def start(self) -> None:
        """Make it if it does not exist, start it, and wait until it accepts writes."""
        if not self._scripts.exists():
            self.backups.mkdir(parents=True)
            # A copy, because the user of PostgreSQL may not be allowed to look into the checkout.
            shutil.copytree(SCRIPTS, self._scripts)
            self._pass_file.touch(mode=0o600)
            give_to_postgres(self.backups, self._pass_file)
        self._server = await asyncio.to_thread(self._own.start)
        password = self._server.partition("cartagena:")[2].partition("@")[0]
        self._pass_file.write_text(f"*:*:*:cartagena:{password}\n", encoding="utf-8")
        await self._until("SELECT NOT pg_is_in_recovery()", "the cluster does not come up")

    def dsn(self, name: str) -> str:
        """The address of one of its databases."""
        return f"{self._server.rpartition('/')[0]}/{name}"

    async def new_database(self, name: str) -> None:
        """Make an empty database."""
        async with self._connected() as connection:
            await connection.execute(f"CREATE DATABASE {name}")

    async def base_backup(self) -> str:
        """Back up as an operator does; return what the script prints."""
        return await asyncio.to_thread(self._run, "base-backup")

    async def moment(self) -> Moment:
        """Now: all that is committed already has an earlier time."""
        async with self._connected() as connection:
            row = await connection.fetchrow(NOW)
        assert row is not None, "there is always a now"
        return Moment(at=row["at"], piece=row["piece"])

    async def until_kept(self, moment: Moment) -> float:
        """Wait until the log is archived beyond a moment; return how many seconds that took."""
        began = time.monotonic()
        async with self._connected() as connection:
            await connection.execute(SIGN_OF_LIFE)
        kept = "SELECT coalesce(last_archived_wal >= $1, false) FROM pg_stat_archiver"
        await self._until(kept, "the log is not archived", moment.piece)
        return time.monotonic() - began

    async def lose(self) -> None:
        """Lose the disk: nothing is left but the backups."""
        self._control("stop", "-m", "immediate")
        await asyncio.to_thread(shutil.rmtree, self._own.data)

    async def restore(self, moment: Moment) -> str:
        """Restore as an operator does, and start; return what the script prints."""
        told = await asyncio.to_thread(self._run, "restore", str(self._own.data), str(moment))
        await self.start()
        return told

    async def stop(self) -> None:
        """Stop it, if it runs."""
        await asyncio.to_thread(self._own.stop)

    def sizes(self) -> tuple[int, int]:
        """How many bytes the base backups have, and how many the kept log."""
        base, log = self.backups / "base", self.backups / "wal"
        return _bytes_in(base), _bytes_in(log)

    def pieces(self) -> int:
        """How many pieces of the log are kept."""
        return sum(1 for _ in (self.backups / "wal").glob("*.gz"))

    # What it is made of.

    def _run(self, script: str, *arguments: str) -> str:
        place = self._server.rpartition("@")[2]
        host, _, port = place.partition("/")[0].partition(":")
        environment = {
            "BACKUPS": self.backups,
            "PATH": f"{Path(program('pg_verifybackup')).parent}:/usr/bin:/bin",
            "PGHOST": host,
            "PGPORT": port,
            "PGUSER": "cartagena",
            "PGPASSFILE": self._pass_file,
        }
        pairs = [f"{name}={value}" for name, value in environment.items()]
        return as_postgres("env", *pairs, str(self._scripts / script), *arguments)

    def _control(self, what: str, *arguments: str) -> None:
        as_postgres(program("pg_ctl"), "-D", str(self._own.data), "-w", *arguments, what)

    async def _until(self, question: str, trouble: str, *arguments: object) -> None:
        last_moment = time.monotonic() + PATIENCE
        async with self._connected() as connection:
            while not await connection.fetchval(question, *arguments):
                if time.monotonic() > last_moment:
                    raise DrillFailed(trouble)
                await asyncio.sleep(0.05)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Connection]:
        connection = await asyncpg.connect(self._server)
        try:
            yield connection
        finally:
            await connection.close()


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


CARTAGENA: Final = (sys.executable, "-m", "cartagena")


class Service:
    """`cartagena serve`, killed with its cluster and started again on another."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "service.log"
        self._child: Child | None = None
        self.url = ""

    async def start(self, directory: str, games: str) -> None:
        """Start it, and wait until it is ready."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        environment = _environment(directory, games) | {"CARTAGENA_PORT": str(port)}
        self._child = Child("web", (*CARTAGENA, "serve"), self._log, environment)
        self._child.start()
        last_moment = time.monotonic() + READY_SECONDS
        while not await is_ready(port):
            if time.monotonic() > last_moment or not self._child.runs:
                raise DrillFailed(f"the service does not get ready\n{self._child.last_words()}")
            await asyncio.sleep(0.1)

    async def kill(self) -> None:
        """End it without a warning, and what it started too."""
        if self._child is not None:
            await asyncio.to_thread(self._child.end_all)

    async def command(self, directory: str, games: str, *words: str) -> str:
        """Run a command of cartagena and return what it printed; raises DrillFailed if it failed."""
        process = await asyncio.create_subprocess_exec(
            *CARTAGENA,
            *words,
            env=_environment(directory, games),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, trouble = await process.communicate()
        if process.returncode:
            raise DrillFailed(f"cartagena {' '.join(words)} failed:\n{told.decode()}{trouble.decode()}")
        return told.decode()


def _environment(directory: str, games: str) -> dict[str, str]:
    return environment_with(
        {
            "CARTAGENA_DIRECTORY": directory,
            "CARTAGENA_SHARDS": games,
            "CARTAGENA_PACE": "1000",
            "CARTAGENA_POOL": "4",
            "CARTAGENA_DIRECTORY_POOL": "4",
            "CARTAGENA_LOG": "json",
            "NO_COLOR": "1",
        }
    )
