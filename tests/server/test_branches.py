"""Other actions in a game that is over: a line that is told, and a table that goes on with the same cards."""

from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from time import time

import pytest
from msgspec import structs

from cartagena.rules.codes import END_TURN
from cartagena.rules.legality import legal
from cartagena.rules.refusals import IllegalAction
from cartagena.server.lobby.listings import TableSummary
from cartagena.server.lobby.results import result_of
from cartagena.server.shared.processes import in_thread
from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from cartagena.tables.branches import branch_sheet, line_from
from cartagena.tables.creating import NewTable, rematch_sheet
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.records import replay_for, whole_record
from cartagena.tables.sheet import Sheet, Stage
from cartagena.tables.table import Table
from tests.server.tables_world import PLAYERS, Player, World, terms
from tests.server.test_replay_route import leaves

STRANGER = PLAYERS[4]


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


async def played(world: World, ruleset: str, most: int = 8) -> Table:
    """A game of two that is over: by agreement after `most` actions unless it ended before."""
    table = await world.play(await world.started(terms(ruleset)), Random(5), most=most)
    for seat in range(2) if table.sheet.stage is Stage.RUNNING else ():
        table = (await world.change(table.id, leaves(seat), PLAYERS[seat])).table
    return table


def made(world: World) -> NewTable:
    return NewTable(int(time() * 1000), world.chance)


async def branched(world: World, old: Table, step: int, by: Player = STRANGER) -> Table:
    """A started table that goes on from `step` of another one."""
    new = made(world)
    sheet = await branch_sheet(world.store, old, step, by.sitter(), new, aside=in_thread)
    await world.store.open(new.id, sheet, old.secret, by.sends())
    return (await world.change(new.id, seating.start, by)).table


@pytest.mark.parametrize(("ruleset", "step"), [("tortuga", 0), ("jamaica", 40), ("nest", 1)])
async def test_a_branch_goes_on_with_the_cards_of_the_game(world: World, ruleset: str, step: int) -> None:
    old = await played(world, ruleset, most=step + 20)
    record = await whole_record(world.store, old)
    table = await branched(world, old, step)
    assert table.to_act == record.steps[step].seat
    assert table.chair(table.to_act).player == STRANGER.id
    # The actions of the game, done again, bring the same cards, also where a stock is shuffled anew.
    for played_step in record.steps[step:]:
        assert played_step.code is not None
        seat = table.to_act
        assert seat == played_step.seat
        code = played_step.code
        table = (await world.change(table.id, lambda now, s=seat, c=code: playing.act(now, s, c))).table  # type: ignore[misc]
    again = await whole_record(world.store, table)
    assert again.steps == record.steps
    assert again.headers.deal == record.headers.deal


async def test_a_branch_is_private_casual_and_against_bots(world: World) -> None:
    old = await played(world, "jamaica")
    table = await branched(world, old, 3)
    sheet = table.sheet
    assert (sheet.listed, sheet.rated, sheet.spectators, sheet.clock) == (False, False, False, None)
    assert [chair.level for chair in sheet.chairs if chair.player is None] == ["bosun"]
    assert sheet.branch is not None
    assert sheet.branch.table == old.id


async def test_what_was_played_before_a_branch_is_not_undone_at_it(world: World) -> None:
    old = await played(world, "tortuga")
    record = await whole_record(world.store, old)
    step = next(n for n, each in enumerate(record.steps) if n and record.steps[n - 1].turn == each.turn)
    table = await branched(world, old, step)
    assert table.to_act is not None
    with pytest.raises(IllegalAction):
        playing.undo(table, table.to_act)


async def test_a_branch_leaves_no_result_and_its_rematch_deals_anew(world: World) -> None:
    table = await branched(world, await played(world, "tortuga"), 0)
    table = (await world.change(table.id, leaves(table.to_act or 0), STRANGER)).table
    assert table.sheet.stage is Stage.OVER
    now = datetime.now(UTC)
    standing = TableSummary(
        game_id=table.id,
        seq=table.seq,
        turn_seq=table.turn_seq,
        to_act=None,
        since=None,
        deadline=None,
        created_at=now,
        ended_at=now,
        sheet=table.sheet,
    )
    assert result_of(standing) is None
    assert result_of(replace(standing, sheet=structs.replace(table.sheet, branch=None))) is not None
    again: Sheet = rematch_sheet(table, STRANGER.sitter(), made(world))
    assert again.branch is None


async def test_a_line_tells_what_other_actions_would_have_done(world: World) -> None:
    old = await played(world, "jamaica", most=24)
    record = await whole_record(world.store, old)
    codes = [step.code for step in record.steps[10:16] if step.code is not None]
    line = await line_from(world.store, old, 10, codes, aside=in_thread)
    replay = await replay_for(world.store, old, old.sheet.watchers, analysis=False, aside=in_thread)
    assert line.steps == replay.steps[10:16]
    table = await branched(world, old, 0)
    assert table.position is not None
    other = next(code for code in legal(table.position) if code != record.steps[0].code)
    assert (await line_from(world.store, old, 0, [other], aside=in_thread)).steps[0].code == other


async def test_a_line_follows_the_rules_and_a_game_that_is_not_over_has_none(world: World) -> None:
    running = await world.started(terms("nest"))
    with pytest.raises(ServiceError) as refused:
        await line_from(world.store, running, 0, [END_TURN], aside=in_thread)
    assert refused.value.problem is Problem.WRONG_STAGE
    old = await played(world, "nest")
    with pytest.raises(IllegalAction):
        await line_from(world.store, old, 0, [1023], aside=in_thread)
    with pytest.raises(ServiceError) as late:
        await line_from(world.store, old, 10_000, [], aside=in_thread)
    assert late.value.problem is Problem.UNFIT
