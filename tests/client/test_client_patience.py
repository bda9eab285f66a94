"""How often the clients ask again, and how long they wait."""

import httpx
import pytest

from cartagena.client.request import Patience, Unreachable
from cartagena.client.sending import Tries
from cartagena.client.tables import act, become_guest, me

PATIENCE = Patience(tries=4, first=1.0, longest=3.0, obedience=20.0)
MOVE = act("a-table", seq=7, choice=12)


def tries(request: object = MOVE) -> Tries:
    return Tries(PATIENCE, request, lambda: 1.0)  # type: ignore[arg-type]  # any request will do


def test_pauses_grow_up_to_the_longest() -> None:
    waiting = tries()
    assert [waiting.pause_after(503, None) for _ in range(3)] == [1.0, 2.0, 3.0]


def test_chance_spreads_those_who_come_back() -> None:
    assert PATIENCE.pause(1, lambda: 0.0) == 0.5
    assert PATIENCE.pause(1, lambda: 0.5) == 0.75


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_who_is_away_or_too_busy_is_asked_again(status: int) -> None:
    assert tries().pause_after(status, None) == 1.0


@pytest.mark.parametrize("status", [200, 201, 400, 401, 403, 404, 409, 422, 500])
def test_every_other_answer_is_the_answer(status: int) -> None:
    assert tries().pause_after(status, "5") is None


def test_the_service_may_ask_for_a_longer_pause_but_not_for_any() -> None:
    assert tries().pause_after(429, "7") == 7.0
    assert tries().pause_after(429, "21") is None
    assert tries().pause_after(429, "Wed, 21 Oct 2026 07:28:00 GMT") == 1.0


def test_after_enough_tries_a_refusal_is_the_answer() -> None:
    waiting = tries()
    assert [waiting.pause_after(429, None) is None for _ in range(4)] == [False, False, False, True]


def test_a_broken_connection_is_tried_again_and_then_raised() -> None:
    waiting = tries()
    for _ in range(3):
        waiting.pause_after_error(httpx.ReadError("cut"))
    with pytest.raises(Unreachable, match="asked 4 times, no answer: ReadError"):
        waiting.pause_after_error(httpx.ReadError("cut"))


def test_what_has_no_key_is_sent_again_only_if_it_never_arrived() -> None:
    assert not become_guest().repeatable
    assert me().repeatable
    tries(become_guest()).pause_after_error(httpx.ConnectError("nobody"))
    tries(become_guest()).pause_after(429, None)
    assert tries(become_guest()).pause_after(503, None) is None
    with pytest.raises(Unreachable, match="may have been done"):
        tries(become_guest()).pause_after_error(httpx.ReadError("cut"))


def test_the_same_request_is_the_same_bytes_with_the_same_key() -> None:
    assert MOVE.content == MOVE.content
    assert MOVE.content != act("a-table", seq=7, choice=12).content
