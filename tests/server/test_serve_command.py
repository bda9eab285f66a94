"""`cartagena serve` as a process: asked to end, it stops its worker, and leaves nothing behind."""

import asyncio
import os
import signal
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
