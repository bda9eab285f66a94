"""A game step by step: the same as its record, and never more than the reader may know."""

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest

from cartagena.messages import ViewMessage, view_message, view_of
from cartagena.messages.replays import ReplayMessage, ReplayStep
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import PRESETS
from cartagena.server.shared.processes import in_thread
from cartagena.server.store.databases import Databases
from cartagena.tables import playing
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.records import replay_for, whole_record
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Change, Table
from tests.server.tables_world import PLAYERS, World, terms


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


def views(replay: ReplayMessage) -> Iterator[tuple[ReplayStep, ViewMessage]]:
    """Every step with the view after it, put together as a client does it."""
    told = msgspec.to_builtins(replay.first)
    for step in replay.steps:
        told |= msgspec.to_builtins(step.changed)
        yield step, msgspec.convert(told, ViewMessage)


def last_view(replay: ReplayMessage) -> ViewMessage:
    return [seen for _, seen in views(replay)][-1]


def bare(message: ViewMessage, like: ViewMessage) -> ViewMessage:
    """A view without what a replay does not tell."""
    return msgspec.structs.replace(message, legal=None, memory=like.memory)


def leaves(seat: int) -> Callable[[Table], Change]:
    """A seat agrees to end the game without a result."""
    return lambda table: playing.abandon(table, seat, agrees=True)


async def for_seat(world: World, table: Table, seat: int) -> ReplayMessage:
    return await replay_for(
        world.store, table, table.sheet.audience_of(seat), analysis=False, aside=in_thread
    )


@pytest.mark.parametrize("ruleset", PRESETS)
async def test_a_game_that_is_over_is_told_as_its_record_with_open_hands(world: World, ruleset: str) -> None:
    table = await world.play(await world.started(terms(ruleset, seats=3)), Random(5), most=120)
    if table.sheet.stage is not Stage.OVER:
        for seat, player in enumerate(PLAYERS[:3]):
            table = (await world.change(table.id, leaves(seat), player)).table
    assert table.sheet.stage is Stage.OVER
    replay = await replay_for(world.store, table, SPECTATOR, analysis=False, aside=in_thread)
    record = await whole_record(world.store, table)
    assert [(step.turn, step.seat, step.code) for step in replay.steps] == [
        (step.turn, step.seat, step.code) for step in record.steps
    ]
    assert (replay.seat, replay.table.stage) == (None, "over")
    for _, seen in views(replay):
        assert [len(hand or ()) for hand in seen.hands] == list(seen.hand_sizes)
    assert table.position is not None
    last = view_of(last_view(replay))
    assert last.hands == tuple(tuple(crew.cards()) for crew in table.position.crews)
    assert last.pirates == view(table.position, None).pirates
    assert await for_seat(world, table, 1) == msgspec.structs.replace(replay, seat=1)


async def test_a_running_game_is_told_as_the_reader_saw_it(world: World) -> None:
    table = await world.play(await world.started(terms("jamaica", seats=3)), Random(1), most=60)
    assert table.position is not None
    for seat in (0, 1, 2, None):
        replay = (
            await replay_for(world.store, table, SPECTATOR, analysis=False, aside=in_thread)
            if seat is None
            else await for_seat(world, table, seat)
        )
        assert replay.seat == seat
        shown = [number for number, hand in enumerate(replay.first.hands) if hand is not None]
        assert shown == ([] if seat is None else [seat])
        for step, seen in views(replay):
            assert [n for n, hand in enumerate(seen.hands) if hand is not None] == shown
            told = msgspec.to_builtins(step.happened)
            drawn = [one for one in told if one["happening"] == "drew" and not one["turned_over"]]
            assert all((one["card"] is not None) == (one["seat"] == seat) for one in drawn)
        now = view_message(view(table.position, seat))
        assert last_view(replay) == bare(now, replay.first)


async def trimming(world: World) -> Table:
    """A game in which a card lies face down to be given away; a random game may end before that."""
    for seed in range(20):
        chance = Random(seed)
        table = await world.started(terms("nest", seats=3))
        while table.sheet.stage is Stage.RUNNING:
            if table.position is not None and table.position.trimmed:
                return table
            table = await world.play(table, chance, most=1)
    raise AssertionError("no game came to a trim")


async def test_a_trim_that_lies_face_down_is_known_to_its_seat_alone(world: World) -> None:
    table = await trimming(world)
    assert table.position is not None
    seat = table.position.trimmed[0] // 16
    own, other = await for_seat(world, table, seat), await for_seat(world, table, (seat + 1) % 3)
    assert own.steps[-1].code is not None
    assert other.steps[-1].code is None
    assert last_view(other).trimmed[0].card is None
    assert last_view(own).trimmed[0].card is not None


async def test_what_was_undone_is_not_told(world: World) -> None:
    started = await world.started(terms("tortuga"))
    table = await world.play(started, Random(4), most=1)
    seat = table.to_act
    assert seat is not None
    outcome = await world.change(table.id, lambda now: playing.undo(now, seat), PLAYERS[seat])
    replay = await replay_for(world.store, outcome.table, SPECTATOR, analysis=False, aside=in_thread)
    assert replay.steps == ()


async def test_there_is_nothing_to_tell_before_the_deal(world: World) -> None:
    table_id = await world.seated(terms())
    with pytest.raises(ServiceError) as refused:
        await replay_for(
            world.store, await world.tables.newest(table_id), SPECTATOR, analysis=False, aside=in_thread
        )
    assert refused.value.problem is Problem.WRONG_STAGE
