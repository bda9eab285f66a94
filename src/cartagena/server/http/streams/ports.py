"""Ports: what streams need from the rest of the service, what they tell it, and how they behave."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID

from cartagena.endpoints.events import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who opens a stream, and as which audience."""

    audience: int
    address: str
    player_id: UUID | None = None
    session_id: UUID | None = None


class StreamSource(Protocol):
    """The truth about tables: what streams read when they begin, and when they missed something."""

    async def current(self, game_id: UUID, audience: int) -> Frame:
        """The whole state as it is now, and its place; raises ServiceError if there is no such table."""

    async def effort(self, game_id: UUID, seq: int) -> int:
        """How many events are read to tell what came after `seq`: it may be more than came."""

    async def since(self, game_id: UUID, audience: int, seq: int, chat: int) -> Sequence[Frame]:
        """Every update after `seq` and every line of chat after `chat` that the audience is told, in order.

        It includes everything that was committed before the call.
        """

    async def timelines(self) -> str:
        """The timelines that the databases write; they change after a failover."""

    async def cursors(self, game_ids: Sequence[UUID]) -> Mapping[UUID, tuple[int, int]]:
        """The numbers of the last update and the last line of chat; an unknown game is left out."""


class LobbySource(Protocol):
    """The truth about the lobby."""

    async def listing(self) -> bytes:
        """All that the lobby shows now, as JSON."""


class SessionCheck(Protocol):
    """The truth about sessions."""

    async def ended_among(self, session_ids: Collection[UUID]) -> Collection[UUID]:
        """Which of these sessions are over: ended, expired, or of a player who went for good."""


class Told(Protocol):
    """An announcement as it comes from the bus."""

    @property
    def game_id(self) -> UUID:
        """At which table."""

    @property
    def seq(self) -> int:
        """The number of the update, or of the last one before this line of chat."""

    @property
    def chat(self) -> int:
        """The number of the line of chat, or of the last one before this update."""

    @property
    def kind(self) -> Literal["update", "chat"]:
        """What it is."""

    @property
    def frames(self) -> Mapping[int, bytes]:
        """The JSON for each audience; one that is missing is told nothing."""

    @property
    def trace(self) -> bytes | None:
        """The trace to go on with, if this is traced."""


class Dismissal(Protocol):
    """A closing as it comes from the bus: it ends the streams that match every field that is not None."""

    @property
    def code(self) -> str:
        """Why."""

    @property
    def game_id(self) -> UUID | None:
        """At which table."""

    @property
    def player_id(self) -> UUID | None:
        """Whose streams."""

    @property
    def session_id(self) -> UUID | None:
        """Of which of their sessions."""

    @property
    def audience(self) -> int | None:
        """As which audience."""


class ListingFrame(Protocol):
    """A change of the lobby as it comes from the bus."""

    @property
    def frame(self) -> bytes:
        """The change as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """How streams behave, in seconds; `retry` bounds in milliseconds how long a client waits to come back."""

    heartbeat: float = 15
    check_every: float = 5
    lobby_every: float = 60
    sessions_every: float = 15
    retry: tuple[int, int] = (1000, 5000)
    patience: float = 5
    per_player: int = 50
    per_address: int = 500
    pace: float = 1.0
    """`per_player` and `per_address` are multiplied by it, like every limit."""


@dataclass(slots=True)
class StreamCounts:
    """What has become of streams since the process began."""

    opened: int = 0
    healed: int = 0
    slow: int = 0
    dismissed: int = 0
