"""Streams of tables and of the lobby, over a real server: what a client is told, and where it goes on."""

import asyncio
import gc
import weakref
from uuid import UUID, uuid4

import pytest

from cartagena.endpoints.events import written
from cartagena.messages.streams import stream_position
from cartagena.server.bus import Announcement, Closing, LobbyChange
from cartagena.server.http.streams.connections import Stream
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from tests.server.bus_nodes import two_nodes
from tests.server.stream_world import GAME, Client, Event, Log, World, world
from tests.waiting import PATIENCE, until


def told(*events: Event) -> list[tuple[str, str | None, object]]:
    """The kind, the id and the number of each event."""
    return [(one.event, one.id, one.words.get(one.event, one.words.get("whole"))) for one in events]


# --- the beginning -----------------------------------------------------------------------------------


async def test_a_stream_begins_with_the_whole_state_and_the_headers_of_a_stream(here: World) -> None:
    here.log.update(GAME)
    client = await here.watch(GAME)
    event = await client.next()
    assert client.status == 200
    assert client.headers["content-type"] == "text/event-stream"
    assert client.headers["cache-control"] == "no-store"
    assert client.headers["x-accel-buffering"] == "no"
    assert (event.event, event.id, event.words["whole"]) == ("update", "1.0", 1)


async def test_what_happens_is_told_as_it_happens_and_each_event_has_its_id(here: World) -> None:
    client = await here.watch(GAME)
    await client.next()
    for _ in range(3):
        here.hub.announce(here.log.update(GAME))
        here.hub.announce(here.log.say(GAME))
    assert told(*await client.several(6)) == [
        ("update", "1.0", 1), ("chat", "1.1", 1), ("update", "2.1", 2),
        ("chat", "2.2", 2), ("update", "3.2", 3), ("chat", "3.3", 3),
    ]  # fmt: skip
    assert [reading for reading in here.log.readings if reading[0] == "since"] == []


async def test_each_audience_gets_its_own_words_and_no_others(here: World) -> None:
    clients = {audience: await here.watch(GAME, audience) for audience in (0, 1, SPECTATOR)}
    here.hub.announce(here.log.update(GAME))
    for audience, client in clients.items():
        events = await client.several(2)
        assert [event.words["audience"] for event in events] == [audience, audience]
        assert await here.is_silent(client)


async def test_an_audience_without_a_frame_is_told_nothing_and_misses_nothing(here: World) -> None:
    client = await here.watch(GAME, 0)
    other = await here.watch(GAME, 1)
    await client.next()
    await other.next()
    here.hub.announce(here.log.say(GAME, not_to=[0]))
    here.hub.announce(here.log.say(GAME))
    assert told(await client.next()) == [("chat", "0.2", 2)]
    assert told(*await other.several(2)) == [("chat", "0.1", 1), ("chat", "0.2", 2)]
    assert here.hub.counts.healed == 0


async def test_a_table_that_is_not_there_is_an_answer_and_no_stream(here: World) -> None:
    here.log.trouble = ServiceError(Problem.NO_SUCH_TABLE, "no")
    client = await here.watch(uuid4())
    assert client.status == 404
    assert len(here.hub) == 0


async def test_announcements_of_other_tables_are_not_told(here: World) -> None:
    other = uuid4()
    here.log.open(other)
    client = await here.watch(GAME)
    await client.next()
    here.hub.announce(here.log.update(other))
    assert await here.is_silent(client)


# --- coming back -------------------------------------------------------------------------------------


async def test_a_client_that_comes_back_gets_exactly_what_it_missed(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.hub.announce(here.log.update(GAME))
    await client.next()
    client.leave()
    for step in range(5):
        here.log.update(GAME)
        if step % 2:
            here.log.say(GAME)
    back = await here.watch(GAME, 0, client.last)
    assert told(*await back.several(7)) == [
        ("update", "2.0", 2), ("update", "3.0", 3), ("chat", "3.1", 1), ("update", "4.1", 4),
        ("update", "5.1", 5), ("chat", "5.2", 2), ("update", "6.2", 6),
    ]  # fmt: skip
    here.hub.announce(here.log.update(GAME))
    assert told(await back.next()) == [("update", "7.2", 7)]


async def test_the_place_may_stand_in_the_query_too(here: World) -> None:
    here.log.update(GAME)
    here.log.update(GAME)
    client = await here.ask(f"/tables/{GAME}?last=1.0")
    assert told(await client.next()) == [("update", "2.0", 2)]


async def test_who_missed_nothing_gets_nothing_but_has_an_open_stream(here: World) -> None:
    here.log.update(GAME)
    client = await here.watch(GAME, last="1.0")
    assert client.status == 200
    assert await here.is_silent(client)
    assert client.retry is not None
    here.hub.announce(here.log.update(GAME))
    assert told(await client.next()) == [("update", "2.0", 2)]
    assert [reading[0] for reading in here.log.readings] == ["cursors"]


@pytest.mark.parametrize(
    "last", ["9.0", "1.9", "99999999999.0", "1", "1.", "-1.0", "a.b", "1.0.0", "\u0661.\u0660"]
)
async def test_a_place_that_cannot_be_read_or_lies_ahead_gets_the_whole_state(here: World, last: str) -> None:
    here.log.update(GAME)
    client = await here.ask(f"/tables/{GAME}", last=last)
    assert told(await client.next()) == [("update", "1.0", 1)]


@pytest.mark.parametrize("text", [None, "", "1.2\n", " 1.2", "1.2 ", "+1.2", "1e1.0"])
def test_only_two_plain_numbers_are_a_place(text: str | None) -> None:
    assert stream_position(text) is None


def test_data_of_several_lines_stays_one_event() -> None:
    assert written("update", b"{\n\r\n}") == b"event: update\ndata: {\ndata: \ndata: }\n\n"


# --- ends --------------------------------------------------------------------------------------------


async def open_all(here: World, players: list[UUID], sessions: list[UUID]) -> dict[str, Client]:
    other = uuid4()
    here.log.open(other)
    paths = {
        "first at table": f"/tables/{GAME}?audience=0&player={players[0]}&session={sessions[0]}",
        "first on phone": f"/tables/{GAME}?audience=0&player={players[0]}&session={sessions[1]}",
        "first elsewhere": f"/tables/{other}?player={players[0]}&session={sessions[0]}",
        "first in lobby": f"/lobby?player={players[0]}&session={sessions[0]}",
        "second at table": f"/tables/{GAME}?player={players[1]}&session={sessions[2]}",
        "nobody at table": f"/tables/{GAME}",
    }
    clients = {name: await here.ask(path) for name, path in paths.items()}
    for client in clients.values():
        await client.next()
    return clients


PLAYERS = [uuid4(), uuid4()]
SESSIONS = [uuid4(), uuid4(), uuid4()]


@pytest.mark.parametrize(
    ("closing", "meant"),
    [
        (Closing(code="kicked", game_id=GAME, player_id=PLAYERS[0]), {"first at table", "first on phone"}),
        (
            Closing(code="revoked", session_id=SESSIONS[0]),
            {"first at table", "first elsewhere", "first in lobby"},
        ),
        (
            Closing(code="deleted", player_id=PLAYERS[0]),
            {"first at table", "first on phone", "first elsewhere", "first in lobby"},
        ),
        (
            Closing(code="gone", game_id=GAME),
            {"first at table", "first on phone", "second at table", "nobody at table"},
        ),
        (
            Closing(code="private", game_id=GAME, audience=SPECTATOR),
            {"second at table", "nobody at table"},
        ),
        (Closing(code="x", game_id=GAME, player_id=PLAYERS[0], session_id=SESSIONS[2]), set()),
    ],
    ids=lambda value: value.code if isinstance(value, Closing) else "",
)
async def test_a_closing_ends_exactly_the_streams_it_means(
    here: World, closing: Closing, meant: set[str]
) -> None:
    clients = await open_all(here, PLAYERS, SESSIONS)
    here.hub.dismiss(closing)
    assert len(here.hub) == len(clients) - len(meant)
    for name, client in clients.items():
        if name in meant:
            event = await client.next()
            assert (event.event, event.words) == ("closed", {"code": closing.code})
            assert await client.has_ended()
        else:
            assert await here.is_silent(client)


async def test_nothing_is_told_after_a_closing(here: World) -> None:
    client = await here.watch(GAME)
    await client.next()
    here.hub.dismiss(Closing(code="gone", game_id=GAME))
    here.hub.announce(here.log.update(GAME))
    assert (await client.next()).event == "closed"
    assert await client.has_ended()


async def test_a_stream_that_is_closed_while_it_begins_tells_no_state(here: World) -> None:
    here.log.gate.clear()
    opening = asyncio.create_task(here.watch(GAME))
    await until(lambda: len(here.hub) == 1)
    here.hub.dismiss(Closing(code="kicked", game_id=GAME))
    here.log.gate.set()
    client = await opening
    assert (await client.next()).words == {"code": "kicked"}
    assert await client.has_ended()


async def test_a_client_that_leaves_leaves_nothing_behind(here: World) -> None:
    before = len(asyncio.all_tasks())
    client = await here.watch(GAME)
    await client.next()
    (stream,) = here.hub._crowd.at(GAME)
    gone = weakref.ref(stream.pipe._connection.send.__self__)  # type: ignore[attr-defined]  # uvicorn's cycle
    del stream
    client.leave()
    await until(lambda: len(here.hub) == 0 and not here.hub._serving)
    await until(lambda: len(asyncio.all_tasks()) == before)
    gc.collect()
    assert gone() is None
    assert not any(isinstance(thing, Stream) for thing in gc.get_objects())
    crowd = here.hub._crowd
    assert not any((crowd._tables, crowd._of_address, crowd._of_player, *crowd._slots))


# --- the lobby, and the bus --------------------------------------------------------------------------


async def test_the_lobby_begins_with_all_of_it_and_goes_on_with_changes(here: World) -> None:
    client = await here.ask("/lobby")
    here.hub.lobby_changed(LobbyChange(frame=b'{"listing":1}'))
    events = await client.several(2)
    assert [(event.event, event.id) for event in events] == [("lobby", None), ("listing", None)]
    assert events[0].words == {"tables": []}
    assert events[1].words == {"listing": 1}


async def test_changes_while_the_lobby_is_read_come_after_it(here: World) -> None:
    here.log.gate.clear()
    opening = asyncio.create_task(here.ask("/lobby"))
    await until(lambda: len(here.hub) == 1)
    here.hub.lobby_changed(LobbyChange(frame=b'{"listing":1}'))
    here.log.gate.set()
    client = await opening
    assert [event.event for event in await client.several(2)] == ["lobby", "listing"]


async def test_the_whole_lobby_is_shown_again_from_time_to_time() -> None:
    async with world(Log(), StreamSettings(lobby_every=0.05)) as here:
        client = await here.ask("/lobby")
        assert (await client.next()).words == {"tables": []}
        here.log.lobby = b'{"tables":[1]}'
        async with asyncio.timeout(PATIENCE):
            while (await client.next()).words != {"tables": [1]}:
                pass


async def test_a_change_while_the_lobby_is_read_again_comes_after_it_too() -> None:
    async with world(Log(), StreamSettings(lobby_every=0.05)) as here:
        client = await here.ask("/lobby")
        await client.next()
        here.log.gate.clear()
        seen = len(here.log.readings)
        await until(lambda: len(here.log.readings) > seen)
        here.hub.lobby_changed(LobbyChange(frame=b'{"listing":1}'))
        here.log.gate.set()
        events = [(await client.next()).event for _ in range(2)]
        while events[0] == events[1] == "lobby":
            events = [events[1], (await client.next()).event]
        assert events == ["lobby", "listing"]
        assert (await client.next()).event == "lobby"


@pytest.mark.parametrize("kind", ["local", "nats"])
async def test_a_stream_on_another_node_hears_through_the_bus(kind: str) -> None:
    log = Log()
    log.open(GAME)
    async with two_nodes(kind) as (ours, theirs), world(log) as here:
        await ours.subscribe(Announcement, here.hub.announce)
        await ours.subscribe(Closing, here.hub.dismiss)
        await ours.subscribe(LobbyChange, here.hub.lobby_changed)
        client, lobby = await here.watch(GAME), await here.ask("/lobby")
        await client.next()
        await lobby.next()
        for _ in range(20):
            theirs.publish(log.update(GAME))
        assert [event.words["update"] for event in await client.several(20)] == list(range(1, 21))
        theirs.publish(LobbyChange(frame=b'{"listing":1}'))
        assert (await lobby.next()).words == {"listing": 1}
        theirs.publish(Closing(code="gone", game_id=GAME))
        assert (await client.next()).words == {"code": "gone"}
