"""Servers that a test or a developer starts: PostgreSQL clusters, NATS, and nginx as deploy/ has it.

Each listens on a free port of this machine only and keeps everything it writes in its folder.
"""

import asyncio
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import asyncpg

NGINX: Final = Path(__file__).parents[1] / "deploy" / "nginx"

PATHS: Final = ("listen 80", "listen 443", "127.0.0.1:8001", "127.0.0.1:8002")
"""What a trial may replace with its own ports."""

# nginx wants to write, and as root it would become a user who cannot write here.
# As on most machines, requests and errors are logged whole where a server names no log of its own.
WRAPPER: Final = """{user}
pid {folder}/pid;
error_log {folder}/error.log;
daemon off;
worker_rlimit_nofile 65536;
events {{ worker_connections 32768; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/cartagena.conf;
}}
"""

CERTIFICATE: Final = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
    *("-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
)


def write_nginx(folder: Path, places: Mapping[str, str]) -> Path:
    """Write it into a folder with a certificate valid for a day; return the file to start nginx with."""
    write_settings(folder, places)
    files = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(WRAPPER.format(folder=folder, user=user), encoding="utf-8")
    return folder / "nginx.conf"


def write_settings(folder: Path, places: Mapping[str, str]) -> None:
    """Write the shipped settings alone, with other places."""
    text = (NGINX / "cartagena.conf").read_text(encoding="utf-8")
    for name, place in places.items():
        assert name in text, f"{name} is no longer in cartagena.conf"
        text = text.replace(name, place)
    text = text.replace("/etc/letsencrypt/live/play.example.org", str(folder))
    text = text.replace("/var/log/nginx", str(folder)).replace("/etc/nginx", str(NGINX))
    # A trial has no second address.
    text = "".join(line for line in text.splitlines(keepends=True) if "listen [::]" not in line)
    (folder / "cartagena.conf").write_text(text, encoding="utf-8")


OLDEST_POSTGRES: Final = 15
SECONDS: Final = 5.0
"""How long a server may take to answer."""
STOP_SECONDS: Final = 10.0
PORTS: Final = range(20_000, 32_000)
"""Free for servers: outgoing connections get ports from 32768 on Linux, from 49152 elsewhere. One of those
could be taken after it was found free and before the server starts."""
POSTGRES_FOLDERS: Final = (
    "/usr/lib/postgresql",
    "/usr/pgsql*",
    "/opt/homebrew/opt/postgresql@*",
    "/opt/postgresql*",
)


class CannotStart(Exception):
    """A server cannot be started; the sentence says what to do."""


class OwnServer(Protocol):
    """A server that can be looked for anywhere and started in a folder."""

    folder: Path

    async def trouble_at(self, address: str) -> str | None:
        """Why the server at an address will not do; None if it will."""

    def noted(self) -> str | None:
        """The address of the server started here, if there is one."""

    def start(self) -> str:
        """Start a server here and return its address; raises CannotStart."""

    def stop(self) -> bool:
        """Stop the server started here; False if it does not run."""


class OwnPostgres:
    """A PostgreSQL cluster with a password, so that no other user of the machine can connect.

    `settings` go into its configuration when it is made.
    """

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._settings = dict(settings or {})
        self.data = folder / "data"
        self.log = folder / "log"
        self._password = folder / "password"
        self._note = folder / "address"

    async def trouble_at(self, address: str) -> str | None:
        """Why this PostgreSQL will not do: it does not answer, is too old, or refuses to create databases."""
        try:
            connection = await asyncpg.connect(address, timeout=SECONDS)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as trouble:
            return str(trouble) or type(trouble).__name__
        try:
            if connection.get_server_version().major < OLDEST_POSTGRES:
                return f"older than PostgreSQL {OLDEST_POSTGRES}"
            may = await connection.fetchval(
                "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            )
            return None if may else "the user there may not create databases"
        finally:
            await connection.close()

    def noted(self) -> str | None:
        """The address of the cluster started here, if there is one."""
        return _read(self._note)

    def start(self) -> str:
        """Make the cluster if there is none yet, and start it on a free port."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.data / "PG_VERSION").exists():
            self._make()
        port = free_port()
        self._control("start", "-l", str(self.log), "-o", postgres_options(port))
        address = f"postgresql://cartagena:{_read(self._password)}@127.0.0.1:{port}/postgres"
        _write_secret(self._note, address)
        return address

    def stop(self) -> bool:
        """Let it write everything down and end."""
        runs = self.runs()
        if runs:
            self._control("stop", "-m", "fast")
        self._note.unlink(missing_ok=True)
        return runs

    def runs(self) -> bool:
        """Whether it runs."""
        return (self.data / "postmaster.pid").exists() and _succeeds("pg_ctl", "-D", str(self.data), "status")

    def _make(self) -> None:
        _write_secret(self._password, secrets.token_hex(16))
        give_to_postgres(self.folder, self._password)
        as_postgres(
            *(program("initdb"), "-D", str(self.data), "--encoding=UTF8", "--no-locale"),
            *("--username=cartagena", "--auth=scram-sha-256", f"--pwfile={self._password}"),
        )
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as configuration:
            configuration.writelines(f"{name} = '{value}'\n" for name, value in self._settings.items())

    def _control(self, what: str, *arguments: str) -> None:
        try:
            as_postgres(program("pg_ctl"), "-D", str(self.data), "-w", *arguments, what)
        except CannotStart as trouble:
            raise CannotStart(f"{trouble}\n{_read(self.log) or ''}".strip()) from trouble


class OwnNats:
    """A NATS server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self._pid = folder / "pid"
        self._note = folder / "address"
        self._process: subprocess.Popen[bytes] | None = None

    async def trouble_at(self, address: str) -> str | None:
        """Why this NATS will not do: it does not greet as NATS does."""
        parts = urlsplit(address)
        try:
            async with asyncio.timeout(SECONDS):
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 4222)
                greeting = await reader.readline()
                writer.close()
        except OSError as trouble:
            return str(trouble) or type(trouble).__name__
        return None if greeting.startswith(b"INFO ") else "what answers there is no NATS server"

    def noted(self) -> str | None:
        """The address of the server started here, if there is one."""
        return _read(self._note)

    def start(self) -> str:
        """Start it on a free port and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        port = free_port()
        address = f"nats://127.0.0.1:{port}"
        options = ("-a", "127.0.0.1", "-p", str(port), "-P", str(self._pid), "-l", str(self.log))
        process = subprocess.Popen([program("nats-server"), *options], start_new_session=True)
        last_moment = time.monotonic() + SECONDS
        while asyncio.run(self.trouble_at(address)) is not None:
            if process.poll() is not None or time.monotonic() > last_moment:
                process.kill()
                process.wait()
                raise CannotStart(f"nats-server did not start:\n{_read(self.log) or ''}")
            time.sleep(0.05)
        self._note.write_text(address, encoding="utf-8")
        self._process = process
        return address

    def stop(self) -> bool:
        """End it, and wait for that."""
        pid = int(_read(self._pid) or 0)
        runs = self._is_ours(pid)
        if runs:
            os.kill(pid, signal.SIGTERM)
            last_moment = time.monotonic() + STOP_SECONDS
            while self._is_ours(pid) and time.monotonic() < last_moment:
                time.sleep(0.05)
        if self._process is not None:
            self._process.wait(STOP_SECONDS)
        self._note.unlink(missing_ok=True)
        self._pid.unlink(missing_ok=True)
        return runs

    def _is_ours(self, pid: int) -> bool:
        """Whether this process id is still our server's; another process may have got it by now."""
        told = subprocess.run(
            [program("ps"), "-p", str(pid), "-o", "args="], capture_output=True, text=True, check=False
        )
        return str(self._pid) in told.stdout


def postgres_options(port: int) -> str:
    """How PostgreSQL is started: it listens on a port of this machine only."""
    return f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"


def free_port() -> int:
    """A port of this machine on which nothing listens, and which no outgoing connection is given."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def program(name: str) -> str:
    """Where a program is; PostgreSQL's are often outside the usual path."""
    if found := shutil.which(name):
        return found
    for pattern in POSTGRES_FOLDERS:
        base = Path(pattern)
        folders = [*base.parent.glob(f"{base.name}/bin"), *base.parent.glob(f"{base.name}/*/bin")]
        for folder in sorted(folders, reverse=True):
            if (folder / name).exists():
                return str(folder / name)
    package = "nats-server" if name == "nats-server" else f"PostgreSQL {OLDEST_POSTGRES} or newer"
    raise CannotStart(f"{name} is not there; install {package}, and see that its programs are in the PATH")


def as_postgres(*command: str) -> str:
    """Run a program of PostgreSQL, never as root, which it refuses; raises CannotStart with its output."""
    # What it starts keeps the output open: a file, because a pipe would never end.
    with tempfile.TemporaryFile("w+") as output:
        code = subprocess.call(_not_by_root(command), stdout=output, stderr=output, cwd="/")
        output.seek(0)
        told = output.read().strip()
    if code:
        raise CannotStart(f"{Path(command[0]).name} failed:\n{told}")
    return told


def _succeeds(name: str, *arguments: str) -> bool:
    command = _not_by_root((program(name), *arguments))
    return subprocess.run(command, capture_output=True, cwd="/", check=False).returncode == 0


def _not_by_root(command: Sequence[str]) -> list[str]:
    return [*(("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()), *command]


def give_to_postgres(*paths: Path) -> None:
    """Let PostgreSQL read and write here if we are root, since it then runs as another user."""
    if os.geteuid() == 0:
        for path in paths:
            shutil.chown(path, "postgres")


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8").strip() if path.exists() else None


def _write_secret(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
