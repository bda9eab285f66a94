"""A neighbouring host plants its own cookie, so that the victim comes back from the club as somebody else."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from asyncpg import Pool

from cartagena.server.shared.settings import Settings
from tests.server.api_accounts_house import ORIGINS, House
from tests.server.club_world import (
    Provider,
    came_back,
    club_house,
    departed,
    provider,
    sign_in_by_club,
    signed_in_there,
    trouble_of,
)
from tests.server.databases import settings_for

_, HTTPS = ORIGINS


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def club() -> AsyncIterator[Provider]:
    async with provider() as running:
        yield running


@pytest.fixture
async def home(directory: Pool, settings: Settings, club: Provider) -> AsyncIterator[House]:
    chosen = settings_for(settings.directory, CARTAGENA_URL=HTTPS)
    async with club_house(directory, chosen, club) as running:
        yield running


async def test_an_honest_browser_comes_back_by_https(home: House) -> None:
    browser = await home.browser()
    answer = await sign_in_by_club(browser, "anne", back="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert (await browser.get("/api/me")).json()["name"] == "anne"


async def test_a_cookie_that_a_neighbour_planted_signs_nobody_in(home: House) -> None:
    attacker, victim = await home.browser(), await home.browser()
    address = await signed_in_there(await departed(attacker), "mallory")
    planted = attacker.cookies["__Host-cartagena_club"]
    # A page of another host under the same domain may set any cookie whose name does not begin with __Host-.
    victim.headers["cookie"] = f"cartagena_club={planted}"
    victim.headers["sec-fetch-site"] = "cross-site"
    assert trouble_of(await came_back(victim, address)) == "wrong_proof"
    del victim.headers["cookie"]
    assert (await victim.get("/api/me")).status_code == 401
