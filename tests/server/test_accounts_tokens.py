"""Personal tokens: a program has no more rights than its owner gave it."""

import pytest
from asyncpg import Pool

from cartagena.endpoints.callers import Scope
from cartagena.messages.accounts import MakeToken, ScopeWord
from cartagena.server.accounts.moderation import ban, set_admin
from cartagena.server.accounts.sessions.devices import MOST_TOKENS, make_token, tokens_of
from cartagena.server.accounts.sessions.tokens import PERSONAL, sessions_of
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, registered
from tests.server.accounts_world import everything_in, problem_of, some_name, world


@pytest.mark.parametrize("scopes", [("read",), ("read", "play"), ("read", "play", "account")])
async def test_a_token_has_the_scopes_it_was_made_with(
    directory: Pool, scopes: tuple[ScopeWord, ...]
) -> None:
    here = world(directory)
    owner = (await here.guest()).session
    made = await make_token(here.directory, owner, MakeToken(name="my bot", scopes=scopes))
    session = await here.sessions.find(made.token)
    assert session is not None
    assert session.scopes == frozenset(map(Scope, scopes))
    assert session.player_id == owner.player_id
    assert not session.by_cookie
    assert set(made.made.scopes) == set(scopes)
    assert made.token not in await everything_in(directory)
    assert made.token not in repr(made)


async def test_a_token_needs_a_name_and_a_scope(directory: Pool) -> None:
    here = world(directory)
    owner = (await here.guest()).session
    for wanted in (MakeToken(name=" \n", scopes=("read",)), MakeToken(name="bot", scopes=())):
        assert await problem_of(make_token(here.directory, owner, wanted)) == "unfit"


async def test_a_token_has_no_more_scopes_than_its_maker(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await ban(here.sessions, admission.session.player_id, 7)
    maker = await here.found(admission)
    assert Scope.PLAY not in maker.scopes
    wanted = MakeToken(name="bot", scopes=("read", "play"))
    assert await problem_of(make_token(here.directory, maker, wanted)) == "missing_scope"
    assert await tokens_of(here.directory, maker.player_id) == ()


async def test_a_token_makes_no_token(directory: Pool) -> None:
    here = world(directory)
    owner = (await here.guest()).session
    wanted = MakeToken(name="bot", scopes=("account",))
    first = await here.sessions.find((await make_token(here.directory, owner, wanted)).token)
    assert first is not None
    assert await problem_of(make_token(here.directory, first, wanted)) == "forbidden"


async def test_the_token_of_an_admin_is_no_admin(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), some_name())
    await set_admin(here.sessions, admission.session.player_id, is_admin=True)
    admin = await here.found(admission)
    assert admin.scopes == PERSONAL | {Scope.ADMIN}
    wanted = MakeToken(name="bot", scopes=("read", "play", "account"))
    session = await here.sessions.find((await make_token(here.directory, admin, wanted)).token)
    assert session is not None
    assert session.scopes == PERSONAL
    await set_admin(here.sessions, admin.player_id, is_admin=False)
    assert (await here.found(admission)).scopes == PERSONAL


async def test_a_guest_becomes_no_admin(directory: Pool) -> None:
    here = world(directory)
    guest = (await here.guest()).session
    assert await problem_of(set_admin(here.sessions, guest.player_id, is_admin=True)) == "no_such_player"


async def test_tokens_are_listed_apart_and_revoked_one_by_one(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    owner = admission.session
    made = []
    for name in ("one", "two"):
        here.clock.after(seconds=1)
        made.append(await make_token(here.directory, owner, MakeToken(name=name, scopes=("play", "read"))))
    assert [token.name for token in await tokens_of(here.directory, owner.player_id)] == ["two", "one"]
    assert [one.id for one in await sessions_of(here.directory, owner)] == [owner.id]
    await here.sessions.revoke_others(owner)
    assert len(await tokens_of(here.directory, owner.player_id)) == 2
    await here.sessions.revoke(owner.player_id, made[0].made.id)
    assert await here.sessions.find(made[0].token) is None
    assert await here.sessions.find(made[1].token) is not None
    assert [token.name for token in await tokens_of(here.directory, owner.player_id)] == ["two"]


async def test_a_token_lasts_until_it_is_revoked(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    made = await make_token(here.directory, admission.session, MakeToken(name="bot", scopes=("read",)))
    here.clock.after(days=400)
    assert await here.sessions.find(made.token) is not None
    assert await here.sessions.find(admission.token) is None
    here.clock.after(days=400)
    assert await here.sessions.find(made.token) is not None


async def test_a_player_has_so_many_tokens_and_no_more(directory: Pool) -> None:
    here = world(directory)
    owner = (await here.guest()).session
    wanted = MakeToken(name="bot", scopes=("read",))
    for _ in range(MOST_TOKENS):
        await make_token(here.directory, owner, wanted)
    assert await problem_of(make_token(here.directory, owner, wanted)) == "unfit"
