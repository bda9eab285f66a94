"""A thief keeps a way in after he was noticed."""

from collections.abc import AsyncIterator

import httpx
import pytest
from asyncpg import Pool

from cartagena.server.shared.settings import Settings
from tests.server.api_accounts_house import House, code_of, house


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
    """A program that came in with the code of another device."""
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
