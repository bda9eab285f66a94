"""The guard: who is asking, whether they may, and whether it is really them."""

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest

from cartagena.endpoints.request import decode_body
from cartagena.server.http.authorization import credentials_of
from cartagena.server.http.http_settings import HttpSettings
from cartagena.tables.errors import Problem, ServiceError
from tests.server.http_house import ACTIONS, ANNE, READER, House, house
from tests.server.http_sample import TABLE

HOST = "cartagena.example"
OURS = f"https://{HOST}"
BODY = {"key": "01234567-89ab-7000-8000-000000000002"}
COOKIE = {"cookie": "theme=night; __Host-cartagena=ct_anne; other=1"}
"""What a browser sends where players use https."""


@pytest.fixture(params=["http", "https"])
def ours(request: pytest.FixtureRequest) -> str:
    """Where our own pages live."""
    return f"{request.param}://{HOST}"


@pytest.fixture
def cookie(ours: str) -> dict[str, str]:
    """What a browser sends there."""
    return COOKIE if ours == OURS else {"cookie": "theme=night; cartagena=ct_anne; other=1"}


@pytest.fixture
async def home(ours: str) -> AsyncIterator[House]:
    async with house(HttpSettings(own_origins=frozenset({ours}))) as running:
        yield running


async def _act(home: House, **headers: str) -> httpx.Response:
    return await home.client.post(ACTIONS, json=BODY, headers=headers)


def _code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_nobody_gets_in_where_a_scope_is_needed(home: House) -> None:
    answer = await _act(home)
    assert _code(answer) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["message"] == "this needs a session: a cookie or a bearer token"


async def test_an_unknown_token_is_nobody(home: House) -> None:
    answer = await _act(home, authorization="Bearer ct_stranger")
    assert _code(answer) == (401, "unauthenticated")
    assert answer.json()["error"]["message"] == "this token is unknown or has ended"


async def test_a_session_without_the_scope_is_refused(home: House) -> None:
    assert _code(await _act(home, **READER)) == (403, "missing_scope")
    assert _code(await home.client.get("/api/admin", headers=ANNE)) == (403, "missing_scope")


async def test_a_session_with_the_scope_gets_in(home: House) -> None:
    assert (await _act(home, **ANNE)).status_code == 200
    admin = {"authorization": "bearer ct_admin"}
    assert (await home.client.get("/api/admin", headers=admin)).status_code == 200


async def test_a_cookie_is_as_good_as_a_bearer_for_looking(home: House, cookie: dict[str, str]) -> None:
    answer = await home.client.get(f"/api/tables/{TABLE}", headers=cookie)
    assert answer.status_code == 200


async def test_where_no_scope_is_needed_the_session_is_still_known(
    home: House, cookie: dict[str, str]
) -> None:
    assert (await home.client.get("/api/who", headers=cookie)).json()["player"].endswith("1")
    assert (await home.client.get("/api/who")).json()["player"] is None
    stranger = {"authorization": "Bearer ct_stranger"}
    assert (await home.client.get("/api/who", headers=stranger)).json()["player"] is None


async def test_what_is_sent_on_purpose_goes_before_the_cookie(home: House, cookie: dict[str, str]) -> None:
    answer = await home.client.get("/api/who", headers={**cookie, "authorization": "Bearer ct_mary"})
    assert answer.json()["player"].endswith("2")


async def test_another_kind_of_authorization_leaves_the_cookie_in_force(
    home: House, cookie: dict[str, str]
) -> None:
    answer = await home.client.get("/api/who", headers={**cookie, "authorization": "Basic eDp5"})
    assert answer.json()["player"].endswith("1")


async def test_a_page_of_ours_may_change_things_with_the_cookie(
    home: House, ours: str, cookie: dict[str, str]
) -> None:
    assert (await _act(home, **cookie, origin=ours)).status_code == 200
    assert (await _act(home, **cookie, **{"sec-fetch-site": "same-origin"})).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"ftp://{HOST}"},
        {"origin": f"https://{HOST}:444"},
        {"origin": f"https://{HOST}.evil.example"},
        {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"referer": f"{OURS}/"},
    ],
)
async def test_any_other_page_may_not(home: House, cookie: dict[str, str], headers: dict[str, str]) -> None:
    asked = home.sessions.asked
    assert _code(await _act(home, **cookie, **headers)) == (403, "wrong_origin")
    assert home.sessions.asked == asked, "the sessions need not be asked about that"


async def test_a_page_of_ours_that_came_by_the_other_scheme_may_not(
    home: House, cookie: dict[str, str], ours: str
) -> None:
    other = f"http://{HOST}" if ours == OURS else OURS
    assert _code(await _act(home, **cookie, origin=other)) == (403, "wrong_origin")


async def test_without_a_cookie_a_page_of_another_site_may_not_either(home: House, ours: str) -> None:
    answer = await home.client.post("/api/guests", headers={"origin": "https://evil.example"})
    assert _code(answer) == (403, "wrong_origin")
    assert (await home.client.post("/api/guests", headers={"origin": ours})).status_code == 201


async def test_a_bearer_needs_no_origin(home: House) -> None:
    assert (await _act(home, **ANNE, origin="https://evil.example")).status_code == 200


async def test_looking_needs_no_origin(home: House, cookie: dict[str, str]) -> None:
    headers = {**cookie, "origin": "https://evil.example"}
    assert (await home.client.get("/api/who", headers=headers)).status_code == 200


async def test_with_own_origins_no_other_name_of_the_machine_will_do(
    home: House, cookie: dict[str, str]
) -> None:
    other_name = f"http://127.0.0.1:{home.port}"
    assert _code(await _act(home, **cookie, origin=other_name)) == (403, "wrong_origin")


async def test_a_page_at_another_address_is_told_which_one_to_open() -> None:
    settings = HttpSettings(own_origins=frozenset({OURS}), home=OURS)
    async with house(settings) as home:
        refused = await _act(home, cookie="__Host-cartagena=ct_anne", origin="https://other.example")
    assert refused.json()["error"]["home"] == OURS


async def test_without_own_origins_home_is_where_the_browser_went() -> None:
    async with house(HttpSettings()) as home:
        ours, cookie = f"http://127.0.0.1:{home.port}", "cartagena=ct_anne"
        assert (await _act(home, cookie=cookie, origin=ours)).status_code == 200
        for other in ("http://127.0.0.1:1", "https://evil.example", "null"):
            assert _code(await _act(home, cookie=cookie, origin=other)) == (403, "wrong_origin")


async def test_a_page_that_may_read_may_not_use_the_cookie_unless_it_is_said() -> None:
    friend = "https://friend.example"
    settings = HttpSettings(own_origins=frozenset({OURS}), cors_origins=frozenset({friend}))
    async with house(settings) as home:
        assert _code(await _act(home, **COOKIE, origin=friend)) == (403, "wrong_origin")
        assert (await home.client.post("/api/guests", headers={"origin": friend})).status_code == 201
    trusting = HttpSettings(
        own_origins=frozenset({OURS}), cors_origins=frozenset({friend}), cors_credentials=True
    )
    async with house(trusting) as home:
        assert (await _act(home, **COOKIE, origin=friend)).status_code == 200
        assert _code(await _act(home, **COOKIE, origin="https://evil.example")) == (403, "wrong_origin")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"]
)
async def test_a_body_that_is_not_said_to_be_json_is_refused(home: House, content_type: str) -> None:
    body = msgspec.json.encode(BODY)
    headers = {**ANNE, "content-type": content_type}
    assert _code(await home.client.post(ACTIONS, content=body, headers=headers)) == (415, "not_json")


async def test_json_may_name_its_charset(home: House) -> None:
    body = msgspec.json.encode(BODY)
    headers = {**ANNE, "content-type": "Application/JSON; charset=utf-8"}
    assert (await home.client.post(ACTIONS, content=body, headers=headers)).status_code == 200


async def test_when_sessions_cannot_be_read_health_still_answers(home: House) -> None:
    home.sessions.is_away = True
    assert _code(await home.client.get("/api/who", headers=ANNE)) == (503, "unavailable")
    assert (await home.client.get("/health", headers=ANNE)).status_code == 200


@pytest.mark.parametrize("token", ["", "x" * 129, "caf\u00e9"])
def test_what_cannot_be_a_token_is_none(token: str) -> None:
    assert credentials_of({b"authorization": b"Bearer " + token.encode("latin-1")}, secure=False) is None
    assert credentials_of({b"cookie": b"cartagena=" + token.encode("latin-1")}, secure=False) is None


def test_a_cookie_of_a_longer_name_is_another_cookie() -> None:
    assert credentials_of({b"cookie": b"xcartagena=ct_anne"}, secure=False) is None


def test_credentials_never_say_the_token() -> None:
    assert "ct_anne" not in repr(credentials_of({b"cookie": b"cartagena=ct_anne"}, secure=False))


def test_a_body_nested_too_deeply_is_unreadable() -> None:
    decoder: msgspec.json.Decoder[msgspec.Struct] = msgspec.json.Decoder()
    with pytest.raises(ServiceError) as refused:
        decode_body(decoder, b"[" * 100_000)
    assert refused.value.problem is Problem.UNREADABLE


async def test_a_cookie_that_a_neighbour_could_have_planted_counts_for_nothing() -> None:
    async with house(HttpSettings(own_origins=frozenset({OURS}))) as home:
        planted = {"cookie": "cartagena=ct_anne"}
        assert (await home.client.get(f"/api/tables/{TABLE}", headers=planted)).status_code == 401
        both = {"cookie": "cartagena=ct_mary; __Host-cartagena=ct_anne"}
        own = await home.client.get("/api/who", headers=ANNE)
        assert (await home.client.get("/api/who", headers=both)).json() == own.json()
