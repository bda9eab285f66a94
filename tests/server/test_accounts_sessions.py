"""Guests come in, are recognised by their token, and can be signed out."""

import asyncio
from datetime import timedelta

import pytest
from asyncpg import Pool, Record

from cartagena.messages.accounts import ChangeMe, Setting
from cartagena.server.accounts.players import become_guest, change_me, me, player, player_named
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import (
    PERSONAL,
    Admission,
    admit,
    hash_of,
    is_token,
    sessions_of,
)
from cartagena.server.store.databases import Databases
from tests.server.accounts_world import BROWSER, PROGRAM, World, everything_in, problem_of, some_name, world
from tests.server.databases import until_blocked

SEEN = "SELECT seen_at FROM directory.sessions WHERE session_id = $1"
END = "UPDATE directory.sessions SET revoked_at = now() WHERE session_id = $1"


async def test_a_guest_comes_in_by_a_name_and_is_found_by_his_token(directory: Pool) -> None:
    here = world(directory)
    admission = await become_guest(here.directory, " Anne Bonny ", BROWSER)
    session = await here.sessions.find(admission.token)
    assert session == admission.session
    assert (session.name, session.is_guest, session.by_cookie) == ("Anne Bonny", True, True)
    assert session.scopes == PERSONAL
    assert session.player_id.version == 7
    assert (await player(here.directory, session.player_id)).name == "Anne Bonny"


async def test_a_guest_without_a_name_gets_a_pirates(directory: Pool) -> None:
    here = world(directory)
    names = {(await here.guest()).session.name for _ in range(20)}
    assert len(names) > 5


async def test_a_guest_with_an_unfit_name_stays_outside(directory: Pool) -> None:
    here = world(directory)
    assert await problem_of(become_guest(here.directory, "#1", BROWSER)) == "unfit"


async def test_guests_may_be_called_alike(directory: Pool) -> None:
    here = world(directory)
    name = some_name()
    one, other = await here.guest(name), await here.guest(name)
    assert one.session.player_id != other.session.player_id
    assert await problem_of(player_named(here.directory, name)) == "no_such_player"


async def test_the_token_is_kept_nowhere(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    assert is_token(admission.token)
    assert len(admission.token) == 46
    kept = await everything_in(directory)
    assert hash_of(admission.token).hex() in kept
    assert admission.token not in kept
    assert admission.token[3:] not in kept
    assert admission.token not in repr(admission)
    assert repr(admission.session.token_hash) not in repr(admission)


@pytest.mark.parametrize(
    "token", ["", "ct_", "ct_" + "A" * 43, "ct_" + "A" * 42 + "\x00", "x" * 10_000, "ct_ü"]
)
async def test_a_wrong_token_finds_nobody(directory: Pool, token: str) -> None:
    here = world(directory)
    await here.guest()
    assert await here.sessions.find(token) is None


async def test_what_was_found_is_remembered_for_a_short_time_only(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await here.found(admission)
    await directory.execute(END, admission.session.id)
    here.clock.after(seconds=29)
    assert await here.sessions.find(admission.token) is not None
    here.clock.after(seconds=1)
    assert await here.sessions.find(admission.token) is None


async def test_signing_out_counts_at_once_here_and_on_other_nodes(directory: Pool) -> None:
    here = world(directory)
    there = here.another_node()
    admission = await here.guest()
    assert await there.find(admission.token) is not None
    await here.sessions.sign_out(await here.found(admission))
    assert await here.sessions.find(admission.token) is None
    assert here.closed == [admission.session.id]
    there.forget(here.closed[0])
    assert await there.find(admission.token) is None


async def test_what_was_revoked_while_it_was_read_is_not_remembered(
    directory: Pool, databases: Databases
) -> None:
    here = world(directory)
    admission = await here.guest()
    async with directory.acquire() as blocker:
        async with blocker.transaction():
            await blocker.execute("LOCK TABLE directory.sessions IN ACCESS EXCLUSIVE MODE")
            reading = asyncio.create_task(here.sessions.find(admission.token))
            await until_blocked(databases)
            assert not reading.done()
            here.sessions.forget(admission.session.id)
        assert await reading is not None
    await directory.execute(END, admission.session.id)
    assert await here.sessions.find(admission.token) is None


async def test_the_memory_of_the_door_is_bounded(directory: Pool) -> None:
    here = world(directory)
    door = SessionCache(here.directory, on_close=here.closed.append, most=3)
    guests = [await here.guest() for _ in range(5)]
    for guest in guests:
        assert await door.find(guest.token) is not None
    await directory.execute("UPDATE directory.sessions SET revoked_at = now()")
    remembered = [await door.find(guest.token) is not None for guest in guests]
    assert remembered == [False, False, True, True, True]
    for guest in guests:
        door.forget(guest.session.id)
    assert [await door.find(guest.token) for guest in guests] == [None] * 5


async def test_being_seen_is_written_once_an_hour_and_begins_the_lifetime_anew(directory: Pool) -> None:
    here = world(directory)
    start = here.clock()
    admission = await here.guest()
    here.clock.after(minutes=59)
    await here.found(admission)
    assert await directory.fetchval(SEEN, admission.session.id) == start
    later = here.clock.after(minutes=1)
    await here.found(admission)
    assert await directory.fetchval(SEEN, admission.session.id) == later
    for _ in range(5):
        here.clock.after(days=80)
        await here.found(admission)
    here.clock.after(days=90)
    assert await here.sessions.find(admission.token) is None


async def test_a_remembered_session_does_not_outlive_its_end(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    here.clock.after(days=90, seconds=-10)
    ends = "UPDATE directory.sessions SET expires_at = $2, seen_at = $3 WHERE session_id = $1"
    now = here.clock()
    await directory.execute(ends, admission.session.id, now + timedelta(seconds=10), now)
    await here.found(admission)
    here.clock.after(seconds=10)
    assert await here.sessions.find(admission.token) is None


async def test_a_player_sees_where_he_is_signed_in_and_ends_one(directory: Pool) -> None:
    here = world(directory)
    first = await here.guest()
    second = await _again(directory, first, here)
    listed = await sessions_of(here.directory, first.session)
    assert [(one.label, one.kind, one.is_this) for one in listed] == [
        ("terminal", "bearer", False),
        ("Firefox on a ship", "cookie", True),
    ]
    await here.sessions.revoke(first.session.player_id, second.session.id)
    assert await here.sessions.find(second.token) is None
    assert await here.sessions.find(first.token) is not None
    assert [one.id for one in await sessions_of(here.directory, first.session)] == [first.session.id]


async def test_nobody_ends_the_session_of_another(directory: Pool) -> None:
    here = world(directory)
    one, other = await here.guest(), await here.guest()
    assert await problem_of(here.sessions.revoke(one.session.player_id, other.session.id)) == "no_such_thing"
    assert await here.sessions.find(other.token) is not None
    assert here.closed == []


async def test_a_player_signs_out_everywhere_else(directory: Pool) -> None:
    here = world(directory)
    first = await here.guest()
    others = [await _again(directory, first, here) for _ in range(3)]
    stranger = await here.guest()
    assert await here.sessions.revoke_others(first.session) == 3
    assert set(here.closed) == {other.session.id for other in others}
    assert [await here.sessions.find(other.token) for other in others] == [None] * 3
    assert await here.sessions.find(first.token) is not None
    assert await here.sessions.find(stranger.token) is not None


async def test_a_guest_changes_his_name_and_is_known_by_it_at_once(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest("Anne")
    await here.found(admission)
    changed = await change_me(
        here.sessions, admission.session.player_id, ChangeMe(name="Mary", settings=None)
    )
    assert changed.name == "Mary"
    assert (await here.found(admission)).name == "Mary"
    assert (
        await problem_of(change_me(here.sessions, admission.session.player_id, ChangeMe(name=""))) == "unfit"
    )


async def test_settings_are_remembered_if_they_are_small_and_plain(directory: Pool) -> None:
    here = world(directory)
    player_id = (await here.guest()).session.player_id
    told: dict[str, Setting] = {"sound": True, "colour": "dark", "volume": 7}
    assert (await change_me(here.sessions, player_id, ChangeMe(settings=told))).settings == told
    assert (await change_me(here.sessions, player_id, ChangeMe(name="Mary"))).settings == told
    for bad in ("y" * 2_000, "\x00"):
        change = ChangeMe(settings={"x": bad})
        assert await problem_of(change_me(here.sessions, player_id, change)) == "unfit"
    assert (await me(here.directory, player_id)).settings == told


async def _again(pool: Pool, admission: Admission, here: World) -> Admission:
    async with pool.acquire() as connection:
        here.clock.after(seconds=1)
        return await admit(here.directory, connection, admission.session.player_id, PROGRAM)


async def test_many_who_come_at_once_are_read_together(
    directory: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(directory)
    admissions = [await here.guest() for _ in range(30)]
    read, sizes = here.sessions._read_rows, []

    async def counted(key: None, hashes: list[bytes]) -> dict[bytes, Record]:
        sizes.append(len(hashes))
        return await read(key, hashes)

    monkeypatch.setattr(here.sessions._rows, "_read", counted)
    tokens = [*(admission.token for admission in admissions), "ct_" + "A" * 43]
    found = await asyncio.gather(*(here.sessions.find(token) for token in tokens))
    assert sizes == [31]
    assert found == [*(admission.session for admission in admissions), None]


async def test_whoever_gives_up_waiting_takes_nobody_along(directory: Pool) -> None:
    here = world(directory)
    one, other = await here.guest(), await here.guest()
    leaving = asyncio.create_task(here.sessions.find(one.token))
    staying = asyncio.create_task(here.sessions.find(other.token))
    await asyncio.sleep(0)
    leaving.cancel()
    session = await staying
    assert session is not None
    assert session.id == other.session.id
