"""How the streams of a process behave, and what has become of them."""

from dataclasses import dataclass


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
