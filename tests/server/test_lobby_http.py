"""The lobby as clients see it: a real service on a loopback port, every answer held to the document."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from prometheus_client import CollectorRegistry

from cartagena.bots.players.registry import LEVELS
from cartagena.messages.accounts import MakeToken
from cartagena.rules.ruleset import EDITIONS, OPTIONS_BY_NAME, PRESETS
from cartagena.server.accounts.players import become_guest
from cartagena.server.accounts.sessions.devices import make_token
from cartagena.server.http.uvicorn_server import uvicorn_config
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.outbox import AllOutboxes
from cartagena.server.web_app import opened_web
from cartagena.server.worker.outbox import DirectoryWriter, OutboxMetrics
from tests.server.accounts_world import PROGRAM
from tests.server.api_accounts_house import Document, code_of, documented
from tests.server.http_house import NO_CERTIFICATES, serving
from tests.waiting import PATIENCE

READER = MakeToken(name="reader", scopes=("read",))

# Any: JSON as it comes.
Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A client and, if it is signed in, its player."""

    client: httpx.AsyncClient
    id: UUID | None = None
    name: str = ""

    async def get(self, path: str, **query: object) -> Json:
        """The content of an answer, which must be a success."""
        answer = await self.client.get(path, params={key: str(value) for key, value in query.items()})
        assert answer.status_code == 200, answer.text
        told: Json = answer.json()
        return told

    async def match(
        self, ruleset: str = "tortuga", seats: int = 2, key: UUID | None = None
    ) -> httpx.Response:
        """Ask for a quick match."""
        body = {"ruleset": ruleset, "seats": seats, "key": str(key or uuid4())}
        return await self.client.post("/api/matches", json=body)

    async def post(self, path: str, **body: object) -> httpx.Response:
        """Change something, under a new key."""
        return await self.client.post(path, json={"key": str(uuid4()), **body})


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A running web node, and a worker that tells news when it is asked to."""

    resources: Resources
    port: int
    document: Document
    clients: AsyncExitStack = field(repr=False)

    async def visitor(self, token: str | None = None) -> Visitor:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        client = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.port}",
            headers=headers,
            timeout=PATIENCE,
            verify=NO_CERTIFICATES,
            event_hooks={"response": [self.document.check]},
        )
        return Visitor(client=await self.clients.enter_async_context(client))

    async def guest(self) -> Visitor:
        """A guest who is signed in."""
        came = await become_guest(self.resources.directory, None, PROGRAM)
        visitor = await self.visitor(came.token)
        return Visitor(client=visitor.client, id=came.session.player_id, name=came.session.name)

    async def told(self) -> None:
        """Let the directory hear all news."""
        metrics = OutboxMetrics(CollectorRegistry())
        teller = DirectoryWriter(
            directory=self.resources.databases.directory,
            tables=self.resources.tables,
            bus=self.resources.bus,
            metrics=metrics,
        )
        for shard in AllOutboxes(self.resources.databases).shards:
            while await teller.tell_due(shard):
                pass


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Service]:
    async with AsyncExitStack() as opened:
        resources = await opened.enter_async_context(opened_resources(settings, program="cartagena test"))
        web = await opened.enter_async_context(opened_web(resources, CollectorRegistry()))
        port = await opened.enter_async_context(serving(uvicorn_config(web.app, port=0, graceful_seconds=1)))
        clients = await opened.enter_async_context(AsyncExitStack())
        yield Service(resources=resources, port=port, document=documented(web.routes), clients=clients)


@pytest.fixture
async def service(settings: Settings, databases: Databases) -> AsyncIterator[Service]:
    del databases  # it has emptied them
    async with running(settings) as service:
        yield service


async def test_the_rulesets_are_those_of_the_engine(service: Service) -> None:
    told = await (await service.visitor()).get("/api/rulesets")
    assert [ruleset["preset"] for ruleset in told["rulesets"]] == list(PRESETS)
    assert told["editions"] == EDITIONS
    assert (told["fewest_seats"], told["most_seats"]) == (2, 5)
    assert set(LEVELS) <= set(told["levels"])
    for ruleset in told["rulesets"]:
        preset = PRESETS[ruleset["preset"]]
        for option in ruleset["options"]:
            assert option["default"] == getattr(preset, option["name"])
            assert option["rule"] == OPTIONS_BY_NAME[option["name"]].rule
            values = option["values"] or [option["lowest"], option["highest"]]
            for value in values:
                preset.with_options(**{option["name"]: value})


async def test_who_looks_for_the_same_game_meets_and_plays(service: Service) -> None:
    anne, bart = await service.guest(), await service.guest()
    first = (await anne.match("nest")).json()
    assert (first["seat"], first["current"]["table"]["stage"]) == (0, "open")
    second = (await bart.match("nest")).json()
    assert (second["id"], second["seat"]) == (first["id"], 1)
    assert second["current"]["table"]["stage"] == "running"
    assert second["current"]["view"]["seat"] == 1


async def test_the_same_request_for_a_match_is_answered_alike(service: Service) -> None:
    anne, key = await service.guest(), uuid4()
    answers = await asyncio.gather(*(anne.match(key=key) for _ in range(4)))
    assert {answer.json()["id"] for answer in answers} == {answers[0].json()["id"]}
    assert {answer.status_code for answer in answers} == {200}


async def test_a_match_needs_a_session_and_the_right_to_play(service: Service) -> None:
    assert code_of(await (await service.visitor()).match()) == (401, "unauthenticated")
    came = await become_guest(service.resources.directory, None, PROGRAM)
    made = await make_token(service.resources.directory, came.session, READER)
    assert code_of(await (await service.visitor(made.token)).match()) == (403, "missing_scope")


async def test_a_match_of_a_game_that_nobody_knows_is_refused(service: Service) -> None:
    anne = await service.guest()
    assert code_of(await anne.match("chess")) == (422, "unfit")
    assert code_of(await anne.match(seats=6)) == (400, "unreadable")


async def test_waiting_ends_by_leaving_the_table(service: Service) -> None:
    anne, bart = await service.guest(), await service.guest()
    waiting = (await anne.match()).json()["id"]
    assert (await anne.post(f"/api/tables/{waiting}/leave")).status_code == 200
    assert (await bart.match()).json()["id"] != waiting


async def test_the_lobby_shows_open_tables_to_everybody(service: Service) -> None:
    nobody, anne = await service.visitor(), await service.guest()
    assert (await nobody.get("/api/lobby"))["tables"] == []
    terms = {"ruleset": "jamaica", "seats": 3}
    opened = (await anne.post("/api/tables", terms=terms)).json()["id"]
    await anne.post("/api/tables", terms={**terms, "listed": False})
    await service.told()
    (table,) = (await nobody.get("/api/lobby"))["tables"]
    assert (table["id"], table["free"], table["host"]) == (opened, 2, anne.name)
    assert (await nobody.get("/api/lobby", ruleset="nest"))["tables"] == []
    assert len((await nobody.get("/api/lobby", ruleset="jamaica", seats=3))["tables"]) == 1
    assert (await nobody.get("/api/lobby", after=opened))["tables"] == []


@pytest.mark.parametrize("query", ["seats=1", "seats=x", "after=1", "stage=over", "colour=red", "ruleset="])
async def test_a_question_to_the_lobby_that_makes_no_sense_is_refused(service: Service, query: str) -> None:
    nobody = await service.visitor()
    assert code_of(await nobody.client.get(f"/api/lobby?{query}")) == (400, "unreadable")


async def test_my_games_are_mine_alone(service: Service) -> None:
    anne, bart, nobody = await service.guest(), await service.guest(), await service.visitor()
    assert code_of(await nobody.client.get("/api/me/games")) == (401, "unauthenticated")
    table = (await anne.match()).json()["id"]
    await bart.match()
    await service.told()
    (mine,) = (await anne.get("/api/me/games"))["tables"]
    (yours,) = (await bart.get("/api/me/games"))["tables"]
    assert (mine["id"], mine["seat"], yours["id"], yours["seat"]) == (table, 0, table, 1)
    assert {mine["my_turn"], yours["my_turn"]} == {True, False}
    assert (await anne.get("/api/me/games", over="true")) == {"tables": [], "results": [], "next": None}


async def test_a_players_page_shows_what_he_has_played(service: Service) -> None:
    anne, bart, nobody = await service.guest(), await service.guest(), await service.visitor()
    table = (await anne.match()).json()["id"]
    await bart.match()
    assert (await anne.post(f"/api/tables/{table}/resign")).status_code == 200
    await service.told()
    page = await nobody.get(f"/api/players/{anne.id}")
    assert (page["id"], page["name"], page["is_guest"]) == (str(anne.id), anne.name, True)
    (result,) = page["results"]
    assert (result["id"], result["ending"], result["winner"], result["seat"]) == (table, "resigned", 1, 0)
    assert [seat["name"] for seat in result["seats"]] == [anne.name, bart.name]
    assert page["ratings"] == []
    games = await nobody.get(f"/api/players/{bart.id}/games")
    assert [game["id"] for game in games["results"]] == [table]
    assert (await nobody.get(f"/api/players/{bart.id}/games", before=table))["results"] == []
    assert [game["id"] for game in (await anne.get("/api/me/games", over="true"))["results"]] == [table]


@pytest.mark.parametrize("path", ["", "/games"])
async def test_nobody_has_no_page(service: Service, path: str) -> None:
    nobody = await service.visitor()
    answer = await nobody.client.get(f"/api/players/{uuid4()}{path}")
    assert code_of(answer) == (404, "no_such_player")


async def test_each_ruleset_has_a_ladder_and_nothing_else_has(service: Service) -> None:
    nobody = await service.visitor()
    for ruleset in PRESETS:
        told = await nobody.get("/api/ladder", ruleset=ruleset)
        assert (told["ruleset"], told["rungs"], told["next"]) == (ruleset, [], None)
    assert code_of(await nobody.client.get("/api/ladder?ruleset=chess")) == (422, "unfit")
    assert code_of(await nobody.client.get("/api/ladder")) == (400, "unreadable")
    assert code_of(await nobody.client.get("/api/ladder?ruleset=nest&page=0")) == (400, "unreadable")


async def test_the_stream_shows_the_lobby_and_then_every_change(service: Service) -> None:
    anne = await service.guest()
    before = (await anne.post("/api/tables", terms={"ruleset": "nest"})).json()["id"]
    await service.told()
    async with (
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{service.port}", timeout=PATIENCE) as client,
        client.stream("GET", "/api/lobby/stream") as stream,
    ):
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = events_of(stream)
        name, lobby = await anext(events)
        assert (name, [table["id"] for table in lobby["tables"]]) == ("lobby", [before])
        after = (await anne.post("/api/tables", terms={"ruleset": "tortuga"})).json()["id"]
        await service.told()
        name, change = await anext(events)
        assert (name, change["id"], change["table"]["ruleset"]["preset"]) == ("listing", after, "tortuga")
        await anne.post(f"/api/tables/{after}/leave")
        await service.told()
        name, change = await anext(events)
        assert (name, change["id"], change["table"]) == ("listing", after, None)


async def events_of(stream: httpx.Response) -> AsyncIterator[tuple[str, Json]]:
    """The events of a stream, each by its name and content."""
    name = ""
    async with asyncio.timeout(20):
        async for line in stream.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))
