"""Many streams, slow streams, and the end of a node: nobody holds up anybody else."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from http import HTTPStatus
from random import Random
from uuid import uuid4

import pytest

from cartagena.endpoints.asgi import Message
from cartagena.server.bus import Closing
from cartagena.server.http.streams.connections import SLOTS
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.server.http.streams.sse import Connection, SseConnection
from cartagena.tables.audience_ids import SPECTATOR
from tests.server.stream_world import GAME, QUICK, Client, Log, World, event_of, world
from tests.waiting import until

LARGE = 50_000


@pytest.fixture
async def here() -> AsyncIterator[World]:
    log = Log(size=LARGE)
    log.open(GAME)
    async with world(log) as made:
        yield made


async def read_all(client: Client, last: str) -> None:
    while (await client.next()).id != last:
        pass


# --- slow readers ------------------------------------------------------------------------------------


async def stuff(here: World, *, until_waiting: bool = False) -> int:
    """Tell one large update after another until the connections that nobody reads are full."""
    for number in range(1, 1000):
        here.hub.announce(here.log.update(GAME))
        # The server and the sockets have their turn before the next.
        await asyncio.sleep(0.001)
        waiting = any(stream.pipe._rest is not None for stream in here.hub._crowd.at(GAME))
        if here.hub.counts.slow or (until_waiting and waiting):
            return number
    raise AssertionError("nothing was ever full")


async def test_a_client_that_takes_nothing_is_cut_off_and_the_others_are_served(here: World) -> None:
    await here.ask(f"/tables/{GAME}", small=True)
    other = await here.watch(GAME, 0)
    await until(lambda: len(here.hub) == 2)
    reading = asyncio.create_task(read_all(other, "9999.0"))
    connections = len(here.server.server_state.connections)
    told = await stuff(here)
    assert here.hub.counts.slow == 1
    assert len(here.hub) == 1
    # The connection is gone at once, although the client never took what was sent to it.
    await until(lambda: len(here.server.server_state.connections) == connections - 1)
    await until(lambda: not reading.done() and other.last == f"{told}.0")
    reading.cancel()


async def test_a_client_that_was_cut_off_comes_back_with_its_place(here: World) -> None:
    slow = await here.ask(f"/tables/{GAME}?audience=0", small=True)
    told = await stuff(here)
    with pytest.raises((EOFError, ConnectionError)):
        await read_all(slow, "9999.0")
    assert slow.last is not None
    reached = int(slow.last.split(".")[0])
    assert reached < told
    back = await here.watch(GAME, 0, slow.last)
    assert [(await back.next()).id for _ in range(reached, told)] == [
        f"{seq}.0" for seq in range(reached + 1, told + 1)
    ]


async def test_a_client_that_catches_up_before_the_next_word_is_not_cut_off(here: World) -> None:
    slow = await here.ask(f"/tables/{GAME}", small=True)
    told = await stuff(here, until_waiting=True)
    await read_all(slow, f"{told}.0")
    (stream,) = here.hub._crowd.at(GAME)
    await until(lambda: stream.pipe._rest is None)
    here.hub.announce(here.log.update(GAME))
    assert (await slow.next()).id == f"{told + 1}.0"
    assert here.hub.counts.slow == 0


async def test_much_that_was_missed_comes_in_one_go_and_cuts_nobody_off(here: World) -> None:
    for _ in range(100):
        here.log.update(GAME)
    client = await here.watch(GAME, 0, "0.0")
    for _ in range(3):
        here.hub.announce(here.log.update(GAME))
        await read_all(client, f"{here.log._places[GAME][0]}.0")
    assert here.hub.counts.slow == 0


async def test_a_server_that_cannot_cut_lets_the_slow_one_go_as_well() -> None:
    log = Log(size=LARGE)
    log.open(GAME)
    async with world(log, can_cut=False) as here:
        await here.ask(f"/tables/{GAME}", small=True)
        await stuff(here)
        await until(lambda: not here.hub._serving)
        assert here.hub.counts.slow == 1


async def test_a_client_that_takes_nothing_is_dismissed_without_waiting_for_it(here: World) -> None:
    await here.ask(f"/tables/{GAME}", small=True)
    await stuff(here, until_waiting=True)
    here.hub.dismiss(Closing(code="gone", game_id=GAME))
    await until(lambda: not here.hub._serving and not here.server.server_state.connections)


async def test_the_last_words_to_a_client_that_does_not_take_them_cut_it_off() -> None:
    cut: list[bool] = []
    taken = asyncio.Event()

    async def send(_: Message) -> None:
        await taken.wait()

    connection = Connection(receive=_receive_nothing, send=send, abort=lambda: cut.append(True))
    pipe = SseConnection(connection)
    assert pipe.push(b"one")
    assert not pipe.push(b"two")
    taken.set()
    await until(lambda: pipe._rest is None)
    taken.clear()
    pipe.finish(b"last")
    assert cut == [True]
    await pipe.stop()
    assert pipe._rest is None


async def test_an_app_whose_client_was_let_go_ends_like_any_other() -> None:
    async def app(made: "asyncio.Future[SseConnection]") -> str:
        pipe = SseConnection(Connection(receive=_receive_nothing, send=_send_nothing))
        made.set_result(pipe)
        await pipe.until_gone()
        return "the end"

    made: asyncio.Future[SseConnection] = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(app(made))
    (await made).cut()
    assert await running == "the end"
    assert not running.cancelling()


async def test_a_server_whose_client_is_gone_may_say_so() -> None:
    async def send(_: Message) -> None:
        raise OSError

    pipe = SseConnection(Connection(receive=_receive_nothing, send=send))
    assert not pipe.push(b"one")


async def _receive_nothing() -> Message:
    await asyncio.Event().wait()
    return {}


async def _send_nothing(_: Message) -> None:
    await asyncio.Event().wait()


# --- heartbeats --------------------------------------------------------------------------------------


async def test_every_stream_hears_a_heartbeat_all_the_time() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, heartbeat=0.3)) as here:
        began = time.monotonic()
        clients = [await here.watch(GAME) for _ in range(3)] + [await here.ask("/lobby")]
        beats = here.hub._slot
        for client in clients:
            await client.next()
            for _ in range(3):
                assert event_of(await client.block()).comment
        # One in each round of all slots, and a round takes as long as was asked for.
        assert here.hub._slot - beats > SLOTS
        assert time.monotonic() - began > 0.5
        assert all(client.last in {None, "0.0"} for client in clients)


async def test_heartbeats_of_many_are_spread_over_time(here: World) -> None:
    for _ in range(2 * SLOTS):
        await here.watch(GAME)
    crowd = here.hub._crowd
    assert [len(crowd.in_slot(number)) for number in range(SLOTS)] == [2] * SLOTS


async def test_a_client_that_takes_nothing_is_found_by_the_heartbeat() -> None:
    log = Log(size=LARGE)
    log.open(GAME)
    async with world(log, replace(QUICK, heartbeat=0.2)) as here:
        await here.ask(f"/tables/{GAME}", small=True)
        await stuff(here, until_waiting=True)
        await until(lambda: here.hub.counts.slow == 1 and len(here.hub) == 0)


# --- limits ------------------------------------------------------------------------------------------


async def test_a_player_may_have_only_so_many_streams_however_many_sessions() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_player=3)) as here:
        path, lobby = f"/tables/{GAME}?player={uuid4()}", f"/lobby?player={uuid4()}"
        clients = [await here.ask(f"{path}&session={uuid4()}") for _ in range(3)]
        assert [client.status for client in clients] == [200] * 3
        assert (await here.ask(path)).status == 429
        assert (await here.ask(lobby)).status == 200
        clients[0].leave()
        await until(lambda: len(here.hub) == 3)
        assert (await here.ask(path)).status == 200


async def test_an_address_may_have_only_so_many_streams() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_address=2)) as here:
        path = f"/tables/{GAME}?address=there"
        clients = [await here.ask(f"{path}&session={uuid4()}") for _ in range(2)]
        assert (await here.ask(f"{path}&session={uuid4()}")).status == 429
        assert (await here.ask(path.replace("there", "elsewhere"))).status == 200
        here.hub.dismiss(Closing(code="gone", game_id=GAME))
        await clients[0].next()
        assert (await here.ask(path)).status == 200


async def test_the_addresses_of_one_ipv6_site_are_one() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_address=2)) as here:
        statuses = [
            (await here.ask(f"/tables/{GAME}?address={address}")).status
            for address in ("2001:db8:1:2::3", "2001:db8:1:2:ffff::1", "2001:db8:1:2::4", "2001:db8:1:3::3")
        ]
        assert statuses == [200, 200, 429, 200]


async def test_a_stream_that_was_refused_counts_nowhere() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_address=1)) as here:
        player = uuid4()
        first = await here.ask(f"/tables/{GAME}?player={player}")
        for _ in range(60):
            assert (await here.ask(f"/tables/{GAME}?player={player}")).status == 429
        first.leave()
        await until(lambda: len(here.hub) == 0)
        assert not here.hub._crowd._of_player
        assert not here.hub._crowd._of_address


# --- the end of a node -------------------------------------------------------------------------------


async def test_a_node_that_ends_sends_its_clients_away_to_come_back_at_different_times(here: World) -> None:
    clients = [await here.watch(GAME, SPECTATOR) for _ in range(30)] + [await here.ask("/lobby")]
    for client in clients:
        await client.next()
        client.retry = None
    await here.hub.drain()
    for client in clients:
        event = await client.next()
        assert (event.event, event.words, event.id) == ("closed", {"code": "restart"}, None)
        assert await client.has_ended()
    waits = [client.retry or 0 for client in clients]
    assert all(1000 <= wait <= 5000 for wait in waits)
    assert max(waits) - min(waits) > 2000
    assert clients[0].last == "0.0"
    assert len(here.hub) == 0


async def test_a_node_that_ends_takes_no_new_streams(here: World) -> None:
    await here.hub.drain()
    assert (await here.watch(GAME)).status == 503
    assert (await here.ask("/lobby")).status == 503


async def test_streams_that_are_about_to_begin_are_sent_away_too(here: World) -> None:
    here.log.gate.clear()
    opening = asyncio.create_task(here.watch(GAME))
    await until(lambda: len(here.hub) == 1)
    draining = asyncio.create_task(here.hub.drain())
    await until(lambda: here.hub._is_draining)
    here.log.gate.set()
    client = await opening
    assert (await client.next()).words == {"code": "restart"}
    await draining
    assert await client.has_ended()


async def test_a_store_that_never_answers_does_not_keep_a_node_from_ending() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, patience=0.1)) as here:
        log.gate.clear()
        opening = asyncio.create_task(here.ask(f"/tables/{GAME}?audience=0"))
        await until(lambda: len(here.hub) == 1)
        await here.hub.drain()
        assert (await opening).status == HTTPStatus.SERVICE_UNAVAILABLE
        log.gate.set()


async def test_nothing_runs_after_the_end() -> None:
    before = asyncio.all_tasks()
    log = Log()
    log.open(GAME)
    async with world(log, StreamSettings(heartbeat=0.1, check_every=0.01, lobby_every=0.01)) as here:
        for _ in range(5):
            await here.watch(GAME)
            await here.ask("/lobby")
    await until(lambda: asyncio.all_tasks() == before)
    assert not here.hub._serving


async def test_what_runs_for_the_streams_has_ended_when_the_hub_is_closed(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.gate.clear()
    here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    await until(lambda: bool(here.hub._reader._since._readers))
    running = [*here.hub._tasks, *here.hub._reader._since._readers.values()]
    assert len(running) == 6
    await here.hub.close()
    assert all(task.done() for task in running)


async def test_a_hub_that_did_nothing_ends_all_the_same() -> None:
    log = Log()
    hub = StreamHub(log, log, log, chance=Random(1))
    hub.start()
    running = list(hub._tasks)
    await hub.close()
    assert len(running) == 5
    assert all(task.done() for task in running)


# --- many --------------------------------------------------------------------------------------------


async def test_a_thousand_streams_hear_of_a_move_soon() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_address=1000)) as here:
        began = time.process_time()
        clients = [await here.watch(GAME, number % 3 - 1) for number in range(500)]
        half = time.process_time()
        clients += [await here.watch(GAME, number % 3 - 1) for number in range(500, 1000)]
        opened = time.process_time()
        assert len(here.hub) == 1000
        for client in clients:
            await client.next()
        announced = time.process_time()
        here.hub.announce(log.update(GAME))
        heard = await asyncio.gather(*(client.next() for client in clients))
        told = time.process_time()
        assert {event.id for event in heard} == {"1.0"}
        assert [event.words["audience"] for event in heard] == [number % 3 - 1 for number in range(1000)]
        # Not a measure of speed: it fails if a stream costs more the more there are. The processor's own
        # clock stands still while others use the machine.
        assert opened - half < 5 * (half - began), "a stream costs more after many others"
        assert told - announced < opened - began, "a move costs as much as a thousand connections"
        for client in clients:
            client.leave()
        await until(lambda: not here.hub._serving)
        assert here.hub.counts.slow == 0


async def test_a_table_with_many_spectators_does_not_hold_up_the_event_loop_until_all_are_told() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(QUICK, per_address=1000)) as here:
        clients = [await here.watch(GAME) for _ in range(700)]
        for client in clients:
            await client.next()
        here.hub.announce(log.update(GAME))
        # The next move comes before everybody has heard of this one.
        here.hub.announce(log.update(GAME))
        told = [stream.seq for stream in here.hub._crowd.at(GAME)]
        assert 0 < sum(seq == 2 for seq in told) < 700
        for client in clients:
            assert [(await client.next()).id for _ in range(2)] == ["1.0", "2.0"]
        assert here.hub.counts.healed == 0
