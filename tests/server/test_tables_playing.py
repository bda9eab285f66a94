"""From the promise to the end of a game: what is on disk is what everybody is told."""

from dataclasses import replace
from random import Random
from uuid import uuid4

import msgspec
import pytest
from msgspec.structs import replace as with_fields

from cartagena.fairness import Kept
from cartagena.fairness.record import verify_record
from cartagena.notation import format_record, parse_record
from cartagena.notation.record import Ending
from cartagena.rules.legality import legal
from cartagena.rules.refusals import IllegalAction
from cartagena.server.store.databases import Databases
from cartagena.server.store.snapshot import pack
from cartagena.tables import playing, seating
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError, WithCurrent
from cartagena.tables.frames import audiences, frames_since
from cartagena.tables.records import record_for
from cartagena.tables.sheet import Stage
from cartagena.tables.table import EventKind, Table
from tests.server.tables_world import LIVE, PLAYERS, World, said, shows, terms

ANNE, BART, CORA, *_ = PLAYERS


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def expire(world: World, table: Table) -> None:
    """Let the clock of a table have run out an hour ago."""
    await world.databases.shard_of(table.id).execute(
        "UPDATE shard.games SET deadline = now() - interval '1 hour' WHERE game_id = $1", table.id
    )


async def test_the_cards_are_dealt_with_the_last_number(world: World) -> None:
    table_id = await world.seated(terms())
    outcome = await world.change(table_id, seating.start)
    assert outcome.table.sheet.stage is Stage.STARTING
    outcome = await world.change(table_id, shows(1, BART), BART)
    assert outcome.table.game is None
    outcome = await world.change(table_id, shows(0, ANNE))
    assert outcome.table.sheet.stage is Stage.RUNNING
    assert outcome.table.position is not None


async def test_a_number_that_was_not_promised_is_refused(world: World) -> None:
    table_id = await world.seated(terms())
    await world.change(table_id, seating.start)
    for nonce in (BART.nonce.hex(), "zz", ""):
        with pytest.raises(ServiceError) as error:
            await world.change(table_id, lambda table, n=nonce: seating.show_nonce(table, 0, n))  # type: ignore[misc]
        assert error.value.problem is Problem.UNFIT


async def test_a_start_without_its_numbers_is_called_off_and_stays_visible(world: World) -> None:
    table_id = await world.seated(terms())
    before = (await world.change(table_id, seating.start)).table
    with pytest.raises(WithCurrent):
        await world.tables.change_at(
            table_id, before.seq, ANNE.sends(), lambda table: seating.call_off(table, bytes(32))
        )
    await expire(world, before)
    outcome = await world.tables.change_at(
        table_id, before.seq, ANNE.sends(), lambda table: seating.call_off(table, bytes(32))
    )
    sheet = outcome.table.sheet
    assert (sheet.stage, sheet.called_off, sheet.starts) == (Stage.OPEN, 1, 1)
    assert sheet.commitment != before.sheet.commitment
    assert [chair.nonce_hash for chair in sheet.chairs] == [None, None]
    stored = await world.store.load(table_id)
    assert stored is not None
    assert stored.secret == bytes(32)


async def test_a_table_that_is_not_full_does_not_start(world: World) -> None:
    with pytest.raises(ServiceError) as error:
        await world.change(await world.open(terms()), seating.start)
    assert error.value.problem is Problem.NOT_FULL


@pytest.mark.parametrize(("preset", "seats"), [("tortuga", 2), ("jamaica", 3), ("nest", 4)])
async def test_a_whole_game_is_told_again_from_the_log_as_it_was_told_first(
    world: World, preset: str, seats: int
) -> None:
    table = await world.started(terms(preset, seats))
    table = await world.play(table, Random(seats), most=2_000 if preset == "nest" else 150)
    stored = await world.store.load(table.id)
    assert stored is not None
    assert stored.position is not None
    assert table.position is not None
    assert pack(stored.position) == pack(table.position)
    for audience in audiences(stored):
        first = {now.seq: said(frames[audience]) for now, frames in world.heard.updates if audience in frames}
        sat = min(first)
        again = {
            one.seq: said(one.frame) for one in await frames_since(world.store, stored, audience, sat - 1)
        }
        assert sorted(again) == list(range(sat, stored.seq + 1))
        assert again == first


async def test_what_was_missed_within_a_turn_needs_only_the_turn(world: World) -> None:
    table = await world.play(await world.started(terms("jamaica", 3)), Random(5), most=40)
    audience = table.sheet.audience_of(1)
    for back in range(4):
        seq = table.seq - back
        missed = [one.seq for one in await frames_since(world.store, table, audience, seq)]
        assert missed == list(range(seq + 1, table.seq + 1))


async def test_undo_is_an_event_and_the_turn_goes_on_after_a_restart(world: World) -> None:
    table = await world.started(terms())
    seat = table.to_act
    assert seat is not None
    assert table.position is not None
    before = pack(table.position)
    after = await world.act(table, legal(table.position)[0])
    # Only the seat to act is told that it may undo, and only if there is something to take back.
    told = {
        now.seq: {audience for audience, frame in frames.items() if b'"undo":true' in frame}
        for now, frames in world.heard.updates
    }
    assert told[table.seq] == set()
    assert told[after.seq] == {after.sheet.audience_of(seat)}
    outcome = await world.tables.change_at(
        table.id, after.seq, PLAYERS[seat].sends(), lambda now: playing.undo(now, seat)
    )
    assert outcome.table.seq == table.seq + 2
    stored = await World(world.databases).tables.newest(table.id)
    assert stored.position is not None
    assert stored.game is not None
    assert pack(stored.position) == before
    assert stored.game.undos_used == 1
    with pytest.raises(WithCurrent) as error:
        await world.tables.change_at(
            table.id, stored.seq, PLAYERS[seat].sends(), lambda now: playing.undo(now, seat)
        )
    assert isinstance(error.value.error, IllegalAction)


async def test_a_stale_request_gets_the_full_current_view_of_its_sender(world: World) -> None:
    table = await world.started(terms("jamaica"))
    await world.act(table, legal_codes(table)[0])
    with pytest.raises(WithCurrent) as error:
        await world.act(table, legal_codes(table)[0])
    assert isinstance(error.value.error, ServiceError)
    assert error.value.error.problem is Problem.STALE
    current = msgspec.json.decode(error.value.current)
    assert current["seq"] == table.seq + 1
    assert current["view"]["seat"] == table.to_act


async def test_who_has_seen_more_than_there_is_is_told_to_take_it_anew(world: World) -> None:
    table = await world.started(terms("jamaica"))
    ahead = with_fields(table, seq=table.seq + 3)
    with pytest.raises(WithCurrent) as error:
        await world.act(ahead, legal_codes(table)[0])
    current = msgspec.json.decode(error.value.current)
    assert (current["seq"], current["anew"]) == (table.seq, True)


async def test_a_table_that_was_read_before_a_failover_is_read_again(world: World) -> None:
    table = await world.started(terms("jamaica"))
    elsewhere = with_fields(table, timeline="00000009", seq=table.seq + 1)
    world.tables._kept[table.id] = elsewhere
    assert (await world.tables.newest(table.id)).seq == table.seq
    world.tables._kept[table.id] = with_fields(table, timeline="00000009")
    done = await world.act(table, legal_codes(table)[0])
    assert (done.seq, done.timeline) == (table.seq + 1, table.timeline)


def legal_codes(table: Table) -> list[int]:
    assert table.position is not None
    return legal(table.position)


async def test_an_action_sent_twice_counts_once(world: World) -> None:
    table = await world.started(terms())
    key = uuid4()
    first = await world.act(table, legal_codes(table)[0], key)
    again = await world.act(table, legal_codes(table)[0], key)
    assert first.seq == again.seq == table.seq + 1


async def test_two_nodes_that_write_one_game_agree(world: World, databases: Databases) -> None:
    table = await world.started(terms())
    other = World(databases)
    theirs = await other.tables.newest(table.id)
    codes = legal_codes(table)
    await world.act(table, codes[0])
    with pytest.raises(WithCurrent):
        await other.act(theirs, codes[-1])
    assert (await other.tables.newest(table.id)).seq == table.seq + 1


@pytest.mark.parametrize("code", [-1, 1023, 1024, 2**70])
async def test_a_number_that_is_no_action_is_refused_by_the_rules(world: World, code: int) -> None:
    table = await world.started(terms())
    with pytest.raises(WithCurrent) as error:
        await world.act(table, code)
    assert isinstance(error.value.error, IllegalAction)
    assert error.value.error.refusal.code == "no_such_action"


async def test_only_the_seat_to_act_acts(world: World) -> None:
    table = await world.started(terms())
    assert table.to_act is not None
    other = 1 - table.to_act
    with pytest.raises(WithCurrent) as error:
        await world.tables.change_at(
            table.id, table.seq, PLAYERS[other].sends(), lambda now: playing.act(now, other, 0)
        )
    assert isinstance(error.value.error, ServiceError)
    assert error.value.error.problem is Problem.NOT_YOUR_TURN


async def test_with_two_seats_who_resigns_has_lost(world: World) -> None:
    table = await world.started(terms())
    outcome = await world.change(table.id, lambda now: playing.resign(now, 1), BART)
    sheet = outcome.table.sheet
    assert (sheet.stage, sheet.ending, sheet.winner) == (Stage.OVER, "resigned", 0)
    record = await record_for(world.store, outcome.table, SPECTATOR)
    assert (record.result.ending, record.result.winner) == (Ending.RESIGNED, 0)


async def test_with_more_seats_a_bot_plays_on_for_good(world: World) -> None:
    table = await world.started(terms(seats=3))
    outcome = await world.change(table.id, lambda now: playing.resign(now, 2), CORA)
    assert outcome.table.sheet.stage is Stage.RUNNING
    assert outcome.table.sheet.chairs[2].bot == "bosun"
    with pytest.raises(ServiceError):
        await world.change(table.id, lambda now: playing.take_back(now, 2), CORA)


async def test_the_game_is_abandoned_when_all_people_agree(world: World) -> None:
    table = await world.started(terms(seats=3))
    for seat in (0, 2):
        await world.change(table.id, lambda now, s=seat: playing.abandon(now, s, agrees=True), PLAYERS[seat])  # type: ignore[misc]
    await world.change(table.id, lambda now: playing.abandon(now, 0, agrees=False))
    outcome = await world.change(table.id, lambda now: playing.abandon(now, 1, agrees=True), BART)
    assert outcome.table.sheet.stage is Stage.RUNNING
    outcome = await world.change(table.id, lambda now: playing.abandon(now, 0, agrees=True))
    assert (outcome.table.sheet.stage, outcome.table.sheet.ending) == (Stage.OVER, "abandoned")


async def test_whoever_declines_to_abandon_the_game_ends_the_question(world: World) -> None:
    table = await world.started(terms(seats=3))
    outcome = await world.change(table.id, lambda now: playing.abandon(now, 1, agrees=False), BART)
    assert outcome.table.seq == table.seq, "nobody has asked: there is nothing to decline"
    for seat in (0, 2):
        await world.change(table.id, lambda now, s=seat: playing.abandon(now, s, agrees=True), PLAYERS[seat])  # type: ignore[misc]
    outcome = await world.change(table.id, lambda now: playing.abandon(now, 1, agrees=False), BART)
    assert [chair.agrees for chair in outcome.table.sheet.chairs] == [False, False, False]
    past = (await world.store.past(table.id, outcome.table.seq - 1))[-1]
    assert (past.kind, past.news.seat, past.news.name, past.news.text) == (
        EventKind.ABANDON_WITHDRAWN, 1, "Bart", "declined",
    )  # fmt: skip
    outcome = await world.change(table.id, lambda now: playing.abandon(now, 1, agrees=True), BART)
    assert outcome.table.sheet.stage is Stage.RUNNING


async def test_a_clock_runs_for_the_seat_to_act_and_a_turn_earns_its_increment(world: World) -> None:
    table = await world.started(terms(clock=LIVE))
    assert table.times.running == table.to_act
    assert table.times.banks == (600_000, 600_000)
    assert table.times.deadline == table.times.now + 600_000
    seat = table.to_act
    assert seat is not None
    while table.to_act == seat:
        table = await world.act(table, legal_codes(table)[0])
    assert 604_000 < table.times.banks[seat] <= 605_000
    assert table.times.banks[1 - seat] == 600_000
    assert table.times.running == 1 - seat


async def test_a_late_move_is_refused_and_the_expiry_counts_once(world: World) -> None:
    table = await world.started(terms(clock=LIVE))
    seat = table.to_act
    assert seat is not None
    with pytest.raises(WithCurrent):
        await world.tables.change_at(table.id, table.seq, ANNE.sends(), playing.expire)
    await expire(world, table)
    with pytest.raises(WithCurrent) as error:
        await world.act(table, legal_codes(table)[0])
    assert isinstance(error.value.error, ServiceError)
    assert error.value.error.problem is Problem.TOO_LATE
    outcome = await world.tables.change_at(table.id, table.seq, ANNE.sends(), playing.expire)
    chair = outcome.table.sheet.chairs[seat]
    assert (chair.minded, chair.lost, outcome.table.bot_to_act) == (True, True, "bosun")
    assert outcome.table.times.deadline is None
    assert world.heard.woken == [table.id]


async def test_the_owner_takes_the_seat_back_with_a_full_bank(world: World) -> None:
    table = await world.started(terms(clock=LIVE))
    seat = table.to_act
    assert seat is not None
    await expire(world, table)
    await world.tables.change_at(table.id, table.seq, ANNE.sends(), playing.expire)
    outcome = await world.change(table.id, lambda now: playing.take_back(now, seat), PLAYERS[seat])
    assert outcome.table.bot_to_act is None
    assert outcome.table.times.banks[seat] == 600_000
    assert outcome.table.times.running == seat
    assert outcome.table.sheet.chairs[seat].lost


@pytest.mark.parametrize("preset", ["tortuga", "jamaica", "nest"])
async def test_the_record_is_whole_after_the_end_and_verifies(world: World, preset: str) -> None:
    table = await world.started(terms(preset))
    during = await record_for(world.store, await world.play(table, Random(1), most=30), SPECTATOR)
    assert during.headers.secret is None
    assert during.headers.nonces is None
    assert "?" in format_record(during)
    table = await world.play(await world.tables.newest(table.id), Random(1))
    record = await record_for(world.store, table, SPECTATOR)
    report = verify_record(parse_record(format_record(record)), Kept(commitment=table.sheet.commitment))
    assert report.holds
    assert report.nonces == 2


async def test_a_table_whose_snapshot_is_kept_loads_without_the_turns_before(world: World) -> None:
    table = await world.play(await world.started(terms()), Random(2), most=60)
    await world.databases.shard_of(table.id).execute(
        "DELETE FROM shard.events WHERE game_id = $1 AND seq <= $2", table.id, table.turn_seq
    )
    stored = await world.store.load(table.id)
    assert stored is not None
    assert stored.position is not None
    assert table.position is not None
    assert pack(stored.position) == pack(table.position)


async def test_a_game_of_newer_rules_is_not_touched(world: World) -> None:
    table = await world.started(terms())
    await world.databases.shard_of(table.id).execute("UPDATE shard.games SET rules_version = 2")
    with pytest.raises(ServiceError) as error:
        await World(world.databases).tables.newest(table.id)
    assert error.value.problem is Problem.UNAVAILABLE


async def test_every_event_is_in_the_log_once(world: World) -> None:
    table = await world.play(await world.started(terms()), Random(3), most=30)
    log = await world.store.past(table.id, -1)
    assert [past.seq for past in log] == list(range(table.seq + 1))
    assert {past.kind for past in log[5:]} == {EventKind.ACTED}
    assert len({past.key for past in log}) == len(log)


async def test_a_table_without_clock_has_no_deadline(world: World) -> None:
    table = await world.started(replace(terms(), clock=None))
    assert table.times.deadline is None
    assert table.times.running is None
