"""Slow jobs: each done though workers die, none asked for twice, hints for one player's eyes only."""

import asyncio
from datetime import timedelta
from random import Random
from uuid import UUID, uuid4

import msgspec
import pytest
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.models import QueueEntrypoint, QueueManagerId
from pgqueuer.queries import EntrypointExecutionParameter

from cartagena.bots.analysis import analyse
from cartagena.messages import encode
from cartagena.rules.play import legal
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases, Pool
from cartagena.server.store.queue import JobQueue, names, queries_on
from cartagena.server.tables.records import whole_record
from cartagena.server.worker.telling import analysis_message
from cartagena.server.worker.thinking import Minds
from tests.server.worker_jobs import PROGRAM, QUICK_LOAD, Desk, Errand, at_work, runner_of
from tests.server.worker_world import Node, eventually

ANNE, BART = UUID(int=1), UUID(int=2)
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1"


async def number_of_jobs(directory: Pool) -> int:
    number: int = await directory.fetchval("SELECT count(*) FROM directory.jobs")
    return number


async def until_done(directory: Pool) -> None:
    async def is_empty() -> bool:
        return await number_of_jobs(directory) == 0

    await eventually(is_empty)


async def pick_and_die(directory: Pool, name: str) -> None:
    """A worker that takes a job and is killed."""
    picked = await queries_on(AsyncpgPoolDriver(directory)).dequeue(
        batch_size=1,
        entrypoints={QueueEntrypoint(name): EntrypointExecutionParameter(concurrency_limit=0)},
        queue_manager_id=QueueManagerId(uuid4()),
        global_concurrency_limit=None,
        heartbeat_timeout=timedelta(seconds=30),
    )
    assert len(picked) == 1


# The queue.


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
        async with asyncio.timeout(10):
            await started(errand)
    assert errand.done == [b"one"]
    assert await number_of_jobs(directory) == 0


async def test_a_runner_that_is_cancelled_puts_its_job_back(directory: Pool, settings: Settings) -> None:
    errand = Errand(seconds=60)
    await JobQueue(directory).put(errand.name, b"one", key="one")
    running = asyncio.create_task(runner_of(settings, errand).run())
    await started(errand)
    running.cancel()
    async with asyncio.timeout(5):
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

    await eventually(is_tried)


# Hints.


async def test_a_hint_is_found_from_the_view_and_read_by_who_asked_alone(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.played((ANNE, BART))
    seat = table.to_act
    assert seat is not None
    player = (ANNE, BART)[seat]
    asked = await desk.hints.ask(table.id, table.seq, seat=seat, player=player)
    assert (asked.state, asked.found) == ("waiting", None)
    async with at_work(settings, desk.hint_job()):
        await until_done(databases.directory)
    found = await desk.hints.find(table.id, UUID(asked.id), player)
    assert found is not None
    assert (found.state, found.seat, found.seq) == ("ready", seat, table.seq)
    assert found.found is not None
    assert table.position is not None
    assert found.found.best.codes[0] in legal(table.position)
    assert await desk.hints.find(table.id, UUID(asked.id), (ANNE, BART)[1 - seat]) is None
    assert await desk.hints.find(uuid4(), UUID(asked.id), player) is None
    assert await desk.hints.ask(table.id, table.seq, seat=seat, player=player) == found
    assert await desk.jobs() == []


async def test_a_hint_that_is_asked_for_twice_is_one_job_that_names_no_card(databases: Databases) -> None:
    desk = Desk(Node(databases))
    table = await desk.played((ANNE, BART))
    answers = await asyncio.gather(
        *(desk.hints.ask(table.id, table.seq, seat=0, player=ANNE) for _ in range(4))
    )
    assert len({answer.id for answer in answers}) == 1
    (payload,) = await desk.jobs()
    assert msgspec.json.decode(payload) == {
        "hint": answers[0].id,
        "table": str(table.id),
        "seat": 0,
        "seq": table.seq,
    }


async def test_nobody_waits_for_a_hint_after_the_game_has_gone_on(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.played((ANNE, BART))
    seat = table.to_act
    assert seat is not None
    asked = await desk.hints.ask(table.id, table.seq, seat=seat, player=ANNE)
    await desk.acted(table, Random(1))
    async with at_work(settings, desk.hint_job()):
        await until_done(databases.directory)
    found = await desk.hints.find(table.id, UUID(asked.id), ANNE)
    assert found is not None
    assert (found.state, found.found) == ("failed", None)


async def test_there_is_no_hint_in_a_rated_game_however_it_got_into_the_queue(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.played((ANNE, BART), rated=True)
    seat = table.to_act
    assert seat is not None
    asked = await desk.hints.ask(table.id, table.seq, seat=seat, player=ANNE)
    async with at_work(settings, desk.hint_job()):
        await until_done(databases.directory)
    found = await desk.hints.find(table.id, UUID(asked.id), ANNE)
    assert found is not None
    assert found.state == "failed"


async def test_a_hint_is_gone_after_an_hour(databases: Databases) -> None:
    desk = Desk(Node(databases))
    asked = await desk.hints.ask(uuid4(), 5, seat=0, player=ANNE)
    table_id = await databases.directory.fetchval("SELECT game_id FROM directory.hints")
    assert await desk.hints.find(table_id, UUID(asked.id), ANNE) is not None
    await desk.hints.forget_old()
    assert await desk.hints.find(table_id, UUID(asked.id), ANNE) is not None
    await databases.directory.execute("UPDATE directory.hints SET asked_at = now() - interval '61 minutes'")
    assert await desk.hints.find(table_id, UUID(asked.id), ANNE) is None
    await desk.hints.forget_old()
    assert await databases.directory.fetchval("SELECT count(*) FROM directory.hints") == 0


# Analyses.


async def test_a_game_is_analysed_once_for_all(databases: Databases, settings: Settings) -> None:
    desk = Desk(Node(databases))
    table = await desk.over((ANNE, BART))
    asked = await asyncio.gather(*(desk.analyses.ask(table.id) for _ in range(3)))
    assert {answer.state for answer in asked} == {"waiting"}
    assert len(await desk.jobs()) == 1
    async with at_work(settings, desk.analysis_job()):
        await until_done(databases.directory)
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    record = await whole_record(desk.node.store, table)
    assert kept.found == analysis_message(record, analyse(record, simulations=2))
    assert len(kept.found.steps) == len(record.steps) == 8
    assert await desk.analyses.ask(table.id) == kept
    assert await desk.jobs() == []


async def test_an_analysis_that_was_found_just_before_its_worker_died_is_not_made_again(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.over((ANNE, BART))
    await desk.analyses.ask(table.id)
    await pick_and_die(databases.directory, "analysis")
    record = await whole_record(desk.node.store, table)
    found = encode(analysis_message(record, analyse(record, simulations=1)))
    await desk.analyses.keep(table.id, found)
    await desk.analyses.keep(table.id, b"another")
    async with at_work(settings, desk.analysis_job(simulations=2)):
        await until_done(databases.directory)
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    assert kept.found is not None
    assert kept.found.simulations == 1
    assert desk.node.counted("cartagena_jobs_total", job="analysis", end="found") == 0


async def test_a_game_that_is_not_over_is_not_analysed_but_may_be_later(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.played((ANNE, BART))
    await desk.analyses.ask(table.id)
    async with at_work(settings, desk.analysis_job()):
        await until_done(databases.directory)
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    assert kept.state == "failed"
    assert (await desk.analyses.ask(table.id)).state == "waiting"
    assert len(await desk.jobs()) == 1


async def test_a_job_whose_process_dies_is_done_by_the_next_process(
    databases: Databases, settings: Settings
) -> None:
    minds = Minds(1)
    desk = Desk(Node(databases, minds=minds))
    table = await desk.over((ANNE, BART))
    await desk.analyses.ask(table.id)
    try:
        import os
        import signal

        os.kill(await minds.think("a game", 30, os.getpid), signal.SIGKILL)
        async with at_work(settings, desk.analysis_job()):
            await until_done(databases.directory)
    finally:
        await minds.close()
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    assert kept.state == "ready"
