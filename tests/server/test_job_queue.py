"""The queue of slow jobs: each done, though workers die and databases go away, and none told of."""

import asyncio

import pytest
from pgqueuer.db import AsyncpgPoolDriver

from cartagena.server.shared.settings import Settings
from cartagena.server.store.job_queue import Hopeless, JobQueue, names, queries_on
from cartagena.server.store.shards import Pool
from tests.server.worker_jobs import (
    PROGRAM,
    QUICK_LOAD,
    Errand,
    at_work,
    number_of_jobs,
    pick_and_die,
    runner_of,
    until_done,
)
from tests.waiting import PATIENCE, until

CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = $1 AND datname = current_database()
"""


async def test_the_tables_of_the_queue_are_what_the_library_wants(directory: Pool) -> None:
    plan = await queries_on(AsyncpgPoolDriver(directory)).plan_upgrade()
    assert list(plan.statements) == []


def test_no_variable_of_the_environment_changes_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = names()
    for field in type(before).model_fields:
        for name in (f"PGQUEUER_{field}", field):
            monkeypatch.setenv(name.upper(), "balanced" if field == "durability" else "elsewhere")
    monkeypatch.setenv("PGQUEUER_SCHEMA", "elsewhere")
    monkeypatch.delenv("WIDEN_ID")
    monkeypatch.delenv("PGQUEUER_WIDEN_ID")
    assert names() == before


async def test_a_job_is_done_and_gone(directory: Pool, settings: Settings) -> None:
    errand = Errand()
    async with at_work(settings, errand):
        await JobQueue(directory).put(errand.name, b"one", key="one")
        await until_done(directory)
    assert errand.done == [b"one"]


async def test_a_job_with_the_same_key_is_handed_in_once(directory: Pool, settings: Settings) -> None:
    queue, errand = JobQueue(directory), Errand()
    await asyncio.gather(*(queue.put(errand.name, b"one", key="one") for _ in range(5)))
    await queue.put(errand.name, b"two", key="two")
    assert await number_of_jobs(directory) == 2
    async with at_work(settings, errand):
        await until_done(directory)
    assert sorted(errand.done) == [b"one", b"two"]


async def test_two_workers_do_each_job_once(directory: Pool, settings: Settings) -> None:
    queue, one, two = JobQueue(directory), Errand(seconds=0.01), Errand(seconds=0.01)
    for number in range(30):
        await queue.put("errand", str(number).encode(), key=str(number))
    async with at_work(settings, one), at_work(settings, two):
        await until_done(directory)
    assert sorted(int(payload) for payload in one.done + two.done) == list(range(30))


async def test_the_job_of_a_worker_that_died_is_taken_up_by_another(
    directory: Pool, settings: Settings
) -> None:
    errand = Errand()
    await JobQueue(directory).put(errand.name, b"one", key="one")
    await pick_and_die(directory, errand.name)
    async with at_work(settings, errand):
        await until_done(directory)
    assert errand.done == [b"one"]


async def test_a_job_that_takes_longer_than_the_lease_is_done_once(
    directory: Pool, settings: Settings
) -> None:
    one, two = Errand(seconds=2.5), Errand(seconds=2.5)
    await JobQueue(directory).put("errand", b"one", key="one")
    async with at_work(settings, one), at_work(settings, two):
        await until_done(directory)
    assert one.tried + two.tried == [b"one"]


async def test_a_job_that_fails_is_tried_again(directory: Pool, settings: Settings) -> None:
    errand = Errand(failures=2)
    await JobQueue(directory).put(errand.name, b"one", key="one")
    async with at_work(settings, errand):
        await until_done(directory)
    assert errand.tried == [b"one"] * 3
    assert (errand.done, errand.given_up) == ([b"one"], [])


async def test_a_job_that_always_fails_is_given_up_and_nothing_of_it_is_told(
    directory: Pool, settings: Settings
) -> None:
    errand = Errand(failures=100)
    await JobQueue(directory).put(errand.name, b"one", key="one")
    async with at_work(settings, errand):
        await until_done(directory)
    assert errand.tried == [b"one"] * QUICK_LOAD.attempts
    assert (errand.done, errand.given_up) == ([], [b"one"])
    log = await directory.fetchval("SELECT string_agg(l::text, ' ') FROM directory.jobs_log AS l")
    assert "ValueError" in log
    assert "skulls" not in log


async def test_a_runner_that_is_stopped_finishes_what_is_under_way(
    directory: Pool, settings: Settings
) -> None:
    errand = Errand(seconds=0.5)
    await JobQueue(directory).put(errand.name, b"one", key="one")
    async with at_work(settings, errand):
        async with asyncio.timeout(PATIENCE):
            await started(errand)
    assert errand.done == [b"one"]
    assert await number_of_jobs(directory) == 0


async def test_a_runner_that_is_cancelled_puts_its_job_back(directory: Pool, settings: Settings) -> None:
    errand = Errand(seconds=60)
    await JobQueue(directory).put(errand.name, b"one", key="one")
    running = asyncio.create_task(runner_of(settings, errand).run())
    await started(errand)
    running.cancel()
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(asyncio.CancelledError):
            await running
    assert await directory.fetchval("SELECT status::text FROM directory.jobs") == "queued"
    another = Errand()
    async with at_work(settings, another):
        await until_done(directory)
    assert another.done == [b"one"]


async def test_a_runner_goes_on_when_its_connection_is_cut(directory: Pool, settings: Settings) -> None:
    errand, queue = Errand(), JobQueue(directory)
    async with at_work(settings, errand):
        await queue.put(errand.name, b"one", key="one")
        await until_done(directory)
        await directory.execute(CUT, PROGRAM)
        await queue.put(errand.name, b"two", key="two")
        await until_done(directory)
    assert errand.done == [b"one", b"two"]


async def started(errand: Errand) -> None:
    """Wait until the job is under way."""

    async def is_tried() -> bool:
        return bool(errand.tried)

    await until(is_tried)


async def test_a_job_that_would_fail_again_is_not_tried_again(directory: Pool, settings: Settings) -> None:
    errand = Errand(failures=QUICK_LOAD.attempts, failure=Hopeless("it took too long"))
    async with at_work(settings, errand):
        await JobQueue(directory).put(errand.name, b"one", key="one")
        await until_done(directory)
    assert (errand.tried, errand.given_up) == ([b"one"], [b"one"])
