"""The configuration of NATS that we ship: a user of its own, and nobody else."""

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import nats
import pytest
import pytest_asyncio

from harness.servers import OwnNats, free_port, program
from tests.waiting import until

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nats" / "nats.conf"
PASSWORD = secrets.token_hex(16)

pytestmark = pytest.mark.processes


@pytest_asyncio.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    """A server by this configuration, on another port."""
    free = free_port()
    shutil.copy(CONFIGURATION, tmp_path)
    (tmp_path / "password.conf").write_text(f'CARTAGENA_PASSWORD: "{PASSWORD}"\n')
    command = (program("nats-server"), "-c", str(tmp_path / CONFIGURATION.name), "-p", str(free))
    server = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        address = f"nats://127.0.0.1:{free}"
        await until(lambda: _answers(tmp_path, address), what="a server that answers")
        yield free
    finally:
        server.terminate()
        await server.wait()


async def _answers(folder: Path, address: str) -> bool:
    return await OwnNats(folder).trouble_at(address) is None


@pytest.mark.parametrize("who", ["{}", '{"user":"cartagena","pass":"wrong"}'])
async def test_nobody_comes_in_without_the_password(port: int, who: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"CONNECT {who}\r\nPING\r\n".encode())
    said = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert b"-ERR 'Authorization Violation'" in said
    assert b"PONG" not in said


async def test_the_service_may_speak_of_its_own_subjects_only(port: int) -> None:
    troubles: list[str] = []

    async def note(error: Exception) -> None:
        troubles.append(str(error))

    client = await nats.connect(f"nats://cartagena:{PASSWORD}@127.0.0.1:{port}", error_cb=note)
    try:
        heard = await client.subscribe("cartagena.tables.7")
        await client.publish("cartagena.tables.7", b"ahoy")
        assert (await heard.next_msg(timeout=20)).data == b"ahoy"
        await client.subscribe(">")
        await until(lambda: any("permissions violation" in told for told in troubles), what="a refusal")
    finally:
        await client.close()
