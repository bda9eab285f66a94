"""Rated games: each counts once, no matter who tells of it and how often."""

import asyncio
from random import Random

import pytest

from cartagena.server.lobby.ratings import Rating, ranks_of, rated
from cartagena.server.lobby.repair import rate_anew, tell
from cartagena.server.store.databases import Databases
from cartagena.tables import playing, seating
from tests.server.lobby_world import LobbyWorld
from tests.server.tables_world import LIVE, Player, terms

BOT = "INSERT INTO directory.bots (bot_id, owner_id, engine) VALUES ($1, $2, 'furthest')"


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


async def ratings(world: LobbyWorld, people: list[Player]) -> list[Rating]:
    """The ratings of some players, in their order."""
    rows = {row["player_id"]: row for row in await world.rows("ratings")}
    return [Rating(mu=rows[player.id]["mu"], sigma=rows[player.id]["sigma"]) for player in people]


async def test_a_rated_game_changes_the_ratings_of_its_players(world: LobbyWorld) -> None:
    people = await world.people(3)
    game_id = await world.rated(people, 2)
    await world.told()
    assert await ratings(world, people) == rated([Rating()] * 3, [2, 2, 1])
    rows = {row["player_id"]: (row["games"], row["wins"]) for row in await world.rows("ratings")}
    assert [rows[player.id] for player in people] == [(1, 0), (1, 0), (1, 1)]
    (result,) = await world.rows("results")
    assert (result["game_id"], result["ending"], result["winner"]) == (game_id, "won", 2)
    assert result["players"] == [player.id for player in people]


@pytest.mark.parametrize(("winner", "lost"), [(0, [0]), (None, [2]), (1, [0]), (None, [])])
async def test_a_lost_seat_never_wins(world: LobbyWorld, winner: int | None, lost: list[int]) -> None:
    people = await world.people(3)
    await world.rated(people, winner, lost=lost)
    await world.told()
    ranks = ranks_of(winner, [seat in lost for seat in range(3)])
    assert await ratings(world, people) == rated([Rating()] * 3, ranks)


async def test_who_resigns_a_game_of_two_has_lost_it(world: LobbyWorld) -> None:
    people = await world.people(2)
    table = await world.playing(people, terms(clock=LIVE, rated=True))
    await world.change(table.id, lambda now: playing.resign(now, 0), people[0])
    await world.told()
    loser, winner = await ratings(world, people)
    assert loser.mu < winner.mu


async def test_casual_and_abandoned_games_are_results_but_change_no_rating(world: LobbyWorld) -> None:
    people = await world.people(2)
    casual = await world.playing(people, terms(clock=LIVE))
    await world.ends(casual.id, 0)
    dropped = await world.playing(people, terms(clock=LIVE, rated=True))
    for seat in (0, 1):
        await world.change(dropped.id, lambda now, s=seat: playing.abandon(now, s, agrees=True), people[seat])  # type: ignore[misc]
    assert await world.told() == 2
    assert {row["ending"] for row in await world.rows("results")} == {"won", "abandoned"}
    assert await world.rows("ratings") == []
    assert await world.rows("rating_changes") == []


async def test_each_ruleset_has_a_rating_of_its_own(world: LobbyWorld) -> None:
    people = await world.people(2)
    for ruleset in ("tortuga", "jamaica", "nest"):
        await world.rated(people, 0, ruleset=ruleset)
    await world.told()
    found = {
        (row["player_id"], row["ruleset"]): (row["games"], row["mu"]) for row in await world.rows("ratings")
    }
    winner, loser = rated([Rating(), Rating()], [1, 2])
    for ruleset in ("tortuga", "jamaica", "nest"):
        assert found[people[0].id, ruleset] == (1, winner.mu)
        assert found[people[1].id, ruleset] == (1, loser.mu)


async def test_two_workers_with_the_same_news_rate_a_game_once(world: LobbyWorld) -> None:
    people = await world.people(3)
    game_id = await world.rated(people, 0)
    standing = await world.standing(game_id)
    await asyncio.gather(*(tell(world.directory, standing) for _ in range(8)))
    assert await ratings(world, people) == rated([Rating()] * 3, [1, 2, 2])
    assert {row["games"] for row in await world.rows("ratings")} == {1}


async def test_many_games_of_the_same_players_told_at_once_count_each_once(world: LobbyWorld) -> None:
    people = await world.people(4)
    chance = Random(4)
    games = []
    for number in range(12):
        seated = chance.sample(people, 2 + number % 3)
        games.append(await world.rated(seated, chance.randrange(len(seated))))
    standings = [await world.standing(game_id) for game_id in games] * 3
    chance.shuffle(standings)
    await asyncio.gather(*(tell(world.directory, standing) for standing in standings))
    changes = await world.rows("rating_changes")
    results = {row["game_id"]: row for row in await world.rows("results")}
    assert len(results) == 12
    assert len(changes) == sum(len(row["players"]) for row in results.values())
    for row in await world.rows("ratings"):
        own = [change for change in changes if change["player_id"] == row["player_id"]]
        assert row["games"] == len(own)
        assert row["wins"] == sum(
            result["players"][result["winner"]] == row["player_id"] for result in results.values()
        )
        # One change begins where another ended: from the first rating to the last in one chain.
        steps = {(change["mu_before"], change["sigma_before"]): change for change in own}
        at = (Rating().mu, Rating().sigma)
        while at in steps:
            change = steps.pop(at)
            at = (change["mu_after"], change["sigma_after"])
        assert not steps
        assert at == (row["mu"], row["sigma"])


async def test_a_rematch_or_a_word_to_the_host_does_not_rate_again(world: LobbyWorld) -> None:
    people = await world.people(2)
    game_id = await world.rated(people, 0)
    await world.told()
    before = await world.rows("results"), await world.rows("ratings"), await world.rows("rating_changes")
    await world.change(game_id, lambda table: seating.mute(table, 1, muted=True), people[0])
    assert await world.told() == 1
    after = await world.rows("results"), await world.rows("ratings"), await world.rows("rating_changes")
    assert after == before


async def test_a_game_ended_when_it_ended_whatever_happens_later(world: LobbyWorld) -> None:
    people = await world.people(2)
    game_id = await world.rated(people, 0)
    ended = (await world.standing(game_id)).ended_at
    await world.change(game_id, lambda table: seating.mute(table, 1, muted=True), people[0])
    assert ended is not None
    assert (await world.standing(game_id)).ended_at == ended


async def test_a_game_that_a_bot_played_changes_no_rating_even_if_its_table_was_rated(
    world: LobbyWorld,
) -> None:
    owner, bot, other = await world.people(3)
    await world.directory.execute(BOT, bot.id, owner.id)
    await world.rated([other, bot], 1)
    assert await world.told() == 1
    assert len(await world.rows("results")) == 1
    assert await world.rows("ratings") == []
    assert await rate_anew(world.directory, lambda _: None) == 0
    assert await world.rows("ratings") == []
    assert await world.rows("rating_changes") == []
