"""Passkeys: real ceremonies with an authenticator in software."""

import asyncio
import json
from random import Random

import pytest
from asyncpg import Pool
from msgspec import Raw

from cartagena.messages.accounts import ChangeMe, FinishPasskey, MakeToken
from cartagena.server.accounts.passkeys.keys import passkeys_of, remove_passkey, rename_passkey
from cartagena.server.accounts.passkeys.registration import begin_registration, finish_registration
from cartagena.server.accounts.passkeys.sign_in import begin_sign_in, finish_sign_in
from cartagena.server.accounts.players import change_me, me, player_named
from cartagena.server.accounts.sessions.devices import make_token
from cartagena.server.accounts.sessions.tokens import Admission
from cartagena.tables.errors import ServiceError
from harness.authenticator import Authenticator, decoded, encoded
from tests.server.accounts_ceremonies import ORIGIN, PARTY, registered, signed_in
from tests.server.accounts_world import BROWSER, PROGRAM, problem_of, some_name, world


async def test_the_first_passkey_turns_a_guest_into_a_player_with_a_name(directory: Pool) -> None:
    here, device, name = world(directory), Authenticator(ORIGIN), some_name()
    admission = await here.guest("Anne")
    made = await registered(here, admission, device, name)
    assert made.passkey.label == "my key"
    assert len(set(made.recovery_codes)) == 10
    session = await here.found(admission)
    assert (session.name, session.is_guest) == (name, False)
    assert session.player_id == admission.session.player_id
    assert (await player_named(here.directory, name.upper())).id == session.player_id
    about = await me(here.directory, session.player_id)
    assert (about.passkeys, about.recovery_codes) == (1, 10)


async def test_a_player_signs_in_with_his_passkey_and_says_no_name(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await here.guest()
    await registered(here, admission, device, some_name())
    options = json.loads(bytes((await begin_sign_in(here.directory, PARTY)).public_key))
    assert options["allowCredentials"] == []
    for _ in range(2):
        again = await signed_in(here, device)
        assert again.session.player_id == admission.session.player_id
        assert (await here.sessions.find(again.token)) == again.session
    (kept,) = await passkeys_of(here.directory, admission.session.player_id)
    assert kept.used is not None


async def test_an_authenticator_that_does_not_count_signs_in_as_well(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN, counts=False)
    admission = await here.guest()
    await registered(here, admission, device, some_name())
    for _ in range(3):
        assert (await signed_in(here, device)).session.player_id == admission.session.player_id


async def test_the_options_ask_for_a_passkey_that_names_its_player(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await here.guest()
    made = await begin_registration(here.directory, PARTY, admission.session, some_name())
    options = json.loads(bytes(made.public_key))
    assert options["rp"] == {"id": "play.example.org", "name": "Cartagena"}
    assert decoded(options["user"]["id"]) == admission.session.player_id.bytes
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["attestation"] == "none"
    assert len(decoded(options["challenge"])) == 32
    await registered(here, admission, device, some_name())
    second = await begin_registration(here.directory, PARTY, await here.found(admission), None)
    excluded = json.loads(bytes(second.public_key))["excludeCredentials"]
    assert [one["id"] for one in excluded] == [encoded(device.passkeys[0].credential_id)]


async def test_a_second_passkey_brings_no_codes_and_no_name(directory: Pool) -> None:
    here, name = world(directory), some_name()
    admission = await here.guest()
    await registered(here, admission, Authenticator(ORIGIN), name)
    phone = Authenticator("https://example.org:8443")
    made = await registered(here, admission, phone, some_name())
    assert made.recovery_codes == ()
    assert (await here.found(admission)).name == name
    assert (await signed_in(here, phone)).session.player_id == admission.session.player_id


async def test_a_name_belongs_to_one_player(directory: Pool) -> None:
    here, name = world(directory), some_name()
    first, second = await here.guest(), await here.guest(name)
    await registered(here, first, Authenticator(ORIGIN), name)
    for wanted in (name, name.upper(), None):
        begun = begin_registration(here.directory, PARTY, await here.found(second), wanted)
        assert await problem_of(begun) == "name_taken"
    await registered(here, second, Authenticator(ORIGIN), some_name())
    renamed = change_me(here.sessions, second.session.player_id, ChangeMe(name=name.swapcase()))
    assert await problem_of(renamed) == "name_taken"
    assert (await player_named(here.directory, name)).id == first.session.player_id


async def test_of_two_who_want_a_name_at_once_the_quicker_gets_it(directory: Pool) -> None:
    here, name = world(directory), some_name()
    guests = [await here.guest() for _ in range(4)]
    begun = [await begin_registration(here.directory, PARTY, one.session, name) for one in guests]
    answers = [
        FinishPasskey(credential=Authenticator(ORIGIN).create(options.public_key)) for options in begun
    ]
    finished = await asyncio.gather(
        *(
            finish_registration(here.sessions, PARTY, guest.session, answer)
            for guest, answer in zip(guests, answers, strict=True)
        ),
        return_exceptions=True,
    )
    refused = [one for one in finished if isinstance(one, ServiceError)]
    assert [one.problem.code for one in refused] == ["name_taken"] * 3
    count = "SELECT count(*) FROM directory.passkeys WHERE player_id = ANY($1)"
    assert await directory.fetchval(count, [guest.session.player_id for guest in guests]) == 1


async def test_an_answer_counts_once(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await here.guest()
    options = await begin_registration(here.directory, PARTY, admission.session, some_name())
    answer = FinishPasskey(credential=device.create(options.public_key))
    await finish_registration(here.sessions, PARTY, admission.session, answer)
    again = finish_registration(here.sessions, PARTY, admission.session, answer)
    assert await problem_of(again) == "wrong_proof"
    credential = device.get((await begin_sign_in(here.directory, PARTY)).public_key)
    tries = await asyncio.gather(
        *(finish_sign_in(here.directory, PARTY, credential, BROWSER) for _ in range(5)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Admission) for one in tries) == 1


async def test_a_challenge_runs_out(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    await registered(here, await here.guest(), device, some_name())
    options = await begin_sign_in(here.directory, PARTY)
    here.clock.after(minutes=5)
    late = finish_sign_in(here.directory, PARTY, device.get(options.public_key), BROWSER)
    assert await problem_of(late) == "wrong_proof"


async def test_a_challenge_that_was_never_asked_is_worth_nothing(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    await registered(here, await here.guest(), device, some_name())
    options = Raw(json.dumps({"challenge": encoded(bytes(32)), "rpId": PARTY.id}).encode())
    own = finish_sign_in(here.directory, PARTY, device.get(options), BROWSER)
    assert await problem_of(own) == "wrong_proof"


async def test_a_challenge_serves_its_own_purpose_only(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await here.guest()
    await registered(here, admission, device, some_name())
    begun = await begin_registration(here.directory, PARTY, await here.found(admission), None)
    challenge = json.loads(bytes(begun.public_key))["challenge"]
    options = Raw(json.dumps({"challenge": challenge, "rpId": PARTY.id}).encode())
    mixed = finish_sign_in(here.directory, PARTY, device.get(options), BROWSER)
    assert await problem_of(mixed) == "wrong_proof"


async def test_a_challenge_is_for_the_player_who_was_asked(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    victim, thief = await here.guest(), await here.guest()
    options = await begin_registration(here.directory, PARTY, thief.session, some_name())
    answer = FinishPasskey(credential=device.create(options.public_key))
    stolen = finish_registration(here.sessions, PARTY, victim.session, answer)
    assert await problem_of(stolen) == "wrong_proof"
    assert await passkeys_of(here.directory, victim.session.player_id) == ()


@pytest.mark.parametrize("bent", [{"origin": "https://evil.example"}, {"type": "webauthn.other"}])
async def test_an_answer_from_another_place_is_refused(directory: Pool, bent: dict[str, str]) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    admission = await here.guest()
    options = await begin_registration(here.directory, PARTY, admission.session, some_name())
    answer = FinishPasskey(credential=device.create(options.public_key, **bent))
    made = finish_registration(here.sessions, PARTY, admission.session, answer)
    assert await problem_of(made) == "wrong_proof"
    await registered(here, admission, device, some_name())
    asked = await begin_sign_in(here.directory, PARTY)
    credential = device.get(asked.public_key, **bent)
    assert await problem_of(finish_sign_in(here.directory, PARTY, credential, BROWSER)) == "wrong_proof"


async def test_a_copied_key_is_betrayed_by_its_count(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    await registered(here, await here.guest(), device, some_name())
    for _ in range(3):
        await signed_in(here, device)
    device.passkeys[0].count = 1
    assert await problem_of(signed_in(here, device)) == "wrong_proof"


async def test_a_passkey_signs_in_nobody_but_its_player(directory: Pool) -> None:
    here, mine, yours = world(directory), Authenticator(ORIGIN), Authenticator(ORIGIN)
    await registered(here, await here.guest(), mine, some_name())
    victim = await here.guest()
    await registered(here, victim, yours, some_name())
    forged = mine.passkeys[0]
    forged.user_handle = victim.session.player_id.bytes
    assert await problem_of(signed_in(here, mine)) == "wrong_proof"
    forged.credential_id = yours.passkeys[0].credential_id
    assert await problem_of(signed_in(here, mine)) == "wrong_proof"


async def test_a_damaged_registration_is_refused_in_good_order(directory: Pool) -> None:
    here, device, chance = world(directory), Authenticator(ORIGIN), Random(1697)
    refusals = []
    for _ in range(150):
        session = (await here.guest()).session
        begun = await begin_registration(here.directory, PARTY, session, some_name())
        credential = _damaged(device.create(begun.public_key), "attestationObject", chance)
        try:
            await finish_registration(here.sessions, PARTY, session, FinishPasskey(credential=credential))
        except ServiceError as error:
            refusals.append(error.problem.code)
    # An attestation of format "none" is not signed: the bits of the id and the maker may change freely.
    assert len(refusals) >= 100
    assert set(refusals) == {"wrong_proof"}


async def test_a_key_that_is_no_point_of_the_curve_is_not_kept(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    session = (await here.guest()).session
    begun = await begin_registration(here.directory, PARTY, session, some_name())
    told = json.loads(bytes(device.create(begun.public_key)))
    data = bytearray(decoded(told["response"]["attestationObject"]))
    data[-1] ^= 1
    told["response"]["attestationObject"] = encoded(bytes(data))
    answer = FinishPasskey(credential=Raw(json.dumps(told).encode()))
    assert await problem_of(finish_registration(here.sessions, PARTY, session, answer)) == "wrong_proof"


async def test_a_damaged_signature_opens_nothing(directory: Pool) -> None:
    here, device, chance = world(directory), Authenticator(ORIGIN), Random(1697)
    await registered(here, await here.guest(), device, some_name())
    for _ in range(100):
        asked = await begin_sign_in(here.directory, PARTY)
        part = chance.choice(["authenticatorData", "signature", "clientDataJSON"])
        credential = _damaged(device.get(asked.public_key), part, chance)
        entered = finish_sign_in(here.directory, PARTY, credential, BROWSER)
        assert await problem_of(entered) == "wrong_proof"


@pytest.mark.parametrize(
    "credential",
    [
        "null",
        "[]",
        "{}",
        '{"response":{"clientDataJSON":"!"}}',
        '{"response":{"clientDataJSON":"AA"}}',
        '{"response":{"clientDataJSON":"e30"}}',
        '{"response":{"clientDataJSON":"\xfc"}}',
    ],
)
async def test_what_is_no_answer_is_refused(directory: Pool, credential: str) -> None:
    here = world(directory)
    raw = Raw(credential.encode())
    assert await problem_of(finish_sign_in(here.directory, PARTY, raw, BROWSER)) == "wrong_proof"
    session = (await here.guest()).session
    made = finish_registration(here.sessions, PARTY, session, FinishPasskey(credential=raw))
    assert await problem_of(made) == "wrong_proof"


async def test_passkeys_get_labels_and_go_but_the_last_one_stays(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    player_id = admission.session.player_id
    first = await registered(here, admission, Authenticator(ORIGIN), some_name())
    here.clock.after(seconds=1)
    second = await registered(here, admission, Authenticator(ORIGIN))
    renamed = await rename_passkey(here.directory, player_id, first.passkey.id, " the\nold one ")
    assert renamed.label == "the old one"
    listed = await passkeys_of(here.directory, player_id)
    assert [one.label for one in listed] == ["the old one", "my key"]
    stranger = (await here.guest()).session
    for doing in (
        rename_passkey(here.directory, stranger.player_id, first.passkey.id, "mine"),
        remove_passkey(here.directory, stranger, first.passkey.id),
    ):
        assert await problem_of(doing) == "no_such_thing"
    session = await here.found(admission)
    await remove_passkey(here.directory, session, first.passkey.id)
    assert await problem_of(remove_passkey(here.directory, session, second.passkey.id)) == "unfit"
    assert [one.id for one in await passkeys_of(here.directory, player_id)] == [second.passkey.id]


async def test_two_passkeys_removed_at_once_leave_one(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    player_id = admission.session.player_id
    made = [await registered(here, admission, Authenticator(ORIGIN), some_name()) for _ in range(2)]
    session = await here.found(admission)
    done = await asyncio.gather(
        *(remove_passkey(here.directory, session, one.passkey.id) for one in made), return_exceptions=True
    )
    assert sum(isinstance(one, ServiceError) for one in done) == 1
    assert len(await passkeys_of(here.directory, player_id)) == 1


async def test_a_player_has_at_most_ten_passkeys(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    for _ in range(10):
        await registered(here, admission, Authenticator(ORIGIN), some_name())
    assert await problem_of(registered(here, admission, Authenticator(ORIGIN))) == "unfit"


async def test_a_passkey_belongs_to_one_player(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    first, second = await here.guest(), await here.guest()
    await registered(here, first, device, some_name())
    begun = await begin_registration(here.directory, PARTY, second.session, some_name())
    copied = json.loads(bytes(device.create(begun.public_key)))
    attested = decoded(copied["response"]["attestationObject"])
    new, old = device.passkeys[1].credential_id, device.passkeys[0].credential_id
    copied["response"]["attestationObject"] = encoded(attested.replace(new, old))
    copied["id"] = copied["rawId"] = encoded(old)
    answer = FinishPasskey(credential=Raw(json.dumps(copied).encode()))
    made = finish_registration(here.sessions, PARTY, second.session, answer)
    assert await problem_of(made) == "wrong_proof"
    assert (await here.found(second)).is_guest


async def test_a_personal_token_makes_no_passkey(directory: Pool) -> None:
    here = world(directory)
    admission = await here.guest()
    wanted = MakeToken(name="bot", scopes=("read", "play", "account"))
    made = await make_token(here.directory, admission.session, wanted)
    session = await here.sessions.find(made.token)
    assert session is not None
    assert await problem_of(begin_registration(here.directory, PARTY, session, some_name())) == "forbidden"


async def test_a_program_signs_in_as_a_bearer(directory: Pool) -> None:
    here, device = world(directory), Authenticator(ORIGIN)
    await registered(here, await here.guest(), device, some_name())
    options = await begin_sign_in(here.directory, PARTY)
    entered = await finish_sign_in(here.directory, PARTY, device.get(options.public_key), PROGRAM)
    assert not entered.session.by_cookie


def _damaged(credential: Raw, part: str, chance: Random) -> Raw:
    told = json.loads(bytes(credential))
    data = bytearray(decoded(told["response"][part]))
    if chance.random() < 0.5:
        del data[chance.randrange(len(data)) :]
    else:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    told["response"][part] = encoded(bytes(data))
    return Raw(json.dumps(told).encode())
