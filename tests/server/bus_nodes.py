"""Buses for tests: nodes that share one, and a NATS server that a test may kill."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from cartagena.server.bus import Announcement, Bus, open_bus
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.ids import RANDOM_BYTES, new_id
from harness.servers import free_port
from tests.server.databases import nats_address
from tests.waiting import until

SECRET: Final = b'{"hand":["skull"]}'


def game_in(bucket: int) -> UUID:
    """A game that is stored in a bucket."""
    return new_id(0, bucket.to_bytes(2) + bytes(RANDOM_BYTES - 2))


def announcement(game_id: UUID, seq: int, frame: bytes = SECRET) -> Announcement:
    """An update of a game, for the first seat and for spectators."""
    return Announcement(game_id=game_id, seq=seq, chat=3, kind="update", frames={0: frame, SPECTATOR: b"{}"})


@asynccontextmanager
async def two_nodes(kind: str) -> AsyncIterator[tuple[Bus, Bus]]:
    """Two users of one bus: of one object within a process, or two connections to NATS."""
    prefix = f"test-{uuid4().hex}"
    if kind == "local":
        bus = await open_bus(None)
        nodes = bus, bus
    else:
        url = await nats_address()
        nodes = await open_bus(url, prefix=prefix), await open_bus(url, prefix=prefix)
        assert all(node.connected for node in nodes)
    try:
        yield nodes
    finally:
        for node in set(nodes):
            await node.close()


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate of this machine that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cartagena test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate_file, key_file


class OwnNats:
    """A NATS server of the test's own, which it may stop, freeze and start again on the same port."""

    def __init__(self, folder: Path, settings: str) -> None:
        self._settings = folder / "nats.conf"
        self._settings.write_text(settings)
        self._log = folder / "nats.log"
        self._options = "-l", str(self._log), "-c", str(self._settings)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    async def start(self) -> None:
        """Start it and wait until it takes connections."""
        self._process = subprocess.Popen(  # noqa: ASYNC220, S603  # it starts in no time, with our own words
            ["/usr/bin/env", "nats-server", "-a", "127.0.0.1", "-p", str(self.port), *self._options]
        )
        await until(self._answers, what=f"a NATS server on port {self.port}")

    def kill(self) -> None:
        """Kill it without warning."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def change(self, settings: str) -> None:
        """Make it use other settings from now on."""
        assert self._process is not None
        self._settings.write_text(settings)
        self._process.send_signal(signal.SIGHUP)

    def refusals(self) -> int:
        """How often it has refused a client."""
        return self._log.read_text().count("authentication error")

    def freeze(self) -> None:
        """Stop it: it stays connected, but takes nothing any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def _answers(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        await writer.wait_closed()
        return True
