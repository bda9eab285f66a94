"""Visitors sent to the club's provider must come back in the same browser, once, and in time."""

from dataclasses import replace

from asyncpg import Pool

from cartagena.server.accounts.club.sign_in import LIFETIME, Errand, Slip, receive, send
from cartagena.server.accounts.personal_data import sweep
from tests.server.accounts_world import everything_in, problem_of, world

NOBODY = Errand(player_id=None, joins=False, back="/account")


async def test_a_slip_brings_its_errand_back_once(directory: Pool) -> None:
    here = world(directory)
    guest = (await here.guest()).session.player_id
    errand = Errand(player_id=guest, joins=True, back="/table/1")
    slip, other = await send(here.directory, errand), await send(here.directory, NOBODY)
    assert await receive(here.directory, slip) == errand
    assert await problem_of(receive(here.directory, slip)) == "wrong_proof"
    assert await receive(here.directory, other) == NOBODY


async def test_another_browser_or_another_state_finds_nothing_and_spoils_nothing(directory: Pool) -> None:
    here = world(directory)
    slip, other = await send(here.directory, NOBODY), await send(here.directory, NOBODY)
    for wrong in (
        replace(slip, browser=other.browser),
        replace(slip, state=other.state),
        replace(slip, browser=""),
        Slip(state="", browser=""),
    ):
        assert await problem_of(receive(here.directory, wrong)) == "wrong_proof"
    assert await receive(here.directory, slip) == NOBODY


async def test_an_errand_lasts_some_minutes_and_is_swept_away(directory: Pool) -> None:
    here = world(directory)
    slip = await send(here.directory, NOBODY)
    here.clock.after(seconds=LIFETIME.total_seconds())
    assert await problem_of(receive(here.directory, slip)) == "wrong_proof"
    here.clock.after(seconds=1)
    assert await sweep(here.directory) == 1
    assert await directory.fetchval("SELECT count(*) FROM directory.club_errands") == 0


async def test_what_follows_from_a_slip_is_its_own_and_kept_nowhere(directory: Pool) -> None:
    here = world(directory)
    slip, other = await send(here.directory, NOBODY), await send(here.directory, NOBODY)
    words = {
        word
        for one in (slip, other, replace(slip, browser=other.browser))
        for word in (one.nonce, one.verifier, one.challenge)
    }
    assert len(words) == 9
    assert all(len(word) == 43 for word in words), "as long as PKCE wants a verifier at least"
    kept = await everything_in(directory)
    assert not [word for word in (*words, slip.state, slip.browser) if word in kept]
    assert slip.state not in repr(slip)
    assert slip.browser not in repr(slip)
