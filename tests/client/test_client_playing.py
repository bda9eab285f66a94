"""Whole games over HTTP, by both clients, on good networks and on bad ones."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from queue import Queue
from random import Random
from uuid import UUID, uuid4

import pytest
from prometheus_client import CollectorRegistry

from cartagena.bots.players.interface import UNHURRIED
from cartagena.bots.players.registry import make
from cartagena.client import Choose, Client, Player, Pledge, Refused, TableState, sample_bot, tables
from cartagena.client.sample_bot import hasty
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.worker_app import opened_worker
from cartagena.tables import playing
from cartagena.tables.ports import Sender
from cartagena.tables.table import EventKind
from tests.client.client_network import bad_network
from tests.client.client_service import HURRIED, Service, Visitor, dealt, seated
from tests.client.client_thread import apart
from tests.waiting import PATIENCE, until

MANY = [("tortuga", 2), ("jamaica", 3), ("nest", 4), ("nest", 5)]


async def played(visitors: list[Visitor], players: list[Player]) -> list[TableState]:
    """All of them play until the game is over."""
    async with asyncio.timeout(120):
        games = (who.client.play(player) for who, player in zip(visitors, players, strict=True))
        return list(await asyncio.gather(*games))


@pytest.mark.parametrize(("ruleset", "seats"), MANY)
async def test_a_game_is_played_to_its_end_and_proved(service: Service, ruleset: str, seats: int) -> None:
    visitors = [await service.guest() for _ in range(seats)]
    table_id, players = await seated(visitors, TermsMessage(ruleset=ruleset, seats=seats, listed=False))
    ends = await played(visitors, players)
    assert len({(end.seq, end.table.ending, end.table.winner) for end in ends}) == 1
    for visitor, player in zip(visitors, players, strict=True):
        record = await visitor.client.send(tables.record(table_id))
        assert record.result.ending.value == ends[0].table.ending
        player.check(record)


async def test_those_who_wait_for_each_answer_play_as_well(service: Service) -> None:
    def play(player_number: int, told: "Queue[str]") -> TableState:
        with Client(service.url, patience=HURRIED) as client:
            me = client.become_guest(f"Mate {player_number}")
            pledge = Pledge.draw(Random(player_number).randbytes)
            if player_number == 0:
                opened = client.send(
                    tables.open_table(TermsMessage(ruleset="tortuga"), nonce_hash=pledge.nonce_hash)
                )
                told.put(opened.id)
                player = Player(opened.current, me.id, hasty, pledge=pledge)
            else:
                update = client.send(tables.sit(told.get(timeout=PATIENCE), nonce_hash=pledge.nonce_hash))
                player = Player(update, me.id, hasty, pledge=pledge)
            end = client.play(player)
            player.check(client.send(tables.record(end.table.id)))
            return end

    table: Queue[str] = Queue()
    async with asyncio.timeout(120):
        ends = await asyncio.gather(*(apart(play, number, table) for number in range(2)))
    assert ends[0].table.ending == ends[1].table.ending == "won"


async def test_a_game_over_a_bad_network_is_the_same_game(service: Service) -> None:
    """Answers get lost after the commit, streams are cut in mid-event: each choice still counts once."""
    chance = Random(7)
    async with bad_network(service.port) as network:
        visitors = [
            await service.guest("Anne", url=network.url),
            await service.guest("Bart", url=network.url),
        ]
        table_id, players = await seated(visitors)
        network.cut_after = lambda: chance.choice([300, 2_000, 9_000, 40_000])
        sent: list[int] = []
        for player in players:
            player.choose = noted(sent)
        ends = await played(visitors, players)
        network.cut_after = lambda: None
        record = await visitors[0].client.send(tables.record(table_id))
    assert network.connections > 10
    players[0].check(record)
    past = await service.resources.store.past(UUID(table_id), -1)
    acted = [event for event in past if event.kind is EventKind.ACTED]
    assert [event.seq for event in past] == list(range(ends[0].seq + 1))
    assert max(Counter(event.key for event in acted).values()) == 1
    assert len(acted) == len(record.steps) <= len(sent)


def noted(sent: list[int]) -> Choose:
    """A choice like `hasty` that notes the number of each update in `sent`."""

    def choose(standing: TableState) -> int:
        sent.append(standing.seq)
        return hasty(standing)

    return choose


async def test_two_programs_of_one_player_do_not_trip_over_each_other(service: Service) -> None:
    anne, bart = await service.guest("Anne"), await service.guest("Bart")
    table_id, players = await seated([anne, bart])
    told = await anne.client.send(tables.see(table_id))
    second = Player(told.current, anne.me.id, hasty, pledge=players[0].pledge)
    ends = await played([anne, anne, bart], [players[0], second, players[1]])
    assert {end.table.ending for end in ends} == {"won"}


async def test_a_bot_of_the_library_chooses_from_the_view(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    _, players = await seated(visitors, TermsMessage(ruleset="nest"))
    bot, chance = make("random"), Random(5)
    players[0].choose = lambda standing: bot.choose(standing.sight, chance, UNHURRIED)
    ends = await played(visitors, players)
    assert ends[0].is_over


async def test_who_thinks_on_sends_nothing_until_he_has_chosen(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    told = await dealt(visitors, TermsMessage(ruleset="tortuga"))
    assert told.view is not None
    assert isinstance(told.view.to_act, int)
    who = visitors[told.view.to_act]
    answer = await who.client.send(tables.see(told.table.id if told.table else ""))
    player = Player(answer.current, who.me.id, lambda _: None)
    await who.client.grant(player)
    assert (player.is_asked, player.standing.seq) == (True, answer.current.seq)
    player.choose = hasty
    await who.client.grant(player)
    assert (player.is_asked, player.standing.seq > answer.current.seq) == (False, True)


async def test_an_illegal_choice_is_raised_and_not_repeated(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    _, players = await seated(visitors)
    for player in players:
        player.choose = lambda _: 5
    with pytest.raises(Refused) as caught:
        await played(visitors, players)
    assert caught.value.rule is not None


async def test_a_seat_that_was_lost_to_the_clock_is_taken_back(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    clock = ClockSettings(kind="live", bank=600, increment=5)
    told = await dealt(visitors, TermsMessage(ruleset="tortuga", clock=clock))
    assert told.table is not None
    assert told.view is not None
    game, seat = UUID(told.table.id), told.view.to_act
    assert isinstance(seat, int)
    await service.resources.databases.shard_of(game).execute(
        "UPDATE shard.games SET deadline = now() - interval '1 second' WHERE game_id = $1", game
    )
    await service.resources.tables.change(game, Sender(player=None, key=uuid4()), playing.expire)
    answer = await visitors[seat].client.send(tables.see(game))
    player = Player(answer.current, visitors[seat].me.id, hasty)
    wish = player.wish()
    assert wish is not None
    assert wish.path.endswith("/take-back")
    player.answered(wish, await visitors[seat].client.send(wish))
    wish = player.wish()
    assert wish is not None
    assert wish.path.endswith("/actions")
    await visitors[seat].client.send(tables.resign(game))


async def test_whoever_gave_up_is_done(service: Service) -> None:
    visitors = [await service.guest() for _ in range(3)]
    told = await dealt(visitors, TermsMessage(ruleset="tortuga", seats=3))
    assert told.table is not None
    await visitors[0].client.send(tables.resign(told.table.id))
    answer = await visitors[0].client.send(tables.see(told.table.id))
    assert Player(answer.current, visitors[0].me.id, hasty).wish() is None


# --- The sample bot --------------------------------------------------------------------------------


@asynccontextmanager
async def working(service: Service) -> AsyncIterator[None]:
    """A worker beside the service, so that its bots play."""
    async with opened_worker(service.resources, CollectorRegistry()) as worker:
        running = asyncio.create_task(worker.run())
        try:
            yield
        finally:
            await worker.stop()
            await running


async def test_the_sample_bot_plays_against_bots_of_the_service(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [service.url, "--name", "Sample", "--ruleset", "jamaica", "--seats", "2", "--fill", "sailor"]
    async with working(service), asyncio.timeout(240):
        code = await apart(sample_bot.main, words)
    told = capsys.readouterr().out
    assert code == 0, told
    assert "Sample sits at table" in told
    assert "the shuffle was as promised" in told


async def test_two_sample_bots_meet_at_one_table_with_a_mind_of_the_library(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    mind = ["--mind", "cartagena.bots.players.simple:RandomBot"]
    words = [service.url, "--ruleset", "nest", "--fill", "", "--mind", "deckhand"]
    first = asyncio.create_task(apart(sample_bot.main, words))
    told: list[str] = []

    def table_told() -> str:
        assert not first.done(), told
        told.append(capsys.readouterr().out)
        # The service's log may follow it.
        return "".join(told).partition(" sits at table ")[2].partition("\n")[0]

    table = (await until(table_told, what="the number of the table")).split()[0]
    async with asyncio.timeout(240):
        second = await apart(sample_bot.main, [service.url, "--table", table, *mind])
        assert second == 0, capsys.readouterr().out
        assert await first == 0, capsys.readouterr().out


async def test_the_sample_bot_says_why_it_cannot_play(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(uuid4())
    assert await apart(sample_bot.main, [service.url, "--table", nowhere]) == 1
    assert "no_such_table" in capsys.readouterr().out
    assert await apart(sample_bot.main, [service.url, "--mind", "admiral"]) == 1
    assert "there is no bot 'admiral'; choose one of random, deckhand, " in capsys.readouterr().out
