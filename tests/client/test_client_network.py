"""On a bad network: nothing is lost, nothing is done twice, and a stream has no gap."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import aclosing
from random import Random
from uuid import UUID

import pytest
import pytest_asyncio

from cartagena.client import AsyncClient, Client, Misunderstood, Patience, Refused, Stale, Unreachable, tables
from cartagena.client.sample_bot import hasty
from cartagena.client.sending import LONGEST_ANSWER
from cartagena.client.stream import Told
from cartagena.client.table_state import TableState
from cartagena.messages import Update
from cartagena.messages.requests import TermsMessage
from cartagena.tables.table import EventKind
from tests.client.client_network import BadNetwork, bad_network, refusal
from tests.client.client_service import HURRIED, Service, Visitor, dealt, node, seated
from tests.server.databases import settings_for
from tests.waiting import PATIENCE, until

ALONE = TermsMessage(ruleset="tortuga", seats=2)
LULL = 0.05
"""Seconds between two lines of chat."""


@pytest_asyncio.fixture
async def network(service: Service) -> AsyncIterator[BadNetwork]:
    """A network to the service that can be made bad."""
    async with bad_network(service.port) as network:
        yield network


async def actors(service: Service, told: Update) -> list[int | None]:
    """The codes of all actions that the store has."""
    assert told.table is not None
    past = await service.resources.store.past(UUID(told.table.id), -1)
    return [event.code for event in past if event.kind is EventKind.ACTED]


async def to_move(service: Service, url: str) -> tuple[Visitor, TableState]:
    """A game whose seat to act has a client on the bad network."""
    visitors = [await service.guest("Anne", url=url), await service.guest("Bart", url=url)]
    told = await dealt(visitors)
    assert told.view is not None
    assert isinstance(told.view.to_act, int)
    mover = visitors[told.view.to_act]
    answer = await mover.client.send(tables.see(told.table.id if told.table else ""))
    return mover, TableState.of(answer.current)


# --- Requests --------------------------------------------------------------------------------------


async def test_an_action_whose_answer_was_lost_is_done_once(service: Service, network: BadNetwork) -> None:
    mover, standing = await to_move(service, network.url)
    before = len(network.requests)
    network.swallowed = 2
    told = await mover.client.send(tables.act(standing.table.id, seq=standing.seq, choice=hasty(standing)))
    assert told.seq == standing.seq + 1
    assert len(await actors(service, Update(seq=0, table=standing.table))) == 1
    sent = network.requests[before:]
    assert len(sent) == 3
    assert len({request.split(b"\r\n\r\n")[1] for request in sent}) == 1, "every try is the same request"


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_who_is_away_is_asked_again(service: Service, network: BadNetwork, status: int) -> None:
    mover, standing = await to_move(service, network.url)
    network.refusals.extend([refusal(status, b"<html>away</html>")] * 3)
    told = await mover.client.send(tables.act(standing.table.id, seq=standing.seq, choice=hasty(standing)))
    assert told.seq == standing.seq + 1


async def test_nobody_at_all_is_unreachable_in_the_end() -> None:
    async with AsyncClient("http://127.0.0.1:9", patience=Patience(tries=3, first=0.01)) as client:
        with pytest.raises(Unreachable, match="asked 3 times"):
            await client.send(tables.me())


async def test_a_guest_is_not_made_twice_when_the_answer_is_lost(network: BadNetwork) -> None:
    network.swallowed = 1
    async with AsyncClient(network.url, patience=HURRIED) as client:
        with pytest.raises(Unreachable, match="may have been done"):
            await client.become_guest("Anne")
    assert len(network.requests) == 1


async def test_a_page_from_somebody_on_the_way_is_misunderstood(network: BadNetwork) -> None:
    network.refusals.append(refusal(200, b"<html>Please sign in to the harbour's network</html>"))
    async with AsyncClient(network.url, patience=HURRIED) as client:
        with pytest.raises(Misunderstood):
            await client.send(tables.rulesets())


@pytest.mark.parametrize("packed", [False, True])
async def test_an_answer_without_an_end_is_given_up(network: BadNetwork, *, packed: bool) -> None:
    blanks = b" " * (LONGEST_ANSWER + 1)
    answer = (
        refusal(200, gzip.compress(blanks, 1), content_encoding="gzip") if packed else refusal(200, blanks)
    )
    network.refusals.extend([answer, answer])
    async with AsyncClient(network.url, patience=HURRIED) as client:
        with pytest.raises(Misunderstood, match="an answer of more than"):
            await client.send(tables.rulesets())
    waiting = Client(network.url, patience=HURRIED)
    with waiting, pytest.raises(Misunderstood, match="an answer of more than"):
        await asyncio.to_thread(waiting.send, tables.rulesets())


async def test_a_limit_is_waited_for_as_long_as_the_service_says(client_database: str) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(seconds)

    async with node(settings_for(client_database)) as strict:
        host = await strict.guest("Anne")
        told = await host.client.send(tables.open_table(ALONE))
        patient = AsyncClient(strict.url, token=host.client.token, patience=HURRIED, sleep=sleep)
        async with patient:
            said = [await patient.send(tables.say(told.id, f"Ahoy {number}")) for number in range(8)]
    assert [one.number for one in said] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert pauses
    assert all(pause >= 1 for pause in pauses), "the limit of chat is one line in two seconds"


async def test_a_choice_of_an_older_state_brings_the_current_one(service: Service) -> None:
    mover, standing = await to_move(service, service.url)
    choice = hasty(standing)
    await mover.client.send(tables.act(standing.table.id, seq=standing.seq, choice=choice))
    with pytest.raises(Stale) as caught:
        await mover.client.send(tables.act(standing.table.id, seq=standing.seq, choice=choice))
    current = caught.value.current
    assert current is not None
    assert current.seq == standing.seq + 1
    assert current.view is not None


async def test_what_the_rules_refuse_says_which_rule(service: Service) -> None:
    mover, standing = await to_move(service, service.url)
    with pytest.raises(Refused) as caught:
        await mover.client.send(tables.act(standing.table.id, seq=standing.seq, choice=5))
    assert caught.value.rule is not None
    assert caught.value.status == 422
    assert caught.value.current is not None
    assert caught.value.current.seq == standing.seq


# --- Streams ---------------------------------------------------------------------------------------


async def collected(client: AsyncClient, table_id: str, heard: list[Told]) -> None:
    """Listen until the game is over."""
    standing: TableState | None = None
    async with aclosing(client.stream(table_id)) as stream:
        async for told in stream:
            heard.append(told)
            if isinstance(told, Update):
                standing = TableState.of(told) if standing is None else standing.after(told)
                if standing.is_over:
                    return


async def listened(client: AsyncClient, table_id: str, heard: list[Told]) -> None:
    """Listen for ever."""
    note = heard.append
    async with aclosing(client.stream(table_id)) as stream:
        async for told in stream:
            note(told)


def seqs(heard: list[Told]) -> list[int]:
    return [told.seq for told in heard if isinstance(told, Update)]


async def test_a_stream_over_a_network_that_always_breaks_has_no_gap(
    service: Service, network: BadNetwork
) -> None:
    chance = Random(1)
    network.cut_after = lambda: chance.choice([1, 50, 400, 5_000, 20_000, None])
    anne, bart = await service.guest("Anne"), await service.guest("Bart")
    table_id, seats = await seated([anne, bart])
    watcher = AsyncClient(network.url, patience=HURRIED)
    heard: list[Told] = []
    listening = asyncio.create_task(collected(watcher, table_id, heard))
    await until(lambda: bool(heard))

    async def talk() -> None:
        for number in range(1, 31):
            await anne.client.send(tables.say(table_id, f"line {number}"))
            await asyncio.sleep(LULL)

    async def cut() -> None:
        # After what was heard, not by the clock: otherwise a busy machine would never hear anything.
        while not listening.done():
            enough = len(heard) + chance.randint(1, 3)
            await until(lambda: listening.done() or len(heard) >= enough, seconds=240)  # noqa: B023 - waits here
            network.cut_all()

    async with asyncio.timeout(240):
        await asyncio.gather(
            *(who.client.play(seat) for who, seat in zip([anne, bart], seats, strict=True)),
            talk(),
            cut(),
            listening,
        )
    await watcher.close()
    assert network.connections > 5
    numbers = seqs(heard)
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    lines = [told.number for told in heard if not isinstance(told, Update)]
    assert lines == list(range(1, len(lines) + 1))


async def test_a_stream_that_falls_silent_is_taken_up_again(service: Service, network: BadNetwork) -> None:
    host = await service.guest("Anne")
    table = await host.client.send(tables.open_table(ALONE))
    watcher = AsyncClient(network.url, patience=Patience(first=0.01, heartbeat=0.3))
    async with watcher, aclosing(watcher.stream(table.id)) as stream:
        assert seqs([await anext(stream)]) == [0]
        network.flows.clear()
        await host.client.send(tables.say(table.id, "Is anybody there?"))
        asking = asyncio.create_task(anext(stream))
        await until(lambda: network.connections >= 2)
        network.flows.set()
        async with asyncio.timeout(PATIENCE):
            told = await asking
        assert not isinstance(told, Update)
        assert told.text == "Is anybody there?"


async def test_a_stream_goes_on_when_the_service_was_away(service: Service) -> None:
    host = await service.guest("Anne")
    opened = await host.client.send(tables.open_table(ALONE))
    heard: list[Told] = []

    async with node(service.resources.settings) as first:
        port = first.port
        watcher = AsyncClient(first.url, patience=HURRIED)
        listening = asyncio.create_task(listened(watcher, opened.id, heard))
        await until(lambda: len(heard) == 1)
    await host.client.send(tables.say(opened.id, "while it was away"))
    async with node(service.resources.settings, port):
        await until(lambda: len(heard) == 2)
        listening.cancel()
        await asyncio.wait([listening])
        await watcher.close()
    assert [type(told).__name__ for told in heard] == ["Update", "ChatMessage"]


async def test_a_node_that_ends_refuses_a_stream_and_hangs_up(service: Service) -> None:
    host = await service.guest("Anne")
    opened = await host.client.send(tables.open_table(ALONE))
    async with node(service.resources.settings) as ending:
        await ending.hub.drain()
        reader, writer = await asyncio.open_connection("127.0.0.1", ending.port)
        path = tables.path_of(opened.id, "/stream")
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{ending.port}\r\n\r\n".encode())
        async with asyncio.timeout(PATIENCE):
            said = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert said.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nconnection: close\r\n" in said.lower()


async def test_who_is_sent_away_is_told_so(service: Service) -> None:
    host, guest = await service.guest("Anne"), await service.guest("Bart")
    table_id, _ = await seated([host, guest])
    heard: list[Told] = []

    listening = asyncio.create_task(listened(guest.client, table_id, heard))
    await until(lambda: len(heard) == 1)
    await host.client.send(tables.kick(table_id, 1))
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Refused) as caught:
            await listening
    assert caught.value.code == "kicked"


async def test_who_is_moved_to_another_chair_hears_from_there(service: Service) -> None:
    host, guest = await service.guest("Anne"), await service.guest("Bart")
    table_id, _ = await seated([host, guest])
    heard: list[Told] = []

    listening = asyncio.create_task(listened(guest.client, table_id, heard))
    await until(lambda: len(heard) == 1)
    await host.client.send(tables.reorder(table_id, [1, 0]))
    await host.client.send(tables.start(table_id))
    await until(lambda: seqs(heard)[-1:] == [3])
    listening.cancel()
    await asyncio.wait([listening])
    assert seqs(heard) == [1, 2, 3]


async def test_a_place_that_was_kept_over_a_restart_of_the_program_is_gone_on_from(service: Service) -> None:
    host = await service.guest("Anne")
    table = await host.client.send(tables.open_table(ALONE))
    for number in range(3):
        await host.client.send(tables.say(table.id, f"{number}"))
    async with aclosing(host.client.stream(table.id, last="0.1")) as stream:
        told = [await anext(stream), await anext(stream)]
    assert [one.text for one in told if not isinstance(one, Update)] == ["1", "2"]
