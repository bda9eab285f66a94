"""Games of bots against bots: counted as they begin, once each, and bounded in a day."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

import pytest
import pytest_asyncio

from cartagena.client import AsyncClient, Refused, challenges, tables
from cartagena.server.accounts.bot_games import BotGames
from cartagena.server.accounts.personal_data import sweep
from cartagena.server.store.databases import Databases
from cartagena.tables.errors import Problem, ServiceError
from tests.client.bot_process import made_bot
from tests.client.client_service import TWO, Service, node
from tests.server.challenge_world import ChallengeWorld
from tests.server.databases import settings_for

BACKDATE = "UPDATE directory.bot_games SET begun_at = begun_at - $1 * interval '1 hour'"


@pytest.fixture
def here(databases: Databases) -> ChallengeWorld:
    return ChallengeWorld(databases)


async def refusal_of(doing: object) -> int | None:
    """The seconds to wait with which something is refused, None if it is not."""
    try:
        await doing  # type: ignore[misc]  # any awaitable will do
    except ServiceError as error:
        return error.retry_after if error.problem is Problem.TOO_MANY else -1
    return None


async def test_only_so_many_games_against_bots_begin_in_a_day(here: ChallengeWorld) -> None:
    games = BotGames(directory=here.directory, most=2)
    one, other, third, person = await here.bot(), await here.bot(), await here.bot(), await here.player()
    first = uuid4()
    for game in (first, uuid4()):
        await games.check([one, other])
        await games.count(game, [one, other])
        await here.directory.pool.execute(BACKDATE, 1)
    for bots in ([one, third], [third, other], [one, other, person]):
        wait = await refusal_of(games.check(bots))
        assert wait == await refusal_of(games.count(uuid4(), bots))
        # The first was two hours ago, the second one.
        assert wait is not None
        assert 21.9 * 3600 < wait <= 22 * 3600
    # One that has begun is begun again after a start that was called off; people are not counted.
    assert await refusal_of(games.count(first, [one, other])) is None
    assert await refusal_of(games.check([one, person])) is None
    assert await refusal_of(games.count(uuid4(), [one, person])) is None
    await here.directory.pool.execute(BACKDATE, 22)
    assert await refusal_of(games.count(uuid4(), [one, third])) is None
    assert await refusal_of(games.count(uuid4(), [one, third])) is not None


async def test_without_a_quota_no_game_of_bots_begins(here: ChallengeWorld) -> None:
    games = BotGames(directory=here.directory, most=0)
    one, other = await here.bot(), await here.bot()
    assert await refusal_of(games.count(uuid4(), [one, other])) == 24 * 3600
    assert await refusal_of(games.count(uuid4(), [one, await here.player()])) is None


async def test_games_that_begin_at_once_are_counted_one_after_the_other(here: ChallengeWorld) -> None:
    games = BotGames(directory=here.directory, most=3)
    one, other = await here.bot(), await here.bot()
    waits = await asyncio.gather(
        *(refusal_of(games.count(uuid4(), [(one, other), (other, one)][number % 2])) for number in range(8))
    )
    assert waits.count(None) == 3


async def test_what_is_older_than_a_day_is_swept_away(here: ChallengeWorld) -> None:
    games = BotGames(directory=here.directory, most=3)
    await games.count(uuid4(), [await here.bot(), await here.bot()])
    here.accounts.clock.moment = await here.directory.pool.fetchval("SELECT now()")
    await sweep(here.directory)
    assert await here.directory.pool.fetchval("SELECT count(*) FROM directory.bot_games") == 2
    await here.directory.pool.execute(BACKDATE, 49)
    await sweep(here.directory)
    assert await here.directory.pool.fetchval("SELECT count(*) FROM directory.bot_games") == 0


@pytest_asyncio.fixture
async def service(database_dsn: str) -> AsyncIterator[Service]:
    """A node that lets a bot begin one game against bots."""
    async with node(settings_for(database_dsn, CARTAGENA_BOT_GAMES="1", CARTAGENA_PACE="1000")) as running:
        yield running


@asynccontextmanager
async def bots(service: Service) -> AsyncIterator[tuple[AsyncClient, AsyncClient]]:
    """Two bots of different owners."""
    async with AsyncExitStack() as opened:
        one, other = [
            await opened.enter_async_context(AsyncClient(service.url, token=(await made_bot(service)).token))
            for _ in range(2)
        ]
        yield one, other


async def full_table(host: AsyncClient, other: AsyncClient) -> str:
    """A table of both, ready to start."""
    table = await host.send(tables.open_table(TWO))
    await other.send(tables.sit(table.id))
    return table.id


async def test_a_bot_that_has_begun_its_games_is_told_when_it_may_go_on(service: Service) -> None:
    async with bots(service) as (one, other):
        first, second = await full_table(one, other), await full_table(one, other)
        start = tables.start(first)
        assert (await one.send(start)).seq == (await one.send(start)).seq
        rival = (await other.send(tables.me())).id
        third = await one.send(tables.open_table(TWO))
        for asking in (
            one.send(tables.start(second)),
            other.send(tables.sit(third.id)),
            one.send(challenges.make(rival, TWO)),
        ):
            with pytest.raises(Refused) as refused:
                await asking
            assert refused.value.code == "too_many"
            assert 23.9 * 3600 < (refused.value.retry_after or 0) <= 24 * 3600
        # Against people it plays on.
        anne = await service.guest()
        await anne.client.send(tables.sit(third.id))
        await one.send(tables.start(third.id))


async def test_an_accepted_challenge_of_bots_is_refused_while_the_quota_is_used_up(service: Service) -> None:
    async with bots(service) as (one, other):
        rival = (await other.send(tables.me())).id
        made = await one.send(challenges.make(rival, TWO))
        await one.send(tables.start(await full_table(one, other)))
        with pytest.raises(Refused) as refused:
            await other.send(challenges.accept(made.id))
        assert refused.value.code == "too_many"
        assert (await one.send(challenges.see(made.id))).state == "open"
