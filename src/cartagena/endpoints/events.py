"""Server-Sent Events: how what happens at a table is written, and from where a client goes on."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from cartagena.messages.requests import Word
from cartagena.messages.streams import StreamPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """An update or a line of chat as one audience is told it; `data` is its JSON.

    `seq` is the number of an update, `chat` that of a line of chat. The frame of a whole state has both.
    """

    event: Literal["update", "chat"]
    seq: int
    chat: int
    data: bytes = field(repr=False)


def written(event: str, data: bytes, place: StreamPosition | None = None) -> bytes:
    r"""Write an event for the wire; `place`, if given, is where the client goes on when it comes back.

    >>> written("update", b"{}", StreamPosition(12, 3))
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


class StreamFrom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The invitation code of a private table; the place to go on from, where no header can be sent."""

    invite: Word | None = None
    last: Annotated[str, Meta(max_length=24)] | None = None
