"""Streams of a table: their media type, and the position from which a client goes on."""

import re
from typing import Final, NamedTuple

EVENT_STREAM: Final = "text/event-stream"
"""The media type of Server-Sent Events."""

_POSITION: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


class StreamPosition(NamedTuple):
    """How far a stream was told: the numbers of its last update and its last line of chat."""

    seq: int
    chat: int

    def __str__(self) -> str:
        return f"{self.seq}.{self.chat}"


def stream_position(text: str | None) -> StreamPosition | None:
    """The position that the id of an event names; None if it is missing or unreadable.

    >>> stream_position("12.3")
    StreamPosition(seq=12, chat=3)
    """
    found = None if text is None else _POSITION.fullmatch(text)
    return None if found is None else StreamPosition(int(found[1]), int(found[2]))
