"""A club's own provider, a certified one that Node.js runs, and browsers that go there and come back."""

import asyncio
import html
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from asyncpg import Pool

from cartagena.server.shared.settings import Settings
from tests.server.api_accounts_house import ORIGINS, House, house
from tests.server.databases import settings_for
from tests.server.http_house import NO_CERTIFICATES
from tests.waiting import PATIENCE

NAME = "Harbour Club"
BACK = "/api/sign-in/club/back"

_WEB = Path(__file__).parents[2] / "web"
_FORM = re.compile(r'<form[^>]* action="([^"]+)"')
_PROMPT = re.compile(r'name="prompt" value="(\w+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A running provider."""

    issuer: str

    @property
    def port(self) -> int:
        """Where it listens."""
        port = urlsplit(self.issuer).port
        assert port is not None
        return port

    def variables(self, client_id: str = "cartagena", secret: str = "") -> dict[str, str]:
        """What a service is told about it."""
        return {
            "CARTAGENA_OIDC_ISSUER": self.issuer,
            "CARTAGENA_OIDC_CLIENT_ID": client_id,
            "CARTAGENA_OIDC_CLIENT_SECRET": secret,
            "CARTAGENA_OIDC_NAME": NAME,
        }


@asynccontextmanager
async def provider(port: int = 0) -> AsyncIterator[Provider]:
    """A provider with new keys; without its program the test fails and says what to do."""
    node = shutil.which("node")
    if node is None or not (_WEB / "node_modules/oidc-provider").is_dir():
        pytest.fail("oidc-provider is not installed: run `cd web && npm install` (Node.js 20 or newer)")
    wanted = msgspec.json.encode({"redirects": [origin + BACK for origin in ORIGINS], "port": port}).decode()
    process = await asyncio.create_subprocess_exec(
        *(node, "e2e/clubProvider.js", wanted),
        cwd=_WEB,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await process.stdout.readline()
        assert line, "the provider does not start: try `node web/e2e/clubProvider.js`"
        yield Provider(issuer=msgspec.json.decode(line)["issuer"])
    finally:
        process.stdin.close()
        async with asyncio.timeout(PATIENCE):
            await process.wait()


@asynccontextmanager
async def club_house(
    directory: Pool, settings: Settings, club: Provider, client_id: str = "cartagena", secret: str = ""
) -> AsyncIterator[House]:
    """The routes of accounts at a place with that provider; its clock shows the real time, as there."""
    chosen = settings_for(settings.directory, CARTAGENA_URL=settings.url, **club.variables(client_id, secret))
    async with house(directory, chosen) as running:
        running.here.clock.moment = datetime.now(UTC)
        yield running


async def departed(browser: httpx.AsyncClient, **asked: str) -> str:
    """The address of the provider to which our service sends a browser."""
    answer = await browser.get("/api/sign-in/club", params=asked)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def signed_in_there(address: str, who: str) -> str:
    """Sign in at the provider with its forms, as a person does; return where it sends the browser."""
    async with httpx.AsyncClient(timeout=PATIENCE, verify=NO_CERTIFICATES) as browser:
        answer = await browser.get(address)
        while True:
            if answer.is_redirect:
                address = str(answer.url.join(answer.headers["location"]))
                if address.startswith(ORIGINS):
                    return address
                answer = await browser.get(address)
                continue
            form, prompt = _FORM.search(answer.text), _PROMPT.search(answer.text)
            assert form is not None, answer.text
            assert prompt is not None, answer.text
            filled = {"prompt": prompt[1], "login": who, "password": "anything"}
            answer = await browser.post(str(answer.url.join(html.unescape(form[1]))), data=filled)


async def came_back(browser: httpx.AsyncClient, address: str, **other: str) -> httpx.Response:
    """The answer to a browser that comes back from the provider; `other` overrides what it brings."""
    brought = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    return await browser.get(BACK, params=brought | other)


async def sign_in_by_club(browser: httpx.AsyncClient, who: str, **asked: str) -> httpx.Response:
    """The whole way: there, in, and back."""
    return await came_back(browser, await signed_in_there(await departed(browser, **asked), who))


def trouble_of(answer: httpx.Response) -> str:
    """The problem with which a browser is sent to the page for signing in; it gets no session."""
    assert answer.status_code == 303
    assert "cartagena=" not in answer.headers.get("set-cookie", "")
    page, _, code = answer.headers["location"].partition("?club=")
    assert page == "/sign-in", answer.headers["location"]
    return code
