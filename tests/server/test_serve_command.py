"""`cartagena serve` as a process: it says why it cannot start, and leaves nothing behind when it ends."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, STDOUT

import pytest

from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.tables.table import EventKind
from harness.servers import free_port
from tests.server.worker_world import Node, bot, until_happened
from tests.waiting import STARTING

pytestmark = pytest.mark.processes


@pytest.mark.parametrize("asking", [signal.SIGTERM, signal.SIGINT])
async def test_a_service_that_is_asked_to_end_leaves_nothing_behind(
    databases: Databases, settings: Settings, asking: signal.Signals
) -> None:
    node = Node(databases)
    environment = {
        **os.environ,
        "CARTAGENA_DIRECTORY": settings.directory,
        "CARTAGENA_SHARDS": settings.directory,
        "CARTAGENA_POOL": "2",
        "CARTAGENA_DIRECTORY_POOL": "2",
        "CARTAGENA_BOT_WORKERS": "1",
    }
    words = ("-m", "cartagena", "serve", "--no-upgrade", "--port", str(free_port()))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, env=environment, stdout=PIPE, stderr=STDOUT
    )
    try:
        # A bot that chooses makes the service start a process to think in.
        table = await node.begun([bot("sailor"), bot("sailor")])
        async with asyncio.timeout(STARTING):
            await until_happened(node, table.id, EventKind.ACTED)
        process.send_signal(asking)
        told, _ = await asyncio.wait_for(process.communicate(), STARTING)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, told.decode()
    for trouble in (b"leaked", b"Traceback", b"Aborted"):
        assert trouble not in told, told.decode()


async def refusal(*flags: str, **variables: str) -> tuple[int | None, str]:
    """How a service ends that cannot start, and what it says."""
    words = ("-m", "cartagena", "serve", "--no-upgrade", "--no-worker", *flags)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("CARTAGENA_")}
    environment = {**kept, "LANG": "C.UTF-8", **variables}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, env=environment, stdout=PIPE, stderr=STDOUT
    )
    told, _ = await asyncio.wait_for(process.communicate(), STARTING)
    return process.returncode, told.decode()


async def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, told = await refusal("--port", str(port))
    assert code == 1
    taken = f"port {port} of 127.0.0.1 is taken"
    assert told == f"Error: {taken}: stop the other program, or choose another port with --port\n"


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
async def test_a_host_that_is_elsewhere_is_named(host: str) -> None:
    code, told = await refusal("--host", host, "--port", str(free_port()))
    assert code == 1
    assert told.startswith(f"Error: {host} is no address of this machine"), told
    assert "CARTAGENA_HOST" in told


@pytest.mark.parametrize("name", ["CARTAGENA_NATS_CA", "CARTAGENA_NATS_CREDENTIALS"])
async def test_a_file_of_the_bus_that_is_not_there_is_named(name: str) -> None:
    files = {"CARTAGENA_NATS": "tls://127.0.0.1:1", name: "/no/such/file"}
    code, told = await refusal("--port", str(free_port()), **files)
    assert code == 1
    assert told.startswith(f"Error: {name} is '/no/such/file'; it must be"), told


async def test_a_misspelt_variable_is_named_with_the_one_that_was_meant() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        _, told = await refusal("--port", port, CARTAGENA_TRUSTED_PROXY="10.0.0.1", CARTAGENA_URLS="")
    warning, error = told.splitlines()
    assert '"event":"setting_unknown"' in warning
    assert '"name":"CARTAGENA_TRUSTED_PROXY","near":"CARTAGENA_TRUSTED_PROXIES"' in warning
    assert "10.0.0.1" not in warning
    assert error.startswith("Error: port")
