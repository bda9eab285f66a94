"""What only a bus through NATS can suffer: a server that dies, refuses, takes nothing or is somebody else."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from uuid import uuid4

import nats
import pytest
from structlog.testing import capture_logs

from cartagena.server.bus import Announcement, Bus, Wake, open_bus
from cartagena.server.bus import nats as through_nats
from cartagena.server.bus.messages import pack
from cartagena.server.bus.nats import MOST_WAITING
from tests.server.bus_nodes import OwnNats, announcement, game_in, self_signed, two_nodes
from tests.waiting import PATIENCE, until


@pytest.mark.parametrize(
    "url", ["", "nats://", "http://127.0.0.1:4222", "nats://club:secret@club:port", "nats://h,ws://i"]
)
async def test_a_wrong_address_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="the address of NATS is") as caught:
        await open_bus(url)
    assert "secret" not in str(caught.value)


async def test_nodes_with_different_prefixes_do_not_hear_each_other() -> None:
    async with two_nodes("nats") as (here, near), two_nodes("nats") as (other, far):
        heard_near: list[Wake] = []
        heard: list[Wake] = []
        await near.subscribe(Wake, heard_near.append)
        await other.subscribe(Wake, heard.append)
        here.publish(Wake(bucket=1))
        await until(lambda: heard_near == [Wake(bucket=1)])
        # NATS has handed it on to all who listen by now, so it would come before this one.
        far.publish(Wake(bucket=2))
        await until(lambda: Wake(bucket=2) in heard)
        assert heard == [Wake(bucket=2)]


async def test_unreadable_messages_are_dropped_and_counted(nats_url: str) -> None:
    prefix = f"test-{uuid4().hex}"
    bus = await open_bus(nats_url, prefix=prefix)
    stranger = await nats.connect(nats_url)
    heard: list[Wake] = []
    await bus.subscribe(Wake, heard.append)
    nested = b"\x01\x94\x01\xc0\xc0" + b"\x91" * 10_000
    for payload in (
        b"",
        b"\x01",
        b"\xff\x00",
        b"\x02" + pack(Wake(bucket=1))[1:],
        nested,
        pack(Wake(bucket=2)),
    ):
        await stranger.publish(f"{prefix}.wakes", payload)
    await until(lambda: heard == [Wake(bucket=2)])
    assert bus.unreadable == 5
    await stranger.close()
    await bus.close()


@pytest.fixture(autouse=True)
def _soon_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for a lost server ten times a second, not once."""
    monkeypatch.setattr(through_nats, "_PAUSE", 0.1)


@pytest.fixture
async def make_nats(tmp_path: Path) -> AsyncIterator[Callable[[str], OwnNats]]:
    """Makes servers with settings of the test's own; none outlives the test."""
    made: list[OwnNats] = []

    def make(settings: str) -> OwnNats:
        made.append(OwnNats(tmp_path, settings))
        return made[-1]

    yield make
    for server in made:
        server.kill()


@pytest.fixture
def own(make_nats: Callable[[str], OwnNats]) -> OwnNats:
    """A server without any settings."""
    return make_nats("")


async def until_heard(speaker: Bus, wake: Wake, heard: list[Wake]) -> None:
    """Publish until it is heard: a node is connected before the server knows again what it listens to."""

    def is_heard() -> bool:
        speaker.publish(wake)
        return wake in heard

    await until(is_heard, what=f"{wake} to be heard")


@pytest.mark.processes
async def test_a_node_works_alone_while_nats_is_away_and_with_others_when_it_is_back(own: OwnNats) -> None:
    await own.start()
    here, there = [await open_bus(f"nats://127.0.0.1:{own.port}") for _ in range(2)]
    at_home: list[int] = []
    abroad: list[Wake] = []
    await here.subscribe(Wake, lambda wake: at_home.append(wake.bucket))
    await there.subscribe(Wake, abroad.append)
    here.publish(Wake(bucket=1))
    await until(lambda: (at_home, abroad) == ([1], [Wake(bucket=1)]))

    own.kill()
    await until(lambda: not here.connected and not there.connected)
    for bucket in range(100):
        here.publish(Wake(bucket=bucket))
    await until(lambda: len(at_home) == 101)
    assert here.lost == 100

    await own.start()
    await until(lambda: here.connected and there.connected)
    await until_heard(here, Wake(bucket=7), abroad)
    assert {wake.bucket for wake in abroad} == {1, 7}, "what waited for NATS would come too late"
    await here.close()
    await there.close()


@pytest.mark.processes
async def test_a_node_starts_without_nats_and_listens_as_soon_as_it_comes(own: OwnNats) -> None:
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    assert not here.connected
    here.publish(Wake(bucket=1))
    await until(lambda: heard == [Wake(bucket=1)])

    await own.start()
    await until(lambda: here.connected)
    there = await open_bus(f"nats://127.0.0.1:{own.port}")
    await until(lambda: there.connected)
    await until_heard(there, Wake(bucket=2), heard)
    await there.close()
    await here.close()


async def test_a_bus_that_never_met_nats_can_be_closed(own: OwnNats) -> None:
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    async with asyncio.timeout(PATIENCE):
        await here.close()
    here.publish(Wake(bucket=1))
    assert here.lost == 1


@pytest.mark.processes
async def test_a_server_that_takes_nothing_makes_no_heap_of_messages(own: OwnNats) -> None:
    await own.start()
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    there = await open_bus(f"nats://127.0.0.1:{own.port}")
    heard: list[Announcement] = []
    await there.subscribe(Announcement, heard.append)
    own.freeze()
    frame, game_id = b"x" * 65536, game_in(3)
    sent = 40 * MOST_WAITING // len(frame) // 10
    for seq in range(sent):
        here.publish(announcement(game_id, seq, frame))
        if seq % 20 == 0:
            await asyncio.sleep(0)
    # Four times as much was said as may wait; sockets and nats-py hold some more.
    assert here.lost > sent // 4
    own.thaw()
    await until(lambda: len(heard) >= sent - here.lost)
    here.publish(announcement(game_id, sent))
    await until(lambda: heard[-1].seq == sent)
    await here.close()
    await there.close()


@pytest.mark.processes
async def test_a_bus_whose_server_takes_nothing_can_be_closed(own: OwnNats) -> None:
    await own.start()
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    own.freeze()
    frame = b"x" * 65536
    for seq in range(MOST_WAITING // len(frame)):
        here.publish(announcement(game_in(3), seq, frame))
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await here.close()
    assert not here.connected


@pytest.mark.processes
async def test_a_message_too_large_for_the_server_is_lost_alone(own: OwnNats) -> None:
    await own.start()
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    there = await open_bus(f"nats://127.0.0.1:{own.port}")
    heard: list[int] = []
    await there.subscribe(Announcement, lambda told: heard.append(told.seq))
    here.publish(announcement(game_in(3), 1, bytes(2_000_000)))
    here.publish(announcement(game_in(3), 2))
    await until(lambda: heard == [2])
    assert here.lost == 1
    await here.close()
    await there.close()


def only_for(password: str) -> str:
    return f"authorization {{ user: club, password: {password} }}"


@pytest.mark.processes
async def test_a_node_that_is_thrown_out_tries_to_come_back(make_nats: Callable[[str], OwnNats]) -> None:
    own = make_nats(only_for("right"))
    await own.start()
    here = await open_bus(f"nats://club:right@127.0.0.1:{own.port}")
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    own.change(only_for("changed"))
    await until(lambda: not here.connected)
    await until(lambda: own.refusals() > 1, what="an attempt to come back that is refused")
    own.change(only_for("right"))
    await until(lambda: here.connected)
    there = await open_bus(f"nats://club:right@127.0.0.1:{own.port}")
    await until(lambda: there.connected)
    await until_heard(there, Wake(bucket=1), heard)
    await there.close()
    await here.close()


@pytest.mark.processes
async def test_a_node_that_is_refused_is_not_connected_and_tells_no_password(
    make_nats: Callable[[str], OwnNats],
) -> None:
    own = make_nats(only_for("right"))
    await own.start()
    with capture_logs() as logs:
        here = await open_bus(f"nats://club:wrong@127.0.0.1:{own.port}")
        await here.close()
    assert (here.connected, here.lost) == (False, 0)
    assert "bus_not_reached" in repr(logs)
    assert "wrong" not in repr(logs)


@pytest.mark.processes
async def test_a_node_speaks_tls_with_a_server_whose_authority_it_knows(
    tmp_path: Path, make_nats: Callable[[str], OwnNats]
) -> None:
    certificate, key = self_signed(tmp_path)
    own = make_nats(f"tls {{ cert_file: {certificate}, key_file: {key} }}")
    await own.start()
    url = f"tls://127.0.0.1:{own.port}"
    here = await open_bus(url, tls=ssl.create_default_context(cafile=certificate))
    assert here.connected
    stranger = await open_bus(url)
    assert not stranger.connected, "nobody vouches for this server"
    await here.close()
    await stranger.close()


@pytest.mark.processes
async def test_an_address_with_tls_never_speaks_to_a_server_without(own: OwnNats) -> None:
    await own.start()
    with capture_logs() as logs:
        here = await open_bus(f"tls://user:password@127.0.0.1:{own.port}")
    assert not here.connected
    assert "SecureConnWantedError" in repr(logs)
    assert "password" not in repr(logs)
    await here.close()
