"""The processes of `make faults`: started here, killed here, and gone at the end."""

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import asyncpg

from cartagena.server.shared.settings import Settings
from harness.http_client import Node
from harness.servers import CannotStart, OwnPostgres, as_postgres, free_port, postgres_options, program
from harness.services import environment_with
from harness.tcp_proxy import Link

READY_SECONDS: Final = 60.0
STOP_SECONDS: Final = 15.0


class Child:
    """A process with a name, in a session of its own, whose output goes into a file."""

    def __init__(self, name: str, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self._command = tuple(command)
        self._log = log
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._groups: set[int] = set()
        self.starts = 0

    def change(self, command: Sequence[str]) -> None:
        """Run another program from the next start on."""
        self._command = tuple(command)

    def start(self) -> None:
        """Start it, again after a kill."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._groups.add(self._process.pid)
        self.starts += 1

    @property
    def runs(self) -> bool:
        """Whether it is there."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """Kill it without a warning; its own child processes have to notice by themselves."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    async def stop(self) -> bool:
        """Ask it to end and wait for that; False if it had to be killed."""
        process = self._process
        if process is None or process.poll() is not None:
            return True
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(process.wait, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._pid

    def orphans(self) -> int:
        """How many processes that it started are still alive though it is dead."""
        return sum(_living(group) for group in self._groups if not self.runs or group != self._pid)

    @property
    def _pid(self) -> int:
        return -1 if self._process is None else self._process.pid

    def end_all(self) -> None:
        """Leave nothing behind, neither it nor what it started."""
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def last_words(self) -> str:
        """The end of its log."""
        return self._log.read_text(errors="replace")[-2000:] if self._log.exists() else ""


def _living(group: int) -> int:
    """How many processes of a group are alive; zombies do not count."""
    listed = subprocess.run(
        [program("ps"), "-g", str(group), "-o", "stat="], capture_output=True, text=True, check=False
    )
    return sum(not state.startswith("Z") for state in listed.stdout.split())


class Postgres:
    """A PostgreSQL cluster on one port, which can be killed with all its processes and started again."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self._own = OwnPostgres(folder, settings)
        self.port = 0
        self._server = ""

    def start(self) -> None:
        """Make the cluster and start it."""
        self._server = self._own.start()
        self.port = int(self._server.rpartition(":")[2].split("/")[0])

    def dsn(self, name: str, port: int | None = None) -> str:
        """The address of one of its databases, through a relay if the port of one is given."""
        server = self._server.rpartition("/")[0].replace(f":{self.port}", f":{port or self.port}")
        return f"{server}/{name}"

    async def new_database(self) -> str:
        """The name of a new, empty database."""
        name = f"faults_{secrets.token_hex(4)}"
        connection = await asyncpg.connect(self._server)
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()
        return name

    def runs(self) -> bool:
        """Whether it runs."""
        return self._own.runs()

    def kill(self) -> None:
        """Kill all of it at once, as a power cut would."""
        main = int((self._own.data / "postmaster.pid").read_text().split()[0])
        listed = subprocess.run(
            [program("ps"), "--ppid", str(main), "-o", "pid="], capture_output=True, text=True, check=False
        )
        for pid in (main, *map(int, listed.stdout.split())):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def start_again(self) -> None:
        """Start it on its old port; it repairs itself from its log."""
        control = (program("pg_ctl"), "-D", str(self._own.data), "-w", "-l", str(self._own.log))
        last_moment = time.monotonic() + STOP_SECONDS
        while True:
            try:
                as_postgres(*control, "-o", postgres_options(self.port), "start")
            except CannotStart:
                # A process that is just dying still holds the shared memory of those that were killed.
                if time.monotonic() > last_moment:
                    raise
                time.sleep(0.2)
            else:
                return

    def stop(self) -> None:
        """End it."""
        with suppress(Exception):  # killed, and not started again
            self._own.stop()


class House:
    """Two web nodes and two workers on a PostgreSQL and a NATS server of their own.

    They are what is tested, or, to be upgraded, the `program` of an earlier release.
    """

    def __init__(self, folder: Path, program: tuple[str, ...] | None = None) -> None:
        self._folder = folder
        self._program = program or CARTAGENA
        self.postgres = Postgres(folder / "postgres")
        self.relay: Link | None = None
        self.database = ""
        self.children: dict[str, Child] = {}
        self.ports: dict[str, int] = {}
        self._direct: dict[str, str] = {}

    @property
    def dsn(self) -> str:
        """The address of the database, not through the relay."""
        return self.postgres.dsn(self.database)

    @property
    def settings(self) -> Settings:
        """How to reach the database with few connections, so that the service keeps its own."""
        return Settings.read({"CARTAGENA_DIRECTORY": self.dsn, "CARTAGENA_POOL": "2"})

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that clients connect to."""
        return tuple(Node(name, self.ports[name]) for name in ("web 1", "web 2"))

    @property
    def workers(self) -> list[str]:
        """The names of the processes that play for bots."""
        return ["worker 1", "worker 2"]

    async def start(self) -> None:
        """Start everything, in order."""
        await asyncio.to_thread(self.postgres.start)
        self.database = await self.postgres.new_database()
        self.relay = Link(self.postgres.port)
        await self.relay.start()
        nats = free_port()
        command = (program("nats-server"), "-a", "127.0.0.1", "-p", str(nats))
        self._add("nats", command, {}).start()
        self.ports["nats"] = nats
        await until(lambda: listens(nats), "nats does not start")
        direct = self._environment(self.dsn, nats)
        self._direct = direct
        await self.upgrade(self._program)
        relayed = self._environment(self.postgres.dsn(self.database, self.relay.port), nats)
        for name, environment in (("web 1", direct), ("web 2", relayed)):
            self.ports[name] = free_port()
            self._add(name, self._command(name, self._program), environment).start()
        for name in ("worker 1", "worker 2"):
            self._add(name, self._command(name, self._program), direct).start()
        for name in ("web 1", "web 2"):
            await self.wait_for(name)

    def _add(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Child:
        child = Child(name, command, self._folder / f"{name.replace(' ', '-')}.log", environment)
        self.children[name] = child
        return child

    def _environment(self, dsn: str, nats: int) -> dict[str, str]:
        return environment_with(
            {
                "CARTAGENA_DIRECTORY": dsn,
                "CARTAGENA_NATS": f"nats://127.0.0.1:{nats}",
                "CARTAGENA_PACE": "100000",
                "CARTAGENA_POOL": "4",
                "CARTAGENA_DIRECTORY_POOL": "4",
                "CARTAGENA_LOG": "json",
            }
        )

    def _command(self, name: str, program: Sequence[str]) -> tuple[str, ...]:
        if name.startswith("worker"):
            return (*program, "worker")
        return (*program, "serve", "--no-worker", "--port", str(self.ports[name]))

    async def upgrade(self, program: Sequence[str]) -> None:
        """Bring the database to the revision of a program."""
        child = self._add("db", (*program, "db", "upgrade"), self._direct)
        child.start()
        await until(lambda: asyncio.sleep(0, not child.runs), "the database is not upgraded")

    async def replace(self, name: str, program: Sequence[str]) -> None:
        """Stop a process gracefully and start that of another release in its place."""
        child = self.children[name]
        await child.stop()
        child.change(self._command(name, program))
        child.start()
        if name in self.ports:
            await self.wait_for(name)

    async def wait_for(self, name: str) -> None:
        """Wait until a web node says that it is ready."""
        child = self.children[name]
        await until(lambda: is_ready(self.ports[name]), f"{name} does not get ready", child)

    async def stop(self) -> None:
        """End everything that is still there."""
        for name in ("worker 1", "worker 2", "web 1", "web 2"):
            if name in self.children:
                await self.children[name].stop()
        for child in self.children.values():
            child.end_all()
        if self.relay is not None:
            await self.relay.stop()
        await asyncio.to_thread(self.postgres.stop)


CARTAGENA: Final = (sys.executable, "-m", "cartagena")


async def is_ready(port: int) -> bool:
    """Whether a web node has all that it needs."""
    try:
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            line = await reader.readline()
            writer.close()
    except OSError:
        return False
    return b" 200 " in line


async def listens(port: int) -> bool:
    """Whether something listens on a port."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def until(is_so: Callable[[], Awaitable[bool]], trouble: str, child: Child | None = None) -> None:
    """Wait for something; raises RuntimeError with the last words of a child that it depends on."""
    last_moment = time.monotonic() + READY_SECONDS
    while not await is_so():
        if time.monotonic() > last_moment or (child is not None and not child.runs):
            raise RuntimeError(f"{trouble}\n{child.last_words() if child else ''}")
        await asyncio.sleep(0.1)
