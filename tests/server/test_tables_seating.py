"""Before the start: chairs, the host, and what a table allows."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from cartagena.rules.ruleset import PRESETS
from cartagena.server.store.databases import Databases
from cartagena.tables import seating
from cartagena.tables.access import audience_of, may_enter, require_audience
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.creating import new_invite
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.frames import audiences, table_message
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Change, EventKind, Table
from tests.server.tables_world import LIVE, PLAYERS, Player, World, terms

ANNE, BART, CORA, DIRK, ELSA = PLAYERS


@pytest.fixture
def world(databases: Databases) -> World:
    return World(databases)


def refused(error: pytest.ExceptionInfo[ServiceError]) -> Problem:
    return error.value.problem


async def test_a_host_sits_on_the_first_chair(world: World) -> None:
    table = await world.tables.newest(await world.open(terms(seats=3)))
    assert [chair.name for chair in table.sheet.chairs] == ["Anne", "", ""]
    assert (table.seq, table.sheet.stage, table.sheet.host) == (0, Stage.OPEN, ANNE.id)


def test_an_invitation_has_128_bits_that_nobody_guesses() -> None:
    asked: list[int] = []

    def chance(size: int) -> bytes:
        asked.append(size)
        return bytes(size)

    assert new_invite(chance) == "0" * 32, "not shorter, and within the 40 letters that a request may bring"
    assert asked == [16]


async def test_a_chair_tells_everybody_that_a_guest_sits_there(world: World) -> None:
    table_id = await world.open(terms(seats=3))
    named = replace(BART.sitter(), guest=False)
    outcome = await world.change(table_id, lambda table: seating.sit(table, named, None), BART)
    assert [chair.is_guest for chair in table_message(outcome.table).chairs] == [True, False, False]


async def test_a_chair_tells_everybody_that_a_program_sits_there_and_its_games_are_casual(
    world: World,
) -> None:
    bot = Player(uuid4(), "Robot", guest=False, program=True)
    table_id = await world.open(terms(seats=3))
    outcome = await world.change(table_id, lambda table: seating.sit(table, bot.sitter(), None), bot)
    assert [chair.is_bot for chair in table_message(outcome.table).chairs] == [False, True, False]
    rated = await world.open(terms(clock=LIVE, rated=True), Player(uuid4(), "Named", guest=False))
    with pytest.raises(ServiceError) as error:
        await world.change(rated, lambda table: seating.sit(table, bot.sitter(), None), bot)
    assert refused(error) is Problem.NEEDS_ACCOUNT
    with pytest.raises(ServiceError) as error:
        await world.open(terms(clock=LIVE, rated=True), bot)
    assert refused(error) is Problem.NEEDS_ACCOUNT
    made_rated = replace(terms(seats=3, clock=LIVE), rated=True)
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.change_terms(table, made_rated))
    assert refused(error) is Problem.NEEDS_ACCOUNT


async def test_the_same_request_opens_one_table(world: World) -> None:
    key = uuid4()
    first = await world.open(terms(), key=key)
    assert await world.open(terms("nest"), key=key) == first
    assert (await world.tables.newest(first)).sheet.rules.key == "tortuga"


async def test_another_player_with_the_same_key_opens_another_table(world: World) -> None:
    key = uuid4()
    assert await world.open(terms(), ANNE, key) != await world.open(terms(), BART, key)


async def test_a_player_takes_the_first_open_chair_or_the_one_he_names(world: World) -> None:
    table_id = await world.open(terms(seats=4))
    await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), 2), BART)
    outcome = await world.change(table_id, lambda table: seating.sit(table, CORA.sitter(), None), CORA)
    assert [chair.name for chair in outcome.table.sheet.chairs] == ["Anne", "Cora", "Bart", ""]
    assert outcome.table.seq == 2


async def test_nobody_sits_twice_or_on_a_taken_chair(world: World) -> None:
    table_id = await world.open(terms(seats=2))
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.sit(table, ANNE.sitter(), None))
    assert refused(error) is Problem.ALREADY_SEATED
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), 0), BART)
    assert refused(error) is Problem.SEAT_TAKEN
    await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), None), BART)
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.sit(table, CORA.sitter(), None), CORA)
    assert refused(error) is Problem.SEAT_TAKEN


async def test_who_is_kicked_never_comes_in_again_and_his_streams_are_closed(world: World) -> None:
    table_id = await world.seated(terms(seats=3))
    outcome = await world.change(table_id, lambda table: seating.kick(table, 1, invite="another code"))
    assert outcome.table.sheet.chairs[1].is_open
    assert world.heard.closed == [(table_id, BART.id, None)]
    assert not may_enter(outcome.table.sheet, BART.id, outcome.table.sheet.invite)
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), None), BART)
    assert refused(error) is Problem.KICKED


async def test_when_the_host_leaves_the_next_person_is_host_and_an_empty_table_closes(world: World) -> None:
    table_id = await world.open(replace(terms(seats=3), bots=("sailor",)))
    await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), None), BART)
    outcome = await world.change(table_id, lambda table: seating.leave(table, 0))
    assert outcome.table.sheet.host == BART.id
    outcome = await world.change(table_id, lambda table: seating.leave(table, 1), BART)
    assert (outcome.table.sheet.stage, outcome.table.sheet.ending) == (Stage.OVER, "closed")


async def test_a_bot_takes_an_open_chair_and_can_be_taken_away(world: World) -> None:
    table_id = await world.open(terms())
    outcome = await world.change(table_id, lambda table: seating.add_bot(table, 1, "deckhand"))
    assert outcome.table.sheet.chairs[1].level == "deckhand"
    outcome = await world.change(table_id, lambda table: seating.remove_bot(table, 1))
    assert outcome.table.sheet.chairs[1].is_open
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.add_bot(table, 1, "admiral"))
    assert refused(error) is Problem.UNFIT


async def test_bots_and_guests_do_not_play_rated_games(world: World) -> None:
    named = Player(uuid4(), "Named", guest=False)
    with pytest.raises(ServiceError) as error:
        await world.open(terms(clock=LIVE, rated=True))
    assert refused(error) is Problem.NEEDS_ACCOUNT
    table_id = await world.open(terms(clock=LIVE, rated=True), named)
    for make in (
        lambda table: seating.sit(table, BART.sitter(), None),
        lambda table: seating.add_bot(table, 1, "sailor"),
    ):
        with pytest.raises(ServiceError) as error:
            await world.change(table_id, make)
        assert refused(error) is Problem.NEEDS_ACCOUNT


async def test_the_host_reorders_chairs_and_changes_terms(world: World) -> None:
    table_id = await world.seated(terms(seats=3))
    outcome = await world.change(table_id, lambda table: seating.reorder(table, [2, 0, 1]))
    assert [chair.name for chair in outcome.table.sheet.chairs] == ["Cora", "Anne", "Bart"]
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.reorder(table, [0, 0, 1]))
    assert refused(error) is Problem.UNFIT
    outcome = await world.change(table_id, lambda table: seating.change_terms(table, terms("nest", 5, LIVE)))
    assert outcome.table.sheet.rules == PRESETS["nest"]
    assert len(outcome.table.sheet.chairs) == 5
    with pytest.raises(ServiceError) as error:
        await world.change(table_id, lambda table: seating.change_terms(table, terms(seats=2)))
    assert refused(error) is Problem.SEAT_TAKEN


async def test_the_host_allows_hints_and_everybody_is_told(world: World) -> None:
    table_id = await world.seated(terms(seats=2))
    allowing = replace(terms(), hints=True)
    outcome = await world.change(table_id, lambda table: seating.change_terms(table, allowing))
    assert outcome.table.sheet.allows_hints
    outcome = await world.change(table_id, lambda table: seating.change_terms(table, terms()))
    assert not outcome.table.sheet.allows_hints
    past = await world.store.past(table_id, outcome.table.seq - 2)
    assert [event.news.text for event in past] == ["hints_on", "hints_off"]


async def test_there_are_no_hints_in_rated_games_nor_where_strangers_were_matched(world: World) -> None:
    with pytest.raises(ServiceError) as error:
        await world.open(
            replace(terms(clock=LIVE, rated=True), hints=True), Player(uuid4(), "Named", guest=False)
        )
    assert refused(error) is Problem.UNFIT
    quick = await world.open(replace(terms(), quick=True))
    with pytest.raises(ServiceError) as error:
        await world.change(quick, lambda table: seating.change_terms(table, replace(terms(), hints=True)))
    assert refused(error) is Problem.UNFIT


@pytest.mark.parametrize("shut", [replace(terms(), spectators=False), replace(terms(), listed=False)])
async def test_shutting_the_door_closes_the_streams_of_spectators(world: World, shut: seating.Terms) -> None:
    table_id = await world.open(terms())
    outcome = await world.change(table_id, lambda table: seating.change_terms(table, shut))
    assert world.heard.closed == [(table_id, None, SPECTATOR)]
    with pytest.raises(ServiceError) as error:
        require_audience(outcome.table, SPECTATOR)
    assert refused(error) is Problem.FORBIDDEN


async def test_a_private_table_is_not_even_known_to_strangers(world: World) -> None:
    table = await world.tables.newest(await world.open(replace(terms(), listed=False)))
    for player in (BART.id, None):
        with pytest.raises(ServiceError) as error:
            audience_of(table, player)
        assert refused(error) is Problem.NO_SUCH_TABLE
        assert str(error.value).endswith("or the link lacks its invitation")
        with pytest.raises(ServiceError) as unknown:
            await world.tables.newest(uuid4())
        # One that is not there is refused in the same words.
        assert str(unknown.value) == str(error.value)
        with pytest.raises(ServiceError):
            audience_of(table, player, "guess")
        assert audience_of(table, player, table.sheet.invite) == table.sheet.watchers
    assert audience_of(table, ANNE.id) == 0


async def test_a_request_sent_twice_counts_once_and_is_answered_twice(world: World) -> None:
    table_id = await world.open(terms(seats=3))
    sender = BART.sends()

    def sits(table: Table) -> Change:
        return seating.sit(table, BART.sitter(), None)

    first = await world.tables.change(table_id, sender, sits)
    again = await world.tables.change(table_id, sender, sits)
    assert again.table.seq == first.table.seq == 1
    assert again.frames is None


async def test_the_key_of_another_player_is_refused(world: World) -> None:
    table_id = await world.open(terms(seats=3))
    sender = BART.sends()
    await world.tables.change(table_id, sender, lambda table: seating.sit(table, BART.sitter(), None))
    with pytest.raises(ServiceError) as error:
        await world.tables.change(
            table_id, CORA.sends(sender.key), lambda table: seating.sit(table, CORA.sitter(), None)
        )
    assert refused(error) is Problem.KEY_REUSED


async def test_two_nodes_seat_two_players_on_two_chairs(world: World, databases: Databases) -> None:
    table_id = await world.open(terms(seats=3))
    other = World(databases)
    await other.tables.newest(table_id)
    await world.change(table_id, lambda table: seating.sit(table, BART.sitter(), None), BART)
    outcome = await other.change(table_id, lambda table: seating.sit(table, CORA.sitter(), None), CORA)
    assert [chair.name for chair in outcome.table.sheet.chairs] == ["Anne", "Bart", "Cora"]


async def test_everything_is_in_the_log(world: World) -> None:
    table_id = await world.seated(terms(seats=3))
    await world.change(table_id, lambda table: seating.mute(table, 2, muted=True))
    log = await world.store.past(table_id, -1)
    assert [past.kind for past in log] == [EventKind.OPENED, EventKind.SAT, EventKind.SAT, EventKind.MUTED]
    assert [past.news.name for past in log] == ["Anne", "Bart", "Cora", "Cora"]
    assert [past.player for past in log] == [ANNE.id, BART.id, CORA.id, ANNE.id]


async def test_whoever_sits_down_later_is_another_audience(world: World) -> None:
    table_id = await world.seated(terms(seats=3))
    before = await world.tables.newest(table_id)
    old = before.sheet.audience_of(1)
    await world.change(table_id, lambda table: seating.leave(table, 1), BART)
    outcome = await world.change(table_id, lambda table: seating.sit(table, DIRK.sitter(), 1), DIRK)
    assert outcome.frames is not None
    assert old not in outcome.frames
    with pytest.raises(ServiceError) as error:
        require_audience(outcome.table, old)
    assert refused(error) is Problem.FORBIDDEN


async def test_a_new_order_of_chairs_makes_everybody_who_moves_come_in_again(world: World) -> None:
    table_id = await world.seated(terms(seats=3))
    old = audiences(await world.tables.newest(table_id))
    outcome = await world.change(table_id, lambda table: seating.reorder(table, [1, 0, 2]))
    assert set(old) & set(audiences(outcome.table)) == {old[2], SPECTATOR}
    same = await world.change(table_id, lambda table: seating.reorder(table, [0, 1, 2]))
    assert same.table.seq == outcome.table.seq
    assert {player for _, player, _ in world.heard.closed} == {ANNE.id, BART.id}


async def test_one_request_sent_to_two_nodes_at_once_counts_once(world: World, databases: Databases) -> None:
    table_id = await world.seated(terms(seats=3))
    nodes = [world, *(World(databases) for _ in range(3))]
    for node in nodes:
        await node.tables.newest(table_id)
    sender = ANNE.sends()
    outcomes = await asyncio.gather(
        *(
            node.tables.change(table_id, sender, lambda table: seating.mute(table, 1, muted=True))
            for node in nodes
        )
    )
    assert {outcome.table.seq for outcome in outcomes} == {3}


async def test_what_a_node_remembers_refuses_nothing_that_is_allowed_by_now(
    world: World, databases: Databases
) -> None:
    table_id = await world.open(terms())
    await world.tables.newest(table_id)
    other = World(databases)
    await other.change(table_id, lambda table: seating.sit(table, BART.sitter(), None), BART)
    outcome = await world.change(table_id, seating.start)
    assert outcome.table.sheet.stage is Stage.STARTING
