"""Signing in by a club's own provider: the whole way through a certified one, and every way around it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import pytest_asyncio
from asyncpg import Pool

from cartagena.server.accounts.club.provider import ASK_AGAIN
from cartagena.server.accounts.club.sign_in import LIFETIME
from cartagena.server.shared.settings import Settings
from tests.server.accounts_world import everything_in, some_name
from tests.server.api_accounts_house import House, code_of, house, id_of
from tests.server.club_world import (
    NAME,
    Provider,
    came_back,
    club_house,
    departed,
    provider,
    sign_in_by_club,
    signed_in_there,
    trouble_of,
)

SPOILT = (
    "nonce", "nononce", "audience", "party", "several", "issuer", "expired", "endless", "future", "old",
    "none", "foreign", "unknown", "shared",
)  # fmt: skip
"""What a provider must not sign; `e2e/clubProvider.js` has the same list."""
ELSEWHERE = (
    "//evil.example.org", "https://evil.example.org", "/\\evil.example.org", "/x\r\nSet-Cookie: a=b",
    "account", "/account\n", "/..//evil.example.org", "/a//b", "javascript:alert(1)", "/?a=b",
)  # fmt: skip
"""Addresses to which nobody is sent back."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def club() -> AsyncIterator[Provider]:
    async with provider() as running:
        yield running


@pytest.fixture
async def home(directory: Pool, either_settings: Settings, club: Provider) -> AsyncIterator[House]:
    async with club_house(directory, either_settings, club) as running:
        yield running


async def me(browser: httpx.AsyncClient) -> dict[str, object]:
    """The browser's player, as the service tells it."""
    answer = await browser.get("/api/me")
    assert answer.status_code == 200, answer.text
    told: dict[str, object] = answer.json()
    return told


# --- Those who may -----------------------------------------------------------------------------------------


async def test_a_newcomer_becomes_a_player_and_next_time_is_the_same_one(home: House) -> None:
    first, second = await home.browser(), await home.browser()
    assert (await first.get("/api/sign-in")).json() == {"club": NAME}
    answer = await sign_in_by_club(first, "anne", back="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    known = await me(first)
    assert (known["name"], known["is_guest"], known["club"]) == ("anne", False, True)
    assert f'"admitted":"{known["id"]}"' in home.log.getvalue().decode(), "the log tells who came in"
    await sign_in_by_club(second, "anne")
    assert await id_of(second) == await id_of(first)
    third = await home.browser()
    await sign_in_by_club(third, "bart")
    assert await id_of(third) != await id_of(first)


async def test_a_guest_keeps_his_name_and_his_id_and_gets_a_new_token(home: House) -> None:
    name = some_name()
    browser = await home.guest(name)
    before, cookie = await me(browser), browser.cookies[home.cookie]
    answer = await sign_in_by_club(browser, "anne")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    after = await me(browser)
    assert (after["id"], after["name"], after["is_guest"]) == (before["id"], name, False)
    assert await home.here.sessions.find(cookie) is None
    elsewhere = await home.browser()
    await sign_in_by_club(elsewhere, "anne")
    assert (await me(elsewhere))["id"] == before["id"]


async def test_a_guest_who_is_somebody_already_leaves_the_guest_behind(home: House) -> None:
    await sign_in_by_club(first := await home.browser(), "anne")
    browser = await home.guest("Nobody")
    left = browser.cookies[home.cookie]
    await sign_in_by_club(browser, "anne")
    assert await id_of(browser) == await id_of(first)
    assert code_of(await (await home.program(left)).get("/api/me")) == (401, "unauthenticated")


async def test_a_guest_whose_name_another_player_keeps_is_told_so(home: House) -> None:
    browser = await home.guest("ANNE")
    await home.named("Anne")
    assert trouble_of(await sign_in_by_club(browser, "bart")) == "name_taken"
    assert (await me(browser))["is_guest"] is True
    await browser.patch("/api/me", json={"name": "Bart"})
    await sign_in_by_club(browser, "bart")
    assert (await me(browser))["name"] == "Bart"


async def test_newcomers_who_are_called_alike_get_a_number(home: House) -> None:
    await home.named("Anne")
    await sign_in_by_club(browser := await home.browser(), "anne")
    assert (await me(browser))["name"] == "anne 2"


async def test_an_account_keeps_the_club_as_another_way_in_if_it_says_so(home: House) -> None:
    browser = await home.named("Anne")
    player_id = await id_of(browser)
    await sign_in_by_club(browser, "anne", joins="true")
    assert (await me(browser))["id"] == str(player_id)
    await sign_in_by_club(elsewhere := await home.browser(), "anne")
    assert await id_of(elsewhere) == player_id
    # A second person at the same machine gets an account of their own; and nobody is two people.
    assert trouble_of(await sign_in_by_club(elsewhere, "bart", joins="true")) == "unfit"
    await sign_in_by_club(elsewhere, "bart")
    assert await id_of(elsewhere) != player_id
    assert trouble_of(await sign_in_by_club(elsewhere, "anne", joins="true")) == "unfit"


async def test_a_session_alone_does_not_give_the_club_a_way_into_an_account(home: House) -> None:
    browser = await home.named("Anne")
    home.here.clock.after(minutes=16)
    assert await departed(browser, joins="true") == "/sign-in?club=needs_proof"


async def test_who_was_at_the_club_has_shown_who_he_is(home: House) -> None:
    await sign_in_by_club(newcomer := await home.browser(), "anne")
    await sign_in_by_club(guest := await home.guest("Bart"), "bart")
    for browser in (newcomer, guest):
        assert (await browser.post("/api/me/recovery-codes")).status_code == 201
    home.here.clock.after(minutes=16)
    for browser in (newcomer, guest):
        assert code_of(await browser.post("/api/me/recovery-codes")) == (403, "needs_proof")


async def test_a_browser_that_the_club_still_knows_is_no_proof(home: House) -> None:
    assert "max_age=900" in await departed(await home.browser())
    await sign_in_by_club(known := await home.browser(), "long_ago-anne")
    await sign_in_by_club(guest := await home.guest("Bart"), "long_ago-bart")
    for browser in (known, guest):
        assert code_of(await browser.post("/api/me/recovery-codes")) == (403, "needs_proof")
    # A provider that says nothing is believed: otherwise its people could never change their ways in.
    await sign_in_by_club(silent := await home.browser(), "silent-clara")
    assert (await silent.post("/api/me/recovery-codes")).status_code == 201


@pytest.mark.parametrize(("client_id", "secret"), [("guarded", "s:e/c ret"), ("posted", "secret")])
async def test_a_client_with_a_secret_shows_it(
    directory: Pool, settings: Settings, club: Provider, client_id: str, secret: str
) -> None:
    async with club_house(directory, settings, club, client_id, secret) as home:
        await sign_in_by_club(browser := await home.browser(), "anne")
        assert (await me(browser))["club"] is True
    async with club_house(directory, settings, club, client_id, "wrong") as home:
        assert trouble_of(await sign_in_by_club(await home.browser(), "anne")) == "unavailable"


@pytest.mark.processes
async def test_a_provider_may_change_its_keys(directory: Pool, settings: Settings) -> None:
    async with AsyncExitStack() as lasting:
        async with provider() as before:
            home = await lasting.enter_async_context(club_house(directory, settings, before))
            await sign_in_by_club(first := await home.browser(), "anne")
        async with provider(before.port) as after:
            assert after.issuer == before.issuer
            # New keys are not fetched all the time: anybody can name a key that nobody has heard of.
            assert trouble_of(await sign_in_by_club(first, "anne")) == "wrong_proof"
            home.here.clock.after(seconds=ASK_AGAIN.total_seconds())
            await sign_in_by_club(second := await home.browser(), "anne")
            assert await id_of(second) == await id_of(first)


# --- Those who may not -------------------------------------------------------------------------------------


async def test_a_token_that_does_not_hold_lets_nobody_in(home: House) -> None:
    browser = await home.browser()
    for wrong in SPOILT:
        assert trouble_of(await sign_in_by_club(browser, f"{wrong}-anne")) == "wrong_proof", wrong
        assert (await browser.get("/api/me")).status_code == 401, wrong
    assert await home.here.directory.pool.fetchval("SELECT count(*) FROM directory.club_links") == 0


async def test_a_wrong_state_a_code_that_was_used_and_another_provider_are_refused(home: House) -> None:
    browser = await home.browser()
    address = await signed_in_there(await departed(browser), "anne")
    assert trouble_of(await came_back(browser, address, state="wrong")) == "wrong_proof"
    # The answer takes the cookie away, so that this browser has to begin again.
    assert trouble_of(await came_back(browser, address)) == "wrong_proof"
    address = await signed_in_there(await departed(browser), "anne")
    assert (await came_back(browser, address)).headers["location"] == "/"
    assert trouble_of(await came_back(await home.browser(), address)) == "wrong_proof"
    code = parse_qs(urlsplit(address).query)["code"][0]
    fresh = await signed_in_there(await departed(browser), "anne")
    assert trouble_of(await came_back(browser, fresh, code=code)) == "wrong_proof"
    fresh = await signed_in_there(await departed(browser), "anne")
    assert trouble_of(await came_back(browser, fresh, iss="https://id.example.org")) == "wrong_proof"


async def test_a_code_is_worth_nothing_in_another_browser(home: House) -> None:
    victim, thief = await home.browser(), await home.browser()
    address = await signed_in_there(await departed(victim), "anne")
    assert trouble_of(await came_back(thief, address)) == "wrong_proof"
    # Even with a sign-in of their own, the thief's cookie and state do not fit the code (PKCE).
    own = parse_qs(urlsplit(await departed(thief)).query)["state"][0]
    assert trouble_of(await came_back(thief, address, state=own)) == "wrong_proof"
    assert (await victim.get("/api/me")).status_code == 401


async def test_who_takes_too_long_or_is_not_let_in_there_begins_again(home: House) -> None:
    browser = await home.browser()
    address = await signed_in_there(await departed(browser), "anne")
    home.here.clock.after(seconds=LIFETIME.total_seconds())
    assert trouble_of(await came_back(browser, address)) == "wrong_proof"
    state = parse_qs(urlsplit(await departed(browser)).query)["state"][0]
    refused = await browser.get(
        "/api/sign-in/club/back",
        params={"state": state, "error": "access_denied", "error_description": "<b>"},
    )
    assert trouble_of(refused) == "forbidden"


async def test_a_way_back_leads_to_a_page_of_ours_only(home: House) -> None:
    browser = await home.browser()
    for back in ELSEWHERE:
        answer = await browser.get("/api/sign-in/club", params={"back": back})
        assert code_of(answer) == (422, "unfit"), back
        assert "set-cookie" not in answer.headers


async def test_a_page_of_another_site_sends_nobody(home: House) -> None:
    browser = await home.browser()
    for site in ("cross-site", "same-site"):
        answer = await browser.get("/api/sign-in/club", headers={"sec-fetch-site": site})
        assert code_of(answer) == (403, "wrong_origin")
    for site in ("same-origin", "none"):
        answer = await browser.get("/api/sign-in/club", headers={"sec-fetch-site": site})
        assert answer.status_code == 303


async def test_whoever_else_has_come_in_meanwhile_is_left_alone(home: House) -> None:
    browser = await home.guest("Anne")
    address = await signed_in_there(await departed(browser), "anne")
    browser.cookies.delete(home.cookie)
    assert (await browser.post("/api/guest", json={"name": "Bart"})).status_code == 201
    bart = await id_of(browser)
    await came_back(browser, address)
    assert await id_of(browser) != bart
    guests = await home.here.directory.pool.fetch("SELECT name FROM directory.players WHERE is_guest")
    assert sorted(row["name"] for row in guests) == ["Anne", "Bart"]


async def test_a_personal_token_joins_nobody(home: House) -> None:
    anne = await home.named("Anne")
    program = await home.program(await home.token_of(anne, "account"))
    await sign_in_by_club(program, "bart", joins="true")
    assert (await me(anne))["club"] is False


# --- What is kept ------------------------------------------------------------------------------------------


async def test_nothing_of_a_provider_is_kept_or_logged_but_whom_it_knows(
    home: House, directory: Pool, club: Provider
) -> None:
    browser = await home.browser()
    address = await departed(browser)
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    kept = browser.cookies[f"{home.cookie}_club"]
    secrets = [asked["state"], asked["nonce"], asked["code_challenge"], kept]
    held = await everything_in(directory)
    assert not [secret for secret in secrets if secret in held]
    address = await signed_in_there(address, "anne")
    secrets.append(parse_qs(urlsplit(address).query)["code"][0])
    await came_back(browser, address)
    held = await everything_in(directory) + home.log.getvalue().decode()
    assert not [secret for secret in secrets if secret in held]
    assert "Real Name" not in held
    assert "eyJ" not in held, "a token of the provider"
    assert club.issuer in held


async def test_the_link_is_exported_and_forgotten(home: House, directory: Pool, club: Provider) -> None:
    browser = await home.browser()
    await sign_in_by_club(browser, "anne")
    player_id = await id_of(browser)
    [told] = (await browser.get("/api/me/export")).json()["clubs"]
    assert (told["issuer"], told["subject"]) == (club.issuer, "anne")
    await departed(browser)
    assert (await browser.delete("/api/me")).status_code == 204
    assert "anne" not in await everything_in(directory)
    assert await directory.fetchval("SELECT count(*) FROM directory.club_errands") == 0
    await sign_in_by_club(browser, "anne")
    assert await id_of(browser) != player_id


async def test_a_place_without_a_provider_and_one_whose_provider_is_away_say_so(
    directory: Pool, settings: Settings
) -> None:
    away = Provider(issuer="http://127.0.0.1:9")
    async with club_house(directory, settings, away) as home:
        answer = await (await home.browser()).get("/api/sign-in/club")
        assert trouble_of(answer) == "unavailable"
        assert b"127.0.0.1:9" not in answer.content
    async with house(directory, settings) as home:
        nobody = await home.browser()
        assert (await nobody.get("/api/sign-in")).json() == {"club": None}
        for path in ("/api/sign-in/club", "/api/sign-in/club/back?state=x"):
            assert code_of(await nobody.get(path)) == (404, "no_such_thing")
