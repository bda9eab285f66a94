"""The bus: one contract, kept within a process and through NATS, and how messages are written."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from cartagena.server.bus import Announcement, Bus, BusMessage, Closing, LobbyChange, PlayerChange, Wake
from cartagena.server.bus.messages import PARTITIONS, Subjects, UnreadableMessage, pack, unpack
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.ids import BUCKETS
from tests.server.bus_nodes import SECRET, announcement, game_in, two_nodes
from tests.waiting import until

ONE_OF_EACH: list[BusMessage] = [
    announcement(game_in(700), 12),
    Announcement(game_id=game_in(1), seq=1, chat=2, kind="chat", frames={}),
    Closing(code="kicked", game_id=game_in(9), player_id=UUID(int=5)),
    Closing(code="revoked", session_id=UUID(int=6)),
    Closing(code="private", game_id=game_in(9), audience=SPECTATOR),
    Wake(bucket=1023),
    LobbyChange(frame=b"{}"),
    PlayerChange(players=(UUID(int=1), UUID(int=2))),
]


@pytest.fixture(params=["local", "nats"])
async def nodes(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Bus, Bus]]:
    async with two_nodes(request.param) as pair:
        yield pair


# --- the contract ------------------------------------------------------------------------------------


async def test_every_kind_of_message_arrives_as_it_was_said(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    heard: list[BusMessage] = []
    for kind in (Announcement, Closing, Wake, LobbyChange, PlayerChange):
        await there.subscribe(kind, heard.append)
    for message in ONE_OF_EACH:
        here.publish(message)
    await until(lambda: len(heard) == len(ONE_OF_EACH))
    assert sorted(map(repr, heard)) == sorted(map(repr, ONE_OF_EACH))
    assert all(message in heard for message in ONE_OF_EACH)
    assert (here.lost, there.unreadable) == (0, 0)


async def test_a_node_hears_its_own_messages_exactly_once(nodes: tuple[Bus, Bus]) -> None:
    here, there = nodes
    heard: list[int] = []
    abroad: list[Wake] = []
    await here.subscribe(Wake, lambda wake: heard.append(wake.bucket))
    await there.subscribe(Wake, abroad.append)
    for bucket in range(50):
        here.publish(Wake(bucket=bucket))
    await until(lambda: len(abroad) == 50)
    # NATS has handed them on by now; a copy that came back from there would come before this one.
    there.publish(Wake(bucket=50))
    await until(lambda: 50 in heard)
    assert heard == list(range(51))


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


async def test_a_node_has_heard_all_its_own_words_when_it_is_closed(nodes: tuple[Bus, Bus]) -> None:
    here, _ = nodes
    heard: list[int] = []
    await here.subscribe(Wake, lambda wake: heard.append(wake.bucket))
    for bucket in range(500):
        here.publish(Wake(bucket=bucket))
    await here.close()
    assert heard == list(range(500))


async def test_what_is_published_after_the_end_is_lost_and_counted(nodes: tuple[Bus, Bus]) -> None:
    here, _ = nodes
    heard: list[Wake] = []
    await here.subscribe(Wake, heard.append)
    await here.close()
    assert not here.connected
    here.publish(Wake(bucket=1))
    # What is published is heard in the next turn of the loop.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (heard, here.lost) == ([], 1)


# --- how messages are written ------------------------------------------------------------------------


@pytest.mark.parametrize("message", ONE_OF_EACH, ids=repr)
def test_a_message_is_read_as_it_was_written(message: BusMessage) -> None:
    assert unpack(type(message), pack(message)) == message


def test_a_message_of_another_version_is_unreadable() -> None:
    with pytest.raises(UnreadableMessage, match="version 02"):
        unpack(Wake, b"\x02" + pack(Wake(bucket=1))[1:])


def test_what_is_said_of_an_unreadable_message_does_not_quote_it() -> None:
    with pytest.raises(UnreadableMessage) as caught:
        unpack(Announcement, pack(LobbyChange(frame=SECRET)))
    assert "skull" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(b"\x92\xa1\xff\xc0", id="a text that is not UTF-8"),
        pytest.param(b"\x96\xa1x" + b"\xc0" * 4 + b"\x91" * 100_000, id="a later field nested too deeply"),
    ],
)
def test_bytes_that_are_no_message_are_unreadable(fields: bytes) -> None:
    with pytest.raises(UnreadableMessage):
        unpack(Closing, b"\x01" + fields)


def test_a_field_that_a_later_version_adds_at_the_end_is_passed_over() -> None:
    longer = b"\x01" + bytes([0x94, 7, 0xC0, 0xC0, 8])
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
