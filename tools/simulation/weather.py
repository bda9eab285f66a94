"""Weather: how bad the network is, storm after storm, until it is fine for good."""

from dataclasses import dataclass
from random import Random
from typing import Final

LATE: Final = 0.02


@dataclass(slots=True)
class NetworkWeather:
    """What happens to messages on their way, decided by chance; fine weather loses nothing."""

    chance: Random
    is_fine: bool = False
    broken: float = 0.0
    """How many of a hundred connections to a database break with their question."""
    lost: float = 0.0
    """How many of a hundred messages are lost, on the bus or between a person and a node."""
    slow: float = 1.0

    def delay(self) -> float:
        """How many seconds a message takes: mostly few, sometimes far more."""
        seconds = self.chance.expovariate(1 / 0.002)
        if not self.is_fine and self.chance.random() < LATE:
            seconds += self.chance.uniform(0, 0.5) * self.slow
        return seconds

    def loses(self) -> bool:
        """Whether a connection breaks now."""
        return not self.is_fine and self.chance.random() * 100 < self.broken

    def swallows(self) -> bool:
        """Whether a message is lost now."""
        return not self.is_fine and self.chance.random() * 100 < self.lost
