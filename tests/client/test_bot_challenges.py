"""A bot that is challenged: it plays what it accepts, and declines the rest with the fitting reason."""

from contextlib import aclosing
from random import Random
from uuid import UUID

import pytest

from cartagena.cli.bot_challenges import Acceptance
from cartagena.client import Player, Pledge, challenges, tables
from cartagena.client.sample_bot import hasty
from cartagena.messages.challenges import ChallengeMessage, ContenderMessage
from cartagena.messages.player_news import MyStateMessage
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.accounts.players import keep_name
from tests.client.bot_process import bot_process, made_bot
from tests.client.client_network import bad_network
from tests.client.client_service import Service, Visitor
from tests.client.test_bot_run import running
from tests.server.accounts_world import some_name
from tests.waiting import until

LIVE = ClockSettings(kind="live", bank=600, increment=15)
MAIL = ClockSettings(kind="correspondence", days=3)
TERMS = TermsMessage(ruleset="jamaica", clock=LIVE)
JAMAICA = Acceptance(rulesets=frozenset({"jamaica"}))


def asked(terms: TermsMessage, *, is_bot: bool = False) -> ChallengeMessage:
    """A challenge by these terms."""
    party = ContenderMessage(id=UUID(int=1), name="Anne", is_bot=is_bot)
    return ChallengeMessage(
        id=UUID(int=2),
        challenger=party,
        opponent=party,
        terms=terms,
        state="open",
        reason=None,
        table=None,
        created=0,
        expires=1,
    )


@pytest.mark.parametrize(
    ("accepts", "challenge", "games", "reason"),
    [
        (JAMAICA, asked(TERMS), 0, None),
        (JAMAICA, asked(TERMS), 1, "busy"),
        (JAMAICA, asked(TermsMessage(ruleset="nest", clock=LIVE)), 0, "ruleset"),
        (JAMAICA, asked(TermsMessage(ruleset="jamaica", clock=MAIL)), 0, "clock"),
        (JAMAICA, asked(TermsMessage(ruleset="jamaica")), 0, "clock"),
        (
            Acceptance(rulesets=frozenset({"jamaica"}), clocks=frozenset({"none", "correspondence"})),
            asked(TermsMessage(ruleset="jamaica")),
            0,
            None,
        ),
        (Acceptance(rulesets=frozenset({"jamaica"}), opponents="bots"), asked(TERMS), 0, "only_bots"),
        (
            Acceptance(rulesets=frozenset({"jamaica"}), opponents="people"),
            asked(TERMS, is_bot=True),
            0,
            "only_people",
        ),
        (Acceptance(rulesets=frozenset({"jamaica"}), opponents="people", at_once=2), asked(TERMS), 1, None),
    ],
)
def test_it_declines_with_the_reason_that_fits(
    accepts: Acceptance, challenge: ChallengeMessage, games: int, reason: str | None
) -> None:
    assert accepts.reason_against(challenge, games) == reason


async def named(service: Service) -> Visitor:
    """A person who keeps a name."""
    visitor = await service.guest()
    async with service.resources.directory.pool.acquire() as connection:
        await keep_name(connection, UUID(str(visitor.me.id)), some_name())
    return visitor


async def answered(
    visitor: Visitor, opponent: str, terms: TermsMessage, promise: Pledge | None = None
) -> ChallengeMessage:
    """The challenge of a bot, once that has answered."""
    made = await visitor.client.send(
        challenges.make(opponent, terms, nonce_hash=None if promise is None else promise.nonce_hash)
    )

    async with aclosing(visitor.client.my_stream()) as heard:
        async for told in heard:
            several = told.challenges if isinstance(told, MyStateMessage) else (told,)
            for each in several:
                if isinstance(each, ChallengeMessage) and each.id == made.id and each.state != "open":
                    return each
    raise AssertionError("the stream ends by an error alone")


async def host(visitor: Visitor, challenge: ChallengeMessage, promise: Pledge) -> Player:
    """The challenger at the table of an accepted challenge."""
    assert challenge.table is not None, challenge
    found = await visitor.client.send(tables.see(challenge.table))
    assert found.seat == 0
    return Player(found.current, visitor.me.id, hasty, pledge=promise)


async def test_it_plays_what_it_accepts_and_declines_the_rest(service: Service) -> None:
    anne, mary = await named(service), await named(service)
    async with running(service, accepts=JAMAICA) as bot:
        declined = await answered(anne, bot.player, TermsMessage(ruleset="nest", clock=LIVE))
        assert (declined.state, declined.reason) == ("declined", "ruleset")
        promise = Pledge.draw(Random(7).randbytes)
        player = await host(anne, await answered(anne, bot.player, TERMS, promise), promise)
        busy = await answered(mary, bot.player, TERMS)
        assert (busy.state, busy.reason) == ("declined", "busy")
        end = await anne.client.play(player)
        assert end.is_over
        assert all(chair.nonce_hash for chair in end.table.chairs)
        await until(lambda: bot.said("bot.over") or bot.said("bot.nobody"), what=lambda: str(bot.lines))
        assert (await answered(mary, bot.player, TERMS)).state == "accepted"
    assert [line["reason"] for line in bot.said("bot.declines")] == ["ruleset", "busy"]
    assert not bot.said("bot.refused")


async def test_it_answers_after_a_break_what_came_meanwhile(service: Service) -> None:
    anne = await named(service)
    async with (
        bad_network(service.port) as network,
        running(service, url=network.url, accepts=JAMAICA) as bot,
    ):
        assert (await answered(anne, bot.player, TermsMessage(ruleset="nest"))).reason == "ruleset"
        network.cut_all()
        assert (await answered(anne, bot.player, TermsMessage(ruleset="jamaica"))).reason == "clock"


@pytest.mark.processes
async def test_the_command_takes_challenges_until_it_is_stopped(service: Service) -> None:
    anne, made = await named(service), await made_bot(service)
    words = ("--bot", "random", "--accept", "jamaica", "--accept", "nest", "--accept-clock", "none")
    async with bot_process(service.url, made.token, *words) as bot:
        assert (await answered(anne, str(made.bot.id), TERMS)).reason == "clock"
        terms, promise = TermsMessage(ruleset="nest"), Pledge.draw(Random(7).randbytes)
        player = await host(anne, await answered(anne, str(made.bot.id), terms, promise), promise)
        end = await anne.client.play(player)
        assert end.is_over
        await bot.said("the shuffle was as promised")
        assert await bot.stop() == 0
    told = " | ".join(bot.lines)
    assert "accepted the challenge of" in told
    assert ": clock" in told
