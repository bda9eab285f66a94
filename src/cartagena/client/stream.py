"""Following a table: Server-Sent Events in order, nothing twice and nothing missed, over any break."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec

from cartagena.client.request import (
    AWAY,
    TOO_MANY,
    Chance,
    Misunderstood,
    Patience,
    Query,
    StreamEnded,
    error_of,
    given,
    seconds_of,
)
from cartagena.client.tables import TableId, path_of
from cartagena.messages.cards import MessageError
from cartagena.messages.challenges import ChallengeMessage
from cartagena.messages.compact import expanded
from cartagena.messages.patches import Json, patched
from cartagena.messages.player_news import GameNewsMessage, MyStateMessage
from cartagena.messages.streams import EVENT_STREAM, StreamPosition, stream_position
from cartagena.messages.tables import ChatMessage
from cartagena.messages.updates import Update, decoded, read

MOST_BYTES: Final = 4 * 1024 * 1024
"""An event is a few kilobytes; a sender that goes beyond this without an end is not our service."""

PREFERENCES: Final = "patches, compact=1"
"""How a stream is asked for; a service that does not know the compact form tells patches of the whole one."""

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


Told: TypeAlias = Update | ChatMessage
"""What a stream tells: something that happened at the table, or a line of chat."""

PlayerTold: TypeAlias = MyStateMessage | GameNewsMessage | ChallengeMessage
"""What the stream of a player tells: everything that concerns them, or what is new."""

_News = TypeVar("_News")

PASSING: Final = frozenset({"restart", "forbidden"})
"""Ends of a stream after which to come back: the node restarts; the player has changed or left the chair."""

OK: Final = 200


class EventFollower(ABC, Generic[_News]):
    """Comes back to a stream over any break. It is fed, because it does not read by itself."""

    def __init__(self, path: str, query: Query, *, patience: Patience, chance: Chance) -> None:
        self.path: Final = path
        self.query: Final = query
        self._patience = patience
        self._chance = chance
        self._failures = 0
        self._wish = 0.0
        self._reader = EventReader()
        self._is_left = False

    # Coming and going.

    def begin(self) -> dict[str, str]:
        """A new connection is made: the headers to ask with."""
        self._reader, self._is_left = EventReader(), False
        return {"accept": EVENT_STREAM}

    def turn_away(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        """The service does not let us in now; raises what it refuses for good."""
        if status != TOO_MANY and status not in AWAY:
            raise error_of(status, content)
        self._wish = seconds_of(headers.get("retry-after"))

    @property
    def is_left(self) -> bool:
        """Whether this connection is to be left and another one made."""
        return self._is_left

    @property
    def is_away(self) -> bool:
        """Whether the service is away: one connection after another is gone, and none told anything."""
        return self._failures > 1

    def pause(self) -> float:
        """The connection is gone: how long to wait before coming back."""
        self._failures += 1
        told = 0.0 if self._reader.retry is None else self._reader.retry / 1000
        wish, self._wish = max(self._wish, min(told, self._patience.longest)), 0.0
        return max(wish, self._patience.pause(self._failures, self._chance))

    # Listening.

    def feed(self, chunk: bytes) -> Iterator[_News]:
        """What these bytes tell that was not told before."""
        for event in self._reader.feed(chunk):
            if self._is_left:
                return
            try:
                told = self._told(event)
            except MessageError as error:
                raise Misunderstood(f"the stream tells something strange: {error}") from error
            if told is not None:
                self._failures = 0
                yield told
            elif event.name == "closed":
                self._close(event.data)

    @abstractmethod
    def _told(self, event: ServerSentEvent) -> _News | None:
        """What an event tells, None if nothing; raises MessageError if it cannot be read."""

    def _close(self, data: str) -> None:
        code = _code_of(data)
        if code not in PASSING:
            raise StreamEnded(code)
        self._is_left = True


class Follower(EventFollower[Told]):
    """Knows where the stream of a table goes on.

    A stream begins with the whole state. From then on each update has the next number; one that was told
    before is dropped, and one too far ahead is a reason to come back and ask for what lies between. Most
    updates are told as patches of the one before, in the compact form.
    """

    def __init__(
        self,
        table_id: TableId,
        *,
        patience: Patience,
        chance: Chance,
        invite: str | None = None,
        last: str | None = None,
    ) -> None:
        super().__init__(path_of(table_id, "/stream"), given(invite=invite), patience=patience, chance=chance)
        self.place = None if last is None else stream_position(last)
        self._doubts: StreamPosition | None = None
        self._before: Json = None

    def begin(self) -> dict[str, str]:
        """A new connection is made: the headers to ask with, and the place from which to go on."""
        self._before = None
        headers = {**super().begin(), "prefer": PREFERENCES}
        return headers if self.place is None else {**headers, "last-event-id": str(self.place)}

    def _told(self, event: ServerSentEvent) -> Told | None:
        if event.name == "update":
            self._before = read(object, event.data)
            return self._next(event, decoded(expanded(self._before)))
        if event.name == "patch":
            return self._patched(event)
        if event.name == "chat":
            return self._next(event, read(ChatMessage, event.data))
        return None

    def _patched(self, event: ServerSentEvent) -> Told | None:
        try:
            self._before = patched(self._before, read(object, event.data))
            return self._next(event, decoded(expanded(self._before)))
        except MessageError:
            # The next connection begins with what is whole.
            self._is_left = True
            return None

    def _next(self, event: ServerSentEvent, told: Told) -> Told | None:
        place = stream_position(event.id)
        if place is None:
            raise Misunderstood("an update without its place")
        step = self._step(place, told)
        if step <= 0:
            return None
        if step > 1 and self._doubts != self.place:
            # Something is missing. If it is still missing when we come back, we are not meant to know it.
            self._doubts, self._is_left = self.place, True
            return None
        self.place = place
        return told

    def _step(self, place: StreamPosition, told: Told) -> int:
        """How many steps `told` is ahead of what was told before."""
        if self.place is None or (isinstance(told, Update) and is_whole(told)):
            return 1
        return place.seq - self.place.seq if isinstance(told, Update) else place.chat - self.place.chat


class PlayerFollower(EventFollower[PlayerTold]):
    """Follows what concerns a player. Every connection begins with the whole state."""

    def __init__(self, *, patience: Patience, chance: Chance) -> None:
        super().__init__("/api/me/stream", {}, patience=patience, chance=chance)

    def _told(self, event: ServerSentEvent) -> PlayerTold | None:
        if event.name == "state":
            return read(MyStateMessage, event.data)
        if event.name == "challenge":
            return read(ChallengeMessage, event.data)
        if event.name == "game":
            return read(GameNewsMessage, event.data)
        return None


def is_stream(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer is a stream."""
    return status == OK and headers.get("content-type", "").startswith(EVENT_STREAM)


def is_whole(update: Update) -> bool:
    """Whether an update is a whole state, as a stream begins with, and nothing that happened."""
    return update.table is not None and update.news is None and not update.happened


def _code_of(data: str) -> str:
    try:
        return msgspec.json.decode(data, type=dict[str, str]).get("code", "")
    except msgspec.MsgspecError:
        return ""
