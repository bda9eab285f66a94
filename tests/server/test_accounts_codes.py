"""Codes that people type: recovery codes and those for another device."""

import asyncio
import hashlib
import re
import time
from collections import Counter
from random import Random
from uuid import UUID

import pytest
from asyncpg import Pool

from cartagena.messages.accounts import DeviceCodeMessage, MakeToken
from cartagena.server.accounts import codes
from cartagena.server.accounts.codes import ALPHABET, CodeForm, new_code, read, written
from cartagena.server.accounts.passkeys import sign_in
from cartagena.server.accounts.passkeys.sign_in import renew_recovery_codes, use_recovery_code
from cartagena.server.accounts.sessions import devices
from cartagena.server.accounts.sessions.devices import (
    make_device_code,
    make_token,
    qr_svg,
    redeem_device_code,
)
from cartagena.server.accounts.sessions.tokens import Admission
from cartagena.tables.errors import ServiceError
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, registered
from tests.server.accounts_world import BROWSER, PROGRAM, World, everything_in, problem_of, some_name, world

PAGE = "https://play.example.org/device"


async def code_for(here: World, admission: Admission) -> DeviceCodeMessage:
    """A code that lets another device in."""
    return await make_device_code(here.directory, await here.found(admission), PAGE)


def wrong_proofs(code: str) -> list[str]:
    """Codes that are found like `code` but prove nothing."""
    return [code[:-1] + letter for letter in ALPHABET if letter != code[-1]]


async def test_another_device_plays_on_by_a_code(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    made = await code_for(here, admission)
    assert re.fullmatch(f"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", made.code)
    typed = f" {made.code.lower().replace('-', ' ')} "
    entered = await redeem_device_code(here.directory, typed, PROGRAM)
    assert entered.session.player_id == admission.session.player_id
    assert entered.session.id != admission.session.id
    assert await here.sessions.find(entered.token) == entered.session


async def test_a_device_code_works_once(directory: Pool) -> None:
    here = world(directory)
    made = await code_for(here, await here.guest())
    tries = await asyncio.gather(
        *(redeem_device_code(here.directory, made.code, BROWSER) for _ in range(8)), return_exceptions=True
    )
    assert sum(isinstance(one, Admission) for one in tries) == 1
    assert {one.problem.code for one in tries if isinstance(one, ServiceError)} == {"wrong_proof"}


async def test_a_device_code_runs_out_after_ten_minutes(directory: Pool) -> None:
    here = world(directory)
    made = await code_for(here, await here.guest())
    here.clock.after(minutes=10)
    assert await problem_of(redeem_device_code(here.directory, made.code, BROWSER)) == "wrong_proof"


async def test_a_new_device_code_replaces_the_last_one(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    first, second = await code_for(here, admission), await code_for(here, admission)
    assert await problem_of(redeem_device_code(here.directory, first.code, BROWSER)) == "wrong_proof"
    await redeem_device_code(here.directory, second.code, BROWSER)


async def test_four_wrong_guesses_do_no_harm_and_five_do(directory: Pool) -> None:
    here = world(directory)
    for guesses, works in ((devices.ATTEMPTS - 1, True), (devices.ATTEMPTS, False)):
        made = await code_for(here, await here.guest())
        for guess in wrong_proofs(made.code)[:guesses]:
            assert await problem_of(redeem_device_code(here.directory, guess, BROWSER)) == "wrong_proof"
        redeemed = redeem_device_code(here.directory, made.code, BROWSER)
        if works:
            await redeemed
        else:
            assert await problem_of(redeemed) == "wrong_proof"


async def test_guesses_at_the_same_time_are_all_counted(directory: Pool) -> None:
    here = world(directory)
    made = await code_for(here, await here.guest())
    guesses = [redeem_device_code(here.directory, guess, BROWSER) for guess in wrong_proofs(made.code)]
    await asyncio.gather(*guesses, return_exceptions=True)
    assert await problem_of(redeem_device_code(here.directory, made.code, BROWSER)) == "wrong_proof"


@pytest.mark.parametrize("code", ["", "ABCD", "ABCDEFGHJ", "ABCD-EFG1", "ABCD-EFGI", "\x00" * 8, "ÄBCDEFGH"])
async def test_what_can_be_no_code_is_refused(directory: Pool, code: str) -> None:
    here = world(directory)
    assert await problem_of(redeem_device_code(here.directory, code, BROWSER)) == "wrong_proof"
    assert await problem_of(use_recovery_code(here.directory, code, BROWSER)) == "wrong_proof"


async def test_a_recovery_code_lets_its_player_in_once(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    codes = (await registered(here, admission, Authenticator(ORIGIN), some_name())).recovery_codes
    for code in codes:
        tries = await asyncio.gather(
            *(use_recovery_code(here.directory, code.lower(), BROWSER) for _ in range(3)),
            return_exceptions=True,
        )
        (entered,) = [one for one in tries if isinstance(one, Admission)]
        assert entered.session.player_id == admission.session.player_id


async def test_a_recovery_code_guessed_at_too_often_is_worth_nothing(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    codes = (await registered(here, admission, Authenticator(ORIGIN), some_name())).recovery_codes
    for guess in wrong_proofs(codes[0])[: sign_in.ATTEMPTS]:
        assert await problem_of(use_recovery_code(here.directory, guess, BROWSER)) == "wrong_proof"
    assert await problem_of(use_recovery_code(here.directory, codes[0], BROWSER)) == "wrong_proof"
    await use_recovery_code(here.directory, codes[1], BROWSER)


async def test_new_recovery_codes_replace_the_old_ones(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    old = (await registered(here, admission, Authenticator(ORIGIN), some_name())).recovery_codes
    new = await renew_recovery_codes(here.directory, await here.found(admission))
    assert len(set(new) | set(old)) == 20
    assert await problem_of(use_recovery_code(here.directory, old[0], BROWSER)) == "wrong_proof"
    await use_recovery_code(here.directory, new[0], BROWSER)


async def test_a_guest_has_no_recovery_codes(directory: Pool) -> None:
    here = world(directory)
    session = (await here.guest()).session
    assert await problem_of(renew_recovery_codes(here.directory, session)) == "needs_account"


async def test_codes_are_kept_as_hashes(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    made = await registered(here, admission, Authenticator(ORIGIN), some_name())
    shown = [(code, sign_in.FORM) for code in made.recovery_codes]
    shown.append(((await code_for(here, admission)).code, devices.FORM))
    kept = await everything_in(directory)
    for code, form in shown:
        assert read(code, form).locator in kept
        assert read(code, form).proof not in kept
    assert made.recovery_codes[0] not in repr(made)


async def test_a_guess_is_slow(usual_work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fiftieth of a second, and eight megabytes."""
    monkeypatch.setattr(codes, "WORK", usual_work)
    begun = time.process_time()
    await codes.proof_hash(UUID(int=0), "KRAKEN")
    assert time.process_time() - begun > 0.005


async def test_a_personal_token_makes_no_codes(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), some_name())
    wanted = MakeToken(name="bot", scopes=("account",))
    made = await make_token(here.directory, await here.found(admission), wanted)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert await problem_of(make_device_code(here.directory, session, PAGE)) == "forbidden"
    assert await problem_of(renew_recovery_codes(here.directory, session)) == "forbidden"


async def test_the_picture_leads_to_the_page_with_the_code(directory: Pool) -> None:
    here = world(directory)
    made = await code_for(here, await here.guest())
    assert made.qr.startswith("<svg")
    assert made.qr == qr_svg(f"{PAGE}#{made.code}")
    assert made.qr != qr_svg(PAGE)


def test_every_letter_of_a_code_is_as_likely_as_any_other() -> None:
    form = CodeForm(locator=3, proof=5, group=4)
    drawn = Counter(
        letter
        for seed in range(5_000)
        for letter in written(new_code(form, Random(seed).randbytes), form).replace("-", "")
    )
    assert set(drawn) == set(ALPHABET)
    # 256 is no multiple of 22: taken as they come, bytes would favour the first 14 letters by 9 %.
    share = sum(drawn[letter] for letter in ALPHABET[:14]) / sum(drawn.values())
    assert abs(share - 14 / 22) < 0.01


def test_a_code_is_read_as_it_was_written() -> None:
    for form in (devices.FORM, sign_in.FORM):
        for seed in range(50):
            code = new_code(form, Random(seed).randbytes)
            assert read(written(code, form), form) == code
            assert code.proof not in repr(code)


async def test_a_code_of_an_earlier_release_still_opens(directory: Pool) -> None:
    here = world(directory)
    made = await registered(here, await here.guest(), Authenticator(ORIGIN), some_name())
    code = read(made.recovery_codes[0], sign_in.FORM)
    code_id = await directory.fetchval(
        "SELECT code_id FROM directory.recovery_codes WHERE locator = $1", code.locator
    )
    older = hashlib.sha256(code_id.bytes + code.proof.encode()).digest()
    await directory.execute(
        "UPDATE directory.recovery_codes SET proof_hash = $2 WHERE code_id = $1", code_id, older
    )
    await use_recovery_code(here.directory, made.recovery_codes[0], BROWSER)
    kept = await directory.fetchval("SELECT proof_hash FROM directory.recovery_codes LIMIT 1")
    assert len(kept) > len(older)
