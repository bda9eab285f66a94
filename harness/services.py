"""Find PostgreSQL and NATS for the tests, or start them: `make services`.

It takes the server that the environment names; else one that it started earlier, if that runs; else what
answers at the usual place; else it starts one in build/services, on a free port, where the tests find it.
`python -m harness.services --stop` stops only servers that it started.
"""

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import asyncpg

from harness.servers import CannotStart, OwnNats, OwnPostgres, OwnServer


@asynccontextmanager
async def own_database(server: str, purpose: str, *, template: str = "template0") -> AsyncIterator[str]:
    """The address of a new database on a server, a copy of `template`; its name says what it is for."""
    name = f"cartagena_{purpose}_{secrets.token_hex(8)}"
    await _command(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield _address(server, name)
    finally:
        await drop_database(server, name)


async def make_template(server: str, name: str, fill: Callable[[str], Awaitable[None]]) -> None:
    """Make a database for others to copy, unless it exists; `fill` is given its address.

    Several processes may ask at the same time: the first makes it, the others wait. It gets its name when it
    is complete, so a process that dies on the way leaves nothing that could be taken for it.
    """
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("SELECT pg_advisory_lock(hashtext($1))", name)
        if await connection.fetchval("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name):
            return
        await connection.execute(f"DROP DATABASE IF EXISTS {name}_new WITH (FORCE)")
        await connection.execute(f"CREATE DATABASE {name}_new TEMPLATE template0")
        await fill(_address(server, f"{name}_new"))
        await connection.execute(f"ALTER DATABASE {name}_new RENAME TO {name}")
    finally:
        # The lock ends with it.
        await connection.close()


async def drop_database(server: str, name: str) -> None:
    """Drop a database if it is there, and cut its connections."""
    await _command(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _address(server: str, name: str) -> str:
    return urlsplit(server)._replace(path=f"/{name}").geturl()


async def _command(server: str, command: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(command)
    finally:
        await connection.close()


FOLDER: Final = Path(__file__).parents[1] / "build" / "services"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A server that the tests need: the variable that names it, where it usually is, and how to start one."""

    name: str
    variable: str
    usual: str
    own: OwnServer

    def address(self, environment: Mapping[str, str]) -> str:
        """Where the tests look: the environment's server, else the one started here, else the usual place."""
        return environment.get(self.variable) or self.own.noted() or self.usual

    def candidates(self, environment: Mapping[str, str]) -> list[str]:
        """Where it may already run, in the order of asking."""
        if named := environment.get(self.variable):
            return [named]
        return [place for place in (self.own.noted(), self.usual) if place]


def services(folder: Path = FOLDER) -> tuple[Service, Service]:
    """PostgreSQL and NATS; what is started lives in the folder."""
    return (
        Service(
            name="PostgreSQL",
            variable="CARTAGENA_TEST_POSTGRES",
            usual="postgresql://root@127.0.0.1:5432/postgres",
            own=OwnPostgres(folder / "postgres"),
        ),
        Service(
            name="NATS",
            variable="CARTAGENA_TEST_NATS",
            usual="nats://127.0.0.1:4222",
            own=OwnNats(folder / "nats"),
        ),
    )


def environment_with(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment for a process of the service with these settings and no others."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("CARTAGENA_")}
    return others | dict(settings)


def provide(service: Service, environment: Mapping[str, str]) -> str:
    """The address of a server that answers, started if there is none; raises CannotStart."""
    for place in service.candidates(environment):
        trouble = asyncio.run(service.own.trouble_at(place))
        if trouble is None:
            print(f"{service.name}: found at {shown(place)}")
            return place
        print(f"{service.name}: not at {shown(place)} ({trouble})")
        if place == service.own.noted():
            # Remove what is left of it: the tests must not look for it any longer.
            service.own.stop()
    if environment.get(service.variable):
        raise CannotStart(f"{service.variable} names a server that will not do; mend or unset it")
    place = service.own.start()
    print(f"{service.name}: started at {shown(place)}, in {service.own.folder}")
    return place


def shown(place: str) -> str:
    """An address without its password."""
    scheme, _, rest = place.partition("://")
    user, at, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}"


def main(arguments: list[str]) -> int:
    """Find or start both, or stop those started here; 1 if one is not available."""
    parser = argparse.ArgumentParser(description="Find or start PostgreSQL and NATS for the tests.")
    parser.add_argument("--stop", action="store_true", help="stop what this program started")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where own servers live")
    options = parser.parse_args(arguments)
    wanted = services(options.folder)
    if options.stop:
        for service in wanted:
            stopped = service.own.stop()
            print(f"{service.name}: {'stopped' if stopped else 'no own server runs'}")
        return 0
    try:
        places = [(service, provide(service, os.environ)) for service in wanted]
    except CannotStart as trouble:
        print(trouble, file=sys.stderr)
        return 1
    for service, place in places:
        if place == service.own.noted():
            # The tests find it by themselves; other programs need to be told.
            print(f"export {service.variable}='{place}'")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
