"""A player's account over HTTP: guests come in by cookie or token, are recognised, sign out, and go."""

from collections.abc import AsyncIterator

import pytest
from asyncpg import Pool

from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.shared.settings import Settings
from tests.server.accounts_world import everything_in
from tests.server.api_accounts_house import ORIGIN, House, code_of, house, id_of

PLAYERS = "SELECT count(*) FROM directory.players"
NINETY_DAYS = 7_776_000


def cookie_kept(home: House, token: str) -> str:
    return home.cookie_line(token, seconds=NINETY_DAYS)


def cookie_gone(home: House) -> str:
    return home.cookie_line("", seconds=0)


@pytest.fixture
async def home(directory: Pool, either_settings: Settings) -> AsyncIterator[House]:
    async with house(directory, either_settings) as running:
        yield running


async def test_a_guest_gets_a_cookie_and_is_known_by_it(home: House) -> None:
    browser = await home.browser()
    answer = await browser.post("/api/guest", json={"name": " Anne Bonny "})
    token = browser.cookies[home.cookie]
    assert (answer.status_code, answer.json()["token"]) == (201, None)
    assert answer.headers["set-cookie"] == cookie_kept(home, token)
    me = answer.json()["me"]
    assert (me["name"], me["is_guest"], me["is_admin"]) == ("Anne Bonny", True, False)
    assert (await browser.get("/api/me")).json() == me
    assert token not in answer.text


async def test_who_one_is_can_be_asked_without_being_anybody(home: House) -> None:
    browser = await home.browser()
    unknown = await browser.get("/api/session")
    assert (unknown.status_code, unknown.json()) == (200, {"me": None})
    assert "set-cookie" not in unknown.headers
    me = (await browser.post("/api/guest", json={"name": "Anne Bonny"})).json()["me"]
    token = browser.cookies[home.cookie]
    known = await browser.get("/api/session")
    assert (known.json(), known.headers["cache-control"]) == ({"me": me}, "no-store")
    assert known.headers["set-cookie"] == cookie_kept(home, token)
    await browser.post("/api/sign-out")
    browser.cookies.set(home.cookie, token)
    assert (await browser.get("/api/session")).json() == {"me": None}


async def test_a_guest_who_asks_for_a_token_gets_it_once_and_no_cookie(home: House) -> None:
    answer = await (await home.client()).post("/api/guest", json={"bearer": True})
    token = answer.json()["token"]
    assert answer.status_code == 201
    assert "set-cookie" not in answer.headers
    program = await home.program(token)
    known = await program.get("/api/me")
    assert known.json() == answer.json()["me"]
    assert "set-cookie" not in known.headers
    assert token not in known.text


async def test_whoever_is_somebody_already_stays_who_he_is(home: House, directory: Pool) -> None:
    anne = await home.guest("Anne")
    before = anne.cookies[home.cookie]
    for body in ({"name": "Mary"}, {"bearer": True}):
        again = await anne.post("/api/guest", json=body)
        assert (again.status_code, again.json()["token"]) == (200, None)
        assert again.json()["me"]["name"] == "Anne"
        assert "set-cookie" not in again.headers
    assert anne.cookies[home.cookie] == before
    assert await directory.fetchval(PLAYERS) == 1


async def test_a_cookie_that_holds_no_more_is_no_hindrance(home: House, directory: Pool) -> None:
    anne = await home.guest("Anne")
    home.here.clock.after(days=91)
    again = await anne.post("/api/guest", json={"name": "Mary"})
    assert (again.status_code, again.json()["me"]["name"]) == (201, "Mary")
    assert (await anne.get("/api/me")).json()["name"] == "Mary"
    assert await directory.fetchval(PLAYERS) == 2


async def test_a_token_that_may_not_read_is_not_told_who_its_owner_is(home: House) -> None:
    program = await home.program(await home.token_of(await home.guest(), "play"))
    assert code_of(await program.post("/api/guest", json={})) == (403, "missing_scope")


async def test_a_guest_with_an_unfit_name_stays_outside(home: House) -> None:
    browser = await home.browser()
    assert code_of(await browser.post("/api/guest", json={"name": "#1"})) == (422, "unfit")
    assert not browser.cookies


async def test_a_page_of_another_site_makes_no_guests_and_changes_nothing(
    home: House, directory: Pool
) -> None:
    thief = await home.client(origin="https://evil.example")
    assert code_of(await thief.post("/api/guest", json={})) == (403, "wrong_origin")
    assert await directory.fetchval(PLAYERS) == 0
    anne = await home.guest("Anne")
    anne.headers["origin"] = "https://evil.example"
    for method, path in (("DELETE", "/api/me"), ("POST", "/api/sign-out"), ("POST", "/api/me/device-codes")):
        assert code_of(await anne.request(method, path)) == (403, "wrong_origin")
    assert (await anne.get("/api/me")).status_code == 200


async def test_a_browser_that_looks_in_keeps_its_cookie_as_long_as_its_session_lasts(home: House) -> None:
    anne = await home.guest()
    token = anne.cookies[home.cookie]
    for _ in range(3):
        home.here.clock.after(days=60)
        answer = await anne.get("/api/me")
        assert answer.headers["set-cookie"] == cookie_kept(home, token)


async def test_games_are_given_away_only_by_consent(home: House) -> None:
    anne = await home.guest("Anne")
    assert (await anne.get("/api/me")).json()["open_data"] is False
    for consent in (True, False):
        assert (await anne.patch("/api/me", json={"open_data": consent})).json()["open_data"] is consent
        assert (await anne.patch("/api/me", json={"settings": {}})).json()["open_data"] is consent


async def test_name_and_settings_can_be_changed(home: House) -> None:
    anne = await home.guest("Anne")
    answer = await anne.patch("/api/me", json={"name": "Annie", "settings": {"sound": False, "zoom": 2}})
    assert answer.json()["name"] == "Annie"
    assert (await anne.get("/api/me")).json()["settings"] == {"sound": False, "zoom": 2}
    assert (await anne.patch("/api/me", json={})).json() == answer.json()
    assert code_of(await anne.patch("/api/me", json={"name": ""})) == (422, "unfit")
    assert code_of(await anne.patch("/api/me", json={"settings": {"x": "x" * 3000}})) == (422, "unfit")
    assert code_of(await anne.patch("/api/me", json={"settings": {"x": []}})) == (400, "unreadable")


async def test_a_name_that_is_kept_belongs_to_one_player(home: House) -> None:
    await home.named("Mary Read")
    anne = await home.named("Anne")
    assert code_of(await anne.patch("/api/me", json={"name": "mary READ"})) == (409, "name_taken")


async def test_everything_about_a_player_can_be_taken_along(home: House) -> None:
    anne, mary = await home.named("Anne"), await home.guest("Mary")
    player_id, other_id = await id_of(anne), await id_of(mary)
    token = await home.token_of(anne, "read")
    await anne.put(f"/api/me/blocks/{other_id}")
    await anne.put("/api/me/webhook", json={"url": "https://bot.example.org/x"})
    told = (await anne.get("/api/me/export")).json()
    assert told["me"]["id"] == str(player_id)
    assert [block["name"] for block in told["blocks"]] == ["Mary"]
    assert [len(told[what]) for what in ("sessions", "tokens", "passkeys")] == [1, 1, 1]
    assert told["webhook"]["url"] == "https://bot.example.org/x"
    assert told["elsewhere"] == {"lobby": {"results": [str(player_id)]}}
    assert token not in str(told)
    assert anne.cookies[home.cookie] not in str(told)


async def test_who_goes_is_forgotten_and_his_cookie_with_him(home: House, directory: Pool) -> None:
    anne = await home.guest("Anne Bonny")
    player_id, cookie = await id_of(anne), anne.cookies[home.cookie]
    program = await home.program(await home.token_of(anne, "read"))
    answer = await anne.delete("/api/me")
    assert (answer.status_code, answer.headers["set-cookie"]) == (204, cookie_gone(home))
    assert not anne.cookies
    assert home.forgotten == [player_id]
    assert len(home.here.closed) == 2
    anne.cookies[home.cookie] = cookie
    for client in (anne, program):
        assert code_of(await client.get("/api/me")) == (401, "unauthenticated")
    assert "Anne Bonny" not in await everything_in(directory)


async def test_a_player_who_was_deleted_elsewhere_gets_a_documented_answer(
    home: House, directory: Pool
) -> None:
    anne = await home.named("Anne")
    await id_of(anne)
    # Another node deleted the player, and this one still remembers the session.
    await directory.execute("UPDATE directory.players SET deleted_at = now()")
    for method, path, body in (
        ("GET", "/api/me", None),
        ("GET", "/api/me/export", None),
        ("DELETE", "/api/me", None),
        ("POST", "/api/guest", {}),
        ("POST", "/api/me/recovery-codes", None),
        ("POST", "/api/me/device-codes", None),
        ("POST", "/api/me/tokens", {"name": "x", "scopes": ["read"]}),
        ("PUT", "/api/me/webhook", {"url": "https://bot.example.org/x"}),
        ("PUT", "/api/me/blocks/00000000-0000-7000-8000-000000000000", None),
        # A session whose name may have changed is looked up again, so this comes last.
        ("PATCH", "/api/me", {"name": "Mary"}),
    ):
        assert code_of(await anne.request(method, path, json=body)) == (404, "no_such_player"), path
    assert code_of(await anne.get("/api/me")) == (401, "unauthenticated")


async def test_a_player_sees_where_he_is_signed_in_and_ends_it(home: House) -> None:
    anne = await home.guest()
    code = (await anne.post("/api/me/device-codes")).json()["code"]
    phone = await home.client(**{"user-agent": "terminal/2"})
    token = (await phone.post("/api/sign-in/device", json={"code": code, "bearer": True})).json()["token"]
    phone = await home.program(token)
    listed = (await anne.get("/api/me/sessions")).json()["sessions"]
    places = {(place["kind"], place["label"], place["is_this"]): place["id"] for place in listed}
    assert set(places) == {("cookie", "Firefox, Linux", True), ("bearer", "terminal", False)}
    there = places["bearer", "terminal", False]
    answer = await anne.delete(f"/api/me/sessions/{there}")
    assert answer.status_code == 204
    assert "set-cookie" not in answer.headers
    assert str(home.here.closed[-1]) == there
    assert code_of(await phone.get("/api/me")) == (401, "unauthenticated")
    assert code_of(await anne.delete(f"/api/me/sessions/{there}")) == (404, "no_such_thing")
    mine = places["cookie", "Firefox, Linux", True]
    stranger = await home.guest()
    assert code_of(await stranger.delete(f"/api/me/sessions/{mine}")) == (404, "no_such_thing")
    assert (await anne.delete(f"/api/me/sessions/{mine}")).headers["set-cookie"] == cookie_gone(home)
    assert code_of(await anne.get("/api/me")) == (401, "unauthenticated")


async def test_signing_out_everywhere_else_leaves_this_place_and_personal_tokens(home: House) -> None:
    anne, others = await home.guest(), []
    program = await home.program(await home.token_of(anne, "read"))
    for _ in range(2):
        code = (await anne.post("/api/me/device-codes")).json()["code"]
        others.append(await home.browser())
        await others[-1].post("/api/sign-in/device", json={"code": code})
    assert (await anne.post("/api/me/sessions/revoke-others")).json() == {"ended": 2}
    assert [(await client.get("/api/me")).status_code for client in (anne, program)] == [200, 200]
    assert [(await client.get("/api/me")).status_code for client in others] == [401, 401]
    assert (await anne.post("/api/me/sessions/revoke-others")).json() == {"ended": 0}


async def test_signing_out_ends_the_session_and_takes_the_cookie(home: House) -> None:
    anne = await home.guest()
    cookie = anne.cookies[home.cookie]
    answer = await anne.post("/api/sign-out")
    assert (answer.status_code, answer.headers["set-cookie"]) == (204, cookie_gone(home))
    assert not anne.cookies
    assert len(home.here.closed) == 1
    anne.cookies[home.cookie] = cookie
    assert code_of(await anne.get("/api/me")) == (401, "unauthenticated")
    again = await anne.post("/api/sign-out")
    assert (again.status_code, again.headers["set-cookie"]) == (204, cookie_gone(home))


async def test_a_program_signs_out_without_touching_a_cookie(home: House) -> None:
    token = (await (await home.client()).post("/api/guest", json={"bearer": True})).json()["token"]
    program = await home.program(token)
    answer = await program.post("/api/sign-out")
    assert answer.status_code == 204
    assert "set-cookie" not in answer.headers
    assert code_of(await program.get("/api/me")) == (401, "unauthenticated")


async def test_one_household_makes_only_so_many_guests(directory: Pool, settings: Settings) -> None:
    own = HttpSettings(own_origins=frozenset({ORIGIN}))
    async with house(directory, settings, http=own) as home:
        answers = [await (await home.browser()).post("/api/guest", json={}) for _ in range(31)]
        assert [answer.status_code for answer in answers] == [201] * 30 + [429]
        assert int(answers[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize("path", ["recovery", "device"])
async def test_codes_can_be_guessed_only_so_often(directory: Pool, settings: Settings, path: str) -> None:
    own = HttpSettings(own_origins=frozenset({ORIGIN}))
    async with house(directory, settings, http=own) as home:
        client = await home.client()
        guesses = [await client.post(f"/api/sign-in/{path}", json={"code": "ABCD-EFGH"}) for _ in range(31)]
        assert [guess.status_code for guess in guesses] == [401] * 30 + [429]


async def test_no_token_is_written_into_the_log(home: House) -> None:
    anne = await home.named("Anne")
    personal = await home.token_of(anne, "read")
    code = (await anne.post("/api/me/device-codes")).json()["code"]
    other = await (await home.client()).post("/api/sign-in/device", json={"code": code, "bearer": True})
    await anne.post("/api/sign-in/device", json={"code": code})
    cookie = anne.cookies[home.cookie]
    codes = (await anne.post("/api/me/recovery-codes")).json()["recovery_codes"]
    secret = (await anne.put("/api/me/webhook", json={"url": "https://bot.example.org/x"})).json()["secret"]
    await anne.post("/api/sign-out")
    log = home.log.getvalue().decode()
    assert log.count('"event":"request"') >= 9
    for hidden in (personal, code, other.json()["token"], cookie, *codes, secret):
        assert hidden not in log


async def test_what_is_asked_by_get_is_answered_to_head(home: House) -> None:
    anne = await home.guest()
    anne.event_hooks = {}  # the document does not mention HEAD
    answer = await anne.head("/api/me")
    assert (answer.status_code, answer.content) == (200, b"")
