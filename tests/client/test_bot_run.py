"""What a bot does when something goes wrong: over a bad network, with bots that misbehave."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random

import httpx
import pytest

from cartagena.bots.players.interface import UNHURRIED, Bot, Budget
from cartagena.cli.bot_challenges import Acceptance
from cartagena.cli.bot_run import BotPlan, BotRun
from cartagena.client import AsyncClient, Player, Pledge, Refused, tables
from cartagena.client.sample_bot import hasty
from cartagena.engine_protocol import make
from cartagena.messages.requests import TermsMessage
from cartagena.rules.hidden.view import View
from cartagena.terminal.source import Address, address_of
from tests.client.bot_process import made_bot
from tests.client.client_network import bad_network, refusal
from tests.client.client_service import HURRIED, Service, Visitor
from tests.waiting import until

PUBLIC = TermsMessage(ruleset="jamaica", seats=2)
RANDOM: Callable[[], Bot] = partial(make, "random")

Hooks = dict[str, list[Callable[..., object]]]


@dataclass
class Running:
    """A bot at work in this process, and the lines that it would write."""

    run: BotRun
    working: asyncio.Task[None]
    lines: list[tuple[str, dict[str, object]]] = field(repr=False)
    player: str

    def said(self, key: str) -> list[dict[str, object]]:
        """The values of every line with this key."""
        return [values for said, values in self.lines if said == key]

    async def opened(self) -> str:
        """The first table of its own."""
        told = await until(lambda: self.said("bot.opened"), what=lambda: str(self.lines))
        where = address_of(str(told[0]["link"]))
        assert where is not None
        return where.table_id


@asynccontextmanager
async def running(  # noqa: PLR0913 - how a bot runs, each part by its name
    service: Service,
    *,
    links: tuple[Address, ...] = (),
    make_one: Callable[[], Bot] = RANDOM,
    url: str | None = None,
    promise_seconds: float = 120.0,
    on_line: Callable[[str], None] = lambda _: None,
    hooks: Hooks | None = None,
    accepts: Acceptance | None = None,
) -> AsyncIterator[Running]:
    """A bot that plays where it is invited or challenged, or else at a public table of its own."""
    made, lines = await made_bot(service), list[tuple[str, dict[str, object]]]()

    def log(key: str, **values: object) -> None:
        lines.append((key, values))
        on_line(key)

    plan = BotPlan(
        service=service.url,
        token=made.token,
        name="random",
        make=make_one,
        budget=UNHURRIED,
        links=links,
        terms=None if links or accepts else PUBLIC,
        accepts=accepts,
        promise_seconds=promise_seconds,
    )
    async with httpx.AsyncClient(base_url=url or service.url) as http:
        client = AsyncClient(service.url, token=made.token, patience=HURRIED, http=http)
        run = BotRun(plan, client, await client.send(tables.me()), log)
        http.event_hooks = hooks or {}
        bot = Running(run, asyncio.create_task(run.work()), lines, str(made.bot.id))
        try:
            yield bot
        finally:
            bot.working.cancel()
            await asyncio.wait([bot.working])


async def hosted(visitor: Visitor, service: Service) -> tuple[Player, Address]:
    """A person who has opened a table for two, and the way to it."""
    pledge = Pledge.draw(Random(7).randbytes)
    opened = await visitor.client.send(tables.open_table(PUBLIC, nonce_hash=pledge.nonce_hash))
    player = Player(opened.current, visitor.me.id, hasty, pledge=pledge)
    return player, Address(service=service.url, table_id=str(opened.id), invite=opened.invite)


async def sat(visitor: Visitor, table_id: str) -> Player:
    """A person who has sat down with a promise."""
    pledge = Pledge.draw(Random(8).randbytes)
    told = await visitor.client.send(tables.sit(table_id, nonce_hash=pledge.nonce_hash))
    return Player(told, visitor.me.id, hasty, pledge=pledge)


async def sat_at_last(visitor: Visitor, table_id: str) -> Player | None:
    """The visitor at a public table, once one of its chairs is free."""
    found = await visitor.client.send(tables.see(table_id))
    return await sat(visitor, table_id) if any(chair.kind == "open" for chair in found.table.chairs) else None


async def test_it_comes_back_to_its_game_after_answers_that_are_no_services(service: Service) -> None:
    anne = await service.guest()
    player, where = await hosted(anne, service)
    async with bad_network(service.port) as network:

        def disturb(key: str) -> None:
            if key in {"bot.sits", "bot.begins"}:
                # Somebody's own page in the place of the service, and of its stream.
                network.refusals.append(refusal(200, f"<html>{key}".encode(), content_type="text/html"))
                network.cut_all()

        async with running(service, links=(where,), url=network.url, on_line=disturb) as bot:
            end = await anne.client.play(player)
            await asyncio.wait_for(bot.working, 60)
    assert end.is_over
    assert end.table.ending != "resigned"
    assert len(bot.said("bot.returns")) == 2, bot.lines
    assert bot.said("bot.over") or bot.said("bot.nobody")
    assert not bot.said("bot.refused")


class BadEnd:
    """Chooses the first, and raises at its end."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def choose(self, view: View, chance: Random, budget: Budget) -> int:
        """The first of all choices."""
        del chance, budget
        return view.legal[0]

    def close(self) -> None:
        """Fail."""
        raise self.error


@pytest.mark.parametrize("error", [ValueError("bad\nend"), SystemExit(3), StopIteration()])
async def test_what_fails_at_its_end_ends_neither_the_process_nor_other_games(
    service: Service, error: BaseException
) -> None:
    anne = await service.guest()
    async with running(service, make_one=partial(BadEnd, error)) as bot:
        player = await sat(anne, await bot.opened())
        assert (await anne.client.play(player)).is_over
        await until(lambda: len(bot.said("bot.opened")) == 2, what=lambda: str(bot.lines))
        assert not bot.working.done()
    assert type(error).__name__ in str(bot.said("bot.unclosed")[0]["reason"])


async def test_as_the_host_it_sends_away_who_holds_a_chair_and_is_gone(service: Service) -> None:
    async with running(service, promise_seconds=0.05) as bot:
        table_id = await bot.opened()
        gone, anne = await service.guest(), await service.guest()
        await gone.client.send(tables.sit(table_id))
        await until(lambda: bot.said("bot.kicks"), what=lambda: str(bot.lines))
        player = await sat_at_last(anne, table_id)
        assert player is not None, "the chair is free once it says so"
        assert (await anne.client.play(player)).is_over
        await until(lambda: bot.said("bot.over") or bot.said("bot.nobody"))
    assert len(bot.said("bot.kicks")) == 1


async def test_who_takes_the_chair_just_before_a_kick_is_not_sent_away(service: Service) -> None:
    gone, anne = await service.guest(), await service.guest()
    players, table_id = list[Player](), ""

    async def swap(request: httpx.Request) -> None:
        is_looking = request.method == "GET" and request.url.path == f"/api/tables/{table_id}"
        if (is_looking or request.url.path.endswith("/kick")) and not players:
            await gone.client.send(tables.leave(table_id))
            players.append(await sat(anne, table_id))

    async with running(service, promise_seconds=0.05, hooks={"request": [swap]}) as bot:
        table_id = await bot.opened()
        await gone.client.send(tables.sit(table_id))
        player = (await until(lambda: players, what=lambda: str(bot.lines)))[0]
        end = await anne.client.play(player)
        assert end.chair_of(anne.me.id) is not None
        assert end.is_over
    assert not bot.said("bot.kicks")


async def test_a_kick_that_may_have_been_done_is_not_sent_again(service: Service) -> None:
    kicks = list[str]()

    async def lose(response: httpx.Response) -> None:
        if response.url.path.endswith("/kick"):
            kicks.append(response.url.path)
            raise httpx.ReadError("lost on the way back")

    async with running(service, promise_seconds=0.05, hooks={"response": [lose]}) as bot:
        table_id = await bot.opened()
        gone, anne = await service.guest(), await service.guest()
        await gone.client.send(tables.sit(table_id))
        await until(lambda: bot.said("bot.unkicked"), what=lambda: str(bot.lines))
        player = await until(lambda: sat_at_last(anne, table_id))
        assert player is not None
        assert (await anne.client.play(player)).is_over
    assert len(kicks) == 1


async def test_a_table_whose_opening_was_under_way_does_not_stay_without_its_host(service: Service) -> None:
    opened, goes_on = list[str](), asyncio.Event()

    async def hold(response: httpx.Response) -> None:
        if response.request.method == "POST" and response.url.path == "/api/tables":
            await response.aread()
            opened.append(response.json()["current"]["table"]["id"])
            await goes_on.wait()

    anne = await service.guest()
    async with running(service, hooks={"response": [hold]}) as bot:
        await until(lambda: opened, what=lambda: str(bot.lines))
        bot.run.note()
        bot.working.cancel()
        await asyncio.wait([bot.working])
        goes_on.set()
        await bot.run.leave()
    with pytest.raises(Refused):
        await anne.client.send(tables.sit(opened[0]))
