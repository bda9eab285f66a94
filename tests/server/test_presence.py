"""Presence: who is at a table, by the streams of this node and by what the other nodes say."""

from dataclasses import dataclass, field
from random import Random
from uuid import UUID, uuid4

import msgspec
import pytest

from cartagena.endpoints.asgi import Message
from cartagena.server.bus import PresenceReport
from cartagena.server.bus.messages import Attendance, pack, unpack
from cartagena.server.http.streams.connections import TableStream
from cartagena.server.http.streams.hub import StreamHub
from cartagena.server.http.streams.ports import Visitor
from cartagena.server.http.streams.presence import AWAY, FORGOTTEN_AFTER, LINGERS, REPEAT_EVERY, PresenceBoard
from cartagena.server.http.streams.sse import Connection, SseConnection
from cartagena.tables.audience_ids import SPECTATOR, sitting
from tests.server.stream_world import GAME, QUICK, Log, served
from tests.waiting import until


@dataclass
class Node:
    """A node's board, with a clock that is set by hand and a list of what it told the others."""

    name: bytes = b"here"
    now: float = 100.0
    said: list[tuple[tuple[Attendance, ...], bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board = PresenceBoard(self.name, self._share, clock=lambda: self.now)

    def _share(self, tables: tuple[Attendance, ...], *, asks: bool) -> None:
        self.said.append((tables, asks))

    def tick(self, seconds: float = 1.0) -> list[TableStream]:
        """Let time pass; return the streams that are told something."""
        self.now += seconds
        return [stream for stream, _ in self.board.news()]

    def hear_all_of(self, other: "Node") -> None:
        """Hear what another node has said, as it goes over the bus."""
        said, other.said = other.said, []
        for tables, asks in said:
            report = PresenceReport(node=other.name, tables=tables, asks=asks)
            self.board.hear(unpack(PresenceReport, pack(report)))


async def _hear() -> Message:
    return {}


async def _say(_: Message) -> None:
    pass


def stream(audience: int, player: UUID | None = None, game: UUID = GAME) -> TableStream:
    visitor = Visitor(audience=audience, address="somewhere", player_id=player)
    return TableStream(game, visitor, SseConnection(Connection(receive=_hear, send=_say)))


def told(one: TableStream) -> tuple[list[int], list[int], int]:
    """Who is here, who is away, and how many watch, as a stream was last told."""
    event, data, _ = one.presence.decode().split("\n", 2)
    assert event == "event: presence"
    words = msgspec.json.decode(data.removeprefix("data: "))
    return words["here"], words["away"], words["watching"]


async def test_whoever_comes_is_told_who_is_there_and_the_others_that_he_came() -> None:
    node, anne, bart = Node(), stream(sitting(0, 0)), stream(sitting(1, 3))
    node.board.enter(anne)
    assert told(anne) == ([0], [], 0)
    assert node.tick() == []
    node.board.enter(bart)
    assert told(bart) == ([0, 1], [], 0)
    assert node.tick() == [anne]
    assert told(anne) == ([0, 1], [], 0)
    assert node.tick() == []


async def test_whoever_goes_is_here_for_a_moment_then_away_then_gone() -> None:
    node, anne, bart = Node(), stream(sitting(0, 0)), stream(sitting(1, 3))
    node.board.enter(anne)
    node.board.enter(bart)
    node.tick()
    node.board.leave(bart)
    node.board.leave(bart)
    assert node.tick() == []
    assert node.tick(LINGERS) == [anne]
    assert told(anne) == ([0], [1], 0)
    assert node.tick(AWAY - 1) == []
    assert node.tick(2) == [anne]
    assert told(anne) == ([0], [], 0)
    assert node.tick() == []


async def test_whoever_comes_back_in_time_was_never_away() -> None:
    node, anne, bart = Node(), stream(sitting(0, 0)), stream(sitting(1, 3))
    node.board.enter(anne)
    node.board.enter(bart)
    node.tick()
    node.board.leave(bart)
    node.tick(LINGERS - 1)
    node.board.enter(stream(sitting(1, 3)))
    assert node.tick(LINGERS) == []
    assert told(anne) == ([0, 1], [], 0)


async def test_the_tabs_of_one_spectator_count_once_and_strangers_one_by_one() -> None:
    node, anne, cora = Node(), stream(sitting(0, 0)), uuid4()
    node.board.enter(anne)
    for watcher in (stream(SPECTATOR, cora), stream(SPECTATOR, cora), stream(SPECTATOR), stream(SPECTATOR)):
        node.board.enter(watcher)
    node.tick()
    assert told(anne) == ([0], [], 3)


async def test_nodes_tell_each_other_and_the_first_one_who_comes_asks() -> None:
    here, there = Node(b"here"), Node(b"there")
    anne, bart = stream(sitting(0, 0)), stream(sitting(1, 3))
    here.board.enter(anne)
    here.tick()
    there.hear_all_of(here)
    there.board.enter(bart)
    assert told(bart) == ([1], [], 0)
    there.tick()
    here.hear_all_of(there)
    assert here.tick() == [anne]
    assert told(anne) == ([0, 1], [], 0)
    there.hear_all_of(here)
    assert there.tick() == [bart]
    assert told(bart) == ([0, 1], [], 0)
    there.board.leave(bart)
    there.tick()
    here.hear_all_of(there)
    here.tick()
    assert here.tick(LINGERS) == [anne]
    assert told(anne) == ([0], [1], 0)


async def test_a_node_that_falls_silent_is_forgotten_and_one_that_repeats_is_not() -> None:
    here, there = Node(b"here"), Node(b"there")
    anne = stream(sitting(0, 0))
    here.board.enter(anne)
    there.board.enter(stream(sitting(1, 3)))
    for _ in range(4):
        here.tick(REPEAT_EVERY)
        there.tick(REPEAT_EVERY)
        here.hear_all_of(there)
    here.tick()
    assert told(anne) == ([0, 1], [], 0)
    here.tick(FORGOTTEN_AFTER + REPEAT_EVERY)
    here.tick(LINGERS)
    assert told(anne) == ([0], [1], 0)


async def test_tables_that_nobody_follows_are_forgotten_and_a_node_does_not_answer_itself() -> None:
    node, anne = Node(), stream(sitting(0, 0))
    node.board.enter(anne)
    node.hear_all_of(node)
    node.tick()
    assert node.said.pop() == ((Attendance(GAME, (0,), 0),), True)
    node.board.leave(anne)
    node.tick()
    assert node.said.pop() == ((Attendance(GAME, (), 0),), False)
    node.tick(REPEAT_EVERY)
    assert node.said == []


async def test_over_a_real_server_a_stream_tells_who_is_there() -> None:
    log = Log()
    log.open(GAME)
    board = Node().board
    hub = StreamHub(log, log, log, chance=Random(4), settings=QUICK, presence=board)
    async with served(hub, log) as here:
        anne = await here.watch(GAME, sitting(0, 0))
        first, presence = await anne.several(2)
        assert (first.event, presence.event, presence.id) == ("update", "presence", None)
        assert presence.words == {"here": [0], "away": [], "watching": 0}
        watcher = await here.watch(GAME)
        assert (await anne.next()).words["watching"] == 1
        watcher.leave()
        assert (await anne.next()).words["watching"] == 0
        await until(lambda: len(hub) == 1, what="the end of the other stream")


@pytest.mark.parametrize("audience", [SPECTATOR, sitting(2, 5)])
async def test_a_client_that_is_busy_is_told_later_and_not_cut_off(audience: int) -> None:
    node, slow = Node(), stream(audience)
    node.board.enter(slow)
    slow.pipe._rest = object()  # type: ignore[assignment]  # only asked whether there is one
    node.board.enter(stream(sitting(0, 0)))
    assert node.tick() == []
    slow.pipe._rest = None
    assert node.tick() == [slow]
