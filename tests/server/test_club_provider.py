"""What a provider says of itself: believed only if it is the one that the operator named."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from cartagena.server.accounts.club.provider import LARGEST_ANSWER, Provider
from cartagena.server.shared.club_settings import Club
from cartagena.tables.errors import Problem, ServiceError

HOME = "http://127.0.0.1:{port}"
HONEST = {
    "issuer": HOME,
    "authorization_endpoint": f"{HOME}/auth",
    "token_endpoint": f"{HOME}/token",
    "jwks_uri": f"{HOME}/keys",
}


@asynccontextmanager
async def provider(said: dict[str, str], status: str = "200 OK") -> AsyncIterator[Provider]:
    """A provider on this machine that says this of itself."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        told = {name: value.replace("{port}", str(port)) for name, value in said.items()}
        location = f"location: http://127.0.0.1:{port}/elsewhere\r\n"
        body = json.dumps(told)
        writer.write(f"HTTP/1.1 {status}\r\n{location}content-length: {len(body)}\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    async with server:
        club = Club(issuer=f"http://127.0.0.1:{port}", client_id="cartagena", name="Harbour Club")
        yield Provider(club, lambda: datetime(2026, 11, 18, tzinfo=UTC))


async def test_a_provider_that_is_the_one_we_know_is_believed() -> None:
    async with provider(HONEST) as known:
        assert (await known.metadata()).token_endpoint == f"{known.club.issuer}/token"


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        ({"issuer": "https://evil.example.org"}, "200 OK", "another_issuer"),
        ({"issuer": f"{HOME}/"}, "200 OK", "another_issuer"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "200 OK", "unsafe_address"),
        ({"token_endpoint": "http://id.example.org/token"}, "200 OK", "unsafe_address"),
        ({"jwks_uri": "ftp://id.example.org/keys"}, "200 OK", "unsafe_address"),
        ({"jwks_uri": "x" * LARGEST_ANSWER}, "200 OK", "too_large"),
        ({}, "302 Found", "status_302"),
    ],
)
async def test_any_other_is_not_and_the_log_says_why(said: dict[str, str], status: str, why: str) -> None:
    async with provider(HONEST | said, status) as other:
        with capture_logs() as told, pytest.raises(ServiceError) as refused:
            await other.metadata()
    assert refused.value.problem is Problem.UNAVAILABLE
    assert [entry["why"] for entry in told] == [why]
