"""A whole service on a role that may only read and write rows: played, moved, folded, forgotten, repaired."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from uuid import UUID

import pytest_asyncio
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from cartagena.server.lobby.repair import repair
from cartagena.server.shared.settings import Settings
from cartagena.server.store.erasure import ERASED, Forgetting
from cartagena.server.store.migrate import check, upgrade
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.store.shard_migration import MovedBucket, move
from cartagena.server.worker.erasure import Eraser
from cartagena.server.worker_app import opened_worker
from cartagena.tables.ids import bucket_of
from cartagena.tables.names import DELETED
from tests.server.databases import opened, settings_for
from tests.server.roles import owned_database, two_roles
from tests.server.service_nodes import Json, Node, Person, guest, running_node
from tests.waiting import until

TROUBLE = {"failed", "jobs_away", "job_failed", "wakes_away", "rounds_failing", "news_not_told", "game_stuck"}
"""What a node or a worker would log about a statement that it may not run."""


@pytest_asyncio.fixture
async def settings() -> AsyncIterator[Settings]:
    """Settings of a node; every bucket is in the first of two databases."""
    async with two_roles() as roles, owned_database(roles) as one, owned_database(roles) as two:

        def read(first: str, second: str) -> Settings:
            shards = f"0-1023={first},none={second}"
            return settings_for(
                first, shards=shards, CARTAGENA_POOL="3", CARTAGENA_BOT_WORKERS="0", CARTAGENA_PACE="1000"
            )

        owner = read(roles.as_owner(one), roles.as_owner(two))
        await upgrade(owner, lambda _: None, grant_to=roles.node)
        node = read(roles.as_node(one), roles.as_node(two))
        assert {standing.may_alter for standing in await check(node)} == {False}
        yield node


@asynccontextmanager
async def working_node(settings: Settings) -> AsyncIterator[Node]:
    """A web node with a worker inside, as a club has it."""
    async with running_node(settings) as node, opened_worker(node.resources, CollectorRegistry()) as worker:
        task = asyncio.create_task(worker.run())
        try:
            yield node
        finally:
            await worker.stop()
            await task


async def play(people: list[Person], table: str, chance: Random, *, most: int) -> bool:
    """Let people play at random, a bot in between; return whether the game is over."""
    for _ in range(most):
        told = await until_somebody_is_to_act(people, table)
        if told is None:
            return True
        person, current = told
        action = {"seq": current["seq"], "code": chance.choice(current["view"]["legal"])}
        await person.post(f"{table}/actions", **action)
    return False


async def until_somebody_is_to_act(people: list[Person], table: str) -> tuple[Person, Json] | None:
    """Which of the people is to act, and what they see; None if the game is over."""
    while True:
        seen = (await people[0].get(table))["current"]["view"]
        if seen["ending"] is not None:
            return None
        if seen["to_act"] < len(people):
            person = people[seen["to_act"]]
            return person, (await person.get(table))["current"]
        await asyncio.sleep(0.01)


async def hinted(people: list[Person], table: str) -> None:
    """Ask for a hint, and wait until a worker has found it: the queue of jobs works."""
    told = await until_somebody_is_to_act(people, table)
    assert told is not None
    person, _ = told
    asked = await person.post(f"{table}/hint", status=202)
    path = f"{table}/hints/{asked['id']}"

    async def is_found() -> bool:
        return (await person.client.get(path, headers=person.headers)).status_code == 200

    await until(is_found, seconds=60, what="a hint")


async def moved(settings: Settings, bucket: int, target: int) -> None:
    told = list[MovedBucket]()
    async with opened(settings) as databases:
        await move(databases, [bucket], target, told.append)
    assert [one.games for one in told] == [1]


async def forgotten(node: Node, person: Person, table: str) -> None:
    """Let `person` leave for good; the table then knows neither their name nor what they said."""
    answer = await person.client.request("DELETE", "/api/me", headers=person.headers)
    assert answer.status_code == 204, answer.text
    eraser = Eraser(tables=node.resources.tables, forgetting=Forgetting(node.resources.databases))
    async with asyncio.TaskGroup() as group:
        assert await eraser.round(group) == 1
    lines = await node.resources.store.chat(UUID(table.rpartition("/")[2]), 0)
    assert [(line.name, line.text) for line in lines] == [(DELETED, ERASED)]


async def test_a_whole_game_is_played_and_looked_after_by_a_role_of_rows(settings: Settings) -> None:
    with capture_logs() as logs:
        async with (
            working_node(settings) as node,
            guest(node, "Anne") as anne,
            guest(node, "Bart") as bart,
        ):
            people, chance = [anne, bart], Random(1)
            terms = {"ruleset": "jamaica", "seats": 3, "hints": True}
            opened_table = await anne.post("/api/tables", status=201, terms=terms, bots=["deckhand"])
            game = UUID(opened_table["id"])
            table = f"/api/tables/{game}"
            await bart.post(f"{table}/sit")
            await anne.post(f"{table}/start")
            assert not await play(people, table, chance, most=10)
            await bart.post(f"{table}/chat", status=201, text="ahoy")
            await hinted(people, table)
            await moved(settings, bucket_of(game), 1)
            assert await play(people, table, chance, most=2000)
            # The directory is told by the worker, and the log folded when it is a week old.
            shard = node.resources.databases.shards()[1]
            count = "SELECT count(*) FROM directory.results WHERE game_id = $1"
            directory = node.resources.databases.directory
            await until(lambda: directory.fetchval(count, game), what="the result")
            await shard.execute("UPDATE shard.games SET wake_at = now() WHERE game_id = $1", game)
            count = "SELECT count(*) FROM shard.records WHERE game_id = $1"
            await until(lambda: shard.fetchval(count, game), what="a folded log")
            await forgotten(node, bart, table)
            await moved(settings, bucket_of(game), 0)
            await repair(AllOutboxes(node.resources.databases), directory, lambda _: None)
            assert (await anne.get(table))["current"]["view"]["ending"] is not None
    assert [entry for entry in logs if entry["event"] in TROUBLE] == []
