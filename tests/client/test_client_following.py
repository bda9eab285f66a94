"""A stream is followed over any break: in order, nothing twice and nothing missed."""

import sys
from collections.abc import Callable

import msgspec
import pytest

from cartagena.client.request import Misunderstood, Patience, Refused, StreamEnded
from cartagena.client.stream import Follower, Told, is_stream
from cartagena.messages import ChatMessage, NewsMessage, ProblemMessage, TableMessage, Update, encode
from cartagena.messages.happenings import WonMessage
from cartagena.messages.patches import patch
from cartagena.messages.updates import error_body
from cartagena.messages.views import ruleset_message
from cartagena.rules.ruleset import TORTUGA

TABLE = TableMessage(
    id="a-table",
    stage="open",
    ruleset=ruleset_message(TORTUGA),
    chairs=(),
    clock=None,
    listed=True,
    rated=False,
    spectators=True,
    commitment="",
    game="",
    starts=0,
    called_off=0,
    ending=None,
    winner=None,
    rematch=None,
    rules_version=1,
    created=0,
)


def follower(last: str | None = None) -> Follower:
    return Follower("a-table", patience=Patience(first=1, longest=8), chance=lambda: 1.0, last=last)


def whole(seq: int, chat: int = 0) -> bytes:
    """The whole state."""
    return frame("update", f"{seq}.{chat}", Update(seq=seq, table=TABLE))


def update(seq: int, chat: int = 0) -> bytes:
    """Something that happened."""
    return frame("update", f"{seq}.{chat}", Update(seq=seq, news=NewsMessage(kind="sat")))


def changed(seq: int, chat: int = 0) -> bytes:
    """Something that happened, as a patch of an update."""
    edit = patch(encode(Update(seq=0, news=NewsMessage(kind="sat"))), encode(happened(seq)))
    return b"event: patch\nid: %d.%d\ndata: %b\n\n" % (seq, chat, edit)


def happened(seq: int) -> Update:
    """What a patch tells."""
    return Update(seq=seq, news=NewsMessage(kind="left", name="Anne"))


def line(seq: int, chat: int) -> bytes:
    """A line of chat."""
    return frame("chat", f"{seq}.{chat}", ChatMessage(number=chat, seat=None, name="", text="Ahoy", at=0))


def frame(name: str, place: str, message: msgspec.Struct) -> bytes:
    return b"event: %b\nid: %b\ndata: %b\n\n" % (name.encode(), place.encode(), encode(message))


def closed(code: str) -> bytes:
    return b'event: closed\ndata: {"code":"%b"}\n\n' % code.encode()


def numbers(told: list[Told]) -> list[str]:
    return [f"update {one.seq}" if isinstance(one, Update) else f"line {one.number}" for one in told]


def fed(one: Follower, *frames: bytes) -> list[str]:
    return numbers(list(one.feed(b"".join(frames))))


def test_it_begins_with_the_whole_state_and_goes_on_number_by_number() -> None:
    one = follower()
    assert "last-event-id" not in one.begin()
    assert fed(one, whole(5, 2), update(6, 2), line(6, 3), update(7, 3)) == [
        "update 5",
        "update 6",
        "line 3",
        "update 7",
    ]


def test_patches_are_asked_for_and_applied() -> None:
    one = follower()
    assert one.begin()["prefer"] == "patches, compact=1"
    assert fed(one, whole(5), update(6)) == ["update 5", "update 6"]
    assert list(one.feed(changed(7) + changed(8))) == [happened(7), happened(8)]


CATALOGUE = '"catalogue":{"happened":{"won":["seat"]}}'


def test_compact_updates_are_expanded_whole_and_patched() -> None:
    one = follower()
    one.begin()
    told = f'event: update\nid: 5.0\ndata: {{"version":1,"seq":5,"happened":[["won",1]],{CATALOGUE}}}\n\n'
    told += 'event: patch\nid: 6.0\ndata: {"seq":[6],"happened":{"0":{"1":[0]}}}\n\n'
    heard = [each for each in one.feed(told.encode()) if isinstance(each, Update)]
    assert [(each.seq, each.happened) for each in heard] == [
        (5, (WonMessage(seat=1),)),
        (6, (WonMessage(seat=0),)),
    ]


def test_a_compact_update_that_does_not_fit_is_refused_and_a_patch_to_one_a_reason_to_come_back() -> None:
    one = follower()
    one.begin()
    told = f'event: update\nid: 5.0\ndata: {{"version":1,"seq":5,"happened":[],{CATALOGUE}}}\n\n'
    assert len(list(one.feed(told.encode()))) == 1
    assert list(one.feed(b'event: patch\nid: 6.0\ndata: {"seq":[6],"happened":[[["sang"]]]}\n\n')) == []
    assert one.is_left
    one.begin()
    with pytest.raises(Misunderstood, match="does not fit its catalogue"):
        list(one.feed(told.replace("[]", '[["sang"]]').encode()))


def test_what_is_skipped_is_patched_all_the_same() -> None:
    one = follower(last="6.0")
    one.begin()
    assert fed(one, update(6)) == []
    assert list(one.feed(changed(7))) == [happened(7)]


@pytest.mark.parametrize("first", [b"", b'event: update\nid: 5.0\ndata: {"version":1,"seq":5}\n\n'])
def test_a_patch_that_does_not_fit_is_a_reason_to_come_back(first: bytes) -> None:
    one = follower()
    one.begin()
    list(one.feed(first))
    assert list(one.feed(b'event: patch\nid: 6.0\ndata: {"view":{"row":[3,1,[]]}}\n\n')) == []
    assert one.is_left
    one.begin()
    assert fed(one, whole(6)) == ["update 6"]


def test_after_a_break_it_asks_for_what_comes_after_its_place() -> None:
    one = follower()
    one.begin()
    fed(one, whole(5), update(6), line(6, 1))
    assert one.begin()["last-event-id"] == "6.1"


def test_a_place_that_was_kept_is_gone_on_from() -> None:
    assert follower("6.1").begin()["last-event-id"] == "6.1"
    assert "last-event-id" not in follower("nonsense").begin()


def test_half_an_event_is_forgotten_with_its_connection() -> None:
    one = follower()
    one.begin()
    fed(one, whole(5), update(6)[:20])
    one.begin()
    assert fed(one, update(6)) == ["update 6"]


def test_what_was_told_before_is_dropped() -> None:
    one = follower()
    one.begin()
    assert fed(one, whole(5), update(6), update(6), update(5), line(6, 1), line(6, 1)) == [
        "update 5",
        "update 6",
        "line 1",
    ]


def test_if_something_is_missing_it_leaves_and_asks_again() -> None:
    one = follower()
    one.begin()
    assert fed(one, whole(5), update(7), update(8)) == ["update 5"]
    assert one.is_left
    assert one.begin()["last-event-id"] == "5.0"
    assert fed(one, update(6), update(7)) == ["update 6", "update 7"]


def test_what_is_still_missing_then_is_not_for_us() -> None:
    one = follower()
    one.begin()
    fed(one, whole(5), update(7))
    one.begin()
    assert fed(one, update(7), update(8)) == ["update 7", "update 8"]


def test_a_whole_state_is_where_the_table_really_is() -> None:
    one = follower("9.0")
    one.begin()
    assert fed(one, whole(4), update(5)) == ["update 4", "update 5"]


def test_heartbeats_and_what_it_does_not_know_are_passed_over() -> None:
    one = follower()
    one.begin()
    assert fed(one, b":\n\n", b"event: odd\ndata: ?\n\n") == []
    assert not one.is_left


@pytest.mark.parametrize("code", ["restart", "forbidden"])
def test_a_stream_that_is_closed_for_a_while_is_come_back_to(code: str) -> None:
    one = follower()
    one.begin()
    assert fed(one, whole(5), closed(code), update(6)) == ["update 5"]
    assert one.is_left


def test_a_stream_that_is_closed_for_good_is_an_error() -> None:
    one = follower()
    one.begin()
    with pytest.raises(StreamEnded) as caught:
        fed(one, closed("revoked"))
    assert caught.value.code == "revoked"


def test_pauses_grow_until_something_is_told() -> None:
    one = follower()
    assert [one.pause() for _ in range(5)] == [1, 2, 4, 8, 8]
    one.begin()
    fed(one, whole(5))
    assert one.pause() == 1


def test_the_service_may_ask_for_a_longer_pause() -> None:
    one = follower()
    one.begin()
    fed(one, b"retry: 2500\n\n")
    assert one.pause() == 2.5
    one.turn_away(503, {"retry-after": "30"}, b"")
    assert one.pause() == 30


def test_what_is_refused_for_good_is_raised_at_once() -> None:
    one = follower()
    one.turn_away(429, {}, b"")
    one.turn_away(502, {}, b"<html>")
    with pytest.raises(Refused, match="kicked"):
        one.turn_away(403, {}, error_body(ProblemMessage(code="kicked", message="go")))
    with pytest.raises(Misunderstood):
        one.turn_away(404, {}, b"<html>")


def test_a_page_is_no_stream() -> None:
    assert is_stream(200, {"content-type": "text/event-stream; charset=utf-8"})
    assert not is_stream(200, {"content-type": "text/html"})
    assert not is_stream(403, {"content-type": "text/event-stream"})


def test_an_update_of_another_version_is_not_guessed_at() -> None:
    one = follower()
    one.begin()
    with pytest.raises(Misunderstood, match="version 99"):
        fed(one, frame("update", "1.0", Update(version=99, seq=1)))
    one.begin()
    with pytest.raises(Misunderstood, match="without its place"):
        fed(one, frame("update", "", Update(seq=1)))


def test_a_patch_to_another_version_is_not_guessed_at() -> None:
    one = follower()
    one.begin()
    told = fed(one, whole(5), b'event: patch\nid: 6.0\ndata: {"version":[99],"seq":[6]}\n\n')
    assert (told, one.is_left) == (["update 5"], True)


BRACKETS = b"[" * 200_000


def edits() -> bytes:
    """A patch that can be read, and is too deep to be applied, whatever the limit of this process is."""
    levels = sys.getrecursionlimit() * 9 // 10
    return b'{"a":' * levels + b"[1]" + b"}" * levels


@pytest.mark.parametrize("deep", [lambda: BRACKETS, edits], ids=["brackets", "edits"])
def test_a_patch_that_nests_too_deeply_is_a_reason_to_come_back(deep: Callable[[], bytes]) -> None:
    one = follower()
    one.begin()
    told = fed(one, whole(5), b"event: patch\nid: 6.0\ndata: %b\n\n" % deep())
    assert (told, one.is_left) == (["update 5"], True)


def test_an_update_that_nests_too_deeply_is_misunderstood() -> None:
    one = follower()
    one.begin()
    with pytest.raises(Misunderstood):
        fed(one, b"event: update\nid: 5.0\ndata: %b\n\n" % BRACKETS)
