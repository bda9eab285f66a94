"""Our levels of play, the weakest first."""

from typing import Final

from cartagena.bots.players.interface import Bot
from cartagena.bots.players.simple import Greedy
from cartagena.bots.search.bot import Depth, Searcher

DECKHANDS_TEMPERATURE: Final = 2.7
"""In spaces: a turn that leaves the crew this much worse off is taken a third as often as the best one."""

BOSUN: Final = Depth(simulations=200)
CAPTAIN: Final = Depth(simulations=1500)


def deckhand() -> Bot:
    """A beginner: sees what the sailor sees, but often does something less good."""
    return Greedy(temperature=DECKHANDS_TEMPERATURE)


def sailor() -> Bot:
    """The yardstick: makes the most of each turn and thinks no further."""
    return Greedy()


def bosun() -> Bot:
    """Searches for less than a tenth of a second a turn."""
    return Searcher(BOSUN)


def captain() -> Bot:
    """Searches seven times as long as the bosun."""
    return Searcher(CAPTAIN)
