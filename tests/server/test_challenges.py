"""Challenges: each has exactly one outcome, and an accepted one a table, whatever breaks off between."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from cartagena.messages.challenges import ChallengeMessage
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.accounts.challenges import (
    MOST_BETWEEN,
    MOST_SENT,
    accept,
    challenges_of,
    decline,
    exported_challenges,
    opening,
    withdraw,
)
from cartagena.server.accounts.directory import player_locked
from cartagena.server.accounts.moderation import ban, block, unblock
from cartagena.server.accounts.personal_data import delete_me, sweep
from cartagena.server.store.databases import Databases
from cartagena.tables.sheet import Stage
from cartagena.tables.table import Table
from tests.server.accounts_world import everything_in, problem_of
from tests.server.challenge_world import LIVE, LONG_AGO, ChallengeWorld
from tests.server.databases import until_blocked

MAIL = TermsMessage(ruleset="nest", clock=ClockSettings(kind="correspondence", days=3))
MINUTE = 60_000


@pytest.fixture
def here(databases: Databases) -> ChallengeWorld:
    return ChallengeWorld(databases)


async def accepted(here: ChallengeWorld, challenge: ChallengeMessage, *, by: UUID | None = None) -> None:
    """The first step alone: what a node does before it crashes."""
    me = by or challenge.opponent.id
    await accept(here.directory, me, challenge.id, game_id=here.new().id, nonce_hash="b" * 64)


async def outcome(here: ChallengeWorld, challenge: ChallengeMessage) -> str:
    """Accept as a request does; returns the problem, or how the challenge is then."""
    try:
        await accepted(here, challenge)
        await here.tables.open(challenge.id, challenge.opponent.id)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
        return str(error)
    return (await here.seen(challenge)).state


async def test_an_accepted_challenge_has_a_table_with_both_seated(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    assert (made.state, made.table, made.reason) == ("open", None, None)
    assert made.expires - made.created == 10 * MINUTE
    assert await outcome(here, made) == "accepted"
    seen = await here.seen(made)
    assert seen.table is not None
    table = await here.lobby.tables.newest(seen.table)
    assert [chair.player for chair in table.sheet.chairs] == [anne, bart]
    assert (table.sheet.host, table.sheet.stage, table.sheet.rules.key) == (anne, Stage.OPEN, "jamaica")
    assert [chair.nonce_hash for chair in table.sheet.chairs] == [None, "b" * 64]
    # The directory knows at once, before any worker.
    assert {row["player_id"] for row in await here.lobby.rows("seatings")} == {anne, bart}
    assert here.changed == [(anne, bart)]


async def test_a_challenge_to_a_game_by_mail_is_open_for_days(here: ChallengeWorld) -> None:
    made = await here.challenged(await here.player(), await here.player(), MAIL)
    assert made.expires - made.created == 3 * 24 * 60 * MINUTE
    assert made.terms == MAIL


async def test_a_repeated_key_is_the_same_challenge(here: ChallengeWorld) -> None:
    anne, bart, cora = [await here.player() for _ in range(3)]
    key = uuid4()
    first, again = await asyncio.gather(*(here.challenged(anne, bart, key=key) for _ in range(2)))
    assert first == again
    assert (await here.challenged(anne, cora, key=key)).id == first.id
    assert (await here.challenged(bart, anne, key=key)).id != first.id


async def test_two_who_accept_at_once_get_one_table(here: ChallengeWorld) -> None:
    made = await here.challenged(await here.player(), await here.player())
    assert set(await asyncio.gather(*(outcome(here, made) for _ in range(4)))) == {"accepted"}
    games = await here.lobby.databases.shards()[0].fetch("SELECT game_id FROM shard.games")
    assert [row["game_id"] for row in games] == [(await here.seen(made)).table]


async def test_accept_decline_and_withdraw_at_once_have_one_outcome(here: ChallengeWorld) -> None:
    for _ in range(8):
        anne, bart = await here.player(), await here.player()
        made = await here.challenged(anne, bart)
        results = await asyncio.gather(
            outcome(here, made),
            withdraw(here.directory, anne, made.id),
            decline(here.directory, bart, made.id, "later"),
            return_exceptions=True,
        )
        refused = [one for one in results if "wrong_stage" in str(one)]
        assert len(refused) == 2, results
        seen = await here.seen(made)
        assert seen.state in {"accepted", "withdrawn", "declined"}
        assert (seen.table is not None) == (seen.state == "accepted")
        assert (seen.reason == "later") == (seen.state == "declined")


async def test_a_decision_is_made_once_and_repeated_as_it_was(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    told = await decline(here.directory, bart, made.id, "clock")
    assert (told.state, told.reason) == ("declined", "clock")
    assert await decline(here.directory, bart, made.id, "no") == told
    assert await problem_of(withdraw(here.directory, anne, made.id)) == "wrong_stage"
    assert await problem_of(accepted(here, made)) == "wrong_stage"
    other = await here.challenged(anne, bart)
    assert (await withdraw(here.directory, anne, other.id)).state == "withdrawn"
    assert (await withdraw(here.directory, anne, other.id)).state == "withdrawn"
    assert await problem_of(decline(here.directory, bart, other.id, "no")) == "wrong_stage"


async def test_only_the_other_answers_and_only_the_challenger_withdraws(here: ChallengeWorld) -> None:
    anne, bart, cora = [await here.player() for _ in range(3)]
    made = await here.challenged(anne, bart)
    assert await problem_of(accepted(here, made, by=anne)) == "forbidden"
    assert await problem_of(decline(here.directory, anne, made.id, "no")) == "forbidden"
    assert await problem_of(withdraw(here.directory, bart, made.id)) == "forbidden"
    for doing in (
        accepted(here, made, by=cora),
        decline(here.directory, cora, made.id, "no"),
        withdraw(here.directory, cora, made.id),
    ):
        assert await problem_of(doing) == "no_such_thing"
    assert (await here.seen(made)).state == "open"


async def test_nothing_is_decided_after_its_time_by_the_clock_of_postgresql(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    here.accounts.clock.after(days=-300)  # a clock of a node that jumps decides nothing
    assert (await here.seen(made)).state == "open"
    await here.expire(made)
    assert (await here.seen(made)).state == "expired"
    for doing in (
        accepted(here, made),
        decline(here.directory, bart, made.id, "no"),
        withdraw(here.directory, anne, made.id),
    ):
        assert await problem_of(doing) == "wrong_stage"
    # It takes no room any more.
    for _ in range(MOST_BETWEEN):
        await here.challenged(anne, bart)


async def test_a_node_that_crashed_after_accepting_leaves_the_rest_to_a_worker(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    await accepted(here, made)
    # Until there is a table it is shown as open, but nobody can decide otherwise.
    assert (await here.seen(made)).state == "open"
    assert await problem_of(withdraw(here.directory, anne, made.id)) == "wrong_stage"
    assert await here.tables.open_left() == 0  # its node may be about to open it
    await here.directory.pool.execute(LONG_AGO)
    assert await here.tables.open_left() == 1
    assert await here.tables.open_left() == 0
    seen = await here.seen(made)
    assert seen.table is not None
    assert len((await here.lobby.tables.newest(seen.table)).sheet.chairs) == 2


async def test_a_node_that_crashed_after_opening_is_followed_by_the_same_table(here: ChallengeWorld) -> None:
    made = await here.challenged(await here.player(), await here.player())
    await accepted(here, made)
    opened: list[Table] = []

    async def crash() -> None:
        async with opening(here.directory, made.id, made.opponent.id) as found:
            assert found is not None
            await here.tables._open(found, "")
            opened.append(await here.lobby.tables.newest(found.game_id))
            raise RuntimeError("the power fails")

    with pytest.raises(RuntimeError):
        await crash()
    assert (await here.seen(made)).table is None
    assert await outcome(here, made) == "accepted"
    assert (await here.seen(made)).table == opened[0].id
    assert (await here.lobby.tables.newest(opened[0].id)).secret == opened[0].secret


async def test_a_player_who_leaves_takes_every_challenge_along(here: ChallengeWorld) -> None:
    anne, bart, cora = [await here.player() for _ in range(3)]
    first, second = await here.challenged(anne, bart), await here.challenged(cora, anne)
    await accepted(here, second)
    await delete_me(here.accounts.sessions, anne)
    assert await problem_of(accepted(here, first)) == "no_such_thing"
    await here.directory.pool.execute(LONG_AGO)
    assert await here.tables.open_left() == 0
    assert str(first.id) not in await everything_in(here.directory.pool)
    assert await problem_of(here.challenged(bart, anne)) == "no_such_player"


async def test_who_is_being_deleted_sits_at_no_new_table(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    await accepted(here, made)
    async with player_locked(here.directory, anne) as connection:
        going = asyncio.create_task(here.tables.open(made.id, bart))
        await until_blocked(here.databases)
        await connection.execute("DELETE FROM directory.game_challenges")
        await connection.execute("UPDATE directory.players SET deleted_at = now() WHERE player_id = $1", anne)
    with pytest.raises(Exception, match="no_such_player"):
        await going
    assert not await here.lobby.databases.shards()[0].fetch("SELECT game_id FROM shard.games")


async def test_guests_neither_challenge_nor_are_challenged(here: ChallengeWorld) -> None:
    guest, anne = (await here.accounts.guest()).session.player_id, await here.player()
    assert await problem_of(here.challenged(guest, anne)) == "needs_account"
    assert await problem_of(here.challenged(anne, guest)) == "unfit"


async def test_one_challenges_neither_oneself_nor_nobody_but_a_bot_of_ones_own(here: ChallengeWorld) -> None:
    anne = await here.player()
    assert await problem_of(here.challenged(anne, anne)) == "unfit"
    assert await problem_of(here.challenged(anne, uuid4())) == "no_such_player"
    bot = await here.bot(anne)
    made = await here.challenged(anne, bot)
    assert (made.opponent.is_bot, made.challenger.is_bot) == (True, False)
    assert await outcome(here, made) == "accepted"
    assert await outcome(here, await here.challenged(bot, anne)) == "accepted"


async def test_terms_that_no_table_could_have_are_refused_at_once(here: ChallengeWorld) -> None:
    anne, bot = await here.player(), await here.bot()
    assert await problem_of(here.challenged(anne, bot, replace(LIVE, rated=True))) == "needs_account"
    assert await problem_of(here.challenged(anne, await here.player(), replace(LIVE, seats=3))) == "unfit"
    assert await problem_of(here.challenged(anne, bot, replace(LIVE, rated=True, clock=None))) == "unfit"


async def test_a_block_of_either_or_of_an_owner_keeps_them_apart(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    bot = await here.bot(bart)
    made = await here.challenged(anne, bot)
    await block(here.directory, bart, anne)
    assert await problem_of(accepted(here, made)) == "blocked"
    for one, other in ((anne, bart), (bart, anne), (anne, bot), (bot, anne)):
        assert await problem_of(here.challenged(one, other)) == "blocked"
    await unblock(here.directory, bart, anne)
    assert await outcome(here, made) == "accepted"


async def test_a_ban_of_either_or_of_an_owner_keeps_them_from_playing(here: ChallengeWorld) -> None:
    here.accounts.clock.moment = datetime.now(UTC)
    anne, bart = await here.player(), await here.player()
    bot = await here.bot(bart)
    made = await here.challenged(anne, bot)
    await ban(here.accounts.sessions, bart, 2)
    assert await problem_of(accepted(here, made)) == "forbidden"
    for one, other in ((anne, bart), (bart, anne), (anne, bot)):
        assert await problem_of(here.challenged(one, other)) == "forbidden"


async def test_open_challenges_have_a_bound_even_when_made_at_once(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    results = await asyncio.gather(
        *(here.challenged(anne, bart) for _ in range(MOST_BETWEEN + 2)), return_exceptions=True
    )
    assert sum("too_many" in str(one) for one in results) == 2
    others = [await here.player() for _ in range(MOST_SENT - MOST_BETWEEN)]
    last, *_ = [await here.challenged(anne, other) for other in others]
    assert await problem_of(here.challenged(anne, await here.player())) == "too_many"
    await withdraw(here.directory, anne, last.id)
    await here.challenged(anne, await here.player())


async def test_nobody_is_asked_again_and_again(here: ChallengeWorld) -> None:
    anne, bart = await here.player(), await here.player()
    for _ in range(MOST_BETWEEN):
        made = await here.challenged(anne, bart)
        await decline(here.directory, bart, made.id, "no")
    assert await problem_of(here.challenged(anne, bart)) == "too_many"
    await here.challenged(bart, anne)
    await here.challenged(anne, await here.player())
    await here.directory.pool.execute(LONG_AGO)
    assert await outcome(here, await here.challenged(anne, bart)) == "accepted"


async def test_what_is_decided_is_shown_for_a_while_and_kept_for_a_day(here: ChallengeWorld) -> None:
    here.accounts.clock.moment = datetime.now(UTC)
    anne, bart = await here.player(), await here.player()
    made = await here.challenged(anne, bart)
    await decline(here.directory, bart, made.id, "busy")
    shown = await challenges_of(here.directory, [anne, bart])
    assert [list(each) for each in shown.values()] == [[made.id], [made.id]]
    await here.directory.pool.execute(LONG_AGO)
    assert not (await challenges_of(here.directory, [anne]))[anne]
    assert str(made.id) in bytes(await exported_challenges(here.directory, anne)).decode()
    await sweep(here.directory)
    assert (await here.seen(made)).state == "declined"
    here.accounts.clock.after(days=1, minutes=15)
    await sweep(here.directory)
    assert bytes(await exported_challenges(here.directory, anne)) == b"[]"
