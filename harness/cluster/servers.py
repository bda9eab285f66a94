"""The cluster: three primaries, three NATS servers, three web nodes, two workers, and nginx before them."""

import asyncio
import os
import secrets
import signal
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from cartagena.server.shared.settings import Settings
from harness.cluster.databases import DIRECTORY, GAMES, Primary, SmallPrimary, Standby, address, spread
from harness.faults.processes import CARTAGENA, Child, is_ready, listens, until
from harness.http_client import Node
from harness.servers import free_port, program, write_nginx, write_settings
from harness.services import environment_with
from harness.tcp_proxy import Link

HOST: Final = "localhost"
NODES: Final = "    server 127.0.0.1:8001 fail_timeout=2s;\n    server 127.0.0.1:8002 fail_timeout=2s;\n"
"""The web nodes in the shipped settings."""


class Proxy:
    """One nginx in a folder, on a free port, with a certificate that it signs itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.pid = 0
        self._plain_port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What people would type."""
        return f"https://{HOST}:{self.port}"

    @property
    def certificate(self) -> Path:
        """What a client must trust."""
        return self.folder / "fullchain.pem"

    def start(self, nodes: list[int]) -> None:
        """Sign a certificate and open, before nodes on these ports."""
        self.folder.mkdir(parents=True)
        settings = write_nginx(self.folder, self._places(nodes))
        self._process = subprocess.Popen(
            [program("nginx"), "-c", str(settings), "-p", str(self.folder)], start_new_session=True
        )
        self.pid = self._process.pid

    def change(self, nodes: list[int]) -> None:
        """Serve other nodes; what is open stays open."""
        write_settings(self.folder, self._places(nodes))
        os.kill(self.pid, signal.SIGHUP)

    def _places(self, nodes: list[int]) -> dict[str, str]:
        return {
            NODES: "".join(f"    server 127.0.0.1:{port} fail_timeout=2s;\n" for port in nodes),
            "listen 80": f"listen 127.0.0.1:{self._plain_port}",
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "server_name play.example.org": f"server_name {HOST}",
        }

    def stop(self) -> None:
        """Close."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(10)


PRIMARIES: Final = 3
NATS_SERVERS: Final = 3
WEB_NODES: Final = 3
WORKERS: Final = 2
NATS_USER: Final = "cartagena"

NATS_SETTINGS: Final = """
server_name: nats-{number}
listen: 127.0.0.1:{port}
authorization {{ users = [ {{
    user: {user}, password: "{password}"
    permissions: {{ publish: ["cartagena.>", "_INBOX.>"], subscribe: ["cartagena.>", "_INBOX.>"] }}
}} ] }}
cluster {{
    name: cartagena
    listen: 127.0.0.1:{own_route}
    authorization {{ user: route, password: "{password}" }}
    routes: [{routes}]
}}
"""


class Cluster:
    """The whole service on one machine, every part more than once."""

    def __init__(self, folder: Path, *, pace: int = 1, fragile: bool = False) -> None:
        """A fragile one can be broken: the second primary has a small disk, the third a link to cut."""
        self.folder = folder
        self.pace = pace
        kinds = (Primary, SmallPrimary if fragile else Primary, Primary)
        self.primaries = [kind(folder / f"primary-{number}") for number, kind in enumerate(kinds)]
        self.standby: Standby | None = Standby(self.primaries[0])
        self._relay: Link | None = None
        self._is_fragile = fragile
        self.proxy = Proxy(folder / "proxy")
        self.children: dict[str, Child] = {}
        self.ports: dict[str, int] = {}
        self.password = secrets.token_hex(16)
        self.directory = ""
        self.shards = ""

    # Names of the parts.

    @property
    def webs(self) -> list[str]:
        """The web nodes."""
        return [name for name in self.ports if name.startswith("web ")]

    @property
    def workers(self) -> list[str]:
        """The workers."""
        return [name for name in self.children if name.startswith("worker ")]

    @property
    def nats(self) -> list[str]:
        """The NATS servers."""
        return [name for name in self.ports if name.startswith("nats ")]

    @property
    def settings(self) -> Settings:
        """How to reach the databases with few connections, so that the service keeps its own."""
        few = {"CARTAGENA_POOL": "2", "CARTAGENA_DIRECTORY_POOL": "2"}
        return Settings.read(self.environment() | few)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Where clients connect: the proxy, twice, so that a request to two nodes at once is sent twice."""
        trusting = ssl.create_default_context(cafile=self.proxy.certificate)
        return tuple(Node(name, self.proxy.port, trusting) for name in ("proxy", "proxy again"))

    def node(self, name: str) -> Node:
        """One web node, without the proxy."""
        return Node(name, self.ports[name])

    @property
    def relay(self) -> Link:
        """The link to the third primary of a fragile cluster."""
        assert self._relay is not None
        return self._relay

    @property
    def small(self) -> SmallPrimary:
        """The primary of a fragile cluster with a small disk."""
        (small,) = (one for one in self.primaries if isinstance(one, SmallPrimary))
        return small

    def memory(self) -> int:
        """How many kilobytes web nodes, workers and NATS servers hold."""
        return resident([child.pid for child in self.children.values() if child.runs])

    # Starting and stopping.

    async def start(self) -> None:
        """Start everything, in order."""
        await self._start_databases()
        await self._start_nats()
        await self.run("db", "upgrade")
        for number in range(WEB_NODES):
            self.add_web(f"web {number}")
        for number in range(WORKERS):
            self._add(f"worker {number}", (*CARTAGENA, "worker"), self.environment()).start()
        for name in self.webs:
            await self.wait_for(name)
        self.proxy.start([self.ports[name] for name in self.webs])
        await until(lambda: listens(self.proxy.port), "the proxy does not start")

    async def _start_databases(self) -> None:
        for primary in self.primaries:
            await asyncio.to_thread(primary.start)
            await primary.create(GAMES)
        await self.primaries[0].create(DIRECTORY)
        if self.standby is not None:
            await asyncio.to_thread(self.standby.start)
        first, second, third = self.primaries
        if self._is_fragile:
            self._relay = Link(third.port)
            await self._relay.start()
        self.directory = address(first, DIRECTORY, self.standby)
        last = third.dsn(GAMES, None if self._relay is None else self._relay.port)
        self.shards = spread([address(first, GAMES, self.standby), second.dsn(GAMES), last])

    async def _start_nats(self) -> None:
        ports = [free_port() for _ in range(NATS_SERVERS)]
        routes = [free_port() for _ in range(NATS_SERVERS)]
        for number, port in enumerate(ports):
            settings = NATS_SETTINGS.format(
                number=number,
                port=port,
                user=NATS_USER,
                password=self.password,
                own_route=routes[number],
                routes=", ".join(f'"nats://route:{self.password}@127.0.0.1:{route}"' for route in routes),
            )
            file = self.folder / f"nats-{number}.conf"
            file.touch(mode=0o600)
            file.write_text(settings, encoding="utf-8")
            self.ports[f"nats {number}"] = port
            self._add(f"nats {number}", (program("nats-server"), "-c", str(file)), {}).start()
        for port in ports:
            await until(lambda port=port: listens(port), "a NATS server does not start")  # type: ignore[misc]

    def add_web(self, name: str) -> None:
        """Start one more web node; the proxy hears of it when it is ready."""
        port = self.ports[name] = free_port()
        command = (*CARTAGENA, "serve", "--no-worker", "--port", str(port))
        self._add(name, command, self.environment()).start()

    async def remove_web(self, name: str) -> None:
        """Take a web node from the proxy, then let it send its streams away and end."""
        child = self.children.pop(name)
        del self.ports[name]
        self.proxy.change([self.ports[one] for one in self.webs])
        await child.stop()
        child.end_all()

    def _add(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Child:
        child = Child(name, command, self.folder / f"{name.replace(' ', '-')}.log", environment)
        self.children[name] = child
        return child

    def environment(self) -> dict[str, str]:
        """The settings of every process of the service."""
        return environment_with(
            {
                "CARTAGENA_DIRECTORY": self.directory,
                "CARTAGENA_SHARDS": self.shards,
                "CARTAGENA_NATS": ",".join(
                    f"nats://{NATS_USER}:{self.password}@127.0.0.1:{self.ports[name]}" for name in self.nats
                ),
                "CARTAGENA_URL": self.proxy.url,
                "CARTAGENA_TRUSTED_PROXIES": "127.0.0.1",
                "CARTAGENA_PACE": str(self.pace),
                "CARTAGENA_POOL": "4",
                "CARTAGENA_DIRECTORY_POOL": "4",
                "CARTAGENA_LOG": "json",
            }
        )

    async def run(self, *words: str) -> str:
        """Run a command of the service, such as `db upgrade`, and return what it printed."""
        process = await asyncio.create_subprocess_exec(
            *CARTAGENA, *words, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        told, _ = await process.communicate()
        if process.returncode:
            raise RuntimeError(f"cartagena {' '.join(words)}: {told.decode()[-2000:]}")
        return told.decode()

    async def wait_for(self, name: str) -> None:
        """Wait until a web node says that it is ready."""
        await until(lambda: is_ready(self.ports[name]), f"{name} does not get ready", self.children[name])

    async def stop(self) -> None:
        """Stop everything, clients of a service before the service itself."""
        self.proxy.stop()
        await asyncio.gather(*(self.children[name].stop() for name in (*self.workers, *self.webs)))
        for child in self.children.values():
            child.end_all()
        if self._relay is not None:
            await self._relay.stop()
        if self.standby is not None:
            await asyncio.to_thread(self.standby.stop)
        for primary in self.primaries:
            await asyncio.to_thread(primary.stop)

    # For other programs.

    @property
    def note(self) -> Path:
        """The file that says how to reach the cluster."""
        return self.folder / "cluster.json"

    def write_note(self) -> None:
        """Tell other programs of this user how to reach it."""
        self.note.touch(mode=0o600)
        self.note.write_bytes(
            msgspec.json.encode(
                Note(
                    keeper=os.getpid(),
                    directory=self.directory,
                    shards=self.shards,
                    password=self.password,
                    ports=self.ports,
                    pace=self.pace,
                    proxy=(self.proxy.port, self.proxy.pid),
                )
            )
        )

    @classmethod
    def noted(cls, folder: Path) -> "tuple[Cluster, int]":
        """A cluster that another process keeps, and the id of that process."""
        told = msgspec.json.decode((folder / "cluster.json").read_bytes(), type=Note)
        cluster = cls(folder, pace=told.pace)
        cluster.directory, cluster.shards, cluster.password = told.directory, told.shards, told.password
        cluster.ports = dict(told.ports)
        cluster.proxy.port, cluster.proxy.pid = told.proxy
        return cluster, told.keeper


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """How a running cluster can be reached."""

    keeper: int
    directory: str
    shards: str
    password: str
    ports: dict[str, int]
    pace: int
    proxy: tuple[int, int]


def resident(pids: list[int]) -> int:
    """How many kilobytes some processes hold."""
    told = subprocess.run(
        [program("ps"), "-o", "rss=", "-p", ",".join(map(str, pids))],
        capture_output=True,
        text=True,
        check=False,
    )
    return sum(map(int, told.stdout.split()))
