"""Server-Sent Events, read from bytes as they come in."""

import re
from dataclasses import dataclass
from typing import Final

from cartagena.client.errors import Misunderstood

MOST_BYTES: Final = 4 * 1024 * 1024
"""An event is a few kilobytes; a sender that goes beyond this without an end is not our service."""

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_WAIT: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSentEvent:
    """One event: its name, what it says, and the place to come back to after it, if it has one."""

    name: str
    data: str
    id: str | None = None


class EventReader:
    r"""Puts events together, whatever pieces their bytes come in.

    >>> reader = EventReader()
    >>> reader.feed(b"retry: 2000\n\nevent: update\nid: 7.0\nda")
    []
    >>> [event.data for event in reader.feed(b"ta: {}\n\n:\n\n")], reader.retry
    (['{}'], 2000)
    """

    def __init__(self) -> None:
        self.retry: int | None = None
        """How many milliseconds to wait before coming back, if the service said so."""
        self._rest = b""
        self._name = ""
        self._id: str | None = None
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that these bytes complete."""
        self._size += len(chunk)
        if self._size > MOST_BYTES:
            raise Misunderstood(f"an event of more than {MOST_BYTES} bytes")
        text = self._rest + chunk
        # A carriage return at the end may be half a line end.
        held = b"\r" if text.endswith(b"\r") else b""
        *lines, rest = _LINE_END.split(text.removesuffix(held))
        self._rest = rest + held
        events = []
        for line in lines:
            event = self._line(line.decode("utf-8", "replace"))
            if event is not None:
                events.append(event)
        return events

    def _line(self, line: str) -> ServerSentEvent | None:
        if not line:
            return self._end()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        elif name == "retry" and _WAIT.fullmatch(value):
            self.retry = int(value)
        return None

    def _end(self) -> ServerSentEvent | None:
        event = None
        if self._data:
            event = ServerSentEvent(name=self._name or "message", data="\n".join(self._data), id=self._id)
        self._name, self._id, self._data, self._size = "", None, [], 0
        return event
