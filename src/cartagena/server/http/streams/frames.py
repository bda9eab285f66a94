"""Frames: what a stream carries, and how Server-Sent Events write it down."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import msgspec

HEARTBEAT: Final = b":\n\n"
"""A comment, so that no proxy on the way takes the connection for dead."""

_PLACE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


class Place(NamedTuple):
    """How far a client has been told: the numbers of its last update and its last line of chat."""

    seq: int
    chat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """An update or a line of chat as one audience is told it; `data` is its JSON.

    `seq` is the number of an update, `chat` that of a line of chat. The frame of a whole state has both.
    """

    event: Literal["update", "chat"]
    seq: int
    chat: int
    data: bytes = field(repr=False)


def place_of(text: str | None) -> Place | None:
    """Read the place that a client says it has reached; None if it is missing or unreadable.

    >>> place_of("12.3")
    Place(seq=12, chat=3)
    """
    found = None if text is None else _PLACE.fullmatch(text)
    return None if found is None else Place(int(found[1]), int(found[2]))


def written(event: str, data: bytes, place: Place | None = None) -> bytes:
    r"""Write an event for the wire; `place`, if given, is where the client goes on when it comes back.

    >>> written("update", b"{}", Place(12, 3))
    b'event: update\nid: 12.3\ndata: {}\n\n'
    """
    if b"\n" in data or b"\r" in data:
        data = b"\ndata: ".join(data.splitlines())
    if place is None:
        return b"event: %b\ndata: %b\n\n" % (event.encode(), data)
    return b"event: %b\nid: %d.%d\ndata: %b\n\n" % (event.encode(), place.seq, place.chat, data)


def retry_after(milliseconds: int) -> bytes:
    """Tell a client how long to wait before it comes back after the connection broke."""
    return b"retry: %d\n\n" % milliseconds


def farewell(code: str) -> bytes:
    """The last event of a stream that is ended on purpose."""
    return written("closed", msgspec.json.encode({"code": code}))
