"""The captain of our first release, by whom later ones are measured."""

from cartagena.bots.players.interface import Bot
from cartagena.bots.search.bot import Breadth, Depth, Searcher

BREADTH = Breadth(20, 16)
FIRST_CAPTAIN = Depth(
    simulations=1000,
    duel=BREADTH,
    crowd=BREADTH,
    habits=False,
    explore=0.2,
    explore_open_duel=0.2,
    insight=False,
)


def captain() -> Bot:
    """It had no insight, weighed as many answers of several opponents as of one, and knew no habits."""
    return Searcher(FIRST_CAPTAIN)
