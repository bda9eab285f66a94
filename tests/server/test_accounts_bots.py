"""Accounts of bots: a named player has a few, their tokens play and do nothing else, and they go with him."""

import asyncio
from typing import Final
from uuid import UUID, uuid4

import pytest
from asyncpg import Pool

from cartagena.endpoints.callers import Scope, Session
from cartagena.messages.accounts import BotTokenMessage, MakeBot, MakeToken
from cartagena.server.accounts.bots import MOST_BOTS, bot_card, bots_of, make_bot, renew_bot_token
from cartagena.server.accounts.directory import player_locked
from cartagena.server.accounts.moderation import (
    ban,
    block,
    blocked_among,
    lift_ban,
    set_admin,
    unblock,
)
from cartagena.server.accounts.personal_data import (
    delete_bot,
    delete_me,
    erase_lost_guests,
    export_me,
    leave_for_good,
)
from cartagena.server.accounts.players import me, player
from cartagena.server.accounts.sessions.devices import make_token
from cartagena.server.store.databases import Databases
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, registered
from tests.server.accounts_world import World, everything_in, problem_of, some_name, world
from tests.server.databases import until_blocked


async def owner_in(here: World) -> Session:
    """A player with a name."""
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), some_name())
    return await here.found(admission)


async def bot_in(here: World, owner: Session) -> BotTokenMessage:
    """A bot of this owner."""
    return await make_bot(here.directory, owner, MakeBot(name=some_name(), engine="furthest 1.0"))


@pytest.fixture
async def here(directory: Pool) -> World:
    return world(directory)


async def test_a_token_of_a_bot_reads_and_plays_and_is_kept_as_a_hash(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert (session.player_id, session.name) == (made.bot.id, made.bot.name)
    assert (session.is_bot, session.is_guest, session.by_cookie) == (True, False, False)
    assert session.scopes == {Scope.READ, Scope.PLAY}
    assert not owner.is_bot
    assert made.token not in await everything_in(here.directory.pool)
    assert made.token not in repr(made)


async def test_everybody_may_know_whose_bot_it_is_and_what_plays(here: World) -> None:
    owner = await owner_in(here)
    bot = (await bot_in(here, owner)).bot
    assert (await player(here.directory, bot.id)).is_bot
    assert (await me(here.directory, bot.id)).is_bot
    assert not (await player(here.directory, owner.player_id)).is_bot
    card = await bot_card(here.directory.pool, bot.id)
    assert card is not None
    assert (card.engine, card.owner, card.owner_name) == ("furthest 1.0", owner.player_id, owner.name)
    assert await bot_card(here.directory.pool, owner.player_id) is None


async def test_a_guest_a_bot_and_a_program_make_no_bots(here: World) -> None:
    wanted = MakeBot(name=some_name(), engine="furthest")
    guest = (await here.guest()).session
    assert await problem_of(make_bot(here.directory, guest, wanted)) == "needs_account"
    owner = await owner_in(here)
    program = await make_token(here.directory, owner, MakeToken(name="mine", scopes=("account",)))
    for token in (program.token, (await bot_in(here, owner)).token):
        session = await here.sessions.find(token)
        assert session is not None
        assert await problem_of(make_bot(here.directory, session, wanted)) == "forbidden"


async def test_a_bot_becomes_no_admin(here: World) -> None:
    bot = (await bot_in(here, await owner_in(here))).bot
    assert await problem_of(set_admin(here.sessions, bot.id, is_admin=True)) == "no_such_player"


async def test_a_bot_has_a_name_of_its_own_and_an_engine(here: World) -> None:
    owner = await owner_in(here)
    assert (
        await problem_of(make_bot(here.directory, owner, MakeBot(name=owner.name, engine="x")))
        == "name_taken"
    )
    assert (
        await problem_of(make_bot(here.directory, owner, MakeBot(name=some_name(), engine=" \n"))) == "unfit"
    )


async def test_an_owner_has_a_few_bots_listed_the_newest_first(here: World) -> None:
    owner = await owner_in(here)
    made = []
    for _ in range(MOST_BOTS):
        here.clock.after(seconds=1)
        made.append((await bot_in(here, owner)).bot)
    assert (await bots_of(here.directory, owner.player_id)).bots == tuple(reversed(made))
    assert await problem_of(bot_in(here, owner)) == "unfit"
    await delete_bot(here.sessions, owner, made[0].id)
    assert (await bot_in(here, owner)).bot.id in {
        bot.id for bot in (await bots_of(here.directory, owner.player_id)).bots
    }


async def test_a_new_token_ends_the_old_one(here: World) -> None:
    owner = await owner_in(here)
    first = await bot_in(here, owner)
    assert await here.sessions.find(first.token) is not None
    second = await renew_bot_token(here.sessions, owner, first.bot.id)
    assert len(here.closed) >= 1
    assert await here.sessions.find(first.token) is None
    assert await here.sessions.find(second.token) is not None


async def test_a_bot_is_only_its_owners_to_renew_and_to_delete(here: World) -> None:
    bot = (await bot_in(here, await owner_in(here))).bot
    other = await owner_in(here)
    for bot_id in (bot.id, uuid4(), other.player_id):
        assert await problem_of(renew_bot_token(here.sessions, other, bot_id)) == "no_such_player"
        assert await problem_of(delete_bot(here.sessions, other, bot_id)) == "no_such_player"


async def test_a_bot_goes_with_its_owner_and_every_part_forgets_it(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    assert await here.sessions.find(made.token) is not None
    forgotten: list[UUID] = []

    async def forget(_: object, player_id: UUID) -> None:
        forgotten.append(player_id)

    await leave_for_good(here.sessions, owner, [forget])
    assert forgotten == [made.bot.id, owner.player_id]
    assert await here.sessions.find(made.token) is None
    everything = await everything_in(here.directory.pool)
    assert made.bot.name not in everything
    assert owner.name not in everything


async def test_a_deleted_bot_leaves_its_name_and_its_owner_stays(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    await delete_bot(here.sessions, owner, made.bot.id)
    assert await here.sessions.find(made.token) is None
    assert await problem_of(player(here.directory, made.bot.id)) == "no_such_player"
    assert (await me(here.directory, owner.player_id)).name == owner.name
    assert await problem_of(delete_me(here.sessions, made.bot.id)) == "no_such_player"


async def test_a_ban_of_the_owner_holds_for_the_bot(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    assert await here.sessions.find(made.token) is not None
    await ban(here.sessions, owner.player_id, 7)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert session.scopes == {Scope.READ}
    await lift_ban(here.sessions, owner.player_id)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert Scope.PLAY in session.scopes


async def test_who_is_signed_out_everywhere_has_no_bot_that_goes_on(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    assert await here.sessions.find(made.token) is not None
    assert await here.sessions.revoke_all(owner.player_id) == 2
    assert await here.sessions.find(made.token) is None
    assert (await bots_of(here.directory, owner.player_id)).bots[0].seen is None


async def test_an_owner_takes_the_bots_along(here: World) -> None:
    owner = await owner_in(here)
    bot = (await bot_in(here, owner)).bot
    assert (await export_me(here.directory, owner, {})).bots == (bot,)


LEAVES: Final = "UPDATE directory.players SET deleted_at = $2 WHERE player_id = $1"
"""All that a node of the release before does: it knows of no bots."""


async def test_no_bot_goes_on_whose_owner_left_by_a_node_of_the_release_before(here: World) -> None:
    owner = await owner_in(here)
    made = await bot_in(here, owner)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert not await here.sessions.ended_among([session.id])
    await here.directory.pool.execute(LEAVES, owner.player_id, here.clock())
    assert await here.sessions.ended_among([session.id]) == {session.id}
    assert await here.sessions.find(made.token) is None
    assert await here.another_node().find(made.token) is None


async def test_a_bot_whose_owner_left_by_a_node_of_the_release_before_is_swept(here: World) -> None:
    owner = await owner_in(here)
    gone, stays = await bot_in(here, owner), await bot_in(here, await owner_in(here))
    await here.directory.pool.execute(LEAVES, owner.player_id, here.clock())
    assert await erase_lost_guests(here.sessions, []) == 1
    assert await erase_lost_guests(here.sessions, []) == 0
    everything = await everything_in(here.directory.pool)
    assert gone.bot.name not in everything
    assert stays.bot.name in everything


async def test_a_token_is_renewed_while_nobody_else_changes_the_bot(
    here: World, databases: Databases
) -> None:
    owner = await owner_in(here)
    bot = (await bot_in(here, owner)).bot
    async with player_locked(here.directory, bot.id) as connection:
        renewing = asyncio.create_task(problem_of(renew_bot_token(here.sessions, owner, bot.id)))
        await until_blocked(databases)
        await connection.execute(LEAVES, bot.id, here.clock())
    assert await renewing == "no_such_player"


async def test_an_owner_who_leaves_in_one_tab_and_deletes_a_bot_in_another_waits_for_neither(
    here: World, databases: Databases
) -> None:
    owner = await owner_in(here)
    bots = [(await bot_in(here, owner)).bot.id for _ in range(2)]
    deleting: list[asyncio.Task[str]] = []

    async def meanwhile(_: object, player_id: UUID) -> None:
        if player_id == min(bots):
            deleting.append(asyncio.create_task(problem_of(delete_bot(here.sessions, owner, player_id))))
            await until_blocked(databases)

    await delete_me(here.sessions, owner.player_id, [meanwhile])
    # The sessions of the other tab have ended too.
    assert await deleting[0] == "no_such_player"


async def test_a_block_of_an_owner_or_by_one_holds_for_the_bots(here: World) -> None:
    owner, other = await owner_in(here), (await here.guest()).session.player_id
    bots = [(await bot_in(here, owner)).bot.id for _ in range(2)]
    for one, two in ((owner.player_id, other), (other, owner.player_id)):
        await block(here.directory, one, two)
        assert await blocked_among(here.directory, other, [*bots, uuid4()]) == set(bots)
        assert await blocked_among(here.directory, bots[0], [other, bots[1], owner.player_id]) == {other}
        await unblock(here.directory, one, two)


async def test_who_blocks_a_bot_may_still_meet_its_owner(here: World) -> None:
    owner, other = await owner_in(here), (await here.guest()).session.player_id
    bots = [(await bot_in(here, owner)).bot.id for _ in range(2)]
    await block(here.directory, other, bots[0])
    assert await blocked_among(here.directory, other, [*bots, owner.player_id]) == {bots[0]}
    assert await blocked_among(here.directory, owner.player_id, [other]) == set()
    assert await blocked_among(here.directory, bots[0], [other]) == {other}
