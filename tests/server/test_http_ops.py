"""What every service has: health, readiness, metrics and a log that keeps its mouth shut."""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx
import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from cartagena.server.http.api import ops
from cartagena.server.http.app import build_app
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.observability import Instruments, configure_logs, json_log
from cartagena.server.http.uvicorn_server import uvicorn_config
from tests.server.http_house import ACTIONS, ANNE, House, client_of, house, serving
from tests.server.http_sample import CARD, TABLE, KnownSessions, sample_routes
from tests.waiting import until


@pytest.fixture
async def home() -> AsyncIterator[House]:
    async with house() as running:
        yield running


async def test_what_the_service_needs_is_opened_before_and_closed_after_all_requests() -> None:
    told = []

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        told.append("opened")
        yield
        told.append("closed")

    app = build_app(
        sample_routes(),
        sessions=KnownSessions(),
        settings=HttpSettings(),
        ready_checks={},
        lifespan=lifespan,
        instruments=Instruments(log=json_log(io.BytesIO())),
    )
    async with serving(uvicorn_config(app, port=0)) as port, client_of(port) as client:
        assert (await client.get("/health")).status_code == 200
        told.append("asked")
    assert told == ["opened", "asked", "closed"]


async def test_a_living_process_says_so(home: House) -> None:
    assert (await home.client.get("/health")).json() == {"alive": True}


async def _fine() -> None:
    return None


async def _broken() -> None:
    raise ConnectionError(CARD)


async def _hanging() -> None:
    await asyncio.Event().wait()


async def test_a_service_is_ready_when_all_it_needs_is_there() -> None:
    async with house(ready_checks={"database": _fine, "bus": _fine}) as home:
        answer = await home.client.get("/ready")
        assert (answer.status_code, answer.json()) == (200, {"ready": True, "checks": ["database", "bus"]})


async def test_a_service_that_lacks_something_names_it_and_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ops, "_PATIENCE_SECONDS", 0.2)
    async with house(ready_checks={"database": _fine, "bus": _broken, "clock": _hanging}) as home:
        answer = await home.client.get("/ready")
        assert answer.status_code == 503
        assert answer.json()["error"]["message"] == "not ready: bus, clock"
        assert CARD not in answer.text


async def _metric(client: httpx.AsyncClient, name: str, **labels: str) -> float:
    text = (await client.get("/metrics")).text
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                return sample.value
    raise AssertionError(f"no metric {name} {labels}")


async def test_requests_are_counted_by_route_and_status(home: House) -> None:
    await home.act()
    await home.act("illegal")
    await home.act("illegal")
    await home.client.get(f"/api/nowhere/{CARD}")
    labels = {"method": "POST", "route": "/api/tables/{table_id}/actions"}
    assert await _metric(home.client, "cartagena_http_requests_total", **labels, status="200") == 1
    assert await _metric(home.client, "cartagena_http_requests_total", **labels, status="422") == 2
    nowhere = {"route": "(no such path)", "status": "404"}
    assert await _metric(home.client, "cartagena_http_requests_total", **nowhere) == 1


async def test_a_method_that_nobody_knows_makes_no_metric_of_its_own(home: House) -> None:
    for method in ("TRACE", "PROPFIND"):
        await home.client.request(method, "/api/who")
    assert await _metric(home.client, "cartagena_http_requests_total", method="other", status="405") == 2


async def test_latencies_are_a_histogram(home: House) -> None:
    await home.act()
    route = "/api/tables/{table_id}/actions"
    assert await _metric(home.client, "cartagena_http_seconds_bucket", route=route, le="+Inf") == 1
    assert await _metric(home.client, "cartagena_http_seconds_count", route=route) == 1


async def until_in_flight(home: House, number: int) -> None:
    """Wait until `number` requests are under way, the one that asks among them."""

    async def is_so() -> bool:
        return await _metric(home.client, "cartagena_http_in_flight") == number

    await until(is_so, what=f"{number} requests under way")


async def test_what_is_under_way_is_counted_until_it_ends(home: House) -> None:
    async with home.client.stream("GET", "/api/stream", headers=ANNE) as answer:
        assert await anext(answer.aiter_text())
        assert await _metric(home.client, "cartagena_http_in_flight") == 2
    await until_in_flight(home, 1)


async def test_metrics_are_for_this_machine_alone() -> None:
    async with house(HttpSettings(trusted_proxies=("127.0.0.1",))) as home:
        assert (await home.client.get("/metrics")).status_code == 200
        answer = await home.client.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


async def test_a_proxy_that_nobody_trusts_gets_no_metrics_for_others(home: House) -> None:
    answer = await home.client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})
    assert answer.status_code == 403


async def test_who_brings_the_token_may_read_metrics_from_anywhere() -> None:
    async with house(HttpSettings(metrics_token="swordfish")) as home:  # noqa: S106 (of this test alone)
        away = {"x-forwarded-for": "192.0.2.1"}
        for shown, status in (
            ({"authorization": "Bearer swordfish"}, 200),
            ({"authorization": "Bearer swordfisH"}, 403),
            ({"authorization": "Bearer ct_admin"}, 403),
            ({"cookie": "cartagena=swordfish"}, 403),
            ({}, 403),
        ):
            assert (await home.client.get("/metrics", headers={**away, **shown})).status_code == status


def test_settings_never_say_the_token() -> None:
    assert "swordfish" not in repr(HttpSettings(metrics_token="swordfish"))  # noqa: S106 (the same)


async def test_a_request_is_one_line_of_the_log(home: House) -> None:
    line = await home.line_about(await home.act("illegal"))
    assert line.pop("at")
    assert len(line.pop("request_id")) == 16
    assert line == {
        "event": "request",
        "level": "info",
        "method": "POST",
        "route": "/api/tables/{table_id}/actions",
        "status": 422,
        "code": "no_company_behind",
        "ms": 0.0,
        "player": "00000000-0000-0000-0000-000000000001",
    }


async def test_the_log_knows_no_tokens_bodies_paths_or_queries(home: House) -> None:
    answers = [
        await home.client.post(f"{ACTIONS}?{CARD}", json={"key": CARD}, headers=ANNE),
        await home.client.get(
            f"/api/tables/{TABLE}?invite={CARD}", headers={"cookie": "__Host-cartagena=ct_anne"}
        ),
        await home.client.get(f"/api/pictures/{CARD}"),
        await home.client.get(f"/api/nowhere/{CARD}"),
        await home.act("broken"),
        await home.client.post("/api/guests"),
    ]
    for answer in answers:
        await home.line_about(answer)
    written = home.log.getvalue().decode()
    for word in (CARD, "ct_", "swordfish", "127.0.0.1"):
        assert word not in written


async def test_an_error_of_ours_is_logged_with_its_place_and_request(home: House) -> None:
    answer = await home.act("broken")
    await home.line_about(answer)
    failed = next(line for line in home.lines() if line["event"] == "failed")
    assert failed["request_id"] == answer.headers["x-request-id"]
    assert failed["error"] == "RuntimeError"
    assert failed["where"][-1].endswith(" act")
    assert failed["level"] == "error"


async def test_a_problem_that_the_route_does_not_document_is_noticed(home: House) -> None:
    await home.line_about(await home.act("undocumented"))
    assert [line["code"] for line in home.lines() if line["event"] == "undocumented"] == ["muted"]
    await home.line_about(await home.act("illegal"))
    assert len([line for line in home.lines() if line["event"] == "undocumented"]) == 1


async def test_what_machines_ask_all_day_is_not_logged(home: House) -> None:
    await home.client.get("/health")
    await home.line_about(await home.client.get("/api/who"))
    assert [line["route"] for line in home.lines()] == ["/api/who"]


async def test_a_stream_that_breaks_is_logged_and_ended(home: House) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        await home.client.get("/api/broken-stream", headers=ANNE)
    failed = next(line for line in home.lines() if line["event"] == "failed")
    assert failed["route"] == "/api/broken-stream"


async def test_a_stream_can_cut_its_connection(home: House) -> None:
    with pytest.raises(httpx.TransportError):
        await home.client.get("/api/cut-stream", headers=ANNE)
    assert not [line for line in home.lines() if line["event"] == "failed"]


async def test_head_of_a_stream_does_not_begin_it(home: House) -> None:
    answer = await home.client.head("/api/stream", headers=ANNE)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
    assert (await home.client.head("/api/stream")).status_code == 401


async def test_a_stream_needs_its_scope_like_everything_else(home: House) -> None:
    assert (await home.client.get("/api/stream")).status_code == 401


async def test_who_leaves_in_the_middle_of_his_request_gets_a_line_too(home: House) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", home.port)
    writer.write(
        b"POST %s HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ct_anne\r\n"
        b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{" % ACTIONS.encode()
    )
    await writer.drain()
    await until_in_flight(home, 2)
    writer.close()
    await until(home.lines, what="a line of the log")
    assert [line["status"] for line in home.lines()] == [499]


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def logging_to(kind: type[io.TextIOWrapper]) -> Iterator[io.BytesIO]:
    """Let this process log to such a stream, for as long as the block lasts."""
    raw = io.BytesIO()
    stream = kind(raw, encoding="utf-8", write_through=True)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        configure_logs(stream)
        yield raw
    finally:
        structlog.reset_defaults()
        root.handlers[:], root.level = handlers, level


@pytest.mark.parametrize("kind", [Terminal, io.TextIOWrapper])
def test_a_log_is_readable_in_a_terminal_and_json_anywhere_else(kind: type[io.TextIOWrapper]) -> None:
    with logging_to(kind) as raw:
        structlog.get_logger().info("ahoy", seat=3)
        written = raw.getvalue().decode()
    assert "ahoy" in written
    assert ('"event":"ahoy"' in written) is (kind is not Terminal)


@pytest.mark.parametrize("kind", [Terminal, io.TextIOWrapper])
def test_an_error_in_a_log_keeps_its_words_to_itself(kind: type[io.TextIOWrapper]) -> None:
    with logging_to(kind) as raw:
        try:
            int(CARD)
        except ValueError:
            structlog.get_logger().exception("failed")
        written = raw.getvalue().decode()
    assert "ValueError" in written
    assert CARD not in written


def test_what_libraries_log_comes_out_of_the_same_stream() -> None:
    with logging_to(io.TextIOWrapper) as raw:
        structlog.get_logger().info("ours")
        logging.getLogger("library").warning("theirs %s", CARD)
        logging.getLogger("library").warning(f"a card: {CARD}")  # noqa: G004 - as libraries do
        logging.getLogger("library").warning("it broke", exc_info=ValueError(CARD))
        logging.getLogger("library").error(PermissionError(CARD))
        written = raw.getvalue().decode()
    assert '"event":"ours"' in written
    assert '"words":"theirs %s"' in written
    assert written.count('"logger":"library"') == 4
    assert '"error":"ValueError"' in written
    assert '"error":"PermissionError"' in written
    assert CARD not in written
