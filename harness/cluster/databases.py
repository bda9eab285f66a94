"""The databases of the cluster: primaries in folders of their own, the first with a synchronous standby."""

import asyncio
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

import asyncpg

from cartagena.tables.ids import BUCKETS
from harness.faults.processes import Postgres
from harness.servers import as_postgres, free_port, give_to_postgres, postgres_options, program

GAMES: Final = "games"
DIRECTORY: Final = "directory"
SETTINGS: Final = {
    "max_connections": "300",
    "shared_buffers": "256MB",
    "max_wal_size": "4GB",
}
STANDBY_SECONDS: Final = 60.0
DISK: Final = "3g"


class Primary(Postgres):
    """A PostgreSQL cluster with room for every process of the service."""

    own_settings: ClassVar[dict[str, str]] = {}

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SETTINGS | self.own_settings)
        self.folder = folder

    async def ask(self, statement: str, database: str = "postgres") -> object:
        """Run one statement and return the first value of its answer."""
        connection = await asyncpg.connect(self.dsn(database))
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    async def create(self, name: str) -> str:
        """Make a database and return its address."""
        await self.ask(f"CREATE DATABASE {name}")
        return self.dsn(name)


class SmallPrimary(Primary):
    """A primary on a disk of its own, in memory and small, which can be filled."""

    own_settings: ClassVar = {"max_wal_size": "512MB"}

    def start(self) -> None:
        """Make the disk and the primary on it."""
        self.folder.mkdir(parents=True)
        subprocess.run(
            [program("mount"), "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(self.folder)], check=True
        )
        super().start()

    def fill(self) -> None:
        """Leave no room at all."""
        with (self.folder / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(1 << 20)):
                pass

    def make_room(self) -> None:
        """Throw away what is of no use."""
        (self.folder / "ballast").unlink()

    def stop(self) -> None:
        """End it, and take the disk away."""
        super().stop()
        subprocess.run([program("umount"), str(self.folder)], check=False)


class Standby:
    """A copy of a primary that holds every commit before it is acknowledged, and can take its place."""

    def __init__(self, primary: Primary) -> None:
        self._primary = primary
        self._folder = primary.folder.with_name(f"{primary.folder.name}-standby")
        self.data = self._folder / "data"
        self.port = free_port()

    def start(self) -> None:
        """Copy the primary, follow it, and make every commit wait for this standby."""
        self._folder.mkdir()
        give_to_postgres(self._folder)
        as_postgres(
            *(program("pg_basebackup"), "-d", self._primary.dsn("postgres"), "-D", str(self.data)),
            *("--checkpoint=fast", "--write-recovery-conf", "--wal-method=stream"),
        )
        self._control("-o", postgres_options(self.port), "start")
        asyncio.run(self._primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'"))
        asyncio.run(self._primary.ask("SELECT pg_reload_conf()"))
        last_moment = time.monotonic() + STANDBY_SECONDS
        while not asyncio.run(self.is_synchronous()):
            if time.monotonic() > last_moment:
                raise RuntimeError("the standby does not follow")
            time.sleep(0.1)

    def follow_again(self) -> None:
        """Go on after a stop."""
        self._control("-o", postgres_options(self.port), "start")

    async def is_synchronous(self) -> bool:
        """Whether a commit waits for this standby."""
        return await self._primary.ask("SELECT sync_state FROM pg_stat_replication LIMIT 1") == "sync"

    def promote(self) -> None:
        """Take the place of the primary, which is gone; commits no longer wait for a standby."""
        self._control("promote")
        asyncio.run(self._lead())

    async def _lead(self) -> None:
        connection = await asyncpg.connect(self._primary.dsn("postgres", self.port))
        try:
            await connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
            await connection.execute("SELECT pg_reload_conf()")
        finally:
            await connection.close()

    def stop(self) -> None:
        """End it."""
        if (self.data / "postmaster.pid").exists():
            self._control("-m", "fast", "stop")

    def _control(self, *words: str) -> None:
        as_postgres(program("pg_ctl"), "-D", str(self.data), "-w", "-l", str(self._folder / "log"), *words)


def address(primary: Primary, name: str, standby: Standby | None = None) -> str:
    """The address of a database: with a standby, whichever of the two servers accepts writes."""
    dsn = primary.dsn(name)
    if standby is None:
        return dsn
    here = f"127.0.0.1:{primary.port}"
    return f"{dsn.replace(here, f'{here},127.0.0.1:{standby.port}')}?target_session_attrs=primary"


def spread(dsns: Sequence[str]) -> str:
    """The shard map that gives each database as many buckets as the others."""
    number = len(dsns)
    return ",".join(
        f"{BUCKETS * place // number}-{BUCKETS * (place + 1) // number - 1}={dsn}"
        for place, dsn in enumerate(dsns)
    )
