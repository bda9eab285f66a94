"""A seat at a table of a real service, played from the terminal; and watching it."""

import asyncio
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from cartagena.cli.files import keep_guest, token_of
from cartagena.cli.join import Seat, come_in
from cartagena.client import AsyncClient, Client, Player, Pledge, Refused, TableState, tables
from cartagena.client.sample_bot import hasty
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ChatMessage
from cartagena.messages.views import ruleset_of
from cartagena.notation.record import Ending
from cartagena.terminal.glyphs import Brush
from cartagena.terminal.remote import HeardTable, JoinedTable, WatchedTable
from cartagena.terminal.source import Address, Declined, Moment, address_of
from cartagena.words import Words
from cartagena.words.sentences import Names
from harness.servers import free_port
from tests.client.client_service import HURRIED, Service, Visitor, seated
from tests.terminal.joining import KEPT, seat_at, table_at
from tests.terminal.keyboard import (
    app_of,
    awaited,
    play_to_the_end,
    press,
    screen_of,
    shows,
    text_of,
    until,
)
from tests.terminal.shown import Shown

FORGOTTEN = "a token that nobody knows"
RULESETS = [
    pytest.param("tortuga", marks=pytest.mark.long),
    "jamaica",
    pytest.param("nest", marks=pytest.mark.long),
]


async def opened(host: Visitor, ruleset: str) -> tuple[Address, Player, str]:
    """A private table with a host, as its link leads to it."""
    pledge = Pledge.draw(bytes)
    terms = TermsMessage(ruleset=ruleset, seats=2, listed=False)
    answer = await host.client.send(tables.open_table(terms, nonce_hash=pledge.nonce_hash))
    player = Player(answer.current, host.me.id, hasty, pledge=pledge)
    return Address(service="", table_id=answer.id, invite=answer.invite), player, answer.id


async def joined(service: Service, where: Address, name: str = "Terry") -> tuple[JoinedTable, Brush]:
    """A seat that was taken as the command takes it."""
    at = replace(where, service=service.url)
    player, token = await asyncio.to_thread(seat_at, at, name, HURRIED)
    client = AsyncClient(service.url, token=token, patience=HURRIED)
    service.visitors.push_async_callback(client.close)
    return table_at(player, client)


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_game_is_joined_and_played_to_its_end_by_keys(service: Service, ruleset: str) -> None:
    host = await service.guest("Anne")
    where, anne, table_id = await opened(host, ruleset)
    table, brush = await joined(service, where)
    app = app_of(table, brush)
    playing = asyncio.create_task(host.client.play(anne))
    async with asyncio.timeout(300), app.run_test(size=(80, 24)) as pilot:
        screen = await play_to_the_end(pilot, app)
        await shows(app, "The game is over")
        await press(pilot, "enter")
        await until(lambda: screen.desk.said == KEPT)
        await shows(app, "The shuffle was the")
        await shows(app, "Anne")
    end = await playing
    assert end.table.stage == "over"
    assert {chair.name for chair in end.table.chairs} == {"Anne", "Terry"}
    record = await host.client.send(tables.record(table_id))
    assert record.result.ending.value == end.table.ending


async def test_before_the_deal_the_chairs_are_shown_and_who_is_missing(service: Service) -> None:
    host = await service.guest("Anne")
    where, _, _ = await opened(host, "jamaica")
    table, brush = await joined(service, where)
    app = app_of(table, brush)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(app, "Every seat is taken")
        await shows(app, "Red: Anne (guest)")
        await shows(app, "Blue: Terry (guest)")
        await press(pilot, "z", "t", "enter")
        assert screen_of(app).desk.choosing is None


@pytest.mark.processes
async def test_the_commands_lead_to_the_table(service: Service) -> None:
    host = await service.guest("Anne")
    where, _, _ = await opened(host, "jamaica")
    link = f"{service.url}/table/{where.table_id}?invite={where.invite}"

    def look(arguments: list[str], *parts: str) -> None:
        Shown(*arguments).until(*parts).end()

    await asyncio.to_thread(look, ["watch", link], "Red: Anne", "One seat is still free.")
    await asyncio.to_thread(look, ["join", link, "--name", "Terry"], "Blue: Terry", "Every seat is taken")


@pytest.mark.processes
async def test_a_table_is_opened_left_and_come_back_to(service: Service, home: Path) -> None:
    def opened_and_left() -> str:
        shown = Shown("join", "--new", "jamaica", "--name", "Anne", service.url)
        shown.until("Red: Anne", "Blue: free", "invite=").press(b"q").until("Leave the game?").press(b"y")
        told = shown.until("Come back to your seat").text
        assert shown.until_ended() == 0
        return "".join(told.split("cartagena join '")[1].split("'")[0].split())

    link = await asyncio.to_thread(opened_and_left)
    guests = home / "guests.json"
    assert stat.S_IMODE(guests.stat().st_mode) == 0o600
    where = address_of(link)
    assert where is not None
    anne, token = await asyncio.to_thread(seat_at, where, None, HURRIED)
    assert token is not None
    assert anne.chair is not None
    assert (anne.chair.name, anne.chair.is_host, token in guests.read_text()) == ("Anne", True, True)
    # The number that the first program promised is gone: the game starts all the same.
    anne.choose = hasty
    bart, other = await asyncio.to_thread(seat_at, where, "Bart", HURRIED)
    bart.choose = hasty
    assert other != token
    async with AsyncClient(service.url, token=token) as one, AsyncClient(service.url, token=other) as two:
        ends = await asyncio.gather(one.play(anne), two.play(bart))
    assert {(end.table.ending, end.table.called_off) for end in ends} == {("won", 0)}


@pytest.mark.processes
async def test_bots_fill_a_table_that_is_opened(service: Service) -> None:
    def look() -> None:
        arguments = ["join", "--new", "tortuga", "--seats", "3", "--bots", "deckhand", service.url]
        Shown(*arguments).until("deckhand", "row").end()

    await asyncio.to_thread(look)


@pytest.mark.processes
async def test_a_table_is_played_at_line_by_line(service: Service) -> None:
    host = await service.guest("Anne")
    where, anne, _ = await opened(host, "jamaica")
    link = f"{service.url}/table/{where.table_id}?invite={where.invite}"
    playing = asyncio.create_task(host.client.play(anne))

    def play() -> None:
        shown = Shown("join", "--plain", "--name", "Terry", link).until("Blue> ")
        assert "\x1b[?1049h" not in shown.text
        shown.press(b"why retreat start\n").until("R4.7: A pirate at the start", "Blue> ")
        shown.press(b"1\n").until("Blue plays the ", "2 actions left", "Blue> ")
        shown.press(b"undo\n").until("takes the last choice back", "3 actions left", "Blue> ")
        shown.press(b"quit\n").until("Come back to your seat")
        assert shown.until_ended() == 0

    await asyncio.to_thread(play)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


@pytest.mark.processes
async def test_a_table_is_watched_line_by_line(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    table_id, players = await seated(visitors, TermsMessage(ruleset="jamaica", seats=2))

    def watch() -> int:
        shown = Shown("watch", "--plain", f"{service.url}/table/{table_id}").until("Every seat is taken")
        loop.call_soon_threadsafe(watched.set)
        shown.until("wins.", "has won.")
        return shown.until_ended()

    loop, watched = asyncio.get_running_loop(), asyncio.Event()
    watching = asyncio.create_task(asyncio.to_thread(watch))
    await watched.wait()
    games = (who.client.play(player) for who, player in zip(visitors, players, strict=True))
    async with asyncio.timeout(120):
        await asyncio.gather(*games)
        assert await watching == 0


async def test_after_the_end_all_come_to_the_same_new_table(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    _, players = await seated(visitors, TermsMessage(ruleset="jamaica", seats=2, listed=False))
    seats = [
        Seat(service=service.url, token=who.client.token, who=who.me, player=player)
        for who, player in zip(visitors, players, strict=True)
    ]
    for who, player in zip(visitors, players, strict=True):
        player.choose = hasty
        assert who.client.token is not None
    games = (who.client.play(player) for who, player in zip(visitors, players, strict=True))
    async with asyncio.timeout(120):
        await asyncio.gather(*games)
    following = [await asyncio.to_thread(seat.again) for seat in seats]
    assert len({seat.player.table_id for seat in following}) == 1
    assert following[0].player.table_id != players[0].table_id
    names = [chair.name for chair in following[1].player.standing.table.chairs]
    assert sorted(names) == ["Anne", "Bart"]
    record = await asyncio.to_thread(seats[0].record)
    assert record.result.ending is Ending.WON


async def test_a_service_that_has_forgotten_a_guest_takes_him_in_again(service: Service, home: Path) -> None:
    keep_guest(service.url, "Anne", FORGOTTEN)
    with Client(service.url, patience=HURRIED) as client:
        who = await asyncio.to_thread(come_in, client, service.url, "Anne")
        assert (who.name, client.token != FORGOTTEN) == ("Anne", True)
        assert token_of(service.url, None) == client.token
    await asyncio.to_thread((home / "guests.json").write_text, "broken", encoding="utf-8")
    assert token_of(service.url, "Anne") is None


async def test_undo_over_the_service_and_its_refusal(service: Service) -> None:
    host = await service.guest("Anne")
    where, anne, _ = await opened(host, "jamaica")
    table, brush = await joined(service, where)
    app = app_of(table, brush)
    playing = asyncio.create_task(host.client.play(anne))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await awaited(app)
        view = screen.desk.moment.view
        assert view is not None
        before = view.pirates
        await press(pilot, "enter")
        await until(lambda: moved(screen.desk.moment) != before)
        await press(pilot, "z")
        await until(lambda: moved(screen.desk.moment) == before)
        await until(lambda: any("takes the last choice back" in line for line in screen.desk.moment.log))
        await press(pilot, "z")
        await until(lambda: "R8.2:" in text_of(app))
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


def moved(moment: Moment) -> object:
    return None if moment.view is None else moment.view.pirates


async def test_a_table_is_watched_without_its_secrets(service: Service) -> None:
    visitors = [await service.guest("Anne"), await service.guest("Bart")]
    table_id, players = await seated(visitors, TermsMessage(ruleset="jamaica", seats=2))
    watcher = AsyncClient(service.url, patience=HURRIED)
    service.visitors.push_async_callback(watcher.close)
    found = await watcher.send(tables.see(table_id))
    names = Names(Words("en"), ruleset_of(found.table.ruleset))
    table = WatchedTable(watcher, HeardTable(TableState.of(found.current), names))
    shown: list[Moment] = []
    watching = asyncio.create_task(table.run(shown.append))
    games = (who.client.play(player) for who, player in zip(visitors, players, strict=True))
    async with asyncio.timeout(120):
        await asyncio.gather(*games)
        await watching
    assert shown[-1].view is not None
    assert shown[-1].view.over
    running = [moment.view for moment in shown if moment.view is not None and not moment.view.over]
    assert len(running) > 20
    assert all(view.hands == (None, None) for view in running)
    assert not any("draws the" in line for line in shown[-1].log)
    with pytest.raises(Declined, match="only watching"):
        await table.act(0)


async def test_who_watches_a_service_that_is_away_is_told_so(service: Service) -> None:
    host = await service.guest("Anne")
    where, _, _ = await opened(host, "jamaica")
    found = await host.client.send(tables.see(where.table_id, invite=where.invite))
    names = Names(Words("en"), ruleset_of(found.table.ruleset))
    shown: list[Moment] = []
    async with AsyncClient(f"http://127.0.0.1:{free_port()}", patience=HURRIED) as nowhere:
        table = WatchedTable(nowhere, HeardTable(TableState.of(found.current), names), where.invite)
        watching = asyncio.create_task(table.run(shown.append))
        await until(lambda: len(shown) > 1)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    assert {moment.note for moment in shown} == {"The service does not answer; trying again."}


async def test_a_full_table_has_no_seat(service: Service) -> None:
    host = await service.guest("Anne")
    where, _, _ = await opened(host, "tortuga")
    await joined(service, where)
    with pytest.raises(Refused):
        await joined(service, where, "Tom")


async def test_what_others_write_cannot_command_the_terminal(service: Service) -> None:
    host = await service.guest("Anne")
    _, anne, _ = await opened(host, "tortuga")
    listener = HeardTable(anne.standing, Names(Words("en"), ruleset_of(anne.standing.table.ruleset)))
    listener.hear(ChatMessage(number=1, seat=0, name="An\x1b[2Jne", text="hi\x07\x9b31m", at=0))
    assert listener.log == ["An [2Jne: hi  31m"]


async def test_a_line_that_was_taken_away_is_not_shown_any_more(service: Service) -> None:
    host = await service.guest("Anne")
    _, anne, _ = await opened(host, "tortuga")
    listener = HeardTable(anne.standing, Names(Words("en"), ruleset_of(anne.standing.table.ruleset)))
    listener.hear(ChatMessage(number=1, seat=None, name="Mallory", text="fools", at=0))
    listener.hear(ChatMessage(number=2, seat=0, name="Anne", text="ahoy", at=0))
    listener.hear(ChatMessage(number=3, seat=0, name="Anne", text="", at=0, removes=1))
    assert listener.log == ["Mallory: …", "Anne: ahoy"]


def test_an_address_is_read_as_it_is_copied() -> None:
    table_id = "019a4b1c-7d33-7012-9abc-0123456789ab"
    assert address_of(f"http://here:8000/table/{table_id}") == Address(
        service="http://here:8000", table_id=table_id, invite=None
    )
    assert address_of(f"https://here/table/{table_id}?invite=K7") == Address(
        service="https://here", table_id=table_id, invite="K7"
    )
    assert address_of("http://here:8000/") is None
    assert address_of("game.txt") is None
