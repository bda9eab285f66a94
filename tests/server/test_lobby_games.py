"""My games, player pages and the ladder: what is shown of games, and to whom."""

from dataclasses import replace
from uuid import UUID, uuid4

import msgspec
import pytest

from cartagena.server.lobby.player_games import exported, results_of, tables_of
from cartagena.server.lobby.ratings import ENOUGH, PAGE, Rating, ladder, rated, ratings_of
from cartagena.server.lobby.results import featured, forget_player
from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from tests.server.lobby_world import LobbyWorld, passed_on, private
from tests.server.tables_world import LIVE, MAIL, Player, terms


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


# --- The replay of the day ---------------------------------------------------------------------------


async def test_the_replay_of_the_day_is_a_won_game_that_all_may_look_at(world: LobbyWorld) -> None:
    people = await world.people(3)
    assert await featured(world.directory, world.source) is None
    for hidden in (private(terms()), replace(terms(), spectators=False)):
        table = await world.playing(people[:2], hidden)
        await world.ends(table.id, 0)
    abandoned = await world.playing(people[:2], terms())
    await world.ends(abandoned.id, None, ending="abandoned")
    await world.told()
    assert await featured(world.directory, world.source) is None
    many = await world.playing(people, terms(seats=3))
    await world.ends(many.id, 2)
    few = await world.playing(people[:2], terms())
    await world.ends(few.id, 1)
    await world.told()
    game = await featured(world.directory, world.source)
    assert game is not None
    assert (game.id, game.winner, game.ruleset) == (many.id, 2, "tortuga")
    assert [seat.name for seat in game.seats] == [player.name for player in people]
    rated = await world.rated(people[:2], 0)
    await world.told()
    game = await featured(world.directory, world.source)
    assert game is not None
    assert game.id == rated


# --- My tables -----------------------------------------------------------------------------------------


async def test_my_tables_are_shown_as_they_stand_those_that_wait_for_me_first(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    waiting = await world.open(terms(seats=3), anne)
    by_mail = await world.playing([anne, bart], private(terms(clock=MAIL)))
    if by_mail.to_act != 0:
        by_mail = await passed_on(world, by_mail)
    await world.open(terms(), bart)
    await world.told()
    mine = await tables_of(world.directory, world.source, anne.id)
    assert [(table.id, table.my_turn) for table in mine] == [(by_mail.id, True), (waiting, False)]
    assert mine[0].deadline is not None
    assert [(seat.player, seat.name) for seat in mine[0].seats] == [(p.id, p.name) for p in (anne, bart)]
    assert (mine[1].stage, mine[1].seat, len(mine[1].seats)) == ("open", 0, 3)
    assert mine[1].seats[1].player is None


async def test_whose_turn_it_is_in_a_live_game_is_read_where_it_is_known(world: LobbyWorld) -> None:
    people = await world.people(2)
    table = await world.playing(people, terms(clock=LIVE))
    await world.told()
    table = await passed_on(world, table)
    for seat, player in enumerate(people):
        (mine,) = await tables_of(world.directory, world.source, player.id)
        assert mine.my_turn is (table.to_act == seat)
        assert (mine.deadline is not None) is (table.to_act == seat)


async def test_a_table_that_i_just_left_is_not_mine(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    table_id = await world.table_of([anne, bart], terms(seats=3))
    await world.told()
    await world.change(table_id, lambda table: seating.leave(table, 1), bart)
    assert await tables_of(world.directory, world.source, bart.id) == ()


# --- Results -------------------------------------------------------------------------------------------


async def test_results_come_in_pages_the_latest_first(world: LobbyWorld) -> None:
    people = await world.people(2)
    played = [await world.rated(people, number % 2) for number in range(5)]
    await world.told()
    page = await results_of(world.directory, people[0].id, asker=None, most=2)
    seen = list(page.results)
    while page.next is not None:
        page = await results_of(world.directory, people[0].id, asker=None, before=page.next, most=2)
        seen.extend(page.results)
    assert [result.id for result in seen] == played[::-1]
    assert [result.winner for result in seen] == [0, 1, 0, 1, 0]


async def test_a_result_tells_who_played_and_what_it_did_to_the_rating(world: LobbyWorld) -> None:
    people = await world.people(2)
    game_id = await world.rated(people, 1)
    await world.told()
    (result,) = (await results_of(world.directory, people[1].id, asker=None)).results
    assert (result.id, result.ruleset, result.ending, result.winner) == (game_id, "tortuga", "won", 1)
    assert (result.seat, result.rated) == (1, True)
    assert [(seat.player, seat.name, seat.level) for seat in result.seats] == [
        (player.id, player.name, None) for player in people
    ]
    assert result.rating is not None
    winner, _ = rated([Rating(), Rating()], [1, 2])
    assert (result.rating.before, result.rating.after) == (1000, winner.shown)


async def test_a_bot_is_shown_by_its_level(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    table_id = await world.open(terms(), anne)
    await world.change(table_id, lambda table: seating.add_bot(table, 1, "sailor"), anne)
    await world.ends(table_id, 1)
    await world.told()
    (result,) = (await results_of(world.directory, anne.id, asker=None)).results
    assert (result.seats[1].player, result.seats[1].name, result.seats[1].level) == (None, "sailor", "sailor")
    assert result.rating is None


async def test_of_a_private_game_only_those_are_told_who_played_it(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    table = await world.playing([anne, bart], private(terms()))
    await world.ends(table.id, 0)
    await world.told()

    async def shown_to(asker: Player | None) -> list[UUID]:
        page = await results_of(world.directory, anne.id, asker=None if asker is None else asker.id)
        return [result.id for result in page.results]

    assert await shown_to(None) == []
    assert await shown_to(cora) == []
    assert await shown_to(bart) == [table.id]
    assert await shown_to(anne) == [table.id]


async def test_a_player_who_is_gone_keeps_no_name_in_anybodys_results(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    await world.rated([anne, bart], 0)
    await world.told()
    for table in ("results", "seatings", "ratings", "rating_changes"):
        assert not any(anne.name in str(dict(row)) for row in await world.rows(table))
    await world.directory.execute(
        "UPDATE directory.players SET name = 'a deleted pirate', deleted_at = now() WHERE player_id = $1",
        anne.id,
    )
    (result,) = (await results_of(world.directory, bart.id, asker=None)).results
    assert [seat.name for seat in result.seats] == ["a deleted pirate", bart.name]


async def test_the_lobby_forgets_a_player_who_leaves_for_good(world: LobbyWorld) -> None:
    anne, bart = await world.people(2)
    await world.open(terms(), anne)
    other = await world.open(terms(), bart)
    table = await world.playing([anne, bart], private(terms(clock=MAIL)))
    if table.to_act != 0:
        await passed_on(world, table)
    await world.told()
    assert [row["player_id"] for row in await world.rows("notices")] == [anne.id]
    async with world.directory.acquire() as connection:
        await forget_player(connection, anne.id)
    assert await world.listed() == [other]
    assert await world.rows("notices") == []


async def test_everything_that_is_kept_about_a_player_can_be_handed_to_him(world: LobbyWorld) -> None:
    people = await world.people(2)
    played = [await world.rated(people, 0) for _ in range(3)]
    waiting = await world.open(private(terms()), people[0])
    await world.told()
    kept = msgspec.json.decode(await exported(world.directory, world.source, people[0].id))
    assert [result["id"] for result in kept["results"]] == [str(game_id) for game_id in played[::-1]]
    assert [table["id"] for table in kept["tables"]] == [str(waiting)]
    assert [(rating["ruleset"], rating["games"]) for rating in kept["ratings"]] == [("tortuga", 3)]


# --- The ladder ----------------------------------------------------------------------------------------

RATE = "INSERT INTO directory.ratings VALUES ($1, $2, $3, $4, $5, $6)"


async def test_the_ladder_shows_the_surest_first_and_nobody_with_too_few_games(world: LobbyWorld) -> None:
    best, unsure, worse, new, gone = await world.people(5)
    for player, mu, sigma, games in (
        (unsure, 40.0, 8.0, ENOUGH),
        (best, 30.0, 2.0, ENOUGH + 5),
        (worse, 25.0, 2.0, ENOUGH),
        (new, 50.0, 1.0, ENOUGH - 1),
        (gone, 50.0, 1.0, ENOUGH),
    ):
        await world.directory.execute(RATE, player.id, "nest", mu, sigma, games, 3)
    await world.directory.execute(
        "UPDATE directory.players SET deleted_at = now() WHERE player_id = $1", gone.id
    )
    page = await ladder(world.directory, "nest", 1)
    assert [(rung.rank, rung.player, rung.name) for rung in page.rungs] == [
        (1, best.id, best.name),
        (2, worse.id, worse.name),
        (3, unsure.id, unsure.name),
    ]
    assert (page.rungs[0].rating, page.rungs[0].games, page.next) == (1960, ENOUGH + 5, None)
    assert (await ladder(world.directory, "tortuga", 1)).rungs == ()


async def test_the_ladder_has_pages(world: LobbyWorld) -> None:
    people = await world.people(PAGE + 2)
    for number, player in enumerate(people):
        await world.directory.execute(RATE, player.id, "nest", 50.0 - number / 10, 1.0, ENOUGH, 0)
    first, second = [await ladder(world.directory, "nest", page) for page in (1, 2)]
    assert (len(first.rungs), first.next, len(second.rungs), second.next) == (PAGE, 2, 2, None)
    assert [rung.player for rung in (*first.rungs, *second.rungs)] == [player.id for player in people]
    assert second.rungs[0].rank == PAGE + 1


async def test_the_ratings_of_a_player_say_whether_they_are_settled(world: LobbyWorld) -> None:
    (anne,) = await world.people(1)
    await world.directory.execute(RATE, anne.id, "nest", 25.0, 5.0, ENOUGH, 4)
    await world.directory.execute(RATE, anne.id, "jamaica", 25.0, 8.0, ENOUGH - 1, 2)
    jamaica, nest = await ratings_of(world.directory, anne.id)
    assert (jamaica.ruleset, jamaica.settled, jamaica.rating) == ("jamaica", False, 1040)
    assert (nest.ruleset, nest.settled, nest.games, nest.wins) == ("nest", True, ENOUGH, 4)
    assert await ratings_of(world.directory, uuid4()) == ()


async def test_who_resigned_is_found_among_his_finished_games(world: LobbyWorld) -> None:
    people = await world.people(2)
    table = await world.playing(people, terms())
    await world.change(table.id, lambda now: playing.resign(now, 0), people[0])
    await world.told()
    (result,) = (await results_of(world.directory, people[0].id, asker=None)).results
    assert (result.ending, result.winner, result.seat) == ("resigned", 1, 0)
    assert await tables_of(world.directory, world.source, people[0].id) == ()
