"""Streams that miss a message: they notice it and read it from the store, exactly."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from http import HTTPStatus
from random import Random
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from cartagena.endpoints.events import Frame
from cartagena.server.bus import Announcement
from cartagena.server.http.streams.catch_up import BATCH, Reader
from cartagena.server.http.streams.connections import MOST_WAITING
from cartagena.server.http.streams.ports import StreamSettings
from cartagena.tables.audience_ids import SPECTATOR
from cartagena.tables.errors import Problem, ServiceError
from tests.server.stream_world import GAME, Client, Log, World, world
from tests.waiting import until

CHECKING = StreamSettings(check_every=0.05, heartbeat=60)


@pytest.fixture
async def checked() -> AsyncIterator[World]:
    """A world that compares its streams with the store all the time."""
    log = Log()
    log.open(GAME)
    async with world(log, CHECKING) as made:
        yield made


async def ids(client: Client, number: int) -> list[str | None]:
    return [event.id for event in await client.several(number)]


def readings(here: World, kind: str) -> list[tuple[object, ...]]:
    return [reading for reading in here.log.readings if reading[0] == kind]


# --- a gap -------------------------------------------------------------------------------------------


async def test_a_gap_is_healed_as_soon_as_it_shows(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.update(GAME)
    here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    assert await ids(client, 3) == ["1.0", "2.0", "3.0"]
    assert readings(here, "since") == [("since", GAME, 0, 0, 0)]


async def test_a_lost_line_of_chat_is_healed_too(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.say(GAME)
    here.hub.announce(here.log.say(GAME))
    assert await ids(client, 2) == ["0.1", "0.2"]


async def test_the_id_of_an_update_counts_only_the_lines_of_chat_that_came(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.say(GAME)
    here.hub.announce(here.log.update(GAME))
    assert await ids(client, 1) == ["1.0"]
    back = await here.watch(GAME, 0, client.last)
    assert await ids(back, 1) == ["1.1"]


async def test_old_and_doubled_announcements_are_not_told_again(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    first, second = here.log.update(GAME), here.log.update(GAME)
    for told in (first, first, second, first, second):
        here.hub.announce(told)
    assert await ids(client, 2) == ["1.0", "2.0"]
    assert await here.is_silent(client)


async def test_many_streams_of_one_audience_heal_by_one_reading(here: World) -> None:
    clients = [await here.watch(GAME, audience) for audience in (0, 1, SPECTATOR) for _ in range(10)]
    for client in clients:
        await client.next()
    # These come from further behind, and get more out of the same reading.
    here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    for client in clients:
        assert await ids(client, 2) == ["1.0", "2.0"]
    assert sorted(reading[2] for reading in readings(here, "since")) == [SPECTATOR, 0, 1]  # type: ignore[type-var]


async def test_streams_at_different_places_share_a_reading_and_get_each_its_own(here: World) -> None:
    for _ in range(4):
        here.log.update(GAME)
    here.log.gate.clear()
    opening = [asyncio.create_task(here.watch(GAME, 0, f"{seq}.0")) for seq in (1, 2, 3)]
    await until(lambda: len(here.hub) == 3)
    here.log.gate.set()
    clients = [await one for one in opening]
    assert [await ids(client, number) for client, number in zip(clients, (3, 2, 1), strict=True)] == [
        ["2.0", "3.0", "4.0"],
        ["3.0", "4.0"],
        ["4.0"],
    ]
    assert len(readings(here, "since")) < 3


async def test_what_is_announced_during_a_reading_waits_for_it(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.gate.clear()
    here.log.update(GAME)
    for _ in range(5):
        here.hub.announce(here.log.update(GAME))
    await until(lambda: len(readings(here, "since")) == 1)
    assert await here.is_silent(client)
    here.log.gate.set()
    assert await ids(client, 6) == [f"{seq}.0" for seq in range(1, 7)]
    assert await here.is_silent(client)
    assert len(readings(here, "since")) == 1


@pytest.mark.parametrize(("meanwhile", "times"), [(MOST_WAITING - 3, 1), (2 * MOST_WAITING, 2)])
async def test_what_happens_after_the_store_has_looked_waits_and_only_too_much_is_read_once_more(
    here: World, meanwhile: int, times: int
) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.update(GAME)
    told = [here.log.update(GAME) for _ in range(3)]
    original = here.log.since

    async def since_long_ago(game_id: UUID, audience: int, seq: int, chat: int) -> list[object]:
        # The store was read, and then much happened before the answer came.
        frames = await original(game_id, audience, seq, chat)
        here.log.since = original  # type: ignore[method-assign]
        for _ in range(meanwhile):
            here.hub.announce(here.log.update(GAME))
        return list(frames)

    here.log.since = since_long_ago  # type: ignore[method-assign, assignment]
    for one in told:
        here.hub.announce(one)
    last = 4 + meanwhile
    assert await ids(client, last) == [f"{seq}.0" for seq in range(1, last + 1)]
    assert len(readings(here, "since")) == times


async def test_nothing_falls_between_reading_the_state_and_hearing_of_the_next_move(here: World) -> None:
    here.log.gate.clear()
    opening = asyncio.create_task(here.watch(GAME, 0))
    await until(lambda: len(readings(here, "current")) == 1)
    for _ in range(3):
        here.hub.announce(here.log.update(GAME))
    here.log.gate.set()
    client = await opening
    assert await ids(client, 1) == ["3.0"]
    here.hub.announce(here.log.update(GAME))
    assert await ids(client, 1) == ["4.0"]
    assert not readings(here, "since")


# --- a loss that nobody tells of ---------------------------------------------------------------------


async def test_a_lost_message_is_repaired_without_any_client_doing_anything(checked: World) -> None:
    client = await checked.watch(GAME, 0)
    await client.next()
    checked.log.update(GAME)
    checked.log.say(GAME)
    assert await ids(client, 2) == ["1.0", "1.1"]


async def test_who_has_everything_is_not_read_for(checked: World) -> None:
    client = await checked.watch(GAME, 0)
    await client.next()
    checked.hub.announce(checked.log.update(GAME))
    await client.next()
    await until(lambda: len(readings(checked, "cursors")) >= 3)
    assert not readings(checked, "since")


async def test_what_an_audience_is_never_told_is_sought_only_once(checked: World) -> None:
    client = await checked.watch(GAME, 0)
    await client.next()
    checked.log.say(GAME, not_to=[0])
    await until(lambda: len(readings(checked, "since")) == 1)
    checks = len(readings(checked, "cursors"))
    await until(lambda: len(readings(checked, "cursors")) >= checks + 3)
    assert len(readings(checked, "since")) == 1
    checked.hub.announce(checked.log.say(GAME))
    assert await ids(client, 1) == ["0.2"]


async def test_a_store_that_is_away_is_asked_again_until_it_answers(checked: World) -> None:
    client = await checked.watch(GAME, 0)
    await client.next()
    checked.log.trouble = OSError("away")
    checked.log.update(GAME)
    checked.hub.announce(checked.log.update(GAME))
    failed = len(checked.log.readings)
    with capture_logs() as logs:
        await until(lambda: len(checked.log.readings) > failed + 3)
        assert await checked.is_silent(client)
    assert {entry["event"] for entry in logs} == {"stream_not_healed", "streams_step_failed"}
    checked.log.trouble = None
    assert await ids(client, 2) == ["1.0", "2.0"]


class LosingLog(Log):
    """A log whose first answer to a stream that missed something never arrives."""

    is_lost = False

    async def since(self, game_id: UUID, audience: int, seq: int, chat: int) -> list[Frame]:
        if not self.is_lost:
            self.is_lost = True
            await asyncio.Event().wait()
        return await super().since(game_id, audience, seq, chat)


async def test_an_answer_that_is_lost_holds_no_stream_up_for_long() -> None:
    log = LosingLog()
    log.open(GAME)
    async with world(log, replace(CHECKING, patience=0.1)) as here:
        client = await here.watch(GAME, 0)
        await client.next()
        log.update(GAME)
        with capture_logs() as logs:
            here.hub.announce(log.update(GAME))
            assert await ids(client, 2) == ["1.0", "2.0"]
    assert log.is_lost
    assert {entry["event"] for entry in logs} == {"stream_not_healed"}


async def test_an_answer_that_is_lost_holds_no_client_up_before_its_stream_begins() -> None:
    log = Log()
    log.open(GAME)
    async with world(log, replace(CHECKING, patience=0.1)) as here:
        log.gate.clear()
        for path in (f"/tables/{GAME}?audience=0", "/lobby"):
            assert (await here.ask(path)).status == HTTPStatus.SERVICE_UNAVAILABLE
        assert len(here.hub) == 0
        log.gate.set()
        assert (await (await here.watch(GAME, 0)).next()).id == "0.0"


async def test_a_stream_that_may_not_read_any_more_is_closed_with_the_reason(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.trouble = ServiceError(Problem.NO_SUCH_TABLE, "it is gone")
    here.log.update(GAME)
    here.hub.announce(here.log.update(GAME))
    assert (await client.next()).words == {"code": "no_such_table"}
    assert await client.has_ended()


async def test_a_store_that_is_too_busy_closes_no_stream(here: World) -> None:
    client = await here.watch(GAME, 0)
    await client.next()
    here.log.trouble = ServiceError(Problem.UNAVAILABLE, "later")
    here.log.update(GAME)
    with capture_logs() as logs:
        here.hub.announce(here.log.update(GAME))
        await until(lambda: [entry["event"] for entry in logs] == ["stream_not_healed"])
    assert await here.is_silent(client)
    here.log.trouble = None
    here.hub.announce(here.log.update(GAME))
    assert await ids(client, 3) == ["1.0", "2.0", "3.0"]


async def test_many_tables_are_asked_after_in_batches() -> None:
    log = Log()
    games = [uuid4() for _ in range(2 * BATCH + 1)]
    for game_id in games:
        log.open(game_id)
    reader = Reader(log, log, log, patience=CHECKING.patience)
    latest = {game_id: place async for game_id, place in reader.latest_of(games)}
    assert set(latest) == set(games)
    assert log.readings == [("cursors", BATCH), ("cursors", BATCH), ("cursors", 1)]
    await reader.close()


# --- the law -----------------------------------------------------------------------------------------


class Watcher:
    """Watches a table, leaves and comes back by chance, and keeps everything it was told."""

    def __init__(self, here: World, game_id: UUID, audience: int) -> None:
        self._here = here
        self._game_id = game_id
        self._audience = audience
        self._last: str | None = None
        self.told: list[tuple[str, int]] = []

    async def watch(self, chance: Random) -> None:
        while True:
            client = await self._here.watch(self._game_id, self._audience, self._last)
            try:
                async with asyncio.timeout(chance.uniform(0.01, 0.2)):
                    await self.listen(client)
            except TimeoutError:
                client.leave()

    async def stay(self) -> None:
        await self.listen(await self._here.watch(self._game_id, self._audience, self._last))

    async def listen(self, client: Client) -> None:
        while True:
            event = await client.next()
            kind = "whole" if "whole" in event.words else event.event
            if kind == "whole":
                assert not self.told, "a client that comes back with a good place needs no whole state"
                assert event.id is not None
                self.told += [("update", int(event.id.split(".")[0])), ("chat", int(event.id.split(".")[1]))]
            else:
                number = event.words[kind]
                assert isinstance(number, int)
                self.told.append((kind, number))
            assert event.words["audience"] == self._audience
            self._last = event.id

    def numbers(self, kind: str) -> list[int]:
        return [number for one, number in self.told if one == kind]


async def announce_badly(here: World, told: list[Announcement], chance: Random) -> None:
    """Lose a fifth, double a fifth, and let a fifth come too late."""
    for one in told:
        fate = chance.random()
        if fate < 0.2:
            continue
        if fate < 0.4:
            here.hub.announce(one)
        if fate < 0.6:
            asyncio.get_running_loop().call_later(chance.uniform(0, 0.02), here.hub.announce, one)
        else:
            here.hub.announce(one)
        await asyncio.sleep(chance.uniform(0, 0.004))


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_the_bus_loses_every_client_is_told_everything_once_and_in_order(seed: int) -> None:
    chance = Random(seed)
    log = Log()
    log.chance = chance
    games = [UUID(int=number << 80) for number in range(3)]
    for game_id in games:
        log.open(game_id)
    async with world(log, CHECKING) as here:
        watchers = [
            Watcher(here, game_id, seat) for game_id in games for seat in (0, 1, SPECTATOR, SPECTATOR)
        ]
        watching = [asyncio.create_task(watcher.watch(chance)) for watcher in watchers]
        for _ in range(120):
            game_id = chance.choice(games)
            several = [
                log.update(game_id) if chance.random() < 0.7 else log.say(game_id)
                for _ in range(chance.randint(1, 3))
            ]
            await announce_badly(here, several, chance)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        ends = await log.cursors(games)
        staying = [asyncio.create_task(watcher.stay()) for watcher in watchers]
        await until(lambda: all(_is_at(watcher, ends[watcher._game_id]) for watcher in watchers))
        for task in staying:
            task.cancel()
        results = await asyncio.gather(*staying, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results), results
    for watcher in watchers:
        for kind in ("update", "chat"):
            numbers = watcher.numbers(kind)
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert here.hub.counts.healed > 10


def _is_at(watcher: Watcher, end: tuple[int, int]) -> bool:
    return bool(watcher.told) and (watcher.numbers("update")[-1], watcher.numbers("chat")[-1]) == end
