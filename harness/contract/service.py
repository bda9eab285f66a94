"""The service in a thread of its own, on a new database, with players and tables in every stage.

The harbour makes them, so that made-up requests are about something that exists.
"""

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeVar
from uuid import UUID

import httpx
import structlog
import uvicorn
from prometheus_client import CollectorRegistry

from cartagena.fairness import commit
from cartagena.server.http.observability import discreet_errors
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.migrate import upgrade
from cartagena.server.web_app import opened_web
from harness.services import own_database

PACE: Final = "1000000"
"""So high that no rate limit applies."""
VAPID: Final = {
    "CARTAGENA_VAPID_PRIVATE_KEY": "AQ" + "E" * 41,
    "CARTAGENA_VAPID_SUBJECT": "mailto:harbour@example.org",
}
"""So that browsers can be kept; nothing is sent, for there is no worker."""
PATIENCE: Final = 30.0
FAULTS: Final = frozenset({"warning", "error", "exception", "critical"})
"""The levels of the log at which something is wrong with the service itself."""

_MAKE_ADMIN: Final = "UPDATE directory.players SET is_guest = false, is_admin = true WHERE player_id = $1"

Answer = TypeVar("Answer")

# Any: JSON as it comes.
Json = dict[str, Any]

NONCE: Final = "5a" * 32
NONCE_HASH: Final = commit(bytes.fromhex(NONCE))
RULESETS: Final = ("jamaica", "tortuga", "nest")
STAGES: Final = ("open", "starting", "running", "over")
USES: Final = 20
"""Requests about one table, at most."""
MOSTLY: Final = 0.7
CLOCK: Final = {"kind": "live", "bank": 600, "increment": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A guest and their token."""

    id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A table, as it stood when it was made ready: its code, its seq, and what the seat to act might do."""

    id: str
    invite: str = field(repr=False)
    seats: tuple[Person, ...]
    seq: int
    legal: tuple[int, ...]
    to_act: int | None
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A running web node, and the loop in which it runs."""

    url: str
    resources: Resources
    loop: asyncio.AbstractEventLoop
    log: list[str] = field(repr=False)
    """What went wrong inside, a line for each answer that was the service's own fault."""

    def call(self, doing: Coroutine[object, object, Answer]) -> Answer:
        """Do something in the service's own thread."""
        return asyncio.run_coroutine_threadsafe(doing, self.loop).result(PATIENCE)

    def make_admin(self, player_id: str) -> None:
        """Give a guest the rights of an administrator; sessions made later have them."""
        self.call(self._make_admin(player_id))

    async def _make_admin(self, player_id: str) -> None:
        await self.resources.directory.pool.execute(_MAKE_ADMIN, player_id)


@asynccontextmanager
async def new_database(server: str) -> AsyncIterator[str]:
    """The address of a new database with the newest schemas."""
    async with own_database(server, "contract") as dsn:
        await upgrade(_settings(dsn), lambda _: None)
        yield dsn


def _settings(dsn: str) -> Settings:
    chosen = {"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": dsn, "CARTAGENA_PACE": PACE}
    return Settings.read(chosen | VAPID)


@contextmanager
def serving(dsn: str) -> Iterator[Serving]:
    """Serve a database that has its schemas, on a free port of this machine."""
    started: list[Serving] = []
    is_up, is_done = threading.Event(), threading.Event()
    thread = threading.Thread(target=asyncio.run, args=(_serve(dsn, started, is_up, is_done),), daemon=True)
    thread.start()
    try:
        if not is_up.wait(PATIENCE):
            raise TimeoutError("the service does not start")
        yield started[0]
    finally:
        is_done.set()
        thread.join(PATIENCE)


async def _serve(dsn: str, started: list[Serving], is_up: threading.Event, is_done: threading.Event) -> None:
    log: list[str] = []
    # schemathesis begins each round with a malformed request, to learn what it can send at all.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    structlog.configure(processors=[discreet_errors, _keeping_faults(log)], cache_logger_on_first_use=False)
    async with AsyncExitStack() as opened:
        resources = await opened.enter_async_context(
            opened_resources(_settings(dsn), program="cartagena contract")
        )
        web = await opened.enter_async_context(opened_web(resources, CollectorRegistry()))
        server = uvicorn.Server(uvicorn_config(web.app, port=0, graceful_seconds=1))
        task = asyncio.create_task(server.serve())
        while not server.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event to wait for
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        started.append(Serving(url=f"http://127.0.0.1:{port}", resources=resources, loop=loop, log=log))
        is_up.set()
        await asyncio.to_thread(is_done.wait)
        await web.hub.drain()
        server.should_exit = True
        await task


def _keeping_faults(log: list[str]) -> Callable[..., dict[str, object]]:
    """Return a log processor that keeps what is the service's own fault, and writes nothing."""

    def keep(_logger: object, level: str, line: dict[str, object]) -> dict[str, object]:
        if level in FAULTS:
            log.append(str(line))
        raise structlog.DropEvent

    return keep


class Harbour:
    """Makes whatever a request may be about, over HTTP like any client."""

    def __init__(self, serving: Serving, chance: Random) -> None:
        self._serving = serving
        self._client = httpx.Client(base_url=serving.url, verify=False)  # noqa: S501 - plain http on loopback
        self._chance = chance
        self._tables: dict[str, Standing] = {}
        self._uses: Counter[str] = Counter()
        self.strangers = [self.guest() for _ in range(3)]
        self.admin = self._new_admin()
        self.things: list[str] = []
        """Ids of anything else a path may name: sessions, tokens, browsers, reports."""

    def document(self) -> Json:
        """What the service says of itself."""
        return self._ok(self._client.get("/api/openapi.json"))

    def guest(self) -> Person:
        """Return a new guest."""
        made = self._ok(self._client.post("/api/guest", json={"bearer": True}))
        self._client.cookies.clear()
        return Person(id=made["me"]["id"], token=made["token"])

    def _new_admin(self) -> Person:
        person = self.guest()
        self._serving.make_admin(person.id)
        return person

    def close(self) -> None:
        """Let go of the service."""
        self._client.close()

    # Tables.

    def renew(self) -> None:
        """Make new strangers with new things; the old ones may be banned or deleted by now."""
        self.strangers = [self.guest() for _ in range(3)]
        self.things = self._new_things(self.strangers[0])

    def table(self, stage: str) -> Standing:
        """Return a table in `stage`, a new one every `USES` requests: the old one may be over or deserted."""
        if self._uses[stage] % USES == 0:
            listed = self._chance.random() < MOSTLY
            self._tables[stage] = self._table(stage, self._chance.choice(RULESETS), listed=listed)
        self._uses[stage] += 1
        return self._tables[stage]

    def _table(self, stage: str, ruleset: str, *, listed: bool) -> Standing:
        host, mate = self.guest(), self.guest()
        terms: Json = {
            "ruleset": ruleset,
            "seats": 3 if stage == "open" else 2,
            "listed": listed,
            "hints": True,
        }
        if self._chance.random() < MOSTLY:
            terms["clock"] = CLOCK
        made = self._post(host, "/api/tables", terms=terms, nonce_hash=NONCE_HASH)
        path, invite = f"/api/tables/{made['id']}", made["invite"]
        told = self._post(mate, f"{path}/sit", invite=invite, nonce_hash=NONCE_HASH)
        steps = STAGES.index(stage)
        if steps:
            told = self._post(host, f"{path}/start")
        if steps > 1:
            self._post(host, f"{path}/nonce", nonce=NONCE)
            told = self._post(mate, f"{path}/nonce", nonce=NONCE)
        hint = None
        if stage == "running":
            hint = self._hint((host, mate)[told["view"]["to_act"]], path)
        if stage == "over":
            self._post(host, f"{path}/abandon")
            told = self._post(mate, f"{path}/abandon")
            self._ok(self._client.post(f"{path}/analysis", headers=_shown(host)))
        return self._standing(made["id"], invite, (host, mate), told["seq"], hint)

    def _hint(self, person: Person, path: str) -> str:
        hint: str = self._ok(self._client.post(f"{path}/hint", headers=_shown(person)))["id"]
        return hint

    def _standing(
        self, table: str, invite: str, seats: tuple[Person, Person], seq: int, hint: str | None
    ) -> Standing:
        views = [
            self._ok(self._client.get(f"/api/tables/{table}", headers=_shown(person)))["current"]
            for person in seats
        ]
        legal = [(view.get("view") or {}).get("legal") for view in views]
        to_act = next((seat for seat, codes in enumerate(legal) if codes), None)
        codes = () if to_act is None else tuple(legal[to_act] or ())
        return Standing(id=table, invite=invite, seats=seats, seq=seq, legal=codes, to_act=to_act, hint=hint)

    # Other things.

    def _new_things(self, person: Person) -> list[str]:
        token = self._post(person, "/api/me/tokens", name="a program", scopes=["read"])
        report = self._post(person, "/api/reports", player=self.strangers[1].id, text="swears")
        sessions = self._ok(self._client.get("/api/me/sessions", headers=_shown(person)))["sessions"]
        del sessions[:1]  # the person's own; without it they could ask nothing more
        return [token["made"]["id"], report["id"], *(session["id"] for session in sessions)]

    def _post(self, person: Person, path: str, **body: object) -> Json:
        key = str(UUID(bytes=self._chance.randbytes(16), version=4))
        return self._ok(self._client.post(path, json={"key": key, **body}, headers=_shown(person)))

    def _ok(self, answer: httpx.Response) -> Json:
        if not answer.is_success:
            raise RuntimeError(f"{answer.request.method} {answer.request.url.path}: {answer.text}")
        told: Json = answer.json()
        return told


def _shown(person: Person) -> dict[str, str]:
    return {"authorization": f"Bearer {person.token}"}
