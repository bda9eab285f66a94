"""Accounts behind a real uvicorn, and its clients; every answer is checked against the document."""

import io
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
import jsonschema_rs
from asyncpg import Pool
from asyncpg.pool import PoolConnectionProxy
from msgspec import Raw

from cartagena.endpoints.routing import Route
from cartagena.server.accounts.moderation import set_admin
from cartagena.server.http.api.accounts import account_kit, account_routes
from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments, json_log
from cartagena.server.http.openapi import document_of
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.shared.settings import Settings
from harness.authenticator import Authenticator, encoded
from tests.server.accounts_world import World, world
from tests.server.http_house import HandClock, Proxy, serving
from tests.waiting import PATIENCE

ORIGIN = "http://localhost:8000"
ORIGINS = (ORIGIN, "https://play.example.org")
"""At home and in production: over https the cookie has another name, and only that one counts."""
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PROMPT = 1e6
"""A pace at which no limit is met."""

# Any: JSON as it comes.
Json = dict[str, Any]


_DOCUMENTS: dict[tuple[str, ...], "Document"] = {}


def documented(routes: tuple[Route, ...]) -> "Document":
    """The document of some routes, written once for all services that have the same ones."""
    key = tuple(f"{route.method} {route.template}" for route in routes)
    if key not in _DOCUMENTS:
        _DOCUMENTS[key] = Document(routes)
    return _DOCUMENTS[key]


class Document:
    """What the document says about every route; an undocumented answer fails the test."""

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self.told = document_of(routes, version="1")
        self._validators: dict[str, jsonschema_rs.Validator] = {}
        self._operations: list[tuple[str, re.Pattern[str], Json]] = [
            (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation)
            for path, methods in self.told["paths"].items()
            for method, operation in methods.items()
        ]

    async def check(self, answer: httpx.Response) -> None:
        """Status, code, headers and content are as documented."""
        await answer.aread()
        operation = self._operation_of(answer.request)
        where = f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {answer.text}"
        response = operation["responses"].get(str(answer.status_code))
        assert response is not None, f"undocumented: {where}"
        assert "set-cookie" not in answer.headers or "Set-Cookie" in response["headers"], where
        content = response.get("content")
        if content is None:
            assert answer.content == b"", where
        else:
            assert self.fits(content["application/json"]["schema"], answer.json()), f"does not fit: {where}"

    def fits(self, schema: Json, value: object) -> bool:
        """Whether JSON is what a schema of the document says."""
        key = json.dumps(schema)
        if key not in self._validators:
            whole = {**schema, "components": self.told["components"]}
            self._validators[key] = jsonschema_rs.validator_for(whole)
        return self._validators[key].is_valid(value)

    def _operation_of(self, request: httpx.Request) -> Json:
        for method, pattern, operation in self._operations:
            if method == request.method and pattern.fullmatch(request.url.path):
                return operation
        raise AssertionError(f"{request.method} {request.url.path} is not in the document")


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A running service, as far as accounts go."""

    here: World
    routes: tuple[Route, ...]
    document: Document
    origin: str
    port: int
    log: io.BytesIO = field(repr=False)
    clients: AsyncExitStack = field(repr=False)
    forgotten: list[UUID]

    @property
    def cookie(self) -> str:
        """What the session's cookie is called here."""
        return "__Host-cartagena" if self.secure else "cartagena"

    @property
    def secure(self) -> bool:
        """Whether players use https."""
        return self.origin.startswith("https://")

    def cookie_line(self, token: str, *, seconds: int) -> str:
        """How a browser is told to keep the session's cookie."""
        line = f"{self.cookie}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax"
        return f"{line}; Secure" if self.secure else line

    async def client(self, **headers: str) -> httpx.AsyncClient:
        """A client, which keeps cookies as a browser does."""
        client = httpx.AsyncClient(
            base_url=self.origin,
            headers=headers,
            timeout=PATIENCE,
            transport=Proxy(self.port),
            event_hooks={"response": [self.document.check]},
        )
        return await self.clients.enter_async_context(client)

    async def browser(self) -> httpx.AsyncClient:
        """A browser that shows our own page, signed in nowhere."""
        return await self.client(origin=self.origin, **{"user-agent": FIREFOX})

    async def guest(self, name: str | None = None) -> httpx.AsyncClient:
        """A browser whose player is a guest."""
        browser = await self.browser()
        answer = await browser.post("/api/guest", json={"name": name})
        assert answer.status_code == 201
        return browser

    async def program(self, token: str) -> httpx.AsyncClient:
        """A program that shows a token."""
        return await self.client(authorization=f"Bearer {token}", **{"user-agent": "my-bot/1.0"})

    async def named(self, name: str, device: Authenticator | None = None) -> httpx.AsyncClient:
        """A browser whose player keeps their name with a passkey."""
        browser = await self.guest(name)
        made = await with_passkey(browser, device or Authenticator(self.origin))
        assert made.status_code == 201
        return browser

    async def admin(self, name: str = "Governor") -> httpx.AsyncClient:
        """A browser whose player is an admin."""
        browser = await self.named(name)
        await set_admin(self.here.sessions, await id_of(browser), is_admin=True)
        return browser

    async def token_of(self, browser: httpx.AsyncClient, *scopes: str) -> str:
        """A personal token of the browser's player."""
        answer = await browser.post("/api/me/tokens", json={"name": "my bot", "scopes": scopes})
        assert answer.status_code == 201
        token: str = answer.json()["token"]
        return token


@asynccontextmanager
async def house(pool: Pool, settings: Settings, *, http: HttpSettings | None = None) -> AsyncIterator[House]:
    """The routes of accounts, and the ways in which the rest of the service takes part in them."""
    here, log, forgotten = world(pool), io.BytesIO(), []

    async def games_of(player_id: UUID) -> Raw:
        return Raw(b'{"results":["%s"]}' % str(player_id).encode())

    async def forget(connection: PoolConnectionProxy, player_id: UUID) -> None:
        await connection.execute("SELECT 1")
        forgotten.append(player_id)

    kit = account_kit(settings, here.sessions, parts={"lobby": games_of}, forget=[forget])
    routes = account_routes(kit)
    app = build_app(
        routes,
        sessions=here.sessions,
        settings=http or HttpSettings(own_origins=frozenset({settings.url}), pace=PROMPT),
        ready_checks={},
        instruments=Instruments(clock=HandClock(), log=json_log(log)),
    )
    config = uvicorn_config(app, port=0, graceful_seconds=1)
    async with serving(config) as port, AsyncExitStack() as clients:
        yield House(
            here=here,
            routes=routes,
            document=documented(routes),
            origin=settings.url,
            port=port,
            log=log,
            clients=clients,
            forgotten=forgotten,
        )


def with_vapid(settings: dict[str, str] | None = None) -> dict[str, str]:
    """Variables of a service that sends web pushes."""
    key = encoded(bytes([1]) + secrets.token_bytes(31))
    return {"CARTAGENA_VAPID_PRIVATE_KEY": key, "CARTAGENA_VAPID_SUBJECT": "mailto:x@example.org"} | (
        settings or {}
    )


def with_club() -> dict[str, str]:
    """Variables of a club whose provider is away; for tests that only need its routes."""
    return {"CARTAGENA_OIDC_ISSUER": "http://127.0.0.1:9", "CARTAGENA_OIDC_CLIENT_ID": "cartagena"}


async def with_passkey(
    browser: httpx.AsyncClient, device: Authenticator, name: str | None = None
) -> httpx.Response:
    """Add a passkey of this device to the browser's player."""
    options = await browser.post("/api/me/passkeys/begin", json={"name": name})
    assert options.status_code == 200, options.text
    credential = device.create(public_key_of(options))
    return await browser.post(
        "/api/me/passkeys/finish", content=b'{"label":"my key","credential":%s}' % credential, headers=JSON
    )


async def sign_in(
    browser: httpx.AsyncClient, device: Authenticator, *, bearer: bool = False
) -> httpx.Response:
    """Sign in with the newest passkey of this device."""
    options = await browser.post("/api/sign-in/begin")
    credential = device.get(public_key_of(options))
    flag = b"true" if bearer else b"false"
    return await browser.post(
        "/api/sign-in/finish", content=b'{"bearer":%s,"credential":%s}' % (flag, credential), headers=JSON
    )


async def prove(browser: httpx.AsyncClient, device: Authenticator) -> httpx.Response:
    """Prove who the browser's player is, with the newest passkey of this device."""
    options = await browser.post("/api/sign-in/begin")
    credential = device.get(public_key_of(options))
    return await browser.post("/api/me/proof", content=b'{"credential":%s}' % credential, headers=JSON)


JSON = {"content-type": "application/json"}


def public_key_of(options: httpx.Response) -> Raw:
    """What the browser hands to its authenticator."""
    return Raw(options.content.removeprefix(b'{"publicKey":').removesuffix(b"}"))


async def id_of(browser: httpx.AsyncClient) -> UUID:
    """The id of the browser's player."""
    answer = await browser.get("/api/me")
    assert answer.status_code == 200
    return UUID(answer.json()["id"])


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of a refusal."""
    return answer.status_code, answer.json()["error"]["code"]
