"""How often a route may be asked, by each player and from each address."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: `burst` at once, then `per_second` a second."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What routes of one group share: a rate for each player and a rate for each address.

    A player, not a session: personal tokens and other devices would each bring a rate of their own.
    """

    group: str
    player: Rate
    address: Rate


READING: Final = Limit(group="reading", player=Rate(60, 20), address=Rate(600, 200))
PLAYING: Final = Limit(group="playing", player=Rate(40, 10), address=Rate(400, 100))
CHATTING: Final = Limit(group="chatting", player=Rate(6, 0.5), address=Rate(60, 5))
CREATING: Final = Limit(group="creating", player=Rate(10, 0.2), address=Rate(60, 1))
AT_THE_DOOR: Final = Limit(group="door", player=Rate(10, 0.2), address=Rate(30, 0.5))
REPLAYING: Final = Limit(group="replaying", player=Rate(10, 1), address=Rate(40, 4))
"""Replaying a whole game takes ten times as long as any other request."""
OPERATING: Final = Limit(group="operating", player=Rate(60, 20), address=Rate(60, 20))
