"""Limits of a table: people who do not sit there cannot keep those who do from playing or talking."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from uuid import UUID, uuid4

import httpx
import pytest

from cartagena.endpoints.limits import CHATTING
from cartagena.server.http.rate_limits import AS_GUEST, STRANGERS, WATCHERS, WITH_A_NAME, TableLimits
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.tables.errors import Problem, ServiceError
from tests.server.service_nodes import Node, Person, guest, running_node


@pytest.fixture
async def node(settings: Settings, databases: Databases) -> AsyncIterator[Node]:
    del databases  # emptied, that is all
    async with running_node(settings) as running:
        yield running


async def _guests(node: Node, opened: AsyncExitStack, number: int) -> list[Person]:
    return [await opened.enter_async_context(guest(node, f"Pirate {place}")) for place in range(number)]


async def _all(people: Sequence[Person], path: str, times: int, **body: object) -> list[httpx.Response]:
    """The answers to `people` who each ask `times` times, all at once: a limit forgets with time."""
    return await asyncio.gather(
        *(
            person.client.post(path, json={"key": str(uuid4()), **body}, headers=person.headers)
            for _ in range(times)
            for person in people
        )
    )


async def _opened(host: Person, **terms: object) -> str:
    told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2, **terms})
    return f"/api/tables/{told['id']}"


async def test_strangers_cannot_keep_those_who_sit_there_from_playing(node: Node) -> None:
    async with AsyncExitStack() as opened:
        anne, bart, *strangers = await _guests(node, opened, 5)
        table = await _opened(anne)
        await bart.post(f"{table}/sit")
        began = await anne.post(f"{table}/start")
        answers = await _all(strangers, f"{table}/actions", 35, seq=began["seq"], code=0)
        assert {answer.status_code for answer in answers} == {403, 429}
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["error"]["code"] == "too_many"
        assert int(refused.headers["retry-after"]) >= 1
        mover = anne if began["view"]["to_act"] == 0 else bart
        current = (await mover.get(table))["current"]
        await mover.post(f"{table}/actions", seq=current["seq"], code=current["view"]["legal"][0])


async def test_watchers_cannot_talk_down_those_who_sit_there(node: Node) -> None:
    async with AsyncExitStack() as opened:
        anne, *watchers = await _guests(node, opened, 8)
        table = await _opened(anne)
        answers = await _all(watchers, f"{table}/chat", CHATTING.player.burst, text="ahoy")
        statuses = [answer.status_code for answer in answers]
        assert set(statuses) == {201, 429}
        assert statuses.count(201) >= WATCHERS.burst
        await anne.post(f"{table}/chat", status=201, text="silence, please")


async def test_nobody_sits_at_all_tables_at_once(node: Node, databases: Databases) -> None:
    async with AsyncExitStack() as opened:
        anne, bart = await _guests(node, opened, 2)
        table = await _opened(bart)
        rows = [(UUID(int=number), UUID(anne.id)) for number in range(AS_GUEST)]
        await databases.directory.executemany(
            "INSERT INTO directory.seatings (game_id, player_id, seat, stage, to_act) "
            "VALUES ($1, $2, 0, 0, false)",
            rows,
        )
        wanted = {"terms": {"ruleset": "jamaica", "seats": 2}}
        for path, body in (
            ("/api/tables", wanted),
            (f"{table}/sit", {}),
            ("/api/matches", {"ruleset": "jamaica", "seats": 2}),
        ):
            (answer,) = await _all([anne], path, 1, **body)
            assert answer.status_code == 429, path
            assert answer.headers["retry-after"] == "60"
        await databases.directory.execute(
            "UPDATE directory.seatings SET ended_at = now() WHERE game_id = $1", rows[0][0]
        )
        await anne.post(f"{table}/sit")


def test_a_name_that_is_kept_has_room_for_more_tables() -> None:
    limits = TableLimits()
    limits.check_tables(AS_GUEST - 1, is_guest=True)
    limits.check_tables(WITH_A_NAME - 1, is_guest=False)
    for tables, is_guest in ((AS_GUEST, True), (WITH_A_NAME, False)):
        with pytest.raises(ServiceError) as refused:
            limits.check_tables(tables, is_guest=is_guest)
        assert refused.value.problem is Problem.TOO_MANY


def test_each_table_has_limits_of_its_own() -> None:
    limits = TableLimits(clock=lambda: 100.0)
    for _ in range(STRANGERS.burst):
        limits.count_stranger(UUID(int=1))
    with pytest.raises(ServiceError):
        limits.count_stranger(UUID(int=1))
    limits.count_stranger(UUID(int=2))
    limits.count_watcher(UUID(int=1))
