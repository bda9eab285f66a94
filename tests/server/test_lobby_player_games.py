"""A player's games searched, counted, and as the course of a rating: what is found, and who may find it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from cartagena.messages.lobby import GamesFilter, TotalMessage
from cartagena.server.lobby.player_games import MOST_POINTS, course_of, results_of, totals_of
from cartagena.server.lobby.ratings import Rating, ratings_of
from cartagena.server.store.databases import Databases
from cartagena.tables import seating
from tests.server.lobby_world import NAME, LobbyWorld, private
from tests.server.tables_world import LIVE, Player, terms


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


async def named(world: LobbyWorld, name: str) -> Player:
    """A player with this name."""
    player = Player(uuid4(), name, guest=False)
    await world.directory.execute(NAME, player.id, name, name.casefold(), player.guest)
    return player


async def over(
    world: LobbyWorld,
    players: list[Player],
    winner: int | None,
    *,
    ruleset: str = "tortuga",
    listed: bool = True,
) -> UUID:
    """A casual game with this result."""
    wanted = terms(ruleset, len(players))
    table = await world.playing(players, wanted if listed else private(wanted))
    await world.ends(table.id, winner, ending="quiet" if winner is None else "won")
    return table.id


async def against_bot(world: LobbyWorld, player: Player, level: str) -> UUID:
    """A casual game against a bot, which wins it."""
    table_id = await world.open(terms(), player)
    await world.change(table_id, lambda table: seating.add_bot(table, 1, level), player)
    await world.ends(table_id, 1)
    return table_id


async def found(
    world: LobbyWorld, player: Player, only: GamesFilter, *, asker: Player | None = None
) -> list[UUID]:
    """The games that `asker` finds among those of `player`."""
    who = None if asker is None else asker.id
    page = await results_of(world.directory, player.id, asker=who, only=only)
    assert page.next is None
    return [result.id for result in page.results]


# --- Search ------------------------------------------------------------------------------------------


async def test_games_are_found_by_ruleset_outcome_and_whether_they_were_rated(world: LobbyWorld) -> None:
    people = await world.people(2)
    anne = people[0]
    won = await over(world, people, 0)
    lost = await over(world, people, 1, ruleset="nest")
    none = await over(world, people, None)
    rated = await world.rated(people, 0, ruleset="nest")
    await world.told()
    for only, games in (
        (GamesFilter(), [rated, none, lost, won]),
        (GamesFilter(ruleset="nest"), [rated, lost]),
        (GamesFilter(ruleset="jamaica"), []),
        (GamesFilter(outcome="won"), [rated, won]),
        (GamesFilter(outcome="lost"), [lost]),
        (GamesFilter(outcome="none"), [none]),
        (GamesFilter(rated=True), [rated]),
        (GamesFilter(rated=False), [none, lost, won]),
        (GamesFilter(ruleset="nest", outcome="won", rated=True), [rated]),
        (GamesFilter(ruleset="tortuga", outcome="lost"), []),
    ):
        assert await found(world, anne, only) == games, only


async def test_games_are_found_by_a_part_of_an_opponents_name(world: LobbyWorld) -> None:
    anne, bart, odd = [await named(world, name) for name in ("Anne", "Black Bart", "Half_50% \\o/")]
    with_bart = await over(world, [anne, bart], 0)
    with_odd = await over(world, [odd, anne], 0)
    with_both = await over(world, [bart, anne, odd], 2)
    await world.told()
    for text, games in (
        ("bart", [with_both, with_bart]),
        ("black b", [with_both, with_bart]),
        ("anne", []),
        ("50%", [with_both, with_odd]),
        ("f_5", [with_both, with_odd]),
        ("\\o", [with_both, with_odd]),
        ("%", [with_both, with_odd]),
        ("b%t", []),
        ("b_rt", []),
    ):
        assert await found(world, anne, GamesFilter(against=text)) == games, text
    assert await found(world, bart, GamesFilter(against="anne")) == [with_both, with_bart]


async def test_a_bot_is_found_by_its_level(world: LobbyWorld) -> None:
    anne, bart = await named(world, "Anne"), await named(world, "Sailor Bart")
    sailor = await against_bot(world, anne, "sailor")
    captain = await against_bot(world, anne, "captain")
    person = await over(world, [anne, bart], 0)
    await world.told()
    assert await found(world, anne, GamesFilter(against="sailor")) == [person, sailor]
    assert await found(world, anne, GamesFilter(against="capt")) == [captain]
    assert await found(world, anne, GamesFilter(against="matroos")) == []
    assert await found(world, anne, GamesFilter(against="matroos", levels=("sailor",))) == [sailor]


async def test_who_left_for_good_is_not_found_by_an_old_name(world: LobbyWorld) -> None:
    anne, bart = await named(world, "Anne"), await named(world, "Bart")
    game = await over(world, [anne, bart], 0)
    await world.told()
    gone = "deleted pirate"
    await world.directory.execute(
        "UPDATE directory.players SET name = $2, name_key = $2, deleted_at = now() WHERE player_id = $1",
        bart.id,
        gone,
    )
    assert await found(world, anne, GamesFilter(against="bart")) == []
    assert await found(world, anne, GamesFilter(against=gone)) == [game]


async def test_what_is_found_comes_in_pages(world: LobbyWorld) -> None:
    people = await world.people(2)
    games = [await over(world, people, number % 2) for number in range(6)]
    await world.told()
    only, seen, before = GamesFilter(outcome="won"), [], None
    for _ in range(3):
        page = await results_of(world.directory, people[0].id, asker=None, before=before, only=only, most=1)
        seen += [result.id for result in page.results]
        before = page.next
    assert (seen, before) == ([games[4], games[2], games[0]], None)
    # A page may begin after a game that is not among those that are looked for.
    page = await results_of(world.directory, people[0].id, asker=None, before=games[3], only=only)
    assert [result.id for result in page.results] == [games[2], games[0]]


async def test_no_search_finds_a_private_game_for_strangers(world: LobbyWorld) -> None:
    anne, bart, cora = [await named(world, name) for name in ("Anne", "Bart", "Cora")]
    public = await over(world, [anne, bart], 1)
    hidden = await over(world, [anne, bart], 0, listed=False)
    await world.told()
    for only in (
        GamesFilter(outcome="won"),
        GamesFilter(ruleset="tortuga", outcome="won"),
        GamesFilter(rated=False, outcome="won"),
        GamesFilter(against="bart", outcome="won"),
    ):
        for asker, games in ((None, []), (cora, []), (bart, [hidden]), (anne, [hidden])):
            assert await found(world, anne, only, asker=asker) == games
    # Nor does a page that begins after it tell that it was there.
    for stranger in (None, cora.id):
        for before in (hidden, uuid4()):
            page = await results_of(world.directory, anne.id, asker=stranger, before=before)
            assert page.results == ()
    page = await results_of(world.directory, anne.id, asker=bart.id, before=hidden)
    assert [result.id for result in page.results] == [public]


# --- Totals ------------------------------------------------------------------------------------------


async def test_totals_count_what_the_asker_may_know_of(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    await over(world, [anne, bart], 0)
    await over(world, [anne, bart], None)
    await over(world, [bart, anne], 0, ruleset="nest")
    await over(world, [anne, bart], 0, ruleset="nest", listed=False)
    await world.playing([anne, bart], terms())
    await world.told()
    for asker, nest in ((None, (1, 0)), (cora.id, (1, 0)), (bart.id, (2, 1)), (anne.id, (2, 1))):
        assert await totals_of(world.directory, anne.id, asker=asker) == (
            TotalMessage(ruleset="nest", games=nest[0], wins=nest[1]),
            TotalMessage(ruleset="tortuga", games=2, wins=1),
        )
    assert await totals_of(world.directory, cora.id, asker=cora.id) == ()


# --- The course of a rating --------------------------------------------------------------------------


async def test_the_course_of_a_rating_has_a_point_for_each_game(world: LobbyWorld) -> None:
    people = await world.people(2)
    games = []
    for winner in (0, 1, 0):
        games.append(await world.rated(people, winner))
        # One by one, or the games of one shard would be rated before those of another.
        await world.told()
    await world.rated(people, 0, ruleset="nest")
    await over(world, people, 0)
    await world.told()
    course = await course_of(world.directory, people[0].id, "tortuga", asker=None)
    results = (await results_of(world.directory, people[0].id, asker=None)).results
    shown = {result.id: result for result in results}
    after = [(shown[game].ended, shown[game].rating) for game in games]
    assert [(point.at, point.rating) for point in course.points] == [
        (ended, change.after) for ended, change in after if change is not None
    ]
    _, tortuga = await ratings_of(world.directory, people[0].id)
    assert course.points[-1].rating == tortuga.rating
    assert (await course_of(world.directory, people[0].id, "jamaica", asker=None)).points == ()


async def test_a_private_rated_game_leaves_no_point_for_strangers(world: LobbyWorld) -> None:
    anne, bart, cora = await world.people(3)
    await world.rated([anne, bart], 0)
    await world.told()
    table = await world.playing([anne, bart], replace(terms("tortuga", 2, LIVE, rated=True), listed=False))
    await world.ends(table.id, 0)
    await world.told()
    (now,) = await ratings_of(world.directory, anne.id)
    for stranger in (None, cora.id):
        (point,) = (await course_of(world.directory, anne.id, "tortuga", asker=stranger)).points
        assert point.rating < now.rating
    for player in (anne.id, bart.id):
        points = (await course_of(world.directory, anne.id, "tortuga", asker=player)).points
        assert len(points) == 2
        assert points[-1].rating == now.rating


SEATING = "INSERT INTO directory.seatings VALUES ($1, $2, 0, 3, false, NULL, $3)"
RESULT = """
INSERT INTO directory.results VALUES ($1, 'nest', 'nest', true, true, 'won', 0, $2, $3, $4, $5)
"""
CHANGE = "INSERT INTO directory.rating_changes VALUES ($1, $2, 'nest', 25, 8, $3, 1)"


@pytest.mark.parametrize("games", [1, MOST_POINTS - 2, MOST_POINTS, MOST_POINTS + 1, 5 * MOST_POINTS + 3])
async def test_a_long_course_is_thinned_out_and_keeps_its_ends_and_its_top(
    world: LobbyWorld, games: int
) -> None:
    anne, bart = await world.people(2)
    start, top = datetime(2026, 1, 1, tzinfo=UTC), games // 3
    mus = [90.0 if number == top else 20.0 + number / 100 for number in range(games)]
    ids = [UUID(int=number + 1) for number in range(games)]
    ends = [start + timedelta(hours=number) for number in range(games)]
    people, levels, lost = [anne.id, bart.id], [None, None], [False, False]
    await world.directory.executemany(SEATING, [(anne.id, *row) for row in zip(ids, ends, strict=True)])
    await world.directory.executemany(
        RESULT, [(game, people, levels, lost, end) for game, end in zip(ids, ends, strict=True)]
    )
    await world.directory.executemany(
        CHANGE, [(game, anne.id, mu) for game, mu in zip(ids, mus, strict=True)]
    )
    points = (await course_of(world.directory, anne.id, "nest", asker=None)).points
    ratings = [Rating(mu=mu, sigma=1).shown for mu in mus]
    assert len(points) <= MOST_POINTS
    assert len(points) == games or len(points) >= MOST_POINTS - 2
    assert (points[0].rating, points[-1].rating) == (ratings[0], ratings[-1])
    assert max(point.rating for point in points) == max(ratings)
    assert [point.at for point in points] == sorted({point.at for point in points})
