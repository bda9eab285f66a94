"""`cartagena bot` on a real service: a process with the account of a bot plays against clients of people."""

import asyncio
import shlex
from uuid import UUID

import pytest
from click.testing import CliRunner

from cartagena.cli.main import entrance
from cartagena.client import Player, Pledge, Refused, tables
from cartagena.client.sample_bot import hasty
from cartagena.client.table_state import TableState
from cartagena.messages.requests import TermsMessage
from cartagena.server.lobby.repair import tell
from cartagena.server.store.outbox import AllOutboxes
from tests.client.bot_process import bot_of, bot_process, made_bot, renewed
from tests.client.client_service import Service, Visitor
from tests.engine_protocol.engines import FURTHEST, broken
from tests.waiting import until

pytestmark = pytest.mark.processes

PRIVATE = TermsMessage(ruleset="jamaica", seats=2, listed=False)
NOBODY = "ct_" + 43 * "A"


async def host_at(visitor: Visitor, service: Service) -> tuple[Player, str]:
    """A person who has opened a table for two, and its link."""
    pledge = Pledge.draw(lambda size: bytes([7]) * size)
    opened = await visitor.client.send(tables.open_table(PRIVATE, nonce_hash=pledge.nonce_hash))
    player = Player(opened.current, visitor.me.id, hasty, pledge=pledge)
    return player, f"{service.url}/table/{opened.id}?invite={opened.invite}"


async def guest_at(visitor: Visitor, table_id: UUID, invite: str | None) -> Player:
    """A person who has sat down at a table of the bot."""
    pledge = Pledge.draw(lambda size: bytes([8]) * size)
    told = await visitor.client.send(tables.sit(table_id, nonce_hash=pledge.nonce_hash, invite=invite))
    return Player(told, visitor.me.id, hasty, pledge=pledge)


async def test_an_engine_sits_down_where_it_is_invited_and_plays_to_the_end(service: Service) -> None:
    anne, made = await service.guest(), await made_bot(service)
    player, link = await host_at(anne, service)
    words = ("--engine", shlex.join(FURTHEST), "--table", link)
    async with bot_process(service.url, made.token, *words) as bot:
        end = await anne.client.play(player)
        assert await bot.ended() == 0
    assert end.table.stage == "over"
    assert [(chair.name, chair.is_bot) for chair in end.table.chairs] == [
        (anne.me.name, False),
        (made.bot.name, True),
    ]
    told = " | ".join(line.partition("Z ")[2].partition(": ")[2] or line for line in bot.lines)
    assert "sat down at" in told
    assert f"against {anne.me.name}" in told
    assert "the shuffle was as promised" in told
    assert made.token not in told
    assert all(line[:4].isdigit() for line in bot.lines), "every line begins with its moment"


async def test_it_plays_at_several_tables_of_its_own_and_opens_the_next(service: Service) -> None:
    made, words = await made_bot(service), ("--bot", "deckhand", "--open", "tortuga", "--at-once", "2")
    async with bot_process(service.url, made.token, *words) as bot:
        first, second = await bot.links(2)
        anne, mary = await service.guest(), await service.guest()
        ends = await asyncio.gather(
            anne.client.play(await guest_at(anne, *first)), mary.client.play(await guest_at(mary, *second))
        )
        assert [end.table.stage for end in ends] == ["over", "over"]
        _, _, third, _ = await bot.links(4)
        assert await bot.stop() == 0
    assert most_at_once(bot.lines) == 2
    assert "Ended." in bot.lines[-1]
    # Nobody had come to the third one: it does not wait for a bot that is gone.
    with pytest.raises(Refused):
        await anne.client.send(tables.sit(third[0], invite=third[1]))


def most_at_once(lines: list[str]) -> int:
    """At how many tables of its own the bot has been at a time, by what it has written."""
    at_once = [0]
    for line in lines:
        if ": opened, " in line:
            at_once.append(at_once[-1] + 1)
        elif ": over, " in line or ": left, " in line:
            at_once.append(at_once[-1] - 1)
    return max(at_once)


async def told_to_the_directory(service: Service, table_id: str) -> None:
    """What a worker does about each change of a table: from then on players find it among their games."""
    databases = service.resources.databases
    for standing in await AllOutboxes(databases).standings([UUID(table_id)]):
        await tell(databases.directory, standing)


async def test_asked_to_stop_it_leaves_its_game_and_comes_back_to_it(service: Service) -> None:
    anne, made = await service.guest(), await made_bot(service)
    player, link = await host_at(anne, service)
    words = ("--bot", "random")
    turns: list[int] = []

    def slow(standing: TableState) -> int | None:
        turns.append(standing.seq)
        return hasty(standing) if len(turns) < 3 or has_stopped else None

    has_stopped, player.choose = False, slow
    async with bot_process(service.url, made.token, *words, "--table", link) as bot:
        stream = anne.client.stream(player.table_id)
        async for told in stream:
            player.hear(told)
            await anne.client.grant(player)
            if len(turns) >= 3:
                break
        await stream.aclose()
        await bot.said("the game begins")
        assert await bot.stop() == 0
    assert any("wait for the next start: 1." in line for line in bot.lines)
    has_stopped = True
    await told_to_the_directory(service, player.table_id)
    async with bot_process(service.url, made.token, *words) as again:
        end = await anne.client.play(player)
        assert await again.ended() == 0
    assert end.is_over
    assert any("back in its seat" in line for line in again.lines)
    assert any("the shuffle was as promised" in line for line in again.lines)
    assert not any("resigns" in line for line in again.lines)


async def test_an_engine_that_fails_resigns_its_game(service: Service) -> None:
    anne, made = await service.guest(), await made_bot(service)
    player, link = await host_at(anne, service)
    words = ("--engine", shlex.join(broken("illegal")), "--table", link)
    async with bot_process(service.url, made.token, *words) as bot:
        end = await anne.client.play(player)
        assert await bot.ended() == 0
    assert end.table.ending == "resigned"
    assert any("so it resigns" in line for line in bot.lines)


async def test_it_ends_with_what_to_do_when_its_token_is_renewed(service: Service) -> None:
    owner, anne = await service.guest(), await service.guest()
    made = await bot_of(service, owner)
    (_, link), before = await host_at(anne, service), service.hub.counts.opened
    async with bot_process(service.url, made.token, "--bot", "random", "--table", link) as bot:
        await bot.said("sat down at")
        await until(lambda: service.hub.counts.opened > before)
        await renewed(service, owner, made)
        assert await bot.ended() == 1
    assert "Make a new one" in bot.lines[-1]


async def test_a_token_that_is_no_bots_is_refused_with_what_to_do(service: Service) -> None:
    anne = await service.guest()
    for token, reason in ((anne.client.token or "", "Make a bot"), (NOBODY, "does not know this token")):
        async with bot_process(service.url, token, "--bot", "random", "--open", "nest") as bot:
            assert await bot.ended() == 1
        assert reason in " ".join(bot.lines)
    assert (await anne.client.send(tables.my_games())).tables == ()


async def test_it_waits_for_a_service_that_is_away_and_ends_when_it_is_asked(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}"
    async with bot_process(url, NOBODY, "--bot", "random", "--open", "nest") as bot:
        await bot.said("does not answer")
        assert await bot.stop() == 0
    assert sum("does not answer" in line for line in bot.lines) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--bot", "random", "--table", "http://example.org/table/01a1de9f-0000-7000-8000-000000000000"),
        ("--open", "nest"),
        ("--bot", "random", "--engine", "python3"),
        ("--bot", "random", "--at-once", "2"),
        ("--bot", "nobody-has-this-name"),
        ("--engine", "/nowhere/my_engine"),
    ],
)
def test_a_table_of_another_service_and_a_bot_without_a_mind_are_wrong_uses(words: tuple[str, ...]) -> None:
    called = ["bot", "http://127.0.0.1:1", "--token", NOBODY, *words]
    assert CliRunner().invoke(entrance, called).exit_code == 2
