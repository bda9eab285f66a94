"""Find PostgreSQL and NATS for the tests, or start them: `make services`.

It takes the server that the environment names; else one that it started earlier, if that runs; else what
answers at the usual place; else it starts one in build/services, on a free port, where the tests find it.
`python -m harness.services --stop` stops only servers that it started.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.servers import CannotStart, OwnNats, OwnPostgres, OwnServer

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
