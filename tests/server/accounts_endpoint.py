"""An endpoint on this machine that takes notices: a browser's push service, or a player's program."""

import asyncio
import datetime as dt
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import http_ece  # type: ignore[import-untyped]  # it has no types
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from cartagena.messages.accounts import PushKeys, SubscribePush
from harness.authenticator import encoded


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request, as it came over the wire."""

    line: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """What came in, and how it is answered: a status and headers, after a pause, perhaps drop by drop."""

    port: int = 0
    status: int = 201
    headers: str = ""
    pause: float = 0
    drip: float = 0
    received: list[Received] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/hook", *, host: str = "127.0.0.1", scheme: str = "http") -> str:
        """The address of this endpoint."""
        return f"{scheme}://{host}:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request and answer it."""
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(_header(line) for line in head[1:] if line)
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.received.append(Received(line=head[0], headers=headers, body=body))
            await asyncio.sleep(self.pause)
            answer = (
                f"HTTP/1.1 {self.status} Well\r\ncontent-length: 0\r\nconnection: close\r\n{self.headers}\r\n"
            )
            for piece in answer if self.drip else (answer,):
                writer.write(piece.encode())
                await writer.drain()
                await asyncio.sleep(self.drip)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def endpoint(*, tls: ssl.SSLContext | None = None, **answer: object) -> AsyncIterator[Endpoint]:
    """An endpoint that listens on a free port of this machine."""
    place = Endpoint(**answer)  # type: ignore[arg-type]  # the fields of Endpoint, each by its name
    server = await asyncio.start_server(place.serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        place.port = server.sockets[0].getsockname()[1]
        yield place


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.lower(), value.strip()


class Browser:
    """The keys of a browser, which alone can open what is pushed to it."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = bytes(range(16))

    def subscription(self, endpoint: str) -> SubscribePush:
        """What the browser submits."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return SubscribePush(endpoint=endpoint, keys=PushKeys(p256dh=encoded(point), auth=encoded(self.auth)))

    def opened(self, body: bytes) -> bytes:
        """The words of a push; fails if it was sealed for another browser."""
        words: bytes = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return words


def tls_for(host: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Both TLS contexts for a host with our own certificate: the server's, and that of a trusting client."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    file = folder / f"{host}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cafile=str(file))
