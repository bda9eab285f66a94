"""Answers: what goes right, and the one table of what goes wrong."""

from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest

from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer, Cookie
from cartagena.server.http.response_headers import refusal_of
from tests.server.http_house import ACTIONS, ANNE, House, house
from tests.server.http_sample import CARD, CURRENT, TABLE


@pytest.fixture
async def home() -> AsyncIterator[House]:
    async with house() as running:
        yield running


async def test_a_struct_is_answered_as_json(home: House) -> None:
    answer = await home.act()
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {"did": f"act at {TABLE}", "player": "00000000-0000-0000-0000-000000000001"}


async def test_bytes_that_are_encoded_already_are_sent_as_they_are(home: House) -> None:
    answer = await home.client.get(f"/api/tables/{TABLE}/seats/3")
    assert answer.headers["content-type"] == "application/json"
    assert answer.content == b'{"did":"seat 3"}'


async def test_a_route_may_answer_another_media_type(home: House) -> None:
    answer = await home.client.get("/api/pictures/skull")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text == "<svg><!-- skull --></svg>"


async def test_nothing_is_answered_by_204_without_a_body(home: House) -> None:
    answer = await home.client.put("/api/nothing")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-length" not in answer.headers


async def test_the_status_of_a_success_is_the_routes(home: House) -> None:
    assert (await home.client.post("/api/guests")).status_code == 201


async def test_a_query_is_read_into_its_struct(home: House) -> None:
    answer = await home.client.get(f"/api/tables/{TABLE}?seat=3&tags=a&tags=b", headers=ANNE)
    assert answer.json()["did"] == "seat 3 tags a,b"


@pytest.mark.parametrize(
    "query", ["seat=9", "seat=x", "seat=1&seat=2", "tags=%00", "&".join(f"x{n}=1" for n in range(51))]
)
async def test_a_query_that_cannot_be_read_is_400(home: House, query: str) -> None:
    answer = await home.client.get(f"/api/tables/{TABLE}?{query}", headers=ANNE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unreadable")


@pytest.mark.parametrize(
    ("does", "status", "code"),
    [
        ("stale", 409, "stale"),
        ("illegal", 422, "no_company_behind"),
        ("notation", 400, "unreadable"),
        ("message", 400, "unreadable"),
        ("not seated", 403, "not_seated"),
        ("unavailable", 503, "unavailable"),
        ("undocumented", 403, "muted"),
        ("broken", 500, "internal"),
    ],
)
async def test_an_error_is_answered_by_its_line_of_the_table(
    home: House, does: str, status: int, code: str
) -> None:
    answer = await home.act(does)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_a_refusal_of_the_rules_cites_the_rule(home: House) -> None:
    error = (await home.act("illegal")).json()["error"]
    assert error == {
        "code": "no_company_behind",
        "message": "the rules refuse that: no_company_behind",
        "rule": "R4.6",
    }


@pytest.mark.parametrize(
    ("does", "code"), [("stale", "stale"), ("illegal with current", "no_company_behind")]
)
async def test_an_error_may_bring_along_where_the_table_is(home: House, does: str, code: str) -> None:
    answer = await home.act(does)
    assert answer.json()["error"]["code"] == code
    assert answer.content.endswith(b'"current":' + CURRENT + b"}")


async def test_without_it_there_is_no_field_of_that_name(home: House) -> None:
    assert set((await home.act("illegal")).json()) == {"error"}


@pytest.mark.parametrize(("does", "seconds"), [("unavailable", 1), ("busy", 7)])
async def test_who_should_come_back_is_told_when(home: House, does: str, seconds: int) -> None:
    answer = await home.act(does)
    assert answer.headers["retry-after"] == str(seconds)
    assert answer.json()["error"]["retry_after"] == seconds


async def test_an_error_of_ours_tells_the_client_nothing(home: House) -> None:
    answer = await home.act("broken")
    assert answer.json() == {"error": {"code": "internal", "message": "something went wrong on our side"}}
    assert CARD not in str(answer.headers)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "Input data was truncated"),
        (b"{", "Input data was truncated"),
        (b'{"key":"x"}', "Invalid UUID - at `$.key`"),
        (b'{"does":"\xff"}', "this is not UTF-8"),
        (b'{"does":"a\\u0000b"}', "a text holds the character NUL"),
        (b'{"more":' + b"[" * 1500, "Object contains unknown field `more`"),
    ],
)
async def test_a_body_that_cannot_be_read_is_400_and_told_where(home: House, body: bytes, told: str) -> None:
    answer = await _post(home, body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "unreadable")
    assert answer.json()["error"]["message"] == told


async def test_a_backslash_before_u0000_is_just_a_backslash(home: House) -> None:
    body = b'{"key":"01234567-89ab-7000-8000-000000000002","does":"\\\\u0000"}'
    assert (await _post(home, body)).json()["did"].startswith("\\u0000 at")


@pytest.mark.parametrize(
    "body",
    [
        b'{"' + b"x" * 3000 + b'":1}',
        b'{"x - at `$.' + b"x" * 3000 + b'":1}',
        b'{"' + b"y" * 1000 + b" - at `$." + b"x" * 1000 + b'":1}',
    ],
)
async def test_what_was_sent_is_not_echoed_at_length(home: House, body: bytes) -> None:
    message = (await _post(home, body)).json()["error"]["message"]
    assert message.count("x") + message.count("y") <= 100


async def test_a_long_text_of_notation_is_not_echoed_at_length(home: House) -> None:
    message = (await home.act("notation")).json()["error"]["message"]
    assert message.startswith("line 1, column 3: expected a card")
    assert message.count("z") <= 100


async def test_an_unknown_path_is_404(home: House) -> None:
    for path in ("/", "/api", "/api/nowhere", "/api/who/", f"{ACTIONS}/more", "/api/" + "x" * 5000):
        answer = await home.client.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_thing")


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/not-a-uuid",
        f"/api/tables/{TABLE.hex}",
        f"/api/tables/{{{TABLE}}}",
        f"/api/tables/{TABLE}/seats/-1",
        f"/api/tables/{TABLE}/seats/1234567890",
        f"/api/tables/{TABLE}/seats/%D9%A3",
        f"/api/pictures/{'x' * 101}",
        "/api/pictures/a%00b",
    ],
)
async def test_a_path_with_something_else_in_its_places_is_404(home: House, path: str) -> None:
    answer = await home.client.get(path, headers=ANNE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_thing")


async def test_a_wrong_method_is_405_and_told_what_is_allowed(home: House) -> None:
    answer = await home.client.patch(f"/api/tables/{TABLE}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "wrong_method")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert (await home.client.get(ACTIONS)).headers["allow"] == "OPTIONS, POST"


async def test_options_tells_what_is_allowed(home: House) -> None:
    answer = await home.client.options(ACTIONS)
    assert (answer.status_code, answer.headers["allow"]) == (204, "OPTIONS, POST")


async def test_head_answers_as_get_does_but_without_the_body(home: House) -> None:
    path = f"/api/tables/{TABLE}/seats/3"
    asked, headed = await home.client.get(path), await home.client.head(path)
    assert headed.content == b""
    assert headed.headers["content-length"] == asked.headers["content-length"]
    assert (await home.client.head(f"/api/tables/{TABLE}")).status_code == 401


async def test_the_session_cookie_is_out_of_reach_for_scripts_and_other_sites(home: House) -> None:
    answer = await home.client.post("/api/guests")
    assert answer.headers["set-cookie"] == (
        "__Host-cartagena=ct_guest; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure"
    )


async def test_signing_out_takes_the_cookie_away(home: House) -> None:
    answer = await home.client.delete("/api/session", headers=ANNE)
    assert answer.status_code == 204
    assert answer.headers["set-cookie"].startswith("__Host-cartagena=; Path=/; Max-Age=0;")


def test_a_cookie_never_says_its_value_by_itself() -> None:
    assert "ct_x" not in repr(Cookie(name="cartagena", value="ct_x", seconds=1))
    answer = Answer(content=b"ct_x", cookies=(Cookie(name="cartagena", value="ct_x", seconds=1),))
    assert "ct_x" not in repr(answer)


def test_a_cookie_cannot_smuggle_another_attribute() -> None:
    with pytest.raises(AssertionError):
        Cookie(name="cartagena", value="x; Domain=example", seconds=1).line(secure=True)


def test_a_call_never_says_what_it_holds() -> None:
    call = Call(
        request_id="r1",
        address="192.0.2.1",
        peer="192.0.2.1",
        session=None,
        places={"invite": CARD},
        content=None,
        asked=None,
        headers={b"cookie": CARD.encode()},
    )
    assert CARD not in repr(call)


async def _post(home: House, body: bytes) -> httpx.Response:
    headers = {**ANNE, "content-type": "application/json"}
    return await home.client.post(ACTIONS, content=body, headers=headers)


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(),
        TimeoutError(),
        asyncpg.ConnectionDoesNotExistError("gone"),
        asyncpg.CannotConnectNowError("starting"),
        asyncpg.AdminShutdownError("going"),
        asyncpg.InterfaceError("closed"),
    ],
)
def test_a_database_that_is_away_is_no_fault_of_the_program(error: Exception) -> None:
    refused = refusal_of(error)
    assert (refused.status, refused.problem.code, refused.problem.retry_after) == (503, "unavailable", 1)
