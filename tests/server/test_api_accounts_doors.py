"""Every route of accounts: who gets in, what the document says, and what stays exact about it."""

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest
from asyncpg import Pool

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.limits import AT_THE_DOOR
from cartagena.endpoints.routing import Route, problems_of
from cartagena.server.http.api.accounts import account_kit, account_routes
from cartagena.server.http.api.accounts_base import label_of
from cartagena.server.shared.settings import Settings
from cartagena.tables.errors import Problem
from tests.server.accounts_world import world
from tests.server.api_accounts_house import Document, House, house

SOMETHING = "01234567-89ab-7000-8000-000000000002"
OPEN = {
    "/api/guest",
    "/api/session",
    "/api/sign-out",
    "/api/sign-in",
    "/api/sign-in/club",
    "/api/sign-in/club/back",
    "/api/sign-in/begin",
    "/api/sign-in/finish",
    "/api/sign-in/recovery",
    "/api/sign-in/device",
    "/api/push-key",
}
"""What anybody may ask."""


@pytest.fixture
async def home(directory: Pool, either_settings: Settings) -> AsyncIterator[House]:
    async with house(directory, either_settings) as running:
        yield running


async def ask(client: httpx.AsyncClient, route: Route) -> tuple[int, str | None]:
    """The status with which a route answers the body of its example, and the code of a refusal."""
    path = "/".join(SOMETHING if part.startswith("{") else part for part in route.template.split("/"))
    body = None if route.body is None else msgspec.to_builtins(route.example.body) or {}
    answer = await client.request(route.method, path, json=body)
    is_refused = answer.status_code >= 400
    return answer.status_code, answer.json()["error"]["code"] if is_refused else None


async def test_every_route_lets_in_who_has_its_scope_and_nobody_else(home: House) -> None:
    anne, admin = await home.named("Anne"), await home.admin()
    tokens = {
        scope: await home.program(await home.token_of(anne, scope.value))
        for scope in (Scope.READ, Scope.PLAY, Scope.ACCOUNT)
    }
    nobody = await home.client()
    refusals = {(401, "unauthenticated"), (403, "missing_scope")}
    for route in sorted(home.routes, key=lambda route: route.name == "delete_me"):
        if route.scope is None:
            assert route.template in OPEN
            assert await ask(nobody, route) not in refusals
            nobody.cookies.clear()
            continue
        assert await ask(nobody, route) == (401, "unauthenticated"), route.name
        for scope, program in tokens.items():
            if scope is not route.scope:
                assert await ask(program, route) == (403, "missing_scope"), (route.name, scope)
        if route.scope is Scope.ADMIN:
            assert await ask(anne, route) == (403, "missing_scope"), route.name
        assert await ask(admin, route) not in refusals, route.name


async def test_nobody_is_let_in_for_nothing(home: House) -> None:
    assert {route.template for route in home.routes if route.scope is None} == OPEN
    for route in home.routes:
        assert (route.scope is Scope.ADMIN) == route.path.startswith("/api/admin/")
        if route.method != "GET" and route.path.startswith("/api/me"):
            assert route.scope is Scope.ACCOUNT, route.name


def the_routes(directory: Pool, settings: Settings) -> tuple[Route, ...]:
    return account_routes(account_kit(settings, world(directory).sessions))


async def test_whatever_can_be_guessed_or_makes_accounts_is_limited_at_the_door(
    directory: Pool, settings: Settings
) -> None:
    for route in the_routes(directory, settings):
        at_the_door = route.limit == AT_THE_DOOR
        if route.path.startswith("/api/sign-in/") or route.path == "/api/guest":
            assert at_the_door, route.name
        if Problem.WRONG_PROOF in problems_of(route):
            assert at_the_door, route.name


async def test_every_example_is_what_the_document_says(directory: Pool, settings: Settings) -> None:
    document = Document(the_routes(directory, settings))
    seen = 0
    for methods in document.told["paths"].values():
        for operation in methods.values():
            contents = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (one.get("content", {}).get("application/json", {}) for one in contents):
                if "example" in content:
                    seen += 1
                    assert document.fits(content["schema"], _as_json(content["example"]))
    assert seen >= 25


def _as_json(example: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(example))


async def test_every_route_that_reads_a_body_has_an_example_unless_a_browser_makes_it(
    directory: Pool, settings: Settings
) -> None:
    without = {
        route.name
        for route in the_routes(directory, settings)
        if route.body is not None and route.example.body is None
    }
    assert without == {"finish_passkey", "finish_sign_in", "prove_myself"}


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        (None, ""),
        ("", ""),
        ("curl/8.5.0", "curl"),
        ("Mozilla/5.0", ""),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36", "Chrome, Windows"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/5",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18.0 Safari/605.1.15", "Safari, macOS"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) FxiOS/140 Safari/605", "Firefox, iPhone"),
    ],
)
def test_a_place_is_called_after_its_browser_and_system(user_agent: str | None, label: str) -> None:
    assert label_of(user_agent) == label


async def test_odd_letters_in_the_name_of_a_program_do_no_harm(home: House) -> None:
    for name in (b"\xff\xfe\tbot", b"x" * 5000, "ü\u202e".encode()):
        answer = await (await home.client()).post("/api/guest", json={}, headers={b"user-agent": name})
        assert answer.status_code == 201
