"""`cartagena worker` as a process: it works until it is asked to end, and what it leaves another takes up."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import msgspec
import pytest

from cartagena.fairness.record import verify_record
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.tables.records import whole_record
from cartagena.tables.sheet import Stage
from cartagena.tables.table import EventKind
from harness.servers import free_port
from tests.server.databases import empty_database
from tests.server.worker_bots import HERE
from tests.server.worker_world import Gate, Node, bot, until_happened
from tests.waiting import PATIENCE, STARTING

pytestmark = pytest.mark.processes

GATED = bot(f"{HERE}:Gated")


async def launched(dsn: str, *flags: str) -> Process:
    """A worker in a process of its own, on these databases."""
    environment = {
        **os.environ,
        "CARTAGENA_DIRECTORY": dsn,
        "CARTAGENA_SHARDS": dsn,
        "CARTAGENA_POOL": "2",
        "CARTAGENA_DIRECTORY_POOL": "2",
    }
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cartagena", "worker", *flags, env=environment, stderr=PIPE
    )


async def said(process: Process, event: str) -> list[str]:
    """What a worker logs until it says `event`."""
    assert process.stderr is not None
    events: list[str] = []
    async with asyncio.timeout(STARTING):
        while event not in events:
            line = await process.stderr.readline()
            assert line, f"the worker ended after {events}"
            events.append(msgspec.json.decode(line)["event"])
    return events


@asynccontextmanager
async def at_work(settings: Settings, *flags: str) -> AsyncIterator[Process]:
    """A running worker; if it is still there at the end it is asked to end, and must."""
    process = await launched(settings.directory, *flags)
    try:
        await said(process, "worker_started")
        yield process
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            events = await said(process, "worker_stopped")
            assert "wake_failed" not in events
        assert await process.wait() in {0, -signal.SIGKILL}
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_worker_plays_a_game_to_its_end_and_ends_when_it_is_asked(
    databases: Databases, settings: Settings
) -> None:
    node = Node(databases)
    table = await node.begun([bot("sailor"), bot("deckhand"), bot("sailor"), bot("deckhand")])
    async with at_work(settings):
        over = await node.until_over(table.id)
    assert verify_record(await whole_record(node.store, over)).holds


async def test_what_a_killed_worker_leaves_is_taken_up_by_another(
    databases: Databases, settings: Settings, gate: Gate
) -> None:
    node = Node(databases)
    table = await node.begun([GATED, GATED])
    gate.let(1)
    async with at_work(settings) as first:
        await gate.asked(2)
        first.kill()
        await first.wait()
    gate.let(1000)
    shard = databases.shard_of(table.id)
    # However long the next one takes to start, the dead worker's lease has not run out.
    await shard.execute("UPDATE shard.games SET wake_at = now() + interval '1 hour' WHERE wake_at > now()")
    async with at_work(settings):
        due = await node.begun([bot("sailor"), bot("sailor")])
        await until_happened(node, due.id, EventKind.ACTED)
        assert (await node.kinds(table.id)).count(EventKind.ACTED) == 1
        await shard.execute("UPDATE shard.games SET wake_at = now()")
        await until_happened(node, table.id, EventKind.ACTED, 3)


async def test_the_bots_of_all_games_go_on_when_one_of_three_workers_is_killed(
    databases: Databases, settings: Settings, gate: Gate
) -> None:
    node = Node(databases)
    async with at_work(settings) as first:
        held = [await node.begun([GATED, GATED]) for _ in range(3)]
        # It thinks about one of these games and keeps the others waiting.
        await gate.asked()
        async with at_work(settings), at_work(settings):
            first.kill()
            await first.wait()
            gate.let(100_000)
            others = [await node.begun([bot("sailor"), bot("deckhand")]) for _ in range(6)]
            over = [await node.until_over(table.id) for table in others]
            # What the dead one had claimed is due again when its lease runs out: nobody has to help.
            for table in held:
                await until_happened(node, table.id, EventKind.ACTED, 3)
    assert all([verify_record(await whole_record(node.store, table)).holds for table in over])


async def test_a_worker_that_is_asked_to_end_finishes_the_choice_under_way(
    databases: Databases, settings: Settings, gate: Gate
) -> None:
    node = Node(databases)
    table = await node.begun([GATED, GATED])
    gate.let(1)
    async with at_work(settings) as worker:
        await gate.asked(2)
        worker.send_signal(signal.SIGTERM)
        await said(worker, "worker_stopping")
        gate.let(1000)
        await said(worker, "worker_stopped")
        await worker.wait()
    after = await node.tables.newest(table.id)
    assert after.sheet.stage is Stage.RUNNING
    assert (await node.kinds(table.id)).count(EventKind.ACTED) == 2


async def test_a_worker_tells_what_it_has_counted(databases: Databases, settings: Settings) -> None:
    node = Node(databases)
    port = free_port()
    async with at_work(settings, "--metrics-port", str(port)), httpx.AsyncClient(timeout=PATIENCE) as client:
        table = await node.begun([bot("sailor"), bot("sailor")])
        await until_happened(node, table.id, EventKind.ACTED)
        page = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
    assert 'cartagena_wakes_done_total{duty="acted"}' in page


async def test_a_worker_says_what_is_missing() -> None:
    async with empty_database() as dsn:
        process = await launched(dsn)
        _, told = await process.communicate()
    assert process.returncode == 1
    assert b"cartagena db upgrade" in told
    assert b"Traceback" not in told


async def test_a_taken_port_of_the_metrics_is_named(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process = await launched(settings.directory, "--metrics-port", str(port))
        _, told = await process.communicate()
    assert process.returncode == 1
    assert f"port {port} of 127.0.0.1 is taken".encode() in told, told
    assert b"--metrics-port" in told
    assert b"Traceback" not in told
