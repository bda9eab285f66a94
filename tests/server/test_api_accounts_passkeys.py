"""Ways in over HTTP: real ceremonies with passkeys, recovery codes, and a code from another device."""

import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from asyncpg import Pool

from cartagena.server.accounts.sessions.devices import qr_svg
from cartagena.server.shared.settings import Settings
from harness.authenticator import Authenticator
from tests.server.api_accounts_house import (
    JSON,
    House,
    code_of,
    house,
    id_of,
    prove,
    public_key_of,
    sign_in,
    with_passkey,
)

RECOVERY_CODE = re.compile(r"[A-Z]{5}(-[A-Z]{5}){3}")


@pytest.fixture
async def home(directory: Pool, either_settings: Settings) -> AsyncIterator[House]:
    async with house(directory, either_settings) as running:
        yield running


async def test_a_guest_keeps_his_name_and_id_with_his_first_passkey(home: House) -> None:
    anne, device = await home.guest("Anne"), Authenticator(home.origin)
    player_id = await id_of(anne)
    made = await with_passkey(anne, device, "Anne Bonny")
    assert made.status_code == 201
    assert made.json()["passkey"]["label"] == "my key"
    codes = made.json()["recovery_codes"]
    assert len(set(codes)) == 10
    assert all(map(RECOVERY_CODE.fullmatch, codes))
    me = (await anne.get("/api/me")).json()
    assert (me["id"], me["name"], me["is_guest"]) == (str(player_id), "Anne Bonny", False)
    assert (me["passkeys"], me["recovery_codes"]) == (1, 10)
    second = await with_passkey(anne, device)
    assert second.json()["recovery_codes"] == []


async def test_a_passkey_opens_the_door_in_another_browser_and_for_a_program(home: House) -> None:
    device = Authenticator(home.origin)
    player_id = await id_of(await home.named("Anne", device))
    other = await home.browser()
    answer = await sign_in(other, device)
    assert (answer.status_code, answer.json()["token"]) == (200, None)
    assert await id_of(other) == player_id
    told = await sign_in(await home.client(), device, bearer=True)
    assert "set-cookie" not in told.headers
    assert await id_of(await home.program(told.json()["token"])) == player_id


async def test_a_browser_that_signs_in_leaves_its_older_session_behind(home: House) -> None:
    device = Authenticator(home.origin)
    player_id = await id_of(await home.named("Anne", device))
    browser = await home.guest("Mary")
    older = browser.cookies[home.cookie]
    session = await home.here.sessions.find(older)
    assert session is not None
    await sign_in(browser, device)
    assert await id_of(browser) == player_id
    assert home.here.closed[-1] == session.id
    assert await home.here.sessions.find(older) is None


async def test_who_proves_himself_gets_a_new_token(home: House) -> None:
    device = Authenticator(home.origin)
    browser = await home.named("Anne", device)
    session, older = await home.here.sessions.find(browser.cookies[home.cookie]), browser.cookies[home.cookie]
    assert (await prove(browser, device)).json()["token"] is None
    assert session is not None
    renewed = await home.here.sessions.find(browser.cookies[home.cookie])
    assert renewed is not None
    assert (renewed.id, await home.here.sessions.find(older)) == (session.id, None)
    token = (await sign_in(await home.client(), device, bearer=True)).json()["token"]
    told = await prove(await home.program(token), device)
    assert "set-cookie" not in told.headers
    assert (await (await home.program(token)).get("/api/me")).status_code == 401
    assert await id_of(await home.program(told.json()["token"])) == session.player_id


async def test_a_program_that_makes_a_passkey_is_told_its_new_token(home: House) -> None:
    device = Authenticator(home.origin)
    await home.named("Anne", device)
    token = (await sign_in(await home.client(), device, bearer=True)).json()["token"]
    made = await with_passkey(await home.program(token), Authenticator(home.origin))
    assert "set-cookie" not in made.headers
    assert (await (await home.program(token)).get("/api/me")).status_code == 401
    assert (await (await home.program(made.json()["token"])).get("/api/me")).status_code == 200


async def test_a_program_that_signs_in_leaves_a_browser_alone(home: House) -> None:
    device = Authenticator(home.origin)
    browser = await home.named("Anne", device)
    assert (await sign_in(browser, device, bearer=True)).json()["token"]
    assert (await browser.get("/api/me")).status_code == 200


async def test_an_answer_to_nothing_opens_nothing(home: House) -> None:
    device = Authenticator(home.origin)
    anne = await home.named("Anne", device)
    options = await anne.post("/api/sign-in/begin")
    body = b'{"credential":%s}' % device.get(public_key_of(options))
    stranger = await home.browser()
    assert (await stranger.post("/api/sign-in/finish", content=body, headers=JSON)).status_code == 200
    again = await home.browser()
    answer = await again.post("/api/sign-in/finish", content=body, headers=JSON)
    assert code_of(answer) == (401, "wrong_proof")
    assert not again.cookies


async def test_an_answer_from_another_page_opens_nothing(home: House) -> None:
    device = Authenticator(home.origin)
    anne = await home.named("Anne", device)
    device.origin = "https://evil.example"
    assert code_of(await sign_in(anne, device)) == (401, "wrong_proof")


@pytest.mark.parametrize(
    "credential",
    [
        b"null",
        b"{}",
        b"1e999",
        b'"\xff\xfe"',
        b'{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"!"}}',
        b'{"response":{"clientDataJSON":"eyJjaGFsbGVuZ2UiOiJBQSJ9"}}',
        b"[" * 400 + b"]" * 400,
        b'{"response":' * 900 + b"1" + b"}" * 900,
        b'"' + b"x" * 15_000 + b'"',
    ],
)
async def test_what_is_no_answer_of_a_passkey_is_refused_in_good_order(
    home: House, credential: bytes
) -> None:
    anne = await home.guest()
    body = b'{"credential":%s}' % credential
    for path in ("/api/sign-in/finish", "/api/me/passkeys/finish"):
        answer = await anne.post(path, content=body, headers=JSON)
        assert code_of(answer) in {(401, "wrong_proof"), (400, "unreadable")}


async def test_a_name_that_somebody_keeps_is_refused_before_and_after_the_browser_was_asked(
    home: House,
) -> None:
    anne, mary, device = await home.guest("Anne"), await home.guest("Mary"), Authenticator(home.origin)
    options = await mary.post("/api/me/passkeys/begin", json={"name": "Anne"})
    await with_passkey(anne, Authenticator(home.origin))
    assert code_of(await mary.post("/api/me/passkeys/begin", json={"name": "ANNE"})) == (409, "name_taken")
    body = b'{"credential":%s}' % device.create(public_key_of(options))
    late = await mary.post("/api/me/passkeys/finish", content=body, headers=JSON)
    assert code_of(late) == (409, "name_taken")
    assert (await mary.get("/api/me")).json()["is_guest"]
    assert code_of(await mary.post("/api/me/passkeys/begin", json={"name": "#"})) == (422, "unfit")


async def test_passkeys_are_listed_renamed_and_removed_but_the_last_one_stays(home: House) -> None:
    device = Authenticator(home.origin)
    anne = await home.named("Anne", device)
    await with_passkey(anne, device)
    first, second = (key["id"] for key in (await anne.get("/api/me/passkeys")).json()["passkeys"])
    renamed = await anne.patch(f"/api/me/passkeys/{first}", json={"label": "old phone"})
    assert renamed.json()["label"] == "old phone"
    mary = await home.named("Mary")
    assert code_of(await mary.patch(f"/api/me/passkeys/{first}", json={"label": "x"})) == (
        404,
        "no_such_thing",
    )
    assert code_of(await mary.delete(f"/api/me/passkeys/{first}")) == (404, "no_such_thing")
    assert (await anne.delete(f"/api/me/passkeys/{first}")).status_code == 204
    assert code_of(await anne.delete(f"/api/me/passkeys/{second}")) == (422, "unfit")
    left = (await anne.get("/api/me/passkeys")).json()["passkeys"]
    assert [key["id"] for key in left] == [second]


async def test_a_recovery_code_opens_the_door_once(home: House) -> None:
    anne = await home.guest("Anne")
    made = await with_passkey(anne, Authenticator(home.origin))
    code = made.json()["recovery_codes"][3]
    other = await home.browser()
    answer = await other.post("/api/sign-in/recovery", json={"code": code.lower().replace("-", " ")})
    assert answer.json()["me"]["recovery_codes"] == 9
    assert await id_of(other) == await id_of(anne)
    assert code_of(await other.post("/api/sign-in/recovery", json={"code": code})) == (401, "wrong_proof")
    assert (await other.get("/api/me")).status_code == 200


async def test_new_recovery_codes_replace_the_old_ones(home: House) -> None:
    anne = await home.guest("Anne")
    old = (await with_passkey(anne, Authenticator(home.origin))).json()["recovery_codes"]
    answer = await anne.post("/api/me/recovery-codes")
    new = answer.json()["recovery_codes"]
    assert (answer.status_code, len(new), set(old) & set(new)) == (201, 10, set())
    client = await home.client()
    assert code_of(await client.post("/api/sign-in/recovery", json={"code": old[0]})) == (401, "wrong_proof")
    told = await client.post("/api/sign-in/recovery", json={"code": new[0], "bearer": True})
    assert await id_of(await home.program(told.json()["token"])) == await id_of(anne)


async def test_a_guest_has_no_recovery_codes(home: House) -> None:
    assert code_of(await (await home.guest()).post("/api/me/recovery-codes")) == (403, "needs_account")


async def test_another_device_comes_in_by_a_code_once_and_for_ten_minutes(home: House) -> None:
    anne, phone = await home.guest("Anne"), await home.browser()
    made = await anne.post("/api/me/device-codes")
    code = made.json()["code"]
    assert made.status_code == 201
    assert made.json()["qr"].startswith("<svg ")
    assert (await phone.post("/api/sign-in/device", json={"code": code})).status_code == 200
    assert await id_of(phone) == await id_of(anne)
    late = await home.browser()
    assert code_of(await late.post("/api/sign-in/device", json={"code": code})) == (401, "wrong_proof")
    code = (await anne.post("/api/me/device-codes")).json()["code"]
    home.here.clock.after(minutes=11)
    assert code_of(await late.post("/api/sign-in/device", json={"code": code})) == (401, "wrong_proof")
    assert not late.cookies


async def test_the_picture_of_a_code_leads_to_the_page_that_takes_it(home: House) -> None:
    made = (await (await home.guest()).post("/api/me/device-codes")).json()
    assert made["qr"] == qr_svg(f"{home.origin}/sign-in#{made['code']}")


async def test_a_personal_token_makes_no_other_way_in(home: House) -> None:
    anne = await home.named("Anne")
    program = await home.program(await home.token_of(anne, "account"))
    refused: list[httpx.Response] = [
        await program.post("/api/me/passkeys/begin", json={}),
        await program.post("/api/me/passkeys/finish", json={"credential": {}}),
        await program.post("/api/me/recovery-codes"),
        await program.post("/api/me/device-codes"),
        await program.post("/api/me/tokens", json={"name": "more", "scopes": ["account"]}),
    ]
    assert {code_of(answer) for answer in refused} == {(403, "forbidden")}


async def test_the_log_tells_who_came_in_and_by_which_way(home: House) -> None:
    device, anne = Authenticator(home.origin), await home.guest("Anne")
    made = (await with_passkey(anne, device)).json()
    player_id = str(await id_of(anne))
    code = (await anne.post("/api/me/device-codes")).json()["code"]
    await sign_in(await home.browser(), device)
    for way, right in (("recovery", made["recovery_codes"][0]), ("device", code)):
        await (await home.browser()).post(f"/api/sign-in/{way}", json={"code": right})
        await (await home.browser()).post(f"/api/sign-in/{way}", json={"code": right})
    lines = [json.loads(line) for line in home.log.getvalue().splitlines()]
    told = [(line["route"], line["code"], line.get("admitted")) for line in lines if line["method"] == "POST"]
    ways = ("/api/guest", "/api/sign-in/finish", "/api/sign-in/recovery", "/api/sign-in/device")
    for way in ways:
        assert (way, None, player_id) in told
    for way in ways[2:]:
        assert (way, "wrong_proof", None) in told
    assert len([None for *_, admitted in told if admitted is not None]) == len(ways)
