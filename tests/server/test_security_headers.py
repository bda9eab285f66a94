"""Every kind of answer tells browsers what they may not do with it, whatever was asked for."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.response_headers import DATA_POLICY, PAGE_POLICY, WORKER_POLICY
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.pages.built import read_built
from cartagena.server.pages.pages import Pages, page_route
from tests.server.http_house import ACTIONS, ANNE, client_of, raw_exchange, serving
from tests.server.http_sample import TABLE, KnownSessions, sample_routes
from tests.server.test_pages import SCRIPT, built

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "strict-transport-security": "max-age=31536000",
}
FOR_EVER, ASK_AGAIN, PRIVATE = "public, max-age=31536000, immutable", "no-cache", "no-store"


@dataclass(frozen=True)
class Kind:
    """An answer: how it is asked for, its status, what it may do, and who may keep it."""

    method: str
    path: str
    status: int
    policy: str = DATA_POLICY
    caching: str = PRIVATE
    headers: tuple[tuple[str, str], ...] = ()
    content: bytes | None = None


OWN = tuple(ANNE.items())
JSON = ("content-type", "application/json")
KINDS = {
    "page": Kind("GET", "/", 200, PAGE_POLICY, ASK_AGAIN),
    "page of a table": Kind("GET", f"/table/{TABLE}", 200, PAGE_POLICY, ASK_AGAIN),
    "page that is not there": Kind("GET", "/nowhere", 404, PAGE_POLICY, ASK_AGAIN),
    "asset": Kind("GET", SCRIPT, 200, PAGE_POLICY, FOR_EVER),
    "worker of the device": Kind("GET", "/assets/worker-7c2.js", 200, WORKER_POLICY, FOR_EVER),
    "part of the device": Kind("GET", "/engine/1a2b/python.wasm", 200, PAGE_POLICY, FOR_EVER),
    "list of parts": Kind("GET", "/engine/parts.json", 200, PAGE_POLICY, ASK_AGAIN),
    "asset that is not there": Kind("GET", "/assets/none.js", 404),
    "worker": Kind("GET", "/worker.js", 200, PAGE_POLICY, ASK_AGAIN),
    "picture": Kind("GET", "/favicon.svg", 200, PAGE_POLICY, ASK_AGAIN),
    "data": Kind("GET", "/api/who", 200, headers=OWN),
    "data without content": Kind("PUT", "/api/nothing", 204, headers=OWN),
    "head": Kind("HEAD", "/health", 200),
    "options": Kind("OPTIONS", ACTIONS, 204),
    "stream": Kind("GET", "/api/fleeting", 200, headers=OWN),
    "no session": Kind("GET", f"/api/tables/{TABLE}", 401),
    "no scope": Kind("GET", "/api/admin", 403, headers=OWN),
    "nothing there": Kind("GET", "/api/nowhere", 404),
    "another method": Kind("PATCH", ACTIONS, 405),
    "too large": Kind("POST", ACTIONS, 413, headers=(*OWN, JSON), content=b" " * 5000),
    "no json": Kind("POST", ACTIONS, 415, headers=OWN, content=b"{}"),
    "unreadable": Kind("POST", ACTIONS, 400, headers=(*OWN, JSON), content=b"{"),
    "our fault": Kind(
        "POST",
        ACTIONS,
        500,
        headers=(*OWN, JSON),
        content=b'{"key":"01234567-89ab-7000-8000-000000000002","does":"broken"}',
    ),
    "headers too long": Kind("GET", "/health", 431, headers=(("x-long", "x" * 40_000),)),
    "another site in the path": Kind("GET", "//evil.example/", 404, PAGE_POLICY, ASK_AGAIN),
}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    settings = HttpSettings(own_origins=frozenset({"https://cartagena.example"}))
    app = build_app(
        sample_routes(),
        sessions=KnownSessions(),
        settings=settings,
        ready_checks={},
        elsewhere=page_route(Pages(read_built(built(tmp_path / "files")))),
    )
    config = uvicorn_config(app, port=0, graceful_seconds=1, secure=settings.https)
    async with serving(config) as port, client_of(port) as made:
        made.headers["accept-encoding"] = "identity"
        yield made


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_every_kind_of_answer_has_them_all(client: httpx.AsyncClient, kind: Kind) -> None:
    # The path as it stands: httpx would take two slashes for another host.
    url = client.base_url.copy_with(raw_path=kind.path.encode())
    answer = await client.request(kind.method, url, headers=kind.headers, content=kind.content)
    assert answer.status_code == kind.status
    assert {name: answer.headers.get(name) for name in ALWAYS} == ALWAYS
    assert answer.headers.get_list("content-security-policy") == [kind.policy]
    assert answer.headers.get_list("cache-control") == [kind.caching]
    assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(kind.policy.split("; "))
    assert "location" not in answer.headers, "nobody is sent elsewhere"
    assert "server" not in answer.headers


async def test_a_page_that_is_known_already_has_them_too(client: httpx.AsyncClient) -> None:
    tag = (await client.get("/")).headers["etag"]
    answer = await client.get("/", headers={"if-none-match": tag})
    assert answer.status_code == 304
    assert {name: answer.headers.get(name) for name in ALWAYS} == ALWAYS
    assert answer.headers["content-security-policy"] == PAGE_POLICY


async def test_one_who_asks_too_often_has_them_too(client: httpx.AsyncClient) -> None:
    answers = [await client.get("/api/slow") for _ in range(4)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert {name: answers[-1].headers.get(name) for name in ALWAYS} == ALWAYS


async def test_what_is_no_request_has_them_too(client: httpx.AsyncClient) -> None:
    assert client.base_url.port is not None
    said = await raw_exchange(client.base_url.port, b"ahoy\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    for name, value in ALWAYS.items():
        assert f"\r\n{name}: {value}\r\n".encode() in said
