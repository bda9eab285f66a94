"""Hints and analyses: none worked out twice, hints for the eyes of one player only."""

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from random import Random
from uuid import UUID, uuid4

import msgspec

from cartagena.bots.analysis.annotation import analyse
from cartagena.messages import encode
from cartagena.rules.legality import legal
from cartagena.server.shared.processes import Asked, Found
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.worker.bot_pool import BotPool
from cartagena.tables.records import whole_record
from cartagena.tables.sheet import Share
from cartagena.tables.thinking import analysis_message
from tests.server.worker_jobs import Desk, at_work, pick_and_die, until_done
from tests.server.worker_world import Node
from tests.waiting import until

ANNE, BART = UUID(int=1), UUID(int=2)


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
        "household": "",
        "player": str(ANNE),
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
    assert not await desk.analyses.is_asked(table.id)
    asked = await asyncio.gather(*(desk.analyses.ask(table.id) for _ in range(3)))
    assert await desk.analyses.is_asked(table.id)
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
    pool = BotPool(1)
    desk = Desk(Node(databases, pool=pool))
    table = await desk.over((ANNE, BART))
    await desk.analyses.ask(table.id)
    try:
        os.kill(await pool.work("a game", 30, os.getpid), signal.SIGKILL)
        async with at_work(settings, desk.analysis_job()):
            await until_done(databases.directory)
    finally:
        await pool.close()
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    assert kept.state == "ready"


async def test_an_analysis_that_waits_for_its_turn_does_not_keep_a_worker_from_ending(
    databases: Databases, settings: Settings
) -> None:
    desk = Desk(Node(databases))
    table = await desk.over((ANNE, BART))
    await desk.analyses.ask(table.id)
    turns = desk.node.pool.turns
    async with turns.of(Share("elsewhere", "nobody")):
        async with at_work(settings, desk.analysis_job()):
            await until(lambda: turns.waiting(""), what="an analysis that waits")
        assert (await desk.analyses.ask(table.id)).state == "waiting"
    assert len(await desk.jobs()) == 1


class NotingPool(BotPool):
    """Remembers whose game was worked on, in order."""

    def __init__(self, processes: int) -> None:
        super().__init__(processes)
        self.subjects: list[str] = []

    async def work(
        self,
        subject: str,
        seconds: float,
        work: Callable[Asked, Found],
        *args: Asked.args,
        **kwargs: Asked.kwargs,
    ) -> Found:
        self.subjects.append(subject)
        return await super().work(subject, seconds, work, *args, **kwargs)


async def test_one_analysis_hands_its_turn_on_after_every_decision(
    databases: Databases, settings: Settings
) -> None:
    pool = NotingPool(0)
    desk = Desk(Node(databases, pool=pool))
    tables = [await desk.over((ANNE, BART)) for _ in range(2)]
    async with pool.turns.of(Share("elsewhere", "nobody")):
        runner = at_work(settings, desk.analysis_job())
        await runner.__aenter__()
        for number, table in enumerate(tables):
            await desk.analyses.ask(table.id, household=f"house {number}")
            waiting = partial(pool.turns.waiting, f"house {number}")
            await until(waiting, what="an analysis that waits")
    try:
        await until_done(databases.directory)
    finally:
        await runner.__aexit__(None, None, None)
    games = [str(table.id) for table in tables]
    first_end = min(len(pool.subjects) - pool.subjects[::-1].index(game) for game in games)
    assert set(pool.subjects[: first_end - 1]) == set(games), "neither waits until the other one is done"
    for table in tables:
        record, kept = await whole_record(desk.node.store, table), await desk.analyses.find(table.id)
        assert kept is not None
        assert kept.found == analysis_message(record, analyse(record, simulations=2))


async def test_an_analysis_that_takes_too_long_is_not_tried_again(
    databases: Databases, settings: Settings
) -> None:
    pool = NotingPool(0)
    desk = Desk(Node(databases, pool=pool))
    table = await desk.over((ANNE, BART))
    await desk.analyses.ask(table.id)
    async with at_work(settings, desk.analysis_job(seconds=0.0)):
        await until_done(databases.directory)
    kept = await desk.analyses.find(table.id)
    assert kept is not None
    assert (kept.state, pool.subjects) == ("failed", [str(table.id)])
