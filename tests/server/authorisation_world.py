"""A running service, and everybody who might come to one of its tables."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
from prometheus_client import CollectorRegistry

from cartagena.endpoints.routing import Route
from cartagena.fairness import commit
from cartagena.messages.streams import EVENT_STREAM
from cartagena.server.accounts.moderation import set_admin
from cartagena.server.accounts.players import become_guest
from cartagena.server.accounts.sessions.cache import SessionCache
from cartagena.server.accounts.sessions.tokens import Admission, admit
from cartagena.server.http.api.ops import ops_routes
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.web_app import http_settings, opened_web
from harness.authenticator import Authenticator
from tests.server.accounts_world import PROGRAM, some_name
from tests.server.api_accounts_house import Document, documented, with_passkey
from tests.server.http_house import client_of, serving

# Any: JSON as it comes.
Json = dict[str, Any]

NONCE = "5a" * 32
NONCE_HASH = commit(bytes.fromhex(NONCE))


class Who(Enum):
    """Who asks. Before the start the first seat is the host's; in a game it is the seat to act."""

    NOBODY = "nobody"
    STRANGER = "stranger"
    SEAT = "seat"
    OTHER = "other"
    SPECTATOR = "spectator"
    KICKED = "kicked"
    SCOPELESS = "scopeless"
    REVOKED = "revoked"
    ADMIN = "admin"


SEATED = (Who.SEAT, Who.OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An answer as far as it matters here; `text` is the beginning of a stream."""

    status: int
    text: str
    headers: httpx.Headers

    @property
    def told(self) -> int | str:
        """The status of a success, or the code of a refusal."""
        return self.status if self.status < 400 else self.refusal[1]

    @property
    def refusal(self) -> tuple[int, str]:
        """Status and code."""
        return self.status, self.json["error"]["code"]

    @property
    def json(self) -> Json:
        """The content, if it is JSON."""
        told: Json = json.loads(self.text)
        return told

    def everything(self) -> Iterator[object]:
        """All JSON in the answer: the content itself, or the data of each event."""
        if not self.headers.get("content-type", "").startswith(EVENT_STREAM):
            yield json.loads(self.text or "null")
            return
        for line in self.text.splitlines():
            if line.startswith("data:"):
                yield json.loads(line[len("data:") :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A web node, with everything that can be asked of it."""

    resources: Resources
    routes: dict[str, Route]
    document: Document
    client: httpx.AsyncClient = field(repr=False)

    def example(self, name: str) -> Json:
        """The body that the document shows for a route."""
        body = self.routes[name].example.body
        assert body is not None, f"{name} has no example"
        shown: Json = msgspec.to_builtins(body)
        return shown

    async def guest(self) -> Admission:
        """A new guest."""
        return await become_guest(self.resources.directory, some_name(), PROGRAM)

    async def again(self, player: UUID) -> Admission:
        """Sign a player in again, as one who has proved who they are."""
        async with self.resources.directory.pool.acquire() as connection:
            return await admit(self.resources.directory, connection, player, PROGRAM, proved=True)

    async def named(self, admission: Admission) -> None:
        """Let a guest keep their name with a passkey."""
        headers = {"authorization": f"Bearer {admission.token}"}
        port = self.client.base_url.port
        assert port is not None
        async with client_of(port) as browser:
            browser.headers.update(headers)
            made = await with_passkey(browser, Authenticator(self.resources.settings.url))
        assert made.status_code == 201, made.text

    async def admin(self) -> Admission:
        """A new admin."""
        known = await self.guest()
        await self.named(known)
        sessions = SessionCache(self.resources.directory, on_close=lambda _: None)
        await set_admin(sessions, known.session.player_id, is_admin=True)
        # A session that nobody has asked about yet: the first one may be remembered without the rights.
        return await self.again(known.session.player_id)

    async def ask(
        self, method: str, path: str, token: str | None, body: Json | None = None, query: Json | None = None
    ) -> Heard:
        """Send one request; return its answer, checked against the document, or a stream's first event."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self.client.cookies.clear()
        async with self.client.stream(method, path, headers=headers, json=body, params=query) as answer:
            if not answer.headers.get("content-type", "").startswith(EVENT_STREAM):
                await answer.aread()
                return Heard(status=answer.status_code, text=answer.text, headers=answer.headers)
            text = ""
            async for piece in answer.aiter_text():
                text += piece
                if "data:" in text and text.endswith("\n\n"):
                    break
            return Heard(status=answer.status_code, text=text, headers=answer.headers)

    async def done(self, method: str, path: str, token: str, **body: object) -> Json:
        """Send a request that must succeed, under a new key; return its content."""
        heard = await self.ask(method, path, token, {"key": str(uuid4()), **body})
        assert heard.status < 300, (path, heard.text)
        return heard.json if heard.text else {}


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Service]:
    """The service as it is served, behind a real uvicorn."""
    async with AsyncExitStack() as opened:
        resources = await opened.enter_async_context(opened_resources(settings, program="cartagena test"))
        registry = CollectorRegistry()
        web = await opened.enter_async_context(opened_web(resources, registry))
        port = await opened.enter_async_context(serving(uvicorn_config(web.app, port=0, graceful_seconds=1)))
        client = await opened.enter_async_context(client_of(port))
        routes = (*web.routes, *ops_routes(web.routes, http_settings(settings), {}, registry))
        document = documented(routes)
        client.event_hooks = {"response": [_unless_stream(document)]}
        named = {route.name: route for route in routes}
        assert len(named) == len(routes), "two routes have one name"
        yield Service(resources=resources, routes=named, document=document, client=client)


def _unless_stream(document: Document) -> Callable[[httpx.Response], Awaitable[None]]:
    """The document describes JSON and answers without content; anything else is read elsewhere."""

    async def check(answer: httpx.Response) -> None:
        if answer.headers.get("content-type", "application/json") == "application/json":
            await document.check(answer)

    return check
