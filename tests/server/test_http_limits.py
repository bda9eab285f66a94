"""Limits: how often, how much, how slowly."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import pytest

from cartagena.endpoints.limits import Limit, Rate
from cartagena.server.http.client_address import Addresses, household_of, is_this_machine
from cartagena.server.http.http_settings import HttpSettings
from cartagena.server.http.rate_limits import Buckets, Limits
from cartagena.server.http.uvicorn_server import CarefulProtocol
from cartagena.tables.errors import Problem, ServiceError
from tests.server.http_house import ACTIONS, ANNE, MARY, HandClock, House, house, raw_exchange

SMALL = Limit(group="small", player=Rate(2, 0.5), address=Rate(3, 0.25))
PROXIED = HttpSettings(trusted_proxies=("127.0.0.1",))


@pytest.fixture
async def home() -> AsyncIterator[House]:
    async with house() as running:
        yield running


async def _statuses(home: House, times: int, headers: dict[str, str] | None = None) -> list[int]:
    return [(await home.client.get("/api/slow", headers=headers)).status_code for _ in range(times)]


async def test_a_session_that_asks_too_often_must_wait(home: House) -> None:
    assert await _statuses(home, 2, ANNE) == [200, 200]
    answer = await home.client.get("/api/slow", headers=ANNE)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many")
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["error"]["retry_after"] == 2


async def test_all_sessions_of_a_player_share_one_limit(home: House) -> None:
    anne = home.sessions.by_token["ct_anne"]
    home.sessions.by_token["ct_program"] = replace(anne, id=UUID(int=77))
    assert await _statuses(home, 2, ANNE) == [200, 200]
    assert await _statuses(home, 1, {"authorization": "Bearer ct_program"}) == [429]


async def test_after_the_wait_it_may_ask_again(home: House) -> None:
    await _statuses(home, 3, ANNE)
    home.clock.now += 8
    assert await _statuses(home, 1, ANNE) == [200]


async def test_an_address_that_asks_too_often_must_wait_whoever_asks(home: House) -> None:
    assert await _statuses(home, 2, ANNE) == [200, 200]
    assert await _statuses(home, 1, MARY) == [200]
    asked = home.sessions.asked
    assert await _statuses(home, 1, MARY) == [429]
    assert home.sessions.asked == asked, "the store of sessions is spared"
    assert await _statuses(home, 1) == [429]


async def test_routes_of_another_group_are_not_touched(home: House) -> None:
    await _statuses(home, 4)
    assert (await home.client.get("/api/who")).status_code == 200


async def test_a_spared_address_leaves_only_the_limit_of_the_session() -> None:
    async with house(HttpSettings(spared_addresses=("127.0.0.0/8",))) as home:
        assert await _statuses(home, 6) == [200] * 6
        assert await _statuses(home, 3, ANNE) == [200, 200, 429]


async def test_the_pace_is_the_operators() -> None:
    async with house(HttpSettings(pace=2.0)) as home:
        assert await _statuses(home, 7) == [200] * 6 + [429]


async def test_a_forwarded_address_counts_behind_a_trusted_proxy() -> None:
    async with house(PROXIED) as home:
        for number in range(5):
            assert await _statuses(home, 1, {"x-forwarded-for": f"192.0.2.{number}"}) == [200]
        forged = {"x-forwarded-for": "203.0.113.9, 192.0.2.77"}
        assert await _statuses(home, 4, forged) == [200] * 3 + [429]


async def test_a_forwarded_address_is_nothing_but_a_claim_otherwise(home: House) -> None:
    statuses = [
        (await _statuses(home, 1, {"x-forwarded-for": f"192.0.2.{number}"}))[0] for number in range(4)
    ]
    assert statuses == [200, 200, 200, 429]


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.1, 198.51.100.7, 10.0.0.9"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.1", "198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.7, nonsense"], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("192.0.2.1", ["198.51.100.7"], "192.0.2.1"),
        ("unix", ["198.51.100.7"], "unix"),
        ("::ffff:10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
    ],
)
def test_the_address_is_the_nearest_that_is_no_proxy(peer: str, forwarded: list[str], address: str) -> None:
    headers = [(b"x-forwarded-for", hop.encode()) for hop in forwarded]
    assert Addresses(("10.0.0.0/8",)).of(peer, headers) == address


def test_a_socket_file_is_trusted_only_if_it_is_said() -> None:
    headers = [(b"x-forwarded-for", b"198.51.100.7")]
    assert Addresses(("unix",)).of("unix", headers) == "198.51.100.7"


def test_an_owner_of_an_ipv6_site_is_one_household() -> None:
    assert household_of("2001:db8:1:2::3") == household_of("2001:db8:1:2:ffff::1")
    assert household_of("2001:db8:1:2::3") != household_of("2001:db8:1:3::3")
    assert household_of("192.0.2.1") != household_of("192.0.2.2")


def test_a_household_shares_its_limit() -> None:
    limits = Limits(clock=HandClock())
    for number in range(3):
        limits.count_address(SMALL, f"2001:db8:1:2::{number}")
    with pytest.raises(ServiceError):
        limits.count_address(SMALL, "2001:db8:1:2::9")
    limits.count_address(SMALL, "2001:db8:1:3::9")


def test_a_proxy_of_this_machine_is_not_this_machine() -> None:
    assert is_this_machine("127.0.0.1", {})
    assert is_this_machine("::1", {})
    assert not is_this_machine("192.0.2.1", {})
    assert not is_this_machine("unix", {})
    assert not is_this_machine("127.0.0.1", {b"x-forwarded-for": b"192.0.2.1"})
    assert not is_this_machine("127.0.0.1", {b"forwarded": b"for=192.0.2.1"})


def test_a_bucket_empties_with_time_and_never_below_empty() -> None:
    clock = HandClock()
    limits = Limits(clock=clock)
    session = UUID(int=1)
    clock.now += 1_000_000
    for _ in range(2):
        limits.count_player(SMALL, session)
    with pytest.raises(ServiceError) as refused:
        limits.count_player(SMALL, session)
    assert refused.value.problem is Problem.TOO_MANY
    clock.now += 2
    limits.count_player(SMALL, session)


def test_a_refused_try_does_not_lengthen_the_wait() -> None:
    buckets = Buckets()
    rate = Rate(1, 0.5)
    assert buckets.wait(("g", "a"), rate, 100.0) == 0.0
    assert [buckets.wait(("g", "a"), rate, 101.0) for _ in range(5)] == [1.0] * 5


def test_the_buckets_of_a_million_strangers_take_no_memory_for_a_million() -> None:
    buckets = Buckets(most=100)
    for number in range(10_000):
        buckets.wait(("g", str(number)), Rate(1, 1), 0.0)
    assert len(buckets) <= 200


def test_a_busy_bucket_outlives_the_change_of_generations() -> None:
    buckets = Buckets(most=100)
    for number in range(1000):
        assert (buckets.wait(("g", "busy"), Rate(1, 0.001), 0.0) == 0.0) is (number == 0)
        if number < 150:
            buckets.wait(("g", str(number)), Rate(1, 1), 0.0)


async def test_a_body_that_claims_to_be_too_large_is_refused_unread(home: House) -> None:
    head = b"POST %s HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ct_anne\r\n" % ACTIONS.encode()
    head += b"content-type: application/json\r\ncontent-length: 4097\r\nexpect: 100-continue\r\n"
    said = await raw_exchange(home.port, head + b"connection: close\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"100 Continue" not in said


async def test_a_body_that_turns_out_too_large_is_refused_before_it_ends(home: House) -> None:
    head = b"POST %s HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ct_anne\r\n" % ACTIONS.encode()
    head += b"content-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    chunk = b"3e8\r\n%s\r\n" % (b" " * 1000)
    said = await raw_exchange(home.port, head, *[chunk] * 5)
    assert said.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(("size", "status"), [(4096, 200), (4097, 413)])
async def test_a_body_of_exactly_its_limit_is_read(home: House, size: int, status: int) -> None:
    body = b'{"key":"01234567-89ab-7000-8000-000000000002"}'
    headers = {**ANNE, "content-type": "application/json"}
    answer = await home.client.post(ACTIONS, content=body.ljust(size), headers=headers)
    assert answer.status_code == status


async def test_a_long_header_in_one_piece_is_refused(home: House) -> None:
    answer = await home.client.get("/health", headers={"x-long": "x" * 40_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (431, "too_large")
    assert answer.headers["connection"] == "close"


async def test_a_header_without_an_end_is_refused(home: House) -> None:
    said = await raw_exchange(home.port, b"GET /health HTTP/1.1\r\nx: ", *[b"x" * 10_000] * 5)
    assert said.startswith(b"HTTP/1.1 431 ")


async def test_a_path_without_an_end_is_refused(home: House) -> None:
    said = await raw_exchange(home.port, b"GET /", *[b"x" * 10_000] * 5)
    assert said.startswith(b"HTTP/1.1 431 ")


async def test_headers_are_counted_for_each_request_anew(home: House) -> None:
    for _ in range(5):
        answer = await home.client.get("/health", headers={"x-long": "x" * 10_000})
        assert answer.status_code == 200


async def test_what_is_no_http_is_told_so_in_our_form(home: House) -> None:
    said = await raw_exchange(home.port, b"ahoy\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"unreadable"' in said


@pytest.mark.parametrize(
    "lines",
    [
        b"content-length: 4\r\ntransfer-encoding: chunked",
        b"transfer-encoding: chunked\r\ncontent-length: 4",
        b"content-length: 4\r\ncontent-length: 40",
        b"content-length: +4",
        b"content-length : 4",
        b"transfer-encoding: chunked, identity",
        b"transfer-encoding:\x0bchunked",
    ],
)
async def test_a_request_whose_end_is_in_doubt_is_refused_and_hung_up_on(home: House, lines: bytes) -> None:
    """Otherwise what follows could be one request to a proxy and another to us."""
    hidden = b"0\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\n\r\n"
    said = await raw_exchange(
        home.port, b"POST /api/who HTTP/1.1\r\nhost: x\r\n" + lines + b"\r\n\r\n" + hidden
    )
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1 ") == 1


class Hasty(CarefulProtocol):
    """Waits a blink."""

    patience = 0.3


@pytest.mark.parametrize(
    "piece",
    [
        b"",
        b"GET /health HTTP/1.1\r\n",
        b"POST %s HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ct_anne\r\n"
        b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{" % ACTIONS.encode(),
    ],
)
async def test_who_sends_nothing_or_half_a_request_is_hung_up_on(piece: bytes) -> None:
    async with house(protocol=Hasty) as home:
        assert await raw_exchange(home.port, piece) == b""


async def test_who_only_listens_to_a_stream_is_not() -> None:
    async with (
        house(protocol=Hasty) as home,
        home.client.stream("GET", "/api/stream", headers=ANNE) as answer,
    ):
        heard = answer.aiter_text()
        assert await anext(heard) == "data: player 1\n\n"
        more = asyncio.ensure_future(anext(heard))
        # The server would lose patience with this connection before it does with a later one.
        assert await raw_exchange(home.port, b"GET /health HTTP/1.1\r\n") == b""
        assert not more.done()
        more.cancel()
        await asyncio.wait([more])
