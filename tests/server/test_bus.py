"""The bus: one contract, kept within a process and through NATS, and what only NATS can suffer."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import nats
import pytest
from structlog.testing import capture_logs

from cartagena.server.bus import Announcement, Bus, Closing, LobbyChange, Message, Wake, open_bus
from cartagena.server.bus.messages import UnreadableMessage, pack, unpack
from cartagena.server.bus.nats import MOST_WAITING
from cartagena.server.bus.subjects import PARTITIONS, Subjects
from cartagena.server.shared.audience import SPECTATOR
from cartagena.server.shared.ids import BUCKETS, RANDOM_BYTES, new_id
from tests.server.bus_nodes import NATS_URL, OwnNats, self_signed, two_nodes, until

SECRET = b'{"hand":["skull"]}'


def game_in(bucket: int) -> UUID:
    return new_id(0, bucket.to_bytes(2) + bytes(RANDOM_BYTES - 2))


def announcement(game_id: UUID, seq: int, frame: bytes = SECRET) -> Announcement:
    return Announcement(game_id=game_id, seq=seq, chat=3, kind="update", frames={0: frame, SPECTATOR: b"{}"})


ONE_OF_EACH: list[Message] = [
    announcement(game_in(700), 12),
    Announcement(game_id=game_in(1), seq=1, chat=2, kind="presence", frames={}),
    Closing(code="kicked", game_id=game_in(9), player_id=UUID(int=5)),
    Closing(code="revoked", session_id=UUID(int=6)),
    Closing(code="private", game_id=game_in(9), audience=SPECTATOR),
    Wake(bucket=1023),
    LobbyChange(frame=b"{}"),
]


@pytest.fixture(params=["local", "nats"])
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Bus, Bus]]:
    async with two_nodes(request.param) as pair:
        yield pair


# --- the contract ------------------------------------------------------------------------------------


async def test_every_kind_of_message_arrives_as_it_was_said(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    heard: list[Message] = []
    for kind in (Announcement, Closing, Wake, LobbyChange):
        await there.subscribe(kind, heard.append)
    for message in ONE_OF_EACH:
        here.publish(message)
    await until(lambda: len(heard) == len(ONE_OF_EACH))
    assert sorted(map(repr, heard)) == sorted(map(repr, ONE_OF_EACH))
    assert all(message in heard for message in ONE_OF_EACH)
    assert (here.lost, there.unreadable) == (0, 0)


async def test_a_node_hears_its_own_messages_exactly_once(nodes: tuple[Bus, Bus]) -> None:
    here, _ = nodes
    heard: list[int] = []
    await here.subscribe(Wake, lambda wake: heard.append(wake.bucket))
    for bucket in range(50):
        here.publish(Wake(bucket=bucket))
    await until(lambda: len(heard) >= 50)
    # Another copy would have come by the way to NATS and back.
    await asyncio.sleep(0.1)
    assert heard == list(range(50))


async def test_whoever_publishes_does_not_run_the_handlers(nodes: tuple[Bus, Bus]) -> None:
    here, _ = nodes
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    here.publish(Wake(bucket=1))
    assert not heard
    await until(lambda: len(heard) == 1)


async def test_who_asked_for_one_kind_hears_no_other(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    wakes: list[Wake] = []
    changes: list[LobbyChange] = []
    await there.subscribe(Wake, wakes.append)
    await there.subscribe(LobbyChange, changes.append)
    here.publish(Closing(code="kicked", player_id=uuid4()))
    here.publish(Wake(bucket=1))
    here.publish(LobbyChange(frame=b"{}"))
    await until(lambda: bool(wakes and changes))
    assert (wakes, changes) == ([Wake(bucket=1)], [LobbyChange(frame=b"{}")])


async def test_the_announcements_of_a_game_keep_their_order(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    games = [game_in(bucket) for bucket in (0, 1, 63, 64, 500)]
    heard: list[tuple[UUID, int]] = []
    await there.subscribe(Announcement, lambda told: heard.append((told.game_id, told.seq)))
    for seq in range(200):
        for game_id in games:
            here.publish(announcement(game_id, seq))
    await until(lambda: len(heard) == 1000)
    for game_id in games:
        assert [seq for game, seq in heard if game == game_id] == list(range(200))


async def test_games_of_every_bucket_are_heard(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    heard: set[UUID] = set()
    await there.subscribe(Announcement, lambda told: heard.add(told.game_id))
    for bucket in range(BUCKETS):
        here.publish(announcement(game_in(bucket), 1))
    await until(lambda: len(heard) == BUCKETS)


async def test_a_handler_that_fails_is_logged_without_the_message_and_stops_nobody(
    nodes: tuple[Bus, Bus],
) -> None:
    here, there = nodes
    heard: list[int] = []

    def fail(_: Announcement) -> None:
        raise RuntimeError("no")

    await there.subscribe(Announcement, fail)
    await there.subscribe(Announcement, lambda told: heard.append(told.seq))
    with capture_logs() as logs:
        here.publish(announcement(game_in(1), 1))
        here.publish(announcement(game_in(1), 2))
        await until(lambda: heard == [1, 2])
    failures = [entry for entry in logs if entry["event"] == "bus_handler_failed"]
    assert [entry["kind"] for entry in failures] == ["Announcement", "Announcement"]
    assert "skull" not in repr(logs)


async def test_closing_lets_everything_be_heard_that_was_said_before(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    heard: list[int] = []
    await there.subscribe(Announcement, lambda told: heard.append(told.seq))
    for seq in range(500):
        here.publish(announcement(game_in(5), seq, b"x" * 4096))
    await here.close()
    await until(lambda: len(heard) == 500)


async def test_what_is_published_after_the_end_is_lost_and_counted(nodes: tuple[Bus, Bus]) -> None:
    here, _ = nodes
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    await here.close()
    assert not here.connected
    here.publish(Wake(bucket=1))
    await asyncio.sleep(0.05)
    assert (heard, here.lost) == ([], 1)


# --- how messages are written ------------------------------------------------------------------------


@pytest.mark.parametrize("message", ONE_OF_EACH, ids=repr)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert unpack(type(message), pack(message)) == message


def test_a_message_of_another_version_is_unreadable() -> None:
    with pytest.raises(UnreadableMessage, match="version 02"):
        unpack(Wake, b"\x02" + pack(Wake(bucket=1))[1:])


def test_what_is_said_of_an_unreadable_message_does_not_quote_it() -> None:
    with pytest.raises(UnreadableMessage) as caught:
        unpack(Announcement, pack(LobbyChange(frame=SECRET)))
    assert "skull" not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_field_that_a_later_version_adds_at_the_end_is_passed_over() -> None:
    longer = b"\x01" + bytes([0x92, 7, 8])
    assert unpack(Wake, longer) == Wake(bucket=7)


def test_a_closing_that_names_nobody_cannot_be_made_nor_read() -> None:
    with pytest.raises(ValueError, match="names a table, a player or a session"):
        Closing(code="oops")
    nobody = b"\x01" + bytes([0x95, 0xA1, ord("x"), 0xC0, 0xC0, 0xC0, 0xC0])
    with pytest.raises(UnreadableMessage):
        unpack(Closing, nobody)


def test_the_repr_of_an_announcement_shows_no_cards() -> None:
    assert "skull" not in repr(announcement(game_in(1), 1))
    assert "[-1, 0]" in repr(announcement(game_in(1), 1))


def test_subjects_are_few_and_fixed() -> None:
    subjects = Subjects("club")
    names = {subjects.of(announcement(game_in(bucket), 1)) for bucket in range(BUCKETS)}
    assert names == {f"club.tables.{number}" for number in range(PARTITIONS)}
    assert set(subjects.all_of(Announcement)) == names
    closing = Closing(code="x", player_id=uuid4())
    assert [subjects.of(message) for message in (closing, Wake(bucket=1), LobbyChange(frame=b""))] == [
        "club.closings",
        "club.wakes",
        "club.lobby",
    ]


@pytest.mark.parametrize("prefix", ["", "a b", "a.", "a.>", "a.*", "a\r\nPUB x 0\r\n"])
def test_a_prefix_is_plain_words(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        Subjects(prefix)


@pytest.mark.parametrize(
    "url", ["", "nats://", "http://127.0.0.1:4222", "nats://club:secret@club:port", "nats://h,ws://i"]
)
async def test_a_wrong_address_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="the address of NATS is") as caught:
        await open_bus(url)
    assert "secret" not in str(caught.value)


# --- what NATS may suffer ----------------------------------------------------------------------------


async def test_nodes_with_different_prefixes_do_not_hear_each_other() -> None:
    async with two_nodes("nats") as (here, _), two_nodes("nats") as (other, _):
        heard: list[Wake] = []
        await other.subscribe(Wake, heard.append)
        here.publish(Wake(bucket=1))
        other.publish(Wake(bucket=2))
        await until(lambda: bool(heard))
        await asyncio.sleep(0.05)
        assert heard == [Wake(bucket=2)]


async def test_unreadable_messages_are_dropped_and_counted() -> None:
    prefix = f"test-{uuid4().hex}"
    bus = await open_bus(NATS_URL, prefix=prefix)
    stranger = await nats.connect(NATS_URL)
    heard: list[Wake] = []
    await bus.subscribe(Wake, heard.append)
    for payload in (b"", b"\x01", b"\xff\x00", b"\x02" + pack(Wake(bucket=1))[1:], pack(Wake(bucket=2))):
        await stranger.publish(f"{prefix}.wakes", payload)
    await until(lambda: heard == [Wake(bucket=2)])
    assert bus.unreadable == 4
    await stranger.close()
    await bus.close()


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[OwnNats]:
    server = OwnNats(tmp_path)
    yield server
    server.kill()


async def test_a_node_works_alone_while_nats_is_away_and_with_others_when_it_is_back(own: OwnNats) -> None:
    await own.start()
    here, there = [await open_bus(f"nats://127.0.0.1:{own.port}") for _ in range(2)]
    at_home: list[int] = []
    abroad: list[int] = []
    await here.subscribe(Wake, lambda wake: at_home.append(wake.bucket))
    await there.subscribe(Wake, lambda wake: abroad.append(wake.bucket))
    here.publish(Wake(bucket=1))
    await until(lambda: (at_home, abroad) == ([1], [1]))

    own.kill()
    await until(lambda: not here.connected and not there.connected)
    for bucket in range(100):
        here.publish(Wake(bucket=bucket))
    await until(lambda: len(at_home) == 101)
    assert here.lost == 100

    await own.start()
    await until(lambda: here.connected and there.connected)
    here.publish(Wake(bucket=7))
    await until(lambda: 7 in abroad)
    assert abroad == [1, 7], "what waited for NATS would come too late"
    await here.close()
    await there.close()


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
    # Connected is not yet subscribed; a hint more or less does not matter.
    async with asyncio.timeout(10):
        while Wake(bucket=2) not in heard:
            there.publish(Wake(bucket=2))
            await asyncio.sleep(0.05)
    await there.close()
    await here.close()


async def test_a_bus_that_never_met_nats_can_be_closed(own: OwnNats) -> None:
    here = await open_bus(f"nats://127.0.0.1:{own.port}")
    async with asyncio.timeout(5):
        await here.close()
    here.publish(Wake(bucket=1))
    assert here.lost == 1


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


async def test_a_node_that_is_thrown_out_tries_to_come_back(tmp_path: Path) -> None:
    own = OwnNats(tmp_path, only_for("right"))
    await own.start()
    here = await open_bus(f"nats://club:right@127.0.0.1:{own.port}")
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    own.change(only_for("changed"))
    await until(lambda: not here.connected)
    await asyncio.sleep(1.5)
    own.change(only_for("right"))
    await until(lambda: here.connected)
    there = await open_bus(f"nats://club:right@127.0.0.1:{own.port}")
    await until(lambda: there.connected)
    there.publish(Wake(bucket=1))
    await until(lambda: heard == [Wake(bucket=1)])
    await there.close()
    await here.close()
    own.kill()


async def test_a_node_that_is_refused_is_not_connected_and_tells_no_password(tmp_path: Path) -> None:
    own = OwnNats(tmp_path, only_for("right"))
    await own.start()
    with capture_logs() as logs:
        here = await open_bus(f"nats://club:wrong@127.0.0.1:{own.port}")
        await here.close()
    assert (here.connected, here.lost) == (False, 0)
    assert "bus_not_reached" in repr(logs)
    assert "wrong" not in repr(logs)
    own.kill()


async def test_a_node_speaks_tls_with_a_server_whose_authority_it_knows(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    own = OwnNats(tmp_path, f"tls {{ cert_file: {certificate}, key_file: {key} }}")
    await own.start()
    url = f"tls://127.0.0.1:{own.port}"
    here = await open_bus(url, tls=ssl.create_default_context(cafile=certificate))
    assert here.connected
    stranger = await open_bus(url)
    assert not stranger.connected, "nobody vouches for this server"
    await here.close()
    await stranger.close()
    own.kill()


async def test_an_address_with_tls_never_speaks_to_a_server_without(own: OwnNats) -> None:
    await own.start()
    with capture_logs() as logs:
        here = await open_bus(f"tls://user:password@127.0.0.1:{own.port}")
    assert not here.connected
    assert "SecureConnWantedError" in repr(logs)
    assert "password" not in repr(logs)
    await here.close()
