"""The history of a run: what people asked and were answered, and what they were told."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

Verdict = Literal["open", "done", "refused"]


@dataclass(slots=True)
class Request:
    """A request of a person, however often it was sent: its key is the same each time."""

    key: UUID
    player: UUID
    what: str
    asked: float
    code: int | None = None
    upon: int | None = None
    """The seq at which a choice was made."""
    at: int | None = None
    """Where the table was, as the answer says."""
    verdict: Verdict = "open"
    """The outcome of an open request is unknown."""
    answered: float = 0.0
    reason: str = ""


@dataclass(slots=True)
class History:
    """All of it."""

    requests: dict[UUID, Request] = field(default_factory=dict)
    told: dict[tuple[UUID, int, int], dict[bytes, str]] = field(default_factory=dict)
    """For each table, audience and seq: the views that were shown of it, each with who was shown it first."""
    undone: dict[UUID, set[int]] = field(default_factory=lambda: defaultdict(set))
    """For each table the numbers of events that a failover undid; another event may have one of them."""
    violations: list[str] = field(default_factory=list)

    def begin(self, key: UUID, player: UUID, what: str, now: float, code: int | None = None) -> Request:
        """Note that a request is sent for the first time."""
        request = self.requests[key] = Request(key, player, what, now, code)
        return request

    def tell(self, place: tuple[UUID, int, int], view: bytes, whom: str) -> None:
        """Note that a person is shown a view."""
        self.told.setdefault(place, {}).setdefault(view, whom)

    def violate(self, sentence: str) -> None:
        """Note a broken law; each is kept once."""
        if sentence not in self.violations:
            self.violations.append(sentence)
