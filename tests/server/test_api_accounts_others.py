"""Personal tokens, blocks, reports, notices and what admins do, over HTTP."""

import json
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from asyncpg import Pool

from cartagena.messages.accounts import NoticeMessage
from cartagena.server.accounts.moderation import blocked_among
from cartagena.server.accounts.notices.delivery import Delivery, Notices
from cartagena.server.accounts.notices.safe_http import Poster
from cartagena.server.shared.settings import Settings
from tests.server.accounts_endpoint import Browser, endpoint
from tests.server.api_accounts_house import JSON, House, code_of, house, id_of, with_vapid
from tests.server.databases import settings_for

NOBODY = "01234567-89ab-7000-8000-000000000002"


@pytest.fixture
async def home(directory: Pool, either_settings: Settings) -> AsyncIterator[House]:
    async with house(directory, either_settings) as running:
        yield running


@pytest.fixture
def telling(database_dsn: str) -> Settings:
    """Settings of a place that sends web pushes, also within its own network."""
    return settings_for(database_dsn, CARTAGENA_PRIVATE_NOTICES="yes", **with_vapid())


async def test_a_token_may_do_what_its_owner_said_and_nothing_else(home: House) -> None:
    anne = await home.guest("Anne")
    reader = await home.program(await home.token_of(anne, "read"))
    keeper = await home.program(await home.token_of(anne, "account"))
    assert (await reader.get("/api/me")).json()["name"] == "Anne"
    assert code_of(await reader.patch("/api/me", json={})) == (403, "missing_scope")
    assert code_of(await keeper.get("/api/me")) == (403, "missing_scope")
    assert (await keeper.patch("/api/me", json={"name": "Annie"})).json()["name"] == "Annie"


async def test_tokens_are_listed_without_themselves_and_can_be_revoked(home: House) -> None:
    anne = await home.guest()
    token = await home.token_of(anne, "read", "play")
    program = await home.program(token)
    listed = (await anne.get("/api/me/tokens")).json()["tokens"]
    assert [(one["name"], one["scopes"]) for one in listed] == [("my bot", ["play", "read"])]
    assert token not in str(listed)
    stranger = await home.guest()
    path = f"/api/me/tokens/{listed[0]['id']}"
    assert code_of(await stranger.delete(path)) == (404, "no_such_thing")
    assert (await program.get("/api/me")).status_code == 200
    assert (await anne.delete(path)).status_code == 204
    assert code_of(await program.get("/api/me")) == (401, "unauthenticated")
    assert code_of(await anne.delete(path)) == (404, "no_such_thing")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": "", "scopes": ["read"]}, (422, "unfit")),
        ({"name": "x", "scopes": []}, (422, "unfit")),
        ({"name": "x", "scopes": ["admin"]}, (400, "unreadable")),
    ],
)
async def test_a_token_needs_a_name_and_scopes_that_exist(
    home: House, body: dict[str, object], code: tuple[int, str]
) -> None:
    assert code_of(await (await home.guest()).post("/api/me/tokens", json=body)) == code


async def test_blocking_counts_both_ways_until_it_is_taken_back(home: House) -> None:
    anne, mary = await home.guest("Anne"), await home.guest("Mary")
    one, other = await id_of(anne), await id_of(mary)
    for _ in range(2):
        assert (await anne.put(f"/api/me/blocks/{other}")).status_code == 204
    assert [player["name"] for player in (await anne.get("/api/me/blocks")).json()["players"]] == ["Mary"]
    assert (await mary.get("/api/me/blocks")).json()["players"] == []
    assert await blocked_among(home.here.directory, other, [one]) == {one}
    for _ in range(2):
        assert (await anne.delete(f"/api/me/blocks/{other}")).status_code == 204
    assert not await blocked_among(home.here.directory, other, [one])
    assert code_of(await anne.put(f"/api/me/blocks/{one}")) == (422, "unfit")
    assert code_of(await anne.put(f"/api/me/blocks/{NOBODY}")) == (404, "no_such_player")


async def test_a_report_counts_once_and_reaches_those_who_run_the_place(home: House) -> None:
    anne, mary, admin = await home.guest("Anne"), await home.guest("Mary"), await home.admin()
    told = {"key": str(uuid4()), "player": str(await id_of(mary)), "text": "Cheats.", "table": NOBODY}
    first = await anne.post("/api/reports", json=told)
    assert first.status_code == 201
    assert (await anne.post("/api/reports", json=told)).json() == first.json()
    reports = (await admin.get("/api/admin/reports")).json()["reports"]
    assert [(one["id"], one["text"], one["table"]) for one in reports] == [
        (first.json()["id"], "Cheats.", NOBODY)
    ]
    assert (reports[0]["reporter"]["name"], reports[0]["player"]["name"]) == ("Anne", "Mary")
    after = await admin.get("/api/admin/reports", params={"after": first.json()["id"]})
    assert after.json()["reports"] == []


async def test_a_report_is_refused_if_it_is_none(home: House) -> None:
    anne = await home.guest("Anne")
    told = {"key": str(uuid4()), "player": str(await id_of(anne)), "text": "I cheat."}
    assert code_of(await anne.post("/api/reports", json=told)) == (422, "unfit")
    assert code_of(await anne.post("/api/reports", json={**told, "player": NOBODY})) == (
        404,
        "no_such_player",
    )
    assert code_of(await anne.post("/api/reports", json={**told, "text": ""})) == (400, "unreadable")
    assert code_of(await anne.post("/api/reports", json={**told, "text": "\u200b "})) == (422, "unfit")


async def test_a_long_report_fits_even_if_every_letter_is_spelled_as_an_escape(home: House) -> None:
    anne, mary = await home.guest(), await home.guest()
    told = {"key": str(uuid4()), "player": str(await id_of(mary)), "text": "\U0001f600" * 1000}
    answer = await anne.post("/api/reports", content=json.dumps(told), headers=JSON)
    assert answer.status_code == 201


async def test_enough_reports_for_one_day_are_enough(home: House) -> None:
    anne, mary = await home.guest(), str(await id_of(await home.guest()))
    answers = [
        await anne.post("/api/reports", json={"key": str(uuid4()), "player": mary, "text": "Again."})
        for _ in range(21)
    ]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    assert answers[-1].headers["retry-after"] == "86400"


async def test_a_report_is_closed_with_a_verdict_once(home: House, directory: Pool) -> None:
    anne, admin = await home.guest(), await home.admin()
    told = {"key": str(uuid4()), "player": str(await id_of(admin)), "text": "Too strict."}
    path = f"/api/admin/reports/{(await anne.post('/api/reports', json=told)).json()['id']}/close"
    assert code_of(await admin.post(path, json={"verdict": "\u200b"})) == (422, "unfit")
    assert (await admin.post(path, json={"verdict": "Well..."})).status_code == 204
    assert code_of(await admin.post(path, json={"verdict": "Again"})) == (404, "no_such_thing")
    assert (await admin.get("/api/admin/reports")).json()["reports"] == []
    row = await directory.fetchrow("SELECT verdict, closed_by FROM directory.reports")
    assert row is not None
    assert (row["verdict"], row["closed_by"]) == ("Well...", await id_of(admin))


async def test_a_banned_player_may_look_and_go_but_not_play_until_the_ban_is_lifted(home: House) -> None:
    mary, admin = await home.guest("Mary"), await home.admin()
    player = await id_of(mary)
    before = await home.here.sessions.find(mary.cookies[home.cookie])
    assert before is not None
    home.here.closed.clear()
    assert (await admin.post(f"/api/admin/players/{player}/ban", json={"days": 7})).status_code == 204
    assert home.here.closed == [before.id]
    assert (await mary.get("/api/me")).json()["banned_until"] is not None
    assert code_of(await mary.post("/api/me/tokens", json={"name": "x", "scopes": ["play"]})) == (
        403,
        "missing_scope",
    )
    assert (await admin.post(f"/api/admin/players/{player}/lift")).status_code == 204
    assert (await mary.get("/api/me")).json()["banned_until"] is None
    assert (await mary.post("/api/me/tokens", json={"name": "x", "scopes": ["play"]})).status_code == 201


async def test_only_players_who_exist_are_banned_and_for_some_days(home: House) -> None:
    admin = await home.admin()
    for word, body in (("ban", {"days": 1}), ("lift", None)):
        answer = await admin.post(f"/api/admin/players/{NOBODY}/{word}", json=body)
        assert code_of(answer) == (404, "no_such_player")
    answer = await admin.post(f"/api/admin/players/{NOBODY}/ban", json={"days": 0})
    assert code_of(answer) == (400, "unreadable")


async def test_no_personal_token_of_an_admin_is_an_admin(home: House) -> None:
    admin = await home.admin()
    program = await home.program(await home.token_of(admin, "read", "play", "account"))
    assert code_of(await program.get("/api/admin/reports")) == (403, "missing_scope")


async def test_a_browser_subscribes_and_is_told(directory: Pool, telling: Settings) -> None:
    async with house(directory, telling) as home, endpoint() as place:
        anne, keys = await home.guest(), Browser()
        key = (await (await home.client()).get("/api/push-key")).json()["key"]
        assert (len(key), key[0]) == (87, "B")
        wanted = keys.subscription(place.url("/push"))
        body = {
            "endpoint": wanted.endpoint,
            "expirationTime": None,
            "keys": {"p256dh": wanted.keys.p256dh, "auth": wanted.keys.auth},
        }
        made = await anne.post("/api/me/push", json=body)
        assert (made.status_code, made.json()["host"]) == (201, "127.0.0.1")
        assert wanted.keys.auth not in made.text
        async with Poster(private=True) as poster:
            notices = Notices(directory=home.here.directory, poster=poster, vapid=telling.vapid)
            told = await notices.tell(await id_of(anne), NoticeMessage(kind="test", at=1))
        assert told == (Delivery.DELIVERED,)
        assert b'"kind":"test"' in keys.opened(place.received[0].body)
        assert f"k={key}" in place.received[0].headers["authorization"]
        assert (await anne.get("/api/me/push")).json()["browsers"] == [made.json()]
        path = f"/api/me/push/{made.json()['id']}"
        assert code_of(await (await home.guest()).delete(path)) == (404, "no_such_thing")
        assert (await anne.delete(path)).status_code == 204
        assert (await anne.get("/api/me/push")).json()["browsers"] == []
        assert code_of(await anne.delete(path)) == (404, "no_such_thing")


@pytest.mark.parametrize(
    ("address", "p256dh"), [("ftp://x.example", None), ("https://x.example/1", "AAAA"), ("https://", None)]
)
async def test_a_subscription_that_cannot_work_is_refused(
    directory: Pool, telling: Settings, address: str, p256dh: str | None
) -> None:
    async with house(directory, telling) as home:
        wanted = Browser().subscription(address)
        keys = {"p256dh": p256dh or wanted.keys.p256dh, "auth": wanted.keys.auth}
        answer = await (await home.guest()).post("/api/me/push", json={"endpoint": address, "keys": keys})
        assert code_of(answer) == (422, "unfit")


async def test_a_place_that_sends_no_push_says_so_and_keeps_no_browsers(home: House) -> None:
    anne = await home.guest()
    assert code_of(await anne.get("/api/push-key")) == (404, "no_such_thing")
    wanted = Browser().subscription("https://push.example.org/1")
    body = {"endpoint": wanted.endpoint, "keys": {"p256dh": wanted.keys.p256dh, "auth": wanted.keys.auth}}
    assert code_of(await anne.post("/api/me/push", json=body)) == (404, "no_such_thing")
    assert (await anne.get("/api/me/push")).json()["browsers"] == []


async def test_a_webhook_is_set_seen_without_its_secret_and_removed(home: House) -> None:
    anne = await home.guest()
    assert (await anne.get("/api/me")).json()["webhook"] is False
    assert code_of(await anne.get("/api/me/webhook")) == (404, "no_such_thing")
    made = await anne.put("/api/me/webhook", json={"url": "https://bot.example.org/turn"})
    assert made.json()["secret"].startswith("cs_")
    shown = (await anne.get("/api/me/webhook")).json()
    assert shown == {**made.json(), "secret": None}
    assert (await anne.get("/api/me")).json()["webhook"] is True
    again = await anne.put("/api/me/webhook", json={"url": "https://bot.example.org/turn"})
    assert again.json()["secret"] != made.json()["secret"]
    for _ in range(2):
        assert (await anne.delete("/api/me/webhook")).status_code == 204
    assert code_of(await anne.get("/api/me/webhook")) == (404, "no_such_thing")


@pytest.mark.parametrize("url", ["http://127.0.0.1/x", "https://10.0.0.1/x", "https://a@b.example/", "x", ""])
async def test_a_webhook_reaches_into_no_network_of_ours(home: House, url: str) -> None:
    answer = await (await home.guest()).put("/api/me/webhook", json={"url": url})
    assert code_of(answer) == (422, "unfit")


async def test_where_the_operator_allows_it_a_webhook_may_be_near(directory: Pool, telling: Settings) -> None:
    async with house(directory, telling) as home:
        answer = await (await home.guest()).put("/api/me/webhook", json={"url": "http://127.0.0.1:9/x"})
        assert answer.status_code == 200
