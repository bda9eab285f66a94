"""The service on which the games are played: web nodes and workers, on a database of their own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import upgrade
from harness.servers import free_port
from harness.services import environment_with, own_database, services

START_SECONDS: Final = 180.0
"""A busy machine takes minutes for what is seconds of work; a process that dies is noticed at once."""
STOP_SECONDS: Final = 60.0
PROPER: Final = (0, -signal.SIGTERM)
"""The exit codes of a process that was asked to end."""
LOOPBACK: Final = "127.0.0.1"
TRUST: Final = {"CARTAGENA_TRUSTED_PROXIES": LOOPBACK}
"""The clients name their own addresses, as a proxy would, so that the real limits apply."""


class ServiceTrouble(Exception):
    """The service cannot be started or ended; the sentence says what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process of the service, and where it writes its log."""

    name: str
    process: asyncio.subprocess.Process
    log: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Harbour:
    """A running service: its web nodes, all its processes, and how to reach its database."""

    nodes: tuple[str, ...]
    programs: tuple[Program, ...]
    settings: Settings

    def troubles(self) -> list[str]:
        """Processes that are no longer there."""
        return [
            f"{program.name} ended with {program.process.returncode}"
            for program in self.programs
            if program.process.returncode is not None
        ]

    async def stop(self) -> list[str]:
        """Ask every process to end and wait; return which of them did not end properly."""
        for program in self.programs:
            if program.process.returncode is None:
                program.process.send_signal(signal.SIGTERM)
        codes = await asyncio.gather(*(_code_of(program.process) for program in self.programs))
        return [
            f"{program.name} ended with {code}"
            for program, code in zip(self.programs, codes, strict=True)
            if code not in PROPER
        ]


@asynccontextmanager
async def harbour(
    folder: Path, *, nodes: int = 2, workers: int = 2, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Harbour]:
    """Run `nodes` web nodes and `workers` workers on free ports; their logs go into the folder."""
    async with database() as dsn, AsyncExitStack() as ending:
        environment = environment_of(dsn) | TRUST | dict(settings or {})
        await upgrade(Settings.read(environment), lambda _: None)
        ports = [free_port() for _ in range(nodes)]
        programs = []
        for number, port in enumerate(ports):
            url = {"CARTAGENA_URL": f"http://{LOOPBACK}:{port}"}
            words = ("serve", "--no-worker", "--no-upgrade", "--port", str(port))
            programs.append(await _program(f"web-{number}", words, environment | url, folder))
            ending.push_async_callback(_end, programs[-1].process)
        for number in range(workers):
            programs.append(await _program(f"worker-{number}", ("worker",), environment, folder))
            ending.push_async_callback(_end, programs[-1].process)
        running = Harbour(
            nodes=tuple(f"http://{LOOPBACK}:{port}" for port in ports),
            programs=tuple(programs),
            settings=Settings.read(environment),
        )
        await _until_ready(running)
        yield running


@asynccontextmanager
async def database() -> AsyncIterator[str]:
    """The address of a new database, which is dropped at the end."""
    postgres, _ = services()
    async with own_database(postgres.address(os.environ), "play") as dsn:
        yield dsn


def environment_of(dsn: str) -> dict[str, str]:
    """The environment of every process of a service on this database."""
    _, nats = services()
    return environment_with(
        {
            "CARTAGENA_DIRECTORY": dsn,
            "CARTAGENA_SHARDS": dsn,
            "CARTAGENA_NATS": nats.address(os.environ),
            "CARTAGENA_LOG": "json",
        }
    )


async def _program(name: str, words: tuple[str, ...], environment: dict[str, str], folder: Path) -> Program:
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cartagena", *words), stdout=output, stderr=output, env=environment
        )
    return Program(name=name, process=process, log=log)


async def _until_ready(running: Harbour) -> None:
    loop = asyncio.get_running_loop()
    last_moment = loop.time() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False) as client:
        for node in running.nodes:
            while not await _is_ready(client, node):
                if running.troubles() or loop.time() > last_moment:
                    told = "\n".join(program.log.read_text()[-2_000:] for program in running.programs)
                    raise ServiceTrouble(f"the service did not start: {running.troubles()}\n{told}")
                await asyncio.sleep(0.1)


async def _is_ready(client: httpx.AsyncClient, node: str) -> bool:
    try:
        return (await client.get(f"{node}/ready")).is_success
    except httpx.TransportError:
        return False


async def _code_of(process: asyncio.subprocess.Process) -> int | str:
    try:
        return await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"a blow, after {STOP_SECONDS:.0f} seconds"


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
