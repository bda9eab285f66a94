"""The start-up script of the image, run as the image runs it, without the image."""

import os
import signal
from pathlib import Path

import pytest

from harness.servers import free_port
from tests.deploy.running import DEPLOY, confinement, environment_of, run, running
from tests.server.databases import empty_database, migrated_database

START = str(DEPLOY / "image" / "start")
PROPER = (0, -signal.SIGTERM)


@pytest.mark.processes
async def test_upgrade_check_serve_and_a_clean_end(tmp_path: Path) -> None:
    async with empty_database() as dsn:
        port = free_port()
        environment = environment_of(dsn, CARTAGENA_HOST="0.0.0.0", CARTAGENA_PORT=str(port))  # noqa: S104

        async def done(*words: str) -> tuple[int, str]:
            return await run([START, *words], environment, tmp_path)

        code, told = await done("upgrade")
        assert code == 0, told
        assert "shard" in told
        assert "directory" in told
        assert (await done("db", "check"))[0] == 0, "any other word is a command of cartagena"
        code, told = await done("health")
        assert (code, "no answer" in told) == (1, True), "nobody is there yet"
        (tmp_path / "service").mkdir()
        async with running([START], environment, tmp_path / "service") as service:
            await service.ready(port)
            assert await done("health") == (0, "")
            assert await service.ended() in PROPER, service.log.read_text()


@pytest.mark.processes
async def test_a_worker_ends_when_it_is_asked(tmp_path: Path) -> None:
    async with (
        migrated_database() as dsn,
        running([START, "worker"], environment_of(dsn), tmp_path) as worker,
    ):
        await worker.said("worker_started")
        assert await worker.ended() == 0
        assert "worker_stopped" in worker.log.read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
async def test_none_of_it_was_done_by_root_or_on_a_disk_that_can_be_written(tmp_path: Path) -> None:
    if not confinement():
        pytest.skip("this machine lets nobody become somebody else")
    code, told = await run(["sh", "-c", "id -u; touch here"], environment_of(""), tmp_path)
    assert code != 0, told
    assert not told.startswith("0\n")
