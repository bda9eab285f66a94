"""A page reports that a part of it failed: it is counted and logged, and nothing else can be reported."""

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from cartagena.server.http.api.ops import FAILING, failure_route
from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments, json_log
from cartagena.server.http.uvicorn_server import uvicorn_config
from tests.server.http_house import HandClock, client_of, serving
from tests.server.http_sample import KnownSessions

# Any: JSON as it comes.
Json = dict[str, Any]

STACK = ["sentenceOf /assets/TablePage-9fAx.js:1:20714", "/assets/index-Dk3f9a.js:1:7"]
REPORT: Json = {
    "where": "turn",
    "error": "TypeError",
    "version": "/assets/index-Dk3f9a.js",
    "stack": STACK,
}


@dataclass(frozen=True)
class Told:
    """A service to which pages report their failures, and what it writes down."""

    client: httpx.AsyncClient
    log: io.BytesIO

    async def report(self, **other: object) -> int:
        """The status that a report is answered with."""
        return (await self.client.post("/api/failures", json=REPORT | other)).status_code

    def failures(self) -> list[Json]:
        """The lines of the log about failures."""
        lines = [msgspec.json.decode(line) for line in self.log.getvalue().splitlines()]
        return [line for line in lines if line["event"] == "browser_failed"]

    async def counted(self) -> dict[str, float]:
        """How many failures are counted, by part."""
        families = text_string_to_metric_families((await self.client.get("/metrics")).text)
        samples = [sample for family in families for sample in family.samples]
        return {
            sample.labels["part"]: sample.value
            for sample in samples
            if sample.name == "cartagena_browser_failures_total"
        }


@pytest.fixture
async def told() -> AsyncIterator[Told]:
    log = io.BytesIO()
    tools = Instruments(clock=HandClock(), log=json_log(log))
    app = build_app(
        [failure_route(tools)],
        sessions=KnownSessions(),
        settings=HttpSettings(),
        ready_checks={},
        instruments=tools,
    )
    async with serving(uvicorn_config(app, port=0)) as port, client_of(port) as client:
        yield Told(client, log)


async def test_a_failure_is_counted_by_its_part(told: Told) -> None:
    assert await told.counted() == {}
    assert [await told.report(), await told.report(), await told.report(where="log")] == [204, 204, 204]
    assert await told.counted() == {"turn": 2, "log": 1}


async def test_a_failure_is_logged_with_its_kind_and_its_place(told: Told) -> None:
    assert await told.report() == 204
    [line] = told.failures()
    assert {name: line[name] for name in ("level", "part", "error", "version", "where")} == {
        "level": "info",
        "part": "turn",
        "error": "TypeError",
        "version": "/assets/index-Dk3f9a.js",
        "where": STACK,
    }


@pytest.mark.parametrize(
    "other",
    [
        {"where": "anywhere"},
        {"error": "TypeError: Anne holds a hat"},
        {"message": "Anne holds a hat"},
        {"stack": ["at https://cartagena.example/table/7?invite=AB12:1:1"]},
        {"stack": STACK * 6},
        {"version": "1.0, of Anne"},
    ],
    ids=lambda other: next(iter(other)),
)
async def test_there_is_no_room_for_words(told: Told, other: Json) -> None:
    assert await told.report(**other) == 400
    assert told.failures() == []
    assert await told.counted() == {}


async def test_a_page_that_fails_all_the_time_is_told_to_be_silent(told: Told) -> None:
    statuses = [await told.report() for _ in range(FAILING.address.burst + 1)]
    assert statuses == [204] * FAILING.address.burst + [429]
