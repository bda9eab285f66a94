"""Our levels of play, the weakest first, and their versions, by which results of long runs are named."""

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


VERSIONS: Final = {"random": 1, "deckhand": 1, "sailor": 1, "bosun": 1, "captain": 1}
"""Raised whenever a level begins to choose differently; results of older versions no longer count."""


def version_of(*names: str) -> str:
    """The bots with these names and their versions; a bot that is none of our levels has only its name.

    >>> version_of("sailor", "captain", "my_bots:Clever")
    'captain 1, my_bots:Clever, sailor 1'
    """
    return ", ".join(f"{name} {VERSIONS[name]}" if name in VERSIONS else name for name in sorted(names))
