"""The service for the browser tests: three web nodes, a worker and a club's provider.

python -m harness.browser_service LOGS [--before PYTHON]

It writes a line of JSON when all is ready, then does what it is told, a line of JSON each, and answers each:
{"stop": 0} ends a node, {"start": 0} starts it if it does not run, {"secrets": FILE} searches what browsers
received (see `harness.browser_secrets`). When its input ends, or on SIGTERM, it stops everything. With
`--before` the last node runs an earlier release, which that Python has installed, and the databases are
upgraded while it runs; stopped and started again, it runs this release.
"""

import argparse
import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from cartagena.server.http.api.accounts_base import CLUB_BACK
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import upgrade
from harness.browser_secrets import leaks_in, read_evening
from harness.faults.processes import Child, is_ready
from harness.play.service import START_SECONDS, ServiceTrouble, database, environment_of
from harness.servers import free_port

NODES: Final = 3
"""Two for every test, and one for the tests that stop and start a node."""
PACE: Final = {"CARTAGENA_PACE": "1000"}
"""All players of the tests come from one address."""
CARTAGENA: Final = (sys.executable, "-m", "cartagena")
VAPID: Final = {
    "CARTAGENA_VAPID_PRIVATE_KEY": "AQ" + "E" * 41,
    "CARTAGENA_VAPID_SUBJECT": "mailto:harbour@example.org",
    "CARTAGENA_PRIVATE_NOTICES": "yes",
}
"""So that a browser can ask for notices, and a test can be the push service to which they go."""
CLUB: Final = {"CARTAGENA_OIDC_CLIENT_ID": "cartagena", "CARTAGENA_OIDC_NAME": "Harbour Club"}
PROVIDER: Final = Path(__file__).parents[1] / "web/e2e/clubProvider.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebNode:
    """A web node that can be ended and started again on its port."""

    port: int
    child: Child

    @property
    def url(self) -> str:
        """As people type it; passkeys work at this name without TLS."""
        return f"http://localhost:{self.port}"

    async def start(self) -> None:
        """Start it if it does not run, and wait until it has all it needs."""
        if not self.child.runs:
            self.child.start()
        last_moment = asyncio.get_running_loop().time() + START_SECONDS
        while not await is_ready(self.port):
            if not self.child.runs or asyncio.get_running_loop().time() > last_moment:
                raise ServiceTrouble(f"{self.child.name} does not start:\n{self.child.last_words()}")
            await asyncio.sleep(0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Harbour:
    """The running service."""

    nodes: tuple[WebNode, ...]
    settings: Settings

    async def do(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a test asks for."""
        match told:
            case {"stop": int(number)}:
                return {"stopped": number, "properly": await self.nodes[number].child.stop()}
            case {"start": int(number)}:
                await self.nodes[number].start()
                return {"started": number}
            case {"secrets": str(file)}:
                return {"leaks": await leaks_in(self.settings, read_evening(Path(file)))}
            case _:
                return {"trouble": f"nobody knows {dict(told)}"}


@asynccontextmanager
async def harbour(logs: Path, before: Path | None) -> AsyncIterator[Harbour]:
    """Run the service while the block lasts."""
    async with database() as dsn:
        ports, club_port = [free_port() for _ in range(NODES)], free_port()
        club = CLUB | {"CARTAGENA_OIDC_ISSUER": f"http://127.0.0.1:{club_port}"}
        environment = environment_of(dsn) | PACE | VAPID | club
        settings = Settings.read(environment)
        nodes = tuple(_web_node(number, port, environment, logs) for number, port in enumerate(ports))
        worker = Child("worker", (*CARTAGENA, "worker"), logs / "worker.log", environment)
        provider = _provider(club_port, nodes, environment, logs)
        children = (*(node.child for node in nodes), worker, provider)
        try:
            if before is not None:
                await _start_older(nodes[-1], before, environment)
            await upgrade(settings, lambda _: None)
            provider.start()
            worker.start()
            await asyncio.gather(*(node.start() for node in nodes))
            yield Harbour(nodes=nodes, settings=settings)
        finally:
            await asyncio.gather(*(child.stop() for child in children))
            for child in children:
                child.end_all()


def _provider(port: int, nodes: Sequence[WebNode], environment: Mapping[str, str], logs: Path) -> Child:
    """The provider through which members of a club sign in; idle until a test uses it."""
    redirects = [node.url + CLUB_BACK for node in nodes]
    wanted = msgspec.json.encode({"redirects": redirects, "port": port, "stays": True}).decode()
    return Child("provider", ("node", str(PROVIDER), wanted), logs / "provider.log", environment)


def _web_node(number: int, port: int, environment: Mapping[str, str], logs: Path) -> WebNode:
    own = {**environment, "CARTAGENA_URL": f"http://localhost:{port}"}
    words = _serving(sys.executable, port)
    return WebNode(port=port, child=Child(f"web-{number}", words, logs / f"web-{number}.log", own))


async def _start_older(node: WebNode, python: Path, environment: Mapping[str, str]) -> None:
    """Start a node of an earlier release on databases of its revision; its next start runs this release."""
    command = (str(python), "-m", "cartagena", "db", "upgrade")
    await asyncio.to_thread(subprocess.run, command, env=environment, check=True, capture_output=True)
    node.child.change(_serving(str(python), node.port))
    await node.start()
    node.child.change(_serving(sys.executable, node.port))


def _serving(python: str, port: int) -> tuple[str, ...]:
    return (python, "-m", "cartagena", "serve", "--no-worker", "--no-upgrade", "--port", str(port))


async def serve(logs: Path, before: Path | None) -> None:
    """Start, do what the input says, end."""
    async with harbour(logs, before) as running:
        _tell({"nodes": [node.url for node in running.nodes]})
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                _tell(await running.do(msgspec.json.decode(line)))
            except Exception as error:  # noqa: BLE001 (the test that asked is told, and others go on)
                _tell({"trouble": f"{type(error).__name__}: {error}"})


def _tell(told: Mapping[str, Any]) -> None:
    print(msgspec.json.encode(told).decode(), flush=True)


def main() -> None:
    """Read where the logs go, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--before", type=Path)
    given = parser.parse_args()
    logs: Path = given.logs
    logs.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asyncio.run(serve(logs, given.before))


if __name__ == "__main__":
    main()
