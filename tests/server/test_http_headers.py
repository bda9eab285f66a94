"""The headers of every answer, and which pages may read it."""

import re

import httpx
import pytest

from cartagena.server.http.http_settings import HttpSettings
from tests.server.http_house import ACTIONS, ANNE, House, house, raw_exchange
from tests.server.http_sample import TABLE

FRIEND = "https://friend.example"
FRIENDLY = HttpSettings(
    own_origins=frozenset({"https://cartagena.example"}), cors_origins=frozenset({FRIEND})
)
USUAL = {
    "content-security-policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
    "strict-transport-security": "max-age=31536000",
}


async def _one_of_each(home: House) -> list[httpx.Response]:
    """A success, answers without content and of another type, every way to be refused, and a stream."""
    return [
        await home.act(),
        await home.act("illegal"),
        await home.act("broken"),
        await home.client.put("/api/nothing"),
        await home.client.get("/api/pictures/skull"),
        await home.client.get(f"/api/tables/{TABLE}"),
        await home.client.get("/api/nowhere"),
        await home.client.patch(ACTIONS),
        await home.client.options(ACTIONS),
        await home.client.head("/health"),
        await home.client.get("/api/fleeting", headers=ANNE),
    ]


async def test_every_answer_tells_browsers_what_they_may_not_do() -> None:
    async with house() as home:
        for answer in await _one_of_each(home):
            assert {name: answer.headers.get(name) for name in USUAL} == USUAL, answer
            assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])
            assert "server" not in answer.headers


async def test_an_answer_to_what_is_hardly_a_request_tells_them_too() -> None:
    async with house() as home:
        said = await raw_exchange(home.port, b"ahoy\r\n\r\n")
        for name, value in USUAL.items() - {("strict-transport-security", "max-age=31536000")}:
            assert f"\r\n{name}: {value}\r\n".encode() in said


async def test_every_answer_has_a_request_id_of_its_own() -> None:
    async with house() as home:
        ids = [answer.headers["x-request-id"] for answer in await _one_of_each(home)]
        assert len(set(ids)) == len(ids)


async def test_without_https_browsers_are_not_sent_there_and_cookies_are_not_bound_to_it() -> None:
    async with house(HttpSettings(own_origins=frozenset({"http://cartagena.example"}))) as home:
        answer = await home.client.post("/api/guests")
        assert "strict-transport-security" not in answer.headers
        assert answer.headers["set-cookie"].endswith("HttpOnly; SameSite=Lax")


async def test_an_answer_may_have_a_policy_of_its_own() -> None:
    async with house() as home:
        answer = await home.client.get("/api/docs")
        assert len(answer.headers.get_list("content-security-policy")) == 1
        assert "style-src 'sha256-" in answer.headers["content-security-policy"]


async def test_a_named_origin_may_read_our_answers_without_the_cookie() -> None:
    async with house(FRIENDLY) as home:
        for answer in (
            await home.client.get("/api/who", headers={"origin": FRIEND}),
            await home.client.get("/api/nowhere", headers={"origin": FRIEND}),
            await home.client.get("/api/fleeting", headers={"origin": FRIEND, **ANNE}),
        ):
            assert answer.headers["access-control-allow-origin"] == FRIEND
            assert answer.headers["access-control-expose-headers"] == "retry-after, x-request-id"
            assert answer.headers["vary"] == "origin"
            assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "https://friend.example.evil.example"])
async def test_no_other_origin_may(origin: str) -> None:
    async with house(FRIENDLY) as home:
        answer = await home.client.get("/api/who", headers={"origin": origin})
        preflight = await _preflight(home, origin)
        for name in (*answer.headers, *preflight.headers):
            assert not name.startswith("access-control-")
        assert answer.headers["vary"] == "origin"


async def test_nobody_may_unless_the_operator_names_him() -> None:
    async with house() as home:
        answer = await home.client.get("/api/who", headers={"origin": FRIEND})
        assert not [name for name in answer.headers if name.startswith("access-control-")]


async def test_the_cookie_may_come_along_only_if_the_operator_says_so() -> None:
    settings = HttpSettings(cors_origins=frozenset({FRIEND}), cors_credentials=True)
    async with house(settings) as home:
        answer = await home.client.get("/api/who", headers={"origin": FRIEND})
        assert answer.headers["access-control-allow-credentials"] == "true"


async def test_a_browser_that_asks_beforehand_is_told_what_a_page_may_do() -> None:
    async with house(FRIENDLY) as home:
        answer = await _preflight(home, FRIEND)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert answer.headers["access-control-allow-methods"] == "OPTIONS, POST"
        assert set(answer.headers["access-control-allow-headers"].split(", ")) == {
            "authorization",
            "content-type",
            "last-event-id",
            "prefer",
        }
        assert answer.headers["access-control-max-age"] == "600"


async def _preflight(home: House, origin: str) -> httpx.Response:
    headers = {"origin": origin, "access-control-request-method": "POST"}
    return await home.client.options(ACTIONS, headers=headers)
