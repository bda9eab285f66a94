"""A player by correspondence is told once that it is their turn, by real requests to a real endpoint."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry

from cartagena.messages.accounts import NoticeMessage
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.notices.delivery import Delivery, Notices
from cartagena.server.accounts.notices.safe_http import Poster
from cartagena.server.accounts.notices.webhooks import set_webhook
from cartagena.server.lobby import turn_notices
from cartagena.server.lobby.turn_notices import MOST_TRIES, turn_of
from cartagena.server.store.databases import Databases
from cartagena.server.worker.outbox import Messenger, NoticeMetrics, NoticeRounds
from cartagena.tables import playing, seating
from cartagena.tables.table import Table
from tests.server.accounts_endpoint import Endpoint, endpoint
from tests.server.lobby_world import LobbyWorld, passed_on
from tests.server.tables_world import LIVE, MAIL, Player, terms
from tests.waiting import PATIENCE, until


@pytest.fixture
def world(databases: Databases) -> LobbyWorld:
    return LobbyWorld(databases)


class Post:
    """The messenger of a world, and where its notices go."""

    def __init__(self, world: LobbyWorld, hook: Endpoint, messenger: Messenger) -> None:
        self.world = world
        self.hook = hook
        self.messenger = messenger

    async def sent(self) -> list[dict[str, object]]:
        """Send all that is due, and return what has come in so far."""
        rounds = NoticeRounds(self.messenger, pause=0.005)
        running = asyncio.create_task(rounds.run())
        await until(self.nothing_is_due)
        await rounds.stop()
        await running
        return [json.loads(request.body) for request in self.hook.received]

    async def nothing_is_due(self) -> bool:
        count: int = await self.world.directory.fetchval(
            "SELECT count(*) FROM directory.notices WHERE due_at <= now()"
        )
        return not count

    async def hooked(self, player: Player) -> None:
        """Set a webhook for a player."""
        await set_webhook(known(self.world), player.id, self.hook.url(f"/{player.id}"), private=True)


def known(world: LobbyWorld) -> Directory:
    """The directory as accounts see it."""
    return Directory(pool=world.directory, clock=lambda: datetime.now(UTC), chance=secrets.token_bytes)


@asynccontextmanager
async def post_office(world: LobbyWorld) -> AsyncIterator[Post]:
    async with endpoint() as hook, Poster(private=True) as poster:
        tell = Notices(directory=known(world), poster=poster, vapid=None).tell
        yield Post(world, hook, messenger_of(world, tell))


def messenger_of(world: LobbyWorld, tell: Callable[..., Awaitable[tuple[Delivery, ...]]]) -> Messenger:
    metrics = NoticeMetrics(CollectorRegistry())
    return Messenger(directory=world.directory, source=world.source, tell=tell, metrics=metrics)


async def game_by_mail(world: LobbyWorld, people: list[Player]) -> Table:
    """A game by correspondence of which the directory has heard."""
    table = await world.playing(people, terms(seats=len(people), clock=MAIL))
    await world.told()
    return table


async def test_each_turn_is_told_once_to_whom_it_belongs(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        table = await game_by_mail(world, people)
        expected = []
        for _ in range(3):
            assert table.to_act is not None
            expected.append((f"/{people[table.to_act].id}", table.seq))
            told = await post.sent()
            assert await post.sent() == told
            assert {line["kind"] for line in told} == {"your_turn"}
            assert {line["table"] for line in told} == {str(table.id)}
            lines = [request.line.split()[1] for request in post.hook.received]
            assert [(line, one["seq"]) for line, one in zip(lines, told, strict=True)] == expected
            table = await passed_on(world, table)
            await world.told()


async def test_what_else_happens_at_the_table_tells_nobody_again(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        table = await game_by_mail(world, people)
        assert len(await post.sent()) == 1
        await world.change(table.id, lambda now: seating.mute(now, 1, muted=True), people[0])
        await world.change(table.id, lambda now: playing.abandon(now, 0, agrees=True), people[0])
        assert await world.told() == 1
        await world.lease_ends()
        assert len(await post.sent()) == 1


async def test_nobody_is_told_of_a_live_game_or_of_what_his_bot_does(world: LobbyWorld) -> None:
    people = await world.people(3)
    await world.playing(people, terms(seats=3, clock=LIVE))
    table = await world.playing(people, terms(seats=3, clock=MAIL))
    seat = table.to_act
    assert seat is not None
    await world.change(table.id, lambda now: playing.resign(now, seat), people[seat])
    await world.told()
    assert await world.rows("notices") == []


async def test_who_acted_before_the_notice_went_out_is_not_told(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        table = await game_by_mail(world, people)
        await passed_on(world, table)
        assert await post.sent() == []
        await world.told()
        assert len(await post.sent()) == 1


async def test_a_failure_is_tried_again_later_and_not_for_ever(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        post.hook.status = 503
        await game_by_mail(world, people)
        pauses = []
        for tries in range(1, MOST_TRIES + 1):
            assert len(await post.sent()) == tries
            left = await world.directory.fetchval("SELECT due_at - now() FROM directory.notices")
            pauses.append(left)
            await world.directory.execute("UPDATE directory.notices SET due_at = now() WHERE due_at > now()")
        assert pauses[-1] is None
        for number, pause in enumerate(pauses[:-1]):
            expected = turn_notices.FIRST_PAUSE * 2**number
            assert expected - timedelta(seconds=10) < pause <= expected
        assert len(await post.sent()) == MOST_TRIES


async def test_a_notice_that_failed_reaches_him_when_his_program_is_back(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        post.hook.status = 500
        await game_by_mail(world, people)
        assert len(await post.sent()) == 1
        post.hook.status = 200
        await world.directory.execute("UPDATE directory.notices SET due_at = now()")
        assert len(await post.sent()) == 2
        assert [row["due_at"] for row in await world.rows("notices")] == [None]


async def test_a_messenger_that_dies_is_made_up_for(world: LobbyWorld) -> None:
    people = await world.people(2)
    async with post_office(world) as post:
        for player in people:
            await post.hooked(player)
        await game_by_mail(world, people)
        assert len(await turn_notices.claim(world.directory, 10, lease=timedelta(minutes=1))) == 1
        assert await post.sent() == []
        await world.directory.execute("UPDATE directory.notices SET due_at = now()")
        assert len(await post.sent()) == 1


async def test_two_messengers_do_not_send_the_same_notice(world: LobbyWorld) -> None:
    people = await world.people(2)
    for _ in range(6):
        await game_by_mail(world, people)
    both = await asyncio.gather(
        *(turn_notices.claim(world.directory, 4, lease=timedelta(minutes=1)) for _ in range(2))
    )
    claimed = [waiting.turn.game_id for half in both for waiting in half]
    assert len(claimed) == len(set(claimed)) == 6


async def test_an_address_that_answers_late_delays_nobody_else(world: LobbyWorld) -> None:
    people = await world.people(4)
    slow, quick = people[:2], people[2:]
    for pair in (slow, quick):
        await game_by_mail(world, pair)
    heard: list[object] = []
    blocked, told = asyncio.Event(), asyncio.Event()

    async def tell(player_id: object, _: NoticeMessage) -> tuple[Delivery, ...]:
        if player_id in {player.id for player in slow}:
            await blocked.wait()
        else:
            told.set()
        heard.append(player_id)
        return (Delivery.DELIVERED,)

    rounds = NoticeRounds(messenger_of(world, tell), pause=0.01)
    running = asyncio.create_task(rounds.run())
    async with asyncio.timeout(PATIENCE):
        await told.wait()
    assert len(heard) == 1
    stopping = asyncio.create_task(rounds.stop())
    stopping.add_done_callback(lambda _: heard.append("stopped"))
    asyncio.get_running_loop().call_soon(blocked.set)
    await stopping
    await running
    assert (len(heard), heard[-1]) == (3, "stopped")


@pytest.mark.parametrize(
    ("outcomes", "again"),
    [
        ((Delivery.DELIVERED, Delivery.FAILED), False),
        ((Delivery.GONE, Delivery.FAILED), True),
        ((Delivery.GONE,), False),
        ((), False),
    ],
)
async def test_who_was_reached_in_one_way_is_not_told_again(
    world: LobbyWorld, outcomes: tuple[Delivery, ...], *, again: bool
) -> None:
    await game_by_mail(world, await world.people(2))

    async def tell(*_: object) -> tuple[Delivery, ...]:
        return outcomes

    (waiting,) = await turn_notices.claim(world.directory, 10, lease=timedelta(minutes=1))
    await messenger_of(world, tell).deliver(waiting, await world.standing(waiting.turn.game_id))
    ((due),) = [row["due_at"] is not None for row in await world.rows("notices")]
    assert due is again


async def test_the_notice_of_a_game_goes_with_its_end(world: LobbyWorld) -> None:
    table = await game_by_mail(world, await world.people(2))
    assert len(await world.rows("notices")) == 1
    await world.ends(table.id, 0)
    await world.told()
    assert await world.rows("notices") == []
    assert turn_of(await world.standing(table.id)) is None
