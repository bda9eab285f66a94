"""Two nodes of one service, over NATS: what one writes, the other shows; what must end, ends everywhere."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from uuid import uuid4

import pytest
import pytest_asyncio

from cartagena.server.shared.settings import Settings
from tests.server.databases import settings_for
from tests.server.service_nodes import Node, Person, guest, listening, running_node
from tests.waiting import until

Two = tuple[Node, Node]


@pytest_asyncio.fixture
async def nodes(database_dsn: str, nats_url: str) -> AsyncIterator[Two]:
    settings: Settings = settings_for(
        database_dsn, CARTAGENA_NATS=nats_url, CARTAGENA_POOL="3", CARTAGENA_DIRECTORY_POOL="3"
    )
    async with running_node(settings) as here, running_node(settings) as there:
        yield here, there


@pytest_asyncio.fixture
async def people(nodes: Two) -> AsyncIterator[tuple[Person, Person, Person]]:
    here, there = nodes
    async with AsyncExitStack() as opened:
        enter = opened.enter_async_context
        yield (
            await enter(guest(here, "Anne")),
            await enter(guest(there, "Bart")),
            await enter(guest(there, "Cora")),
        )


async def opened_table(host: Person, **terms: object) -> str:
    told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2, **terms})
    table: str = told["id"]
    return table


async def test_what_one_node_writes_the_other_shows(people: tuple[Person, Person, Person]) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne)}"
    await bart.post(f"{table}/sit")
    async with listening(bart, f"{table}/stream") as seen, listening(cora, f"{table}/stream") as watched:
        await seen.until(1)
        await watched.until(1)
        began = await anne.post(f"{table}/start")
        await seen.until(2)
        await watched.until(2)
        mover = anne if began["view"]["to_act"] == 0 else bart
        current = (await mover.get(table))["current"]
        key = str(uuid4())
        body = {"seq": current["seq"], "code": current["view"]["legal"][0], "key": key}
        acted = await mover.post(f"{table}/actions", **body)
        assert acted["seq"] == 3
        again = await mover.post(f"{table}/actions", **body)
        assert again["seq"] == 3
        await seen.until(3)
        await watched.until(3)
    hands = [told["view"]["hands"] for _, _, told in watched.events if "view" in told]
    assert hands
    assert all(hand == [None, None] for hand in hands)
    own = [told["view"]["hands"] for _, _, told in seen.events if "view" in told]
    assert all(hand[0] is None and hand[1] is not None for hand in own)


async def test_a_stream_goes_on_at_another_node_where_it_left_off(
    people: tuple[Person, Person, Person], nodes: Two
) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne, seats=4)}"
    async with listening(anne, f"{table}/stream") as first:
        await first.until(0)
        await bart.post(f"{table}/sit")
        await first.until(1)
        place = first.last_id
    await cora.post(f"{table}/sit")
    await anne.post(f"{table}/chat", status=201, text="ahoy")
    anne.client.base_url = nodes[1].url
    async with listening(anne, f"{table}/stream", last=place) as second:
        await second.until(2)
    placed = [(event, told.get("seq", told.get("number"))) for event, id_, told in second.events if id_]
    assert placed == [("update", 2), ("chat", 1)]


async def test_who_is_at_a_table_is_known_at_every_node(people: tuple[Person, Person, Person]) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne)}"
    await bart.post(f"{table}/sit")
    everybody = {"here": [0, 1], "away": [], "watching": 1}
    async with (
        listening(anne, f"{table}/stream") as here,
        listening(bart, f"{table}/stream") as there,
        listening(cora, f"{table}/stream") as watched,
    ):
        for listener in (here, there, watched):
            await until(partial(listener.presence.__contains__, everybody), what="all three")


async def test_a_stream_that_missed_a_message_heals_itself(
    people: tuple[Person, Person, Person], nodes: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne, seats=4)}"
    here, _ = nodes
    async with listening(cora, f"{table}/stream") as watched:
        await watched.until(0)
        # The message of the first change is lost on the way, that of the second arrives.
        with monkeypatch.context() as silence:
            silence.setattr(here.resources.bus, "publish", lambda _message: None)
            await anne.post(f"{table}/bots", seat=3, level="sailor")
        await bart.post(f"{table}/sit")
        await watched.until(2)
    assert [told["seq"] for event, _, told in watched.events if event == "update"] == [0, 1, 2]


async def test_who_is_kicked_or_signed_out_is_told_nothing_more(
    people: tuple[Person, Person, Person],
) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne, seats=3)}"
    await bart.post(f"{table}/sit")
    async with listening(bart, f"{table}/stream") as kicked, listening(cora, f"{table}/stream") as signed:
        await kicked.until(1)
        await signed.until(1)
        await anne.post(f"{table}/kick", seat=1)
        assert await kicked.until_over() == "forbidden"
        await cora.client.post("/api/sign-out", headers=cora.headers)
        assert await signed.until_over() == "revoked"
    await bart.get(table, status=403)
    await cora.get("/api/me", status=401)


async def test_making_a_table_private_sends_spectators_away(people: tuple[Person, Person, Person]) -> None:
    anne, _, cora = people
    table = f"/api/tables/{await opened_table(anne)}"
    async with listening(cora, f"{table}/stream") as watched:
        await watched.until(0)
        await anne.post(f"{table}/terms", terms={"ruleset": "jamaica", "seats": 2, "listed": False})
        assert await watched.until_over() == "forbidden"
    await cora.get(table, status=404)
    invite = (await anne.get(table))["invite"]
    await cora.get(f"{table}?invite={invite}")


async def test_a_node_that_stops_sends_its_streams_elsewhere_with_their_place(
    people: tuple[Person, Person, Person], nodes: Two
) -> None:
    anne, bart, cora = people
    table = f"/api/tables/{await opened_table(anne)}"
    async with listening(cora, f"{table}/stream") as watched:
        await watched.until(0)
        await nodes[1].web.hub.drain()
        assert await watched.until_over() == "restart"
        place = watched.last_id
    cora.client.base_url = nodes[0].url
    async with listening(cora, f"{table}/stream", last=place) as again:
        await bart.client.get("/health")
        bart.client.base_url = nodes[0].url
        await bart.post(f"{table}/sit")
        await again.until(1)
    assert [told["seq"] for event, _, told in again.events if event == "update"] == [1]


async def test_a_stale_and_a_refused_move_are_answered_with_the_current_view(
    people: tuple[Person, Person, Person],
) -> None:
    anne, bart, _ = people
    table = f"/api/tables/{await opened_table(anne)}"
    await bart.post(f"{table}/sit")
    began = await anne.post(f"{table}/start")
    mover, other = (anne, bart) if began["view"]["to_act"] == 0 else (bart, anne)
    stale = await mover.post(f"{table}/actions", status=409, seq=1, code=0)
    assert stale["error"]["code"] == "stale"
    assert stale["current"]["seq"] == 2
    assert stale["current"]["view"]["legal"]
    refused = await mover.post(f"{table}/actions", status=422, seq=2, code=1023)
    assert refused["error"] == {
        "code": "no_such_action",
        "message": "the rules refuse that: no_such_action",
        "rule": "R2.4",
    }
    assert refused["current"]["seq"] == 2
    hasty = await other.post(f"{table}/actions", status=403, seq=2, code=0)
    assert hasty["error"]["code"] == "not_your_turn"
    assert hasty["current"]["view"]["legal"] is None


async def test_what_is_kept_as_a_file_has_a_type_and_a_name(people: tuple[Person, Person, Person]) -> None:
    anne, bart, _ = people
    table_id = await opened_table(anne)
    table = f"/api/tables/{table_id}"
    await bart.post(f"{table}/sit")
    await anne.post(f"{table}/start")
    files = {
        f"{table}/record": ("text/plain; charset=utf-8", f"cartagena-{table_id}.txt"),
        "/api/me/export": ("application/json", "cartagena.json"),
    }
    for path, (kind, name) in files.items():
        answer = await anne.client.get(path, headers=anne.headers)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == kind
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
