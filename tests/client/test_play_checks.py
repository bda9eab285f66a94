"""Games over HTTP are checked, and each thing that could be wrong with one is found when it is planted."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
import pytest_asyncio
from msgspec.structs import replace as with_fields

from cartagena.client.stream import Told, is_whole
from cartagena.messages import ChatMessage, NewsMessage, Update, decode, encode
from cartagena.server.store.databases import Databases
from harness.play.checks import Verdict, checked, compare, is_same, look_at_ratings
from harness.play.clients import FAREWELL, Exchange
from harness.play.game import Heard, Played, Table
from harness.play.plan import GamePlan, Habit, plan
from tests.client.client_service import Service, node, unlimited
from tests.server.databases import opened

JAMAICA_OF_THREE = 7


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def evening(client_database: str) -> tuple[Service, Played]:
    """A game that was played over HTTP, with undo, chat, wrong requests and a spectator."""
    everything = frozenset({Habit.UNDO, Habit.TALK, Habit.BLUNDER, Habit.READ})
    wanted = plan(8, seed=1)[JAMAICA_OF_THREE]
    clients = tuple(replace(client, habits=everything) for client in wanted.clients)
    game = replace(wanted, clients=clients, watchers=(replace(clients[0], name="Watcher 7"),))
    async with node(unlimited(client_database)) as service:
        played = await Table(game, (service.url,), service.resources.directory, seed=1).play()
        return service, played


async def verdict_of(evening: tuple[Service, Played], played: Played | None = None) -> Verdict:
    service, as_it_was = evening
    return await checked(service.resources.settings, played or as_it_was)


async def test_a_game_that_was_played_properly_is_found_in_order(evening: tuple[Service, Played]) -> None:
    verdict = await verdict_of(evening)
    assert verdict.troubles == ()
    assert verdict.leaks == ()
    assert verdict.ending is not None
    assert verdict.streams == 4
    assert verdict.updates > 3 * verdict.actions > 100
    # A wish out of turn may also come too late; both are refused, and timing decides which one it is.
    assert {"stale", "unreadable"} <= evening[1].refusals.keys()


# --- Planted ---------------------------------------------------------------------------------------


def bare(played: Played) -> Played:
    """Return the game without its exchanges, so that a planted one is found sooner."""
    clients = [replace(heard, listener=replace(heard.listener, exchanges=())) for heard in played.clients]
    return replace(played, clients=tuple(clients))


def with_client(played: Played, number: int, client: Heard) -> Played:
    clients = (*played.clients[:number], client, *played.clients[number + 1 :])
    return replace(played, clients=clients)


def with_exchange(played: Played, number: int, exchange: Exchange) -> Played:
    heard = played.clients[number]
    listener = replace(heard.listener, exchanges=(*heard.listener.exchanges, exchange))
    return with_client(played, number, replace(heard, listener=listener))


def in_stream(heard: Heard, seq: int) -> Exchange:
    """What one client's stream told about an event, as if it had been sent to another client."""
    told = next(one for one in heard.told if isinstance(one, Update) and one.seq == seq)
    body = b"event: update\nid: %d.0\ndata: %b\n\n" % (seq, encode(told))
    return Exchange(method="GET", path="/api/tables/x/stream", status=200, headers=(), body=bytearray(body))


async def test_a_frame_of_another_seat_on_the_wire_is_found(evening: tuple[Service, Played]) -> None:
    played = bare(evening[1])
    for teller in range(4):
        for reader in range(4):
            played = with_exchange(played, reader, in_stream(played.clients[teller], 20 + 5 * teller))
    verdict = await verdict_of(evening, played)
    assert len(verdict.leaks) == 12, "each of four is told what was meant for the three others"


async def test_an_open_record_in_mid_game_is_found(evening: tuple[Service, Played]) -> None:
    played = bare(evening[1])
    lines = played.clients[0].record.splitlines()
    turns = [number for number, line in enumerate(lines) if line[0].isdigit()]
    running = "\n".join([*lines[: turns[9]], "Result: running", ""])
    exchange = Exchange(
        method="GET", path="/api/tables/x/record", status=200, headers=(), body=bytearray(running.encode())
    )
    assert (await verdict_of(evening, with_exchange(played, 0, exchange))).leaks


Spoil = Callable[[tuple[Told, ...]], tuple[Told, ...]]


def without_one(told: tuple[Told, ...]) -> tuple[Told, ...]:
    return (*told[:30], *told[31:])


def one_twice(told: tuple[Told, ...]) -> tuple[Told, ...]:
    return (*told[:30], told[29], *told[30:])


def exchanged(told: tuple[Told, ...]) -> tuple[Told, ...]:
    # Two updates: what is said in chat may come before or after an update that was made at the same time.
    place = next(n for n in range(30, len(told)) if all(isinstance(one, Update) for one in told[n : n + 2]))
    return (*told[:place], told[place + 1], told[place], *told[place + 2 :])


def another_card(told: tuple[Told, ...]) -> tuple[Told, ...]:
    place = next(n for n, one in enumerate(told) if isinstance(one, Update) and one.happened)
    update = told[place]
    assert isinstance(update, Update)
    return (*told[:place], with_fields(update, happened=update.happened[1:]), *told[place + 1 :])


def another_view(told: tuple[Told, ...]) -> tuple[Told, ...]:
    place = next(n for n, one in enumerate(told) if isinstance(one, Update) and one.view is not None)
    update = told[place]
    assert isinstance(update, Update)
    assert update.view is not None
    changed = with_fields(update, view=with_fields(update.view, turn=99))
    return (*told[:place], changed, *told[place + 1 :])


def without_the_end(told: tuple[Told, ...]) -> tuple[Told, ...]:
    return told[:-3]


def without_a_line(told: tuple[Told, ...]) -> tuple[Told, ...]:
    lines = [place for place, one in enumerate(told) if isinstance(one, ChatMessage)]
    return (*told[: lines[1]], *told[lines[1] + 1 :])


def another_line(told: tuple[Told, ...]) -> tuple[Told, ...]:
    return tuple(
        with_fields(one, text="Psst") if isinstance(one, ChatMessage) and one.text != FAREWELL else one
        for one in told
    )


@pytest.mark.parametrize(
    "spoil",
    [
        without_one,
        one_twice,
        exchanged,
        another_card,
        another_view,
        without_the_end,
        without_a_line,
        another_line,
    ],
)
async def test_a_stream_that_is_not_the_log_is_found(evening: tuple[Service, Played], spoil: Spoil) -> None:
    played = bare(evening[1])
    heard = played.clients[1]
    planted = with_client(played, 1, replace(heard, told=spoil(heard.told)))
    verdict = await verdict_of(evening, planted)
    assert any(heard.listener.name in trouble for trouble in verdict.troubles)


async def test_another_record_is_found(evening: tuple[Service, Played]) -> None:
    played = bare(evening[1])
    heard = played.clients[2]
    planted = with_client(played, 2, replace(heard, record=heard.record.replace("Mate", "Captain")))
    verdict = await verdict_of(evening, planted)
    assert any("another record" in trouble for trouble in verdict.troubles)


async def test_a_game_that_is_not_over_is_found(evening: tuple[Service, Played]) -> None:
    assert (await verdict_of(evening, replace(evening[1], table_id=str(uuid4())))).troubles
    assert (await verdict_of(evening, replace(evening[1], troubles=("it broke",)))).troubles == ("it broke",)


async def test_a_game_that_fails_is_told_and_hides_nothing(service: Service) -> None:
    game: GamePlan = plan(1, seed=1)[0]
    impossible = replace(game, terms=with_fields(game.terms, ruleset="whist"))
    played = await Table(impossible, (service.url,), service.resources.directory, seed=1).play()
    assert any("unfit" in trouble for trouble in played.troubles)


def test_an_update_of_the_store_is_the_same_but_for_clock_and_table() -> None:
    update = Update(seq=3, news=NewsMessage(kind="sat"))
    assert is_same(update, decode(encode(update)))
    assert not is_same(update, with_fields(update, seq=4))
    assert not is_whole(update)
    assert list(compare([], {3: update}, [])) == ["it heard nothing"]


# --- Ratings ---------------------------------------------------------------------------------------

CHANGE = """
INSERT INTO directory.rating_changes
    (game_id, player_id, ruleset, mu_before, sigma_before, mu_after, sigma_after)
VALUES ($1, $2, 'nest', 25, 8, 26, 8)
"""
RESULT = """
INSERT INTO directory.results
    (game_id, ruleset, rules, listed, rated, ending, winner, players, levels, lost, ended_at)
VALUES ($1, 'nest', 'nest', true, true, 'won', 0, $2, '{null,null}', '{false,false}', now())
"""
RATING = """
INSERT INTO directory.ratings (player_id, ruleset, mu, sigma, games) VALUES ($1, 'nest', 25, 8, 1)
"""


@pytest_asyncio.fixture
async def rated(client_database: str) -> tuple[str, UUID, list[UUID]]:
    """A game of two that was rated once; the database, the game and its players."""
    game, players = uuid4(), [uuid4(), uuid4()]
    async with opened(unlimited(client_database)) as databases:
        await databases.directory.execute("DELETE FROM directory.rating_changes")
        await databases.directory.execute("DELETE FROM directory.ratings")
        await databases.directory.execute(RESULT, game, players)
        for player in players:
            await databases.directory.execute(CHANGE, game, player)
            await databases.directory.execute(RATING, player)
    return client_database, game, players


async def looked_at(dsn: str, games: dict[str, int], *commands: str) -> tuple[int, int]:
    """How many games were rated once, and how many troubles there are, after some commands."""

    async def look(databases: Databases) -> tuple[int, int]:
        for command in commands:
            await databases.directory.execute(command)
        ratings = await look_at_ratings(databases.directory, games)
        return ratings.once, len(ratings.troubles)

    async with opened(unlimited(dsn)) as databases:
        return await look(databases)


async def test_a_game_that_was_rated_once_is_in_order(rated: tuple[str, UUID, list[UUID]]) -> None:
    dsn, game, _ = rated
    assert await looked_at(dsn, {str(game): 2}) == (1, 0)


@pytest.mark.parametrize(
    "command",
    [
        "DELETE FROM directory.rating_changes WHERE player_id = '{player}'",
        "DELETE FROM directory.results WHERE game_id = '{game}'",
        "UPDATE directory.ratings SET games = 2 WHERE player_id = '{player}'",
        "UPDATE directory.rating_changes SET game_id = '{other}' WHERE player_id = '{player}'",
    ],
)
async def test_a_game_that_was_not_rated_or_twice_is_found(
    rated: tuple[str, UUID, list[UUID]], command: str
) -> None:
    dsn, game, players = rated
    words = command.format(player=players[0], game=game, other=uuid4())
    assert (await looked_at(dsn, {str(game): 2}, words))[1] > 0


async def test_a_game_that_is_not_rated_may_change_no_rating(rated: tuple[str, UUID, list[UUID]]) -> None:
    assert (await looked_at(rated[0], {}))[1] > 0


# --- The plan --------------------------------------------------------------------------------------


def test_the_plan_has_everything_and_the_same_seed_gives_the_same() -> None:
    games = plan(200, seed=1)
    assert games == plan(200, seed=1) != plan(200, seed=2)
    terms = [game.terms for game in games]
    assert {(one.ruleset, one.seats) for one in terms} >= set(
        itertools.product(("tortuga", "jamaica", "nest"), (2, 3, 4, 5))
    )
    assert all(2 <= len(game.clients) <= 5 for game in games)
    assert {one.clock.kind for one in terms if one.clock is not None} == {"live", "correspondence"}
    for holds in (
        lambda game: game.terms.rated,
        lambda game: not game.terms.listed,
        lambda game: game.bots,
        lambda game: game.watchers,
        lambda game: not game.terms.spectators,
    ):
        assert sum(bool(holds(game)) for game in games) >= 5
    habits = {habit for game in games for client in game.clients for habit in client.habits}
    assert habits == set(Habit)
