"""Server-Sent Events are read as a browser reads them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.client.request import Misunderstood
from cartagena.client.stream import MOST_BYTES, EventReader, ServerSentEvent

STREAM = (
    b"retry: 1500\n\n"
    b'event: update\nid: 3.1\ndata: {"seq":3}\n\n'
    b":\n\n"
    b"event: chat\r\nid: 3.2\r\ndata: one\r\ndata:two\r\n\r\n"
    b"data: nameless\rid: 4.2\r\r"
    b"event: closed\ndata: {}\n\n"
)
EVENTS = [
    ServerSentEvent(name="update", data='{"seq":3}', id="3.1"),
    ServerSentEvent(name="chat", data="one\ntwo", id="3.2"),
    ServerSentEvent(name="message", data="nameless", id="4.2"),
    ServerSentEvent(name="closed", data="{}"),
]


def test_events_are_put_together_line_by_line() -> None:
    reader = EventReader()
    assert reader.feed(STREAM) == EVENTS
    assert reader.retry == 1500


@given(st.lists(st.integers(0, len(STREAM)), max_size=30))
def test_it_does_not_matter_in_which_pieces_they_come(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    reader = EventReader()
    pieces = [STREAM[begin:end] for begin, end in itertools.pairwise(places)]
    assert [event for piece in pieces for event in reader.feed(piece)] == EVENTS


def test_what_is_cut_off_is_no_event() -> None:
    assert EventReader().feed(b"event: update\nid: 3.1\ndata: {}\n") == []


def test_a_letter_that_is_cut_in_two_is_read_whole() -> None:
    reader = EventReader()
    data = "data: José\n\n".encode()
    assert reader.feed(data[:10]) == []
    assert reader.feed(data[10:]) == [ServerSentEvent(name="message", data="José")]


def test_a_comment_and_an_event_without_words_are_nothing() -> None:
    assert EventReader().feed(b": still here\n\nevent: update\nid: 1.0\n\n") == []


@pytest.mark.parametrize("said", [b"soon", b"9" * 5000])
def test_a_time_to_wait_that_is_no_number_is_ignored(said: bytes) -> None:
    reader = EventReader()
    reader.feed(b"retry: %b\n\n" % said)
    assert reader.retry is None


def test_nobody_fills_the_memory() -> None:
    reader = EventReader()
    reader.feed(b"data: " + b"x" * (MOST_BYTES // 2))
    with pytest.raises(Misunderstood):
        reader.feed(b"x" * (MOST_BYTES // 2))
