"""Traces: one POST is one trace through both nodes, nobody outside turns them up, and they tell no secret."""

import asyncio
import secrets
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from uuid import UUID

import msgspec
import pytest
from prometheus_client import CollectorRegistry

from cartagena.server.bus.messages import Announcement, Wake, pack, unpack
from cartagena.server.resources import opened_resources
from cartagena.server.tracing import otlp
from cartagena.server.tracing.spans import (
    MOST_A_SECOND,
    MOST_EXPECTED,
    SECONDS,
    ExpectedSpans,
    NoTraces,
    Sampler,
    read_traceparent,
)
from cartagena.server.worker_app import opened_worker
from harness.play.traces import Secrets
from tests.server.databases import settings_for
from tests.server.otlp_receiver import Collector, Seen, collecting
from tests.server.service_nodes import Json, Node, Person, guest, listening, running_node

NAMES = ("Annegonda", "Bartolome")


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


class Caller:
    """A proxy in front: it names a trace of its own with every request."""

    def __init__(self) -> None:
        self.trace, self.span = secrets.token_hex(16), secrets.token_hex(8)

    @property
    def headers(self) -> dict[str, str]:
        return {"traceparent": f"00-{self.trace}-{self.span}-01"}


@asynccontextmanager
async def two_nodes(
    dsn: str, nats_url: str, collector: Collector, **others: str
) -> AsyncIterator[tuple[Node, Node]]:
    settings = settings_for(
        dsn,
        CARTAGENA_NATS=nats_url,
        CARTAGENA_POOL="3",
        CARTAGENA_DIRECTORY_POOL="3",
        CARTAGENA_BOT_WORKERS="0",
        CARTAGENA_TRACES=collector.url,
        CARTAGENA_TRACES_SHARE="0",
        **others,
    )
    async with running_node(settings) as here, running_node(settings) as there:
        yield here, there


async def opened_table(host: Person) -> str:
    told = await host.post("/api/tables", status=201, terms={"ruleset": "jamaica", "seats": 2})
    return f"/api/tables/{told['id']}"


async def moved(mover: Person, table: str, caller: Caller) -> Json:
    current = (await mover.get(table))["current"]
    mover.client.headers.update(caller.headers)
    told = await mover.post(f"{table}/actions", seq=current["seq"], code=current["view"]["legal"][0])
    del mover.client.headers["traceparent"]
    return told


async def test_one_post_is_one_trace_over_both_nodes(
    database_dsn: str, nats_url: str, collector: Collector
) -> None:
    caller = Caller()
    async with (
        two_nodes(database_dsn, nats_url, collector, CARTAGENA_TRUSTED_PROXIES="127.0.0.1") as (here, there),
        guest(here, NAMES[0]) as anne,
        guest(there, NAMES[1]) as bart,
    ):
        table = await opened_table(anne)
        await bart.post(f"{table}/sit")
        began = await anne.post(f"{table}/start")
        mover, other = (anne, bart) if began["view"]["to_act"] == 0 else (bart, anne)
        mover.client.base_url, other.client.base_url = here.url, there.url
        async with listening(other, f"{table}/stream") as listener:
            await listener.until(2)
            told = await moved(mover, table, caller)
            await listener.until(told["seq"])
    assert collector.paths == {"/v1/traces"}
    assert {span.trace for span in collector.spans} == {caller.trace}
    request = collector.one("POST /api/tables/{table_id}/actions")
    assert request.parent == caller.span
    assert request.attributes | {"cartagena.request_id": ""} == {
        "http.request.method": "POST",
        "http.route": "/api/tables/{table_id}/actions",
        "http.response.status_code": 200,
        "cartagena.request_id": "",
    }
    steps = [collector.one(name) for name in ("commit.wait", "commit.statement", "announce")]
    assert {step.parent for step in steps} == {request.id}
    assert {step.process for step in steps} == {request.process}
    assert steps[1].attributes["cartagena.batch"] == 1
    assert all(0 <= step.nanoseconds <= request.nanoseconds for step in steps)
    arrivals = collector.named("arrive")
    assert {arrival.parent for arrival in arrivals} == {steps[2].id}
    assert len({arrival.process for arrival in arrivals}) == len(arrivals) == 2
    frames = collector.one("frames")
    assert frames.parent in {arrival.id for arrival in arrivals}
    assert frames.attributes["cartagena.streams"] == 1
    assert not leaks(collector.spans, anne, bart, told)


async def test_a_bot_answers_within_the_trace_of_the_move_before(
    database_dsn: str, nats_url: str, collector: Collector
) -> None:
    caller = Caller()
    async with (
        two_nodes(database_dsn, nats_url, collector, CARTAGENA_TRUSTED_PROXIES="127.0.0.1") as (here, there),
        worker_at(there),
        guest(here, NAMES[0]) as anne,
    ):
        table = await opened_table(anne)
        await anne.post(f"{table}/bots", seat=1, level="sailor")
        async with listening(anne, f"{table}/stream") as listener:
            await listener.until(1)
            anne.client.headers.update(caller.headers)
            view = (await anne.post(f"{table}/start"))["view"]
            del anne.client.headers["traceparent"]
            # Several turns: now and then a worker looks by itself, just before it is told to.
            for _ in range(3):
                while view["to_act"] == 0:
                    view = (await moved(anne, table, caller))["view"]
                while view["to_act"] == 1:
                    await listener.until(listener.events[-1][2]["seq"] + 1)
                    view = listener.events[-1][2]["view"]
    assert {span.trace for span in collector.spans} == {caller.trace}
    wake = collector.named("wake")[0]
    assert wake.parent in {told.id for told in collector.named("wake.tell")}
    within = [span for span in collector.spans if span.parent == wake.id]
    assert {span.name for span in within} >= {"think", "commit.wait", "commit.statement", "announce"}
    assert {span.process for span in within} == {wake.process}
    arrivals = [span for span in collector.named("arrive") if span.parent in {one.id for one in within}]
    assert len({span.process for span in arrivals}) == 2
    assert not leaks(collector.spans, anne)


@asynccontextmanager
async def worker_at(node: Node) -> AsyncIterator[None]:
    """A worker beside a web node, as `cartagena serve` has one."""
    async with opened_worker(node.resources, CollectorRegistry()) as worker:
        task = asyncio.create_task(worker.run())
        try:
            yield
        finally:
            await worker.stop()
            await task


def leaks(spans: list[Seen], *known: Person | Json) -> list[str]:
    """What the spans give away of tokens, names and cards."""
    hidden = Secrets()
    for one in known:
        if isinstance(one, Person):
            hidden.add_text("a token", one.token)
            hidden.add_text("a token", one.token.partition("_")[2])
        else:
            for hand in one["view"]["hands"]:
                hidden.add_cards(hand or ())
    text = "\n".join(span.text for span in spans)
    assert spans
    return [*hidden.found_in(text), *(name for name in NAMES if name in text)]


def test_the_search_for_secrets_finds_them() -> None:
    person = Person(client=None, id="", token="ct_" + "k" * 40)  # type: ignore[arg-type]  # it asks nothing
    text = f"{person.token} {NAMES[1]} a cutlass"
    span = Seen(name="", process="", trace="", id="", parent="", attributes={}, nanoseconds=0, text=text)
    assert len(set(leaks([span], person))) >= 2


async def test_a_stranger_cannot_turn_tracing_up(
    database_dsn: str, nats_url: str, collector: Collector
) -> None:
    async with (
        two_nodes(database_dsn, nats_url, collector) as (here, _),
        guest(here, NAMES[0]) as anne,
    ):
        anne.client.headers.update(Caller().headers)
        await opened_table(anne)
    assert not collector.spans


async def test_a_share_of_all_requests_is_followed(database_dsn: str, collector: Collector) -> None:
    settings = settings_for(
        database_dsn, CARTAGENA_TRACES=collector.url, CARTAGENA_TRACES_SHARE="1", CARTAGENA_POOL="2"
    )
    async with running_node(settings) as node, guest(node, NAMES[0]) as anne:
        # Nor does a stranger's header decide to which trace a request belongs.
        anne.client.headers.update((caller := Caller()).headers)
        table = await opened_table(anne)
        async with listening(anne, f"{table}/stream") as listener:
            await listener.until(0)
    names = {span.name for span in collector.spans}
    assert "POST /api/tables" in names
    assert not any("stream" in name for name in names), "a stream is no step"
    assert caller.trace not in {span.trace for span in collector.spans}
    roots = [span for span in collector.spans if not span.parent]
    assert len({span.trace for span in roots}) == len(roots) >= 2


def test_traces_of_others_have_a_ceiling() -> None:
    now = [100.0]
    choice = Sampler(0.25, chance=iter([0.2, 0.3]).__next__, clock=lambda: now[0])
    assert [choice.takes_up() for _ in range(MOST_A_SECOND + 2)] == [True] * MOST_A_SECOND + [False] * 2
    now[0] += 1
    assert choice.takes_up()
    assert [choice.by_chance(), choice.by_chance()] == [True, False]


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        (b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01", True),
        (b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-00", False),
        (b"cc-" + b"1" * 32 + b"-" + b"2" * 16 + b"-03-more", True),
        (b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01-more", None),
        (b"ff-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01", None),
        (b"00-" + b"0" * 32 + b"-" + b"2" * 16 + b"-01", None),
        (b"00-" + b"1" * 32 + b"-" + b"0" * 16 + b"-01", None),
        (b"00-" + b"G" * 32 + b"-" + b"2" * 16 + b"-01", None),
        (b"", None),
    ],
)
def test_a_traceparent_is_read_as_the_standard_says(text: bytes, followed: bool | None) -> None:  # noqa: FBT001
    told = read_traceparent(text)
    assert (told and told[1]) == followed


def test_what_was_expected_is_forgotten_in_time() -> None:
    now = [0.0]
    expected = ExpectedSpans(clock=lambda: now[0])
    expected.add(UUID(int=1), b"old")
    now[0] = SECONDS
    assert expected.take(UUID(int=1)) is None
    for number in range(MOST_EXPECTED + 1):
        expected.add(UUID(int=number), b"new")
    assert expected.take(UUID(int=0)) is None
    assert expected.take(UUID(int=1)) == b"new"


class OldAnnouncement(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """An announcement as nodes without traces know it."""

    game_id: UUID
    seq: int
    chat: int
    kind: str
    frames: dict[int, bytes]


def test_nodes_with_and_without_traces_understand_each_other() -> None:
    old = OldAnnouncement(game_id=UUID(int=7), seq=3, chat=0, kind="update", frames={0: b"{}"})
    packed = pack(
        Announcement(game_id=UUID(int=7), seq=3, chat=0, kind="update", frames={0: b"{}"}, trace=b"t")
    )
    assert msgspec.msgpack.Decoder(OldAnnouncement).decode(packed[1:]) == old
    written = packed[:1] + msgspec.msgpack.Encoder(uuid_format="bytes").encode(old)
    assert unpack(Announcement, written).trace is None
    assert unpack(Wake, packed[:1] + msgspec.msgpack.encode([7])) == Wake(bucket=7)


async def test_a_collector_that_is_away_holds_up_nothing(
    database_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(otlp, "END_SECONDS", 0.2)
    settings = settings_for(
        database_dsn, CARTAGENA_TRACES="http://127.0.0.1:9", CARTAGENA_TRACES_SHARE="1", CARTAGENA_POOL="2"
    )
    async with running_node(settings) as node, guest(node, NAMES[0]) as anne:
        began = time.monotonic()
        await opened_table(anne)
        assert time.monotonic() - began < 5
        began = time.monotonic()
    # On its own, OpenTelemetry would try for half a minute.
    assert time.monotonic() - began < 20


async def test_without_the_extra_a_sentence_says_what_to_do(
    database_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    monkeypatch.delitem(sys.modules, "cartagena.server.tracing.otlp", raising=False)
    settings = settings_for(database_dsn, CARTAGENA_TRACES="http://127.0.0.1:9")
    with pytest.raises(NoTraces, match=r"pip install .*\[server,traces\]'"):
        async with opened_resources(settings, program="cartagena test"):
            pass


def test_what_few_nodes_want_is_imported_by_no_other() -> None:
    program = """
import asyncio, sys
import cartagena.server.main, cartagena.cli.serve, cartagena.cli.worker
from cartagena.server.shared.settings import Settings
from cartagena.server.tracing.spans import opened_traces

async def look():
    async with opened_traces(Settings.read({}), program="test") as traces:
        assert traces is None

asyncio.run(look())
rare = ("opentelemetry", "google.protobuf", "nats", "aiohttp", "pywebpush", "requests")
print([name for name in sys.modules if name.startswith(rare)])
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)  # noqa: S603
    assert done.stdout == "[]\n"
