"""The stream of a player: all that concerns them, from any node, though a message is lost; nothing else."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack
from typing import Final
from uuid import UUID

import pytest
import pytest_asyncio
from prometheus_client import CollectorRegistry

from cartagena.server.accounts.players import keep_name
from cartagena.server.bus import Announcement
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.server.lobby.player_news import PlayerGame, PlayerReader
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.worker.outbox import DirectoryWriter, OutboxMetrics
from tests.server.accounts_world import some_name
from tests.server.challenge_world import EXPIRE
from tests.server.databases import settings_for
from tests.server.service_nodes import Json, Listener, Node, Person, guest, listening, running_node
from tests.waiting import until

STREAM: Final = "/api/me/stream"
CHECKING: Final = StreamSettings(check_every=0.05, sessions_every=0.05)
NEVER: Final = StreamSettings(check_every=3600, sessions_every=3600)
Two = tuple[Node, Node]
People = tuple[Person, Person]


@pytest_asyncio.fixture(params=[NEVER], ids=["messages"])
async def nodes(request: pytest.FixtureRequest, database_dsn: str, nats_url: str) -> AsyncIterator[Two]:
    """Two nodes of one service, which tell what they hear, or also what they find."""
    settings = settings_for(
        database_dsn, CARTAGENA_NATS=nats_url, CARTAGENA_POOL="3", CARTAGENA_DIRECTORY_POOL="3"
    )
    async with (
        running_node(settings, request.param) as here,
        running_node(settings, request.param) as there,
    ):
        yield here, there


@pytest_asyncio.fixture
async def people(nodes: Two) -> AsyncIterator[People]:
    """A guest at each of the nodes."""
    async with AsyncExitStack() as opened:
        here, there = nodes
        yield (
            await opened.enter_async_context(guest(here, "Anne")),
            await opened.enter_async_context(guest(there, "Bart")),
        )


checked = pytest.mark.parametrize("nodes", [CHECKING], indirect=True, ids=["checks"])


async def directory_told(node: Node) -> None:
    """Let a worker tell the directory all news."""
    resources = node.resources
    teller = DirectoryWriter(
        directory=resources.databases.directory,
        tables=resources.tables,
        bus=resources.bus,
        metrics=OutboxMetrics(CollectorRegistry()),
    )
    for shard in AllOutboxes(resources.databases).shards:
        while await teller.tell_due(shard):
            pass


async def opened_table(host: Person, **terms: object) -> str:
    told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2, **terms})
    table: str = told["id"]
    return table


async def begun_table(host: Person, other: Person, node: Node, **terms: object) -> str:
    """A running game of two, of which the directory knows."""
    table = await opened_table(host, **terms)
    invite = (await host.get(f"/api/tables/{table}"))["invite"]
    await other.post(f"/api/tables/{table}/sit", invite=invite)
    await host.post(f"/api/tables/{table}/start")
    await directory_told(node)
    return table


def news_of(heard: Listener, table: str) -> list[str]:
    """What was told to have happened to a table."""
    return [
        told["what"]
        for event, _, told in heard.events
        if event == "game" and told["game"]["table"]["id"] == table
    ]


async def hears(heard: Listener, table: str, *what: str) -> None:
    """Wait until exactly this has been told of a table."""
    await until(lambda: len(news_of(heard, table)) >= len(what), what=lambda: str(heard.events))
    assert news_of(heard, table) == list(what)


async def tells_last(heard: Listener, table: str, what: str) -> None:
    """Wait until this is the last that has been told of a table."""
    await until(lambda: news_of(heard, table)[-1:] == [what], what=lambda: str(heard.events))


async def state_of(heard: Listener) -> Json:
    """The state with which a stream begins."""
    await heard.until_told()
    event, id_, told = heard.events[0]
    assert (event, id_) == ("state", "")
    return told


async def turn_over(table: str, people: People) -> Person:
    """Let the player to act end their turn; returns the other one."""
    current = (await people[0].get(f"/api/tables/{table}"))["current"]
    seat = current["view"]["to_act"]
    while current["view"]["to_act"] == seat:
        own = (await people[seat].get(f"/api/tables/{table}"))["current"]
        current = await people[seat].post(
            f"/api/tables/{table}/actions", seq=own["seq"], code=own["view"]["legal"][-1]
        )
    return people[1 - seat]


async def test_a_game_is_told_from_the_seat_to_the_end_at_every_node(nodes: Two, people: People) -> None:
    anne, bart = people
    async with listening(anne, STREAM) as here, listening(bart, STREAM) as there:
        assert await state_of(here) == await state_of(there) == {"games": [], "challenges": []}
        table = await opened_table(anne)
        await directory_told(nodes[1])
        await hears(here, table, "seated")
        await bart.post(f"/api/tables/{table}/sit")
        await anne.post(f"/api/tables/{table}/start")
        await directory_told(nodes[0])
        await hears(here, table, "seated", "begun")
        await tells_last(there, table, "begun")
        other = await turn_over(table, people)
        mine = here if other is anne else there
        await tells_last(mine, table, "your_turn")
        assert mine.events[-1][2]["game"]["table"]["my_turn"]
        await bart.post(f"/api/tables/{table}/resign")
        for heard in (here, there):
            await tells_last(heard, table, "over")
            game = heard.events[-1][2]["game"]
            assert (game["ending"], game["winner"], game["table"]["stage"]) == ("resigned", 0, "over")


async def test_it_begins_with_the_games_that_run_and_says_which_of_them_waits(
    nodes: Two, people: People
) -> None:
    table = await begun_table(*people, nodes[0])
    waiting = 0
    for number, person in enumerate(people):
        async with listening(person, STREAM) as heard:
            (game,) = (await state_of(heard))["games"]
        assert (game["table"]["id"], game["table"]["seat"], game["ending"]) == (table, number, None)
        waiting += game["table"]["my_turn"]
    assert waiting == 1


async def test_no_card_and_no_word_of_the_private_tables_of_others(nodes: Two, people: People) -> None:
    anne, bart = people
    async with (
        guest(nodes[0], "Cora") as cora,
        listening(cora, STREAM) as watched,
        listening(anne, STREAM) as own,
    ):
        table = await begun_table(anne, bart, nodes[0], listed=False)
        await turn_over(table, people)
        await until(lambda: "begun" in news_of(own, table), what=lambda: str(own.events))
        shared = await begun_table(cora, bart, nodes[0])
        await until(lambda: "begun" in news_of(watched, shared), what=lambda: str(watched.events))
    assert table not in str(watched.events)
    for secret in ("hand", "view", "invite", "nonce", "legal"):
        assert secret not in str(own.events)


async def test_two_tabs_are_told_the_same(nodes: Two, people: People) -> None:
    anne, _ = people
    async with listening(anne, STREAM) as one, listening(anne, STREAM) as other:
        await one.until_told()
        await other.until_told()
        table = await opened_table(anne)
        await directory_told(nodes[1])
        await hears(one, table, "seated")
        await hears(other, table, "seated")
    assert one.events == other.events


async def test_who_is_sent_away_is_told_so_and_hears_no_more_of_that_table(
    nodes: Two, people: People
) -> None:
    anne, bart = people
    table = await opened_table(anne, seats=3)
    async with listening(bart, STREAM) as heard:
        await heard.until_told()
        await bart.post(f"/api/tables/{table}/sit")
        await directory_told(nodes[0])
        await hears(heard, table, "seated")
        await anne.post(f"/api/tables/{table}/kick", seat=1)
        await hears(heard, table, "seated", "left")
        await anne.post(f"/api/tables/{table}/bots", seat=1, level="deckhand")
        second = await opened_table(bart)
        await directory_told(nodes[0])
        await hears(heard, second, "seated")
        assert news_of(heard, table) == ["seated", "left"]


@checked
async def test_what_the_bus_lost_is_read_from_the_store(
    nodes: Two, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bart = people
    async with listening(bart, STREAM) as heard:
        await heard.until_told()
        for node in nodes:
            monkeypatch.setattr(node.resources.bus, "publish", lambda _message: None)
        table = await begun_table(anne, bart, nodes[0])
        await hears(heard, table, "begun")
        if not heard.events[-1][2]["game"]["table"]["my_turn"]:
            await turn_over(table, people)
            await tells_last(heard, table, "your_turn")
        await anne.post(f"/api/tables/{table}/resign")
        await tells_last(heard, table, "over")


@checked
async def test_a_session_that_ended_is_told_nothing_more_though_nobody_said_so(
    nodes: Two, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, _ = people
    async with listening(anne, STREAM) as heard:
        await heard.until_told()
        for node in nodes:
            monkeypatch.setattr(node.resources.bus, "publish", lambda _message: None)
        await anne.client.post("/api/sign-out", headers=anne.headers)
        assert await heard.until_over() == "revoked"


async def named(node: Node, *people: Person) -> None:
    """Let guests keep a name."""
    async with node.resources.directory.pool.acquire() as connection:
        for person in people:
            await keep_name(connection, UUID(person.id), some_name())


async def challenged(challenger: Person, opponent: Person) -> str:
    """A challenge of one to the other."""
    terms = {"ruleset": "jamaica"}
    made = await challenger.post("/api/challenges", status=201, opponent=opponent.id, terms=terms)
    challenge: str = made["id"]
    return challenge


def of_challenge(heard: Listener, challenge: str) -> list[Json]:
    """What was told of a challenge."""
    return [told for event, _, told in heard.events if event == "challenge" and told["id"] == challenge]


async def hears_of(heard: Listener, challenge: str, *states: str) -> Json:
    """Wait until exactly this has been told of a challenge; returns the last."""
    await until(lambda: len(of_challenge(heard, challenge)) >= len(states), what=lambda: str(heard.events))
    told = of_challenge(heard, challenge)
    assert [each["state"] for each in told] == list(states)
    return told[-1]


async def answer(person: Person, challenge: str, verb: str, **body: object) -> None:
    """Decide a challenge."""
    path = f"/api/challenges/{challenge}/{verb}"
    told = await person.client.post(path, json=body, headers=person.headers)
    assert told.status_code == 200, told.text


async def test_a_challenge_and_what_becomes_of_it_is_told_to_both(nodes: Two, people: People) -> None:
    anne, bart = people
    await named(nodes[0], *people)
    async with (
        listening(anne, STREAM) as here,
        listening(bart, STREAM) as there,
        guest(nodes[1], "Cora") as cora,
        listening(cora, STREAM) as beside,
    ):
        for heard in (here, there, beside):
            await heard.until_told()
        first, second = await challenged(anne, bart), await challenged(bart, anne)
        for heard in (here, there):
            await hears_of(heard, first, "open")
            await hears_of(heard, second, "open")
        await answer(bart, first, "decline", reason="clock")
        await answer(anne, second, "accept")
        for heard in (here, there):
            assert (await hears_of(heard, first, "open", "declined"))["reason"] == "clock"
            table = (await hears_of(heard, second, "open", "accepted"))["table"]
            await hears(heard, table, "seated")
    assert [event for event, _, _ in beside.events] == ["state"]
    async with listening(anne, STREAM) as again:
        state = await state_of(again)
    assert [(each["id"], each["state"]) for each in state["challenges"]] == [
        (second, "accepted"),
        (first, "declined"),
    ]


@checked
async def test_what_becomes_of_a_challenge_is_told_though_the_bus_lost_it(
    nodes: Two, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bart = people
    await named(nodes[0], *people)
    directory = nodes[0].resources.directory.pool
    async with listening(anne, STREAM) as heard:
        await heard.until_told()
        for node in nodes:
            monkeypatch.setattr(node.resources.bus, "publish", lambda _message: None)
        declined, expired, erased = [await challenged(anne, bart) for _ in range(3)]
        await hears_of(heard, erased, "open")
        await answer(bart, declined, "decline", reason="busy")
        assert (await hears_of(heard, declined, "open", "declined"))["reason"] == "busy"
        await directory.execute(EXPIRE, UUID(expired))
        await hears_of(heard, expired, "open", "expired")
        await directory.execute("DELETE FROM directory.game_challenges WHERE challenge_id = $1", UUID(erased))
        await hears_of(heard, erased, "open", "withdrawn")


async def test_what_happens_while_it_is_read_is_told_after_it(
    nodes: Two, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    anne, bart = people
    first, second = [await begun_table(anne, bart, nodes[0]) for _ in range(2)]
    read, answered, allowed = PlayerReader.games, asyncio.Event(), asyncio.Semaphore(0)
    announced: list[Announcement] = []

    async def late(
        reader: PlayerReader, asked: Mapping[UUID, Collection[UUID]]
    ) -> Mapping[UUID, Mapping[UUID, PlayerGame | None]]:
        found = await read(reader, asked)
        answered.set()
        await allowed.acquire()
        return found

    async def arrives(table: str, update: Json) -> None:
        place = UUID(table), update["seq"]
        await until(
            lambda: place in {(told.game_id, told.seq) for told in announced}, what="the announcement there"
        )

    monkeypatch.setattr(PlayerReader, "games", late)
    await nodes[1].resources.bus.subscribe(Announcement, announced.append)
    async with listening(bart, STREAM) as heard:
        await answered.wait()
        await arrives(first, await anne.post(f"/api/tables/{first}/abandon", agrees=True))
        answered.clear()
        allowed.release()
        await answered.wait()
        # What is read now is no longer the beginning.
        await arrives(first, await anne.post(f"/api/tables/{first}/resign"))
        await arrives(second, await anne.post(f"/api/tables/{second}/resign"))
        allowed.release()
        allowed.release()
        await hears(heard, first, "over")
        await hears(heard, second, "over")
    assert [event for event, _, _ in heard.events] == ["state", "game", "game"]
