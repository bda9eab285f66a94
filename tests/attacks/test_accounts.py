"""A thief keeps a way in after being noticed, deletes an account, or uses another player's name."""

from collections.abc import AsyncIterator

import httpx
import pytest
from asyncpg import Pool

from cartagena.server.shared.settings import Settings
from harness.authenticator import Authenticator
from tests.server.api_accounts_house import House, code_of, house, id_of, prove


@pytest.fixture
async def home(directory: Pool, either_settings: Settings) -> AsyncIterator[House]:
    async with house(directory, either_settings) as running:
        yield running


async def new_code(browser: httpx.AsyncClient) -> str:
    made = await browser.post("/api/me/device-codes")
    assert made.status_code == 201
    code: str = made.json()["code"]
    return code


async def by_code(home: House, code: str) -> httpx.AsyncClient:
    """A program that signed in with a code from another device."""
    answer = await (await home.client()).post("/api/sign-in/device", json={"code": code, "bearer": True})
    assert answer.status_code == 200
    return await home.program(answer.json()["token"])


async def test_a_device_code_does_not_outlive_signing_out_everywhere_else(home: House) -> None:
    owner = await home.guest("Victim")
    thief = await by_code(home, await new_code(owner))
    code = await new_code(thief)
    assert (await owner.post("/api/me/sessions/revoke-others")).json() == {"ended": 1}
    used = await (await home.client()).post("/api/sign-in/device", json={"code": code})
    assert code_of(used) == (401, "wrong_proof")
    assert code_of(await thief.post("/api/me/device-codes")) == (401, "unauthenticated")


@pytest.mark.parametrize("name", ["Victim", " VICTIM ", "\uff36ictim"])
async def test_a_guest_does_not_take_the_name_that_a_player_keeps(home: House, name: str) -> None:
    await home.named("Victim")
    liar = await home.browser()
    assert code_of(await liar.post("/api/guest", json={"name": name})) == (409, "name_taken")
    assert not liar.cookies
    guest = await home.guest("Somebody")
    assert code_of(await guest.patch("/api/me", json={"name": name})) == (409, "name_taken")
    assert (await guest.get("/api/me")).json()["name"] == "Somebody"


async def test_an_owner_sees_the_code_of_a_thief_and_ends_it(home: House) -> None:
    owner = await home.guest("Victim")
    thief = await by_code(home, await new_code(owner))
    code = await new_code(thief)
    [listed] = (await owner.get("/api/me/sessions")).json()["codes"]
    path = f"/api/me/device-codes/{listed['id']}"
    assert code_of(await (await home.guest()).delete(path)) == (404, "no_such_thing")
    assert (await owner.delete(path)).status_code == 204
    used = await (await home.client()).post("/api/sign-in/device", json={"code": code})
    assert code_of(used) == (401, "wrong_proof")
    assert (await owner.get("/api/me/sessions")).json()["codes"] == []
    assert code_of(await owner.delete(path)) == (404, "no_such_thing")


@pytest.mark.parametrize("is_guest", [True, False])
async def test_a_personal_token_does_not_delete_the_account(home: House, *, is_guest: bool) -> None:
    owner = await (home.guest("Victim") if is_guest else home.named("Victim"))
    program = await home.program(await home.token_of(owner, "account"))
    assert code_of(await program.delete("/api/me")) == (403, "forbidden")
    assert (await owner.get("/api/me")).json()["name"] == "Victim"


async def test_a_stolen_session_does_not_delete_an_account_that_has_a_name(home: House) -> None:
    device = Authenticator(home.origin)
    owner = await home.named("Victim", device)
    thief = await by_code(home, await new_code(owner))
    assert code_of(await thief.delete("/api/me")) == (403, "needs_proof")
    home.here.clock.after(minutes=16)
    assert code_of(await owner.delete("/api/me")) == (403, "needs_proof")
    assert (await prove(owner, device)).status_code == 200
    assert code_of(await thief.delete("/api/me")) == (403, "needs_proof")
    assert (await owner.delete("/api/me")).status_code == 204


async def test_a_guest_goes_for_good_with_the_session_that_is_all_he_has(home: House) -> None:
    owner = await home.guest("Victim")
    home.here.clock.after(days=10)
    player_id = await id_of(owner)
    assert (await owner.delete("/api/me")).status_code == 204
    assert home.forgotten == [player_id]


async def test_a_token_of_a_program_or_a_bot_does_not_end_itself(home: House) -> None:
    owner = await home.named("Victim")
    made = await owner.post("/api/me/bots", json={"name": "Furthest", "engine": "furthest"})
    for token in (await home.token_of(owner, "read"), made.json()["token"]):
        program = await home.program(token)
        assert code_of(await program.post("/api/sign-out")) == (403, "forbidden")
        assert (await program.get("/api/me")).status_code == 200
