"""Players prove who they are before they change ways in: a session alone may be stolen."""

from collections.abc import Awaitable, Callable

import pytest
from asyncpg import Pool

from cartagena.endpoints.callers import Session
from cartagena.messages.accounts import MakeToken
from cartagena.server.accounts.passkeys.keys import passkeys_of, remove_passkey
from cartagena.server.accounts.passkeys.registration import begin_registration
from cartagena.server.accounts.passkeys.sign_in import (
    begin_sign_in,
    prove_oneself,
    renew_recovery_codes,
    use_recovery_code,
)
from cartagena.server.accounts.sessions.devices import make_device_code, make_token, redeem_device_code
from cartagena.server.accounts.sessions.tokens import Admission
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, PARTY, registered, signed_in
from tests.server.accounts_world import BROWSER, World, problem_of, some_name, world


async def add_passkey(here: World, session: Session) -> None:
    await begin_registration(here.directory, PARTY, session, None)


async def take_passkey_away(here: World, session: Session) -> None:
    newest = (await passkeys_of(here.directory, session.player_id))[-1]
    await remove_passkey(here.directory, session, newest.id)


async def renew_codes(here: World, session: Session) -> None:
    await renew_recovery_codes(here.directory, session)


CHANGES = (add_passkey, take_passkey_away, renew_codes)
Change = Callable[[World, Session], Awaitable[None]]


async def two_passkeys(here: World, device: Authenticator) -> Admission:
    """A player who registered a name and two passkeys an hour ago."""
    admission = await here.guest()
    await registered(here, admission, device, some_name())
    await registered(here, admission, Authenticator(ORIGIN))
    here.clock.after(hours=1)
    return admission


async def by_device_code(here: World, admission: Admission) -> Session:
    """A session of the player on another device, opened with a code read off a screen."""
    told = await make_device_code(here.directory, await here.found(admission), "https://here/sign-in")
    return (await redeem_device_code(here.directory, told.code, BROWSER)).session


async def prove(here: World, session: Session, device: Authenticator) -> None:
    options = await begin_sign_in(here.directory, PARTY)
    here.keep(await prove_oneself(here.sessions, PARTY, session, device.get(options.public_key)))


@pytest.mark.parametrize("change", CHANGES)
async def test_a_session_alone_changes_no_way_in(directory: Pool, change: Change) -> None:
    here = world(directory)
    admission = await two_passkeys(here, Authenticator(ORIGIN))
    for session in (await here.found(admission), await by_device_code(here, admission)):
        assert await problem_of(change(here, session)) == "needs_proof"


@pytest.mark.parametrize("change", CHANGES)
async def test_who_signs_in_with_a_passkey_may_for_a_quarter_of_an_hour(
    directory: Pool, change: Change
) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    await two_passkeys(here, device)
    session = (await signed_in(here, device)).session
    here.clock.after(minutes=15)
    await change(here, session)
    here.clock.after(seconds=1)
    assert await problem_of(renew_codes(here, session)) == "needs_proof"


async def test_a_recovery_code_shows_it_too(directory: Pool) -> None:
    here = world(directory)
    made = await registered(here, await here.guest(), Authenticator(ORIGIN), some_name())
    entered = await use_recovery_code(here.directory, made.recovery_codes[0], BROWSER)
    await renew_codes(here, entered.session)


async def test_a_guest_is_asked_for_nothing_and_has_shown_it_with_his_first_passkey(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), some_name())
    await renew_codes(here, await here.found(admission))
    here.clock.after(minutes=16)
    assert await problem_of(renew_codes(here, await here.found(admission))) == "needs_proof"


async def test_a_door_that_still_takes_a_player_for_a_guest_asks_as_well(directory: Pool) -> None:
    here = world(directory)
    stale = (await two_passkeys(here, Authenticator(ORIGIN))).session
    assert stale.is_guest
    assert await problem_of(add_passkey(here, stale)) == "needs_proof"


async def test_one_of_his_passkeys_proves_who_somebody_is_where_he_is(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await two_passkeys(here, device)
    session = await here.found(admission)
    await prove(here, session, device)
    await renew_codes(here, session)
    phone = await by_device_code(here, admission)
    assert await problem_of(renew_codes(here, phone)) == "needs_proof"


async def test_a_proof_ends_the_token_that_a_thief_may_have(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await two_passkeys(here, device)
    session, stolen = await here.found(admission), here.jar[admission.session.id]
    there = here.another_node()
    assert await there.find(stolen) is not None
    await prove(here, session, device)
    assert here.closed[-1] == session.id
    there.forget(session.id)
    assert [await door.find(stolen) for door in (here.sessions, there)] == [None, None]
    assert (await here.found(admission)).id == session.id


async def test_of_two_tabs_that_prove_at_once_one_is_refused(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await two_passkeys(here, device)
    session = await here.found(admission)
    await prove(here, session, device)
    assert await problem_of(prove(here, session, device)) == "unauthenticated"
    assert (await here.found(admission)).id == session.id


async def test_a_personal_token_proves_nothing(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    owner = await here.found(await two_passkeys(here, device))
    made = await make_token(here.directory, owner, MakeToken(name="program", scopes=("read", "account")))
    program = await here.sessions.find(made.token)
    assert program is not None
    assert await problem_of(prove(here, program, device)) == "forbidden"


async def test_a_session_that_was_ended_meanwhile_gets_no_new_token(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await two_passkeys(here, device)
    session = await here.found(admission)
    await here.sessions.sign_out(session)
    assert await problem_of(prove(here, session, device)) == "forbidden"


async def test_the_passkey_of_another_player_proves_nothing(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    session = await here.found(await two_passkeys(here, Authenticator(ORIGIN)))
    await registered(here, await here.guest(), device, some_name())
    assert await problem_of(prove(here, session, device)) == "wrong_proof"
    assert await problem_of(renew_codes(here, session)) == "needs_proof"


async def test_a_proof_counts_once(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    session = await here.found(await two_passkeys(here, device))
    options = await begin_sign_in(here.directory, PARTY)
    answer = device.get(options.public_key)
    await prove_oneself(here.sessions, PARTY, session, answer)
    here.clock.after(minutes=1)
    assert await problem_of(prove_oneself(here.sessions, PARTY, session, answer)) == "wrong_proof"
