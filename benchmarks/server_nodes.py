"""The processes of a load test, and what each of them takes of processor and memory."""

import contextlib
import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg

from harness.servers import free_port

START_SECONDS: Final = 90.0
STOP_SECONDS: Final = 20.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_USER_TIME: Final = 11
"""Where the time in programs stands after the name of a process; that in the kernel is the next."""

BACKENDS: Final = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
    OR backend_type IN ('walwriter', 'checkpointer', 'background writer')
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A process of the service."""

    process: "subprocess.Popen[bytes]"
    port: int

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid


@contextlib.contextmanager
def web_node(program: Iterable[str], environment: Mapping[str, str], log: Path) -> Iterator[Node]:
    """A web node that is ready, until the end of the block."""
    port = free_port()
    command = [*program, "serve", "--no-worker", "--no-upgrade", "--port", str(port)]
    with (
        log.open("wb") as sink,
        ended(subprocess.Popen(command, env=environment, stdout=sink, stderr=sink)) as process,
    ):
        _wait_until_ready(port, process, log)
        yield Node(process=process, port=port)


def _wait_until_ready(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    last_moment = time.monotonic() + START_SECONDS
    while True:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2),
        ):
            return
        if process.poll() is not None or time.monotonic() > last_moment:
            raise SystemExit(f"a web node did not start:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.1)


@contextlib.contextmanager
def ended(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    """A process that is told to end with the block, and made to if it does not."""
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Driver:
    """The load generator, told what to do line by line."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def do(self, what: str, **details: float | list[int]) -> dict[str, float]:
        """Let it do something and wait for what it tells."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **details}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the load generator has ended")
        figures: dict[str, float] = json.loads(line)
        return figures


@contextlib.contextmanager
def driver(python: str, games: Path) -> Iterator[Driver]:
    """A load generator that has read the prepared games."""
    command = [python, "-m", "benchmarks.server_generator", str(games)]
    pipe = subprocess.PIPE
    with ended(subprocess.Popen(command, stdin=pipe, stdout=pipe)) as process:
        yield Driver(process)


def cpu_seconds(pids: Iterable[int]) -> float:
    """The processor time of some processes so far; one that is gone counts nothing."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            total += int(fields[_USER_TIME]) + int(fields[_USER_TIME + 1])
    return total / _TICKS


def resident_bytes(pid: int) -> int:
    """The memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE


async def backends(dsn: str) -> list[int]:
    """The processes of PostgreSQL that work for a database, and those that work for all."""
    connection = await asyncpg.connect(dsn)
    try:
        return [row["pid"] for row in await connection.fetch(BACKENDS)]
    finally:
        await connection.close()
