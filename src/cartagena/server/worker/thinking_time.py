"""Thinking time: how long a choice may take, which follows from how many others wait for theirs.

While nobody waits, a bot has all its time. Otherwise it has so much that all who wait would be served within
`SERVED_WITHIN` if each of them took as long. A bot that searches stops when its time is up: less time means
fewer simulations.
"""

from typing import Final

SERVED_WITHIN: Final = 0.5
"""In how many seconds those who wait are to be served, beside what a choice takes apart from thinking.

Under a steady load thoughts become as long as the load allows, whatever this is; only the queue is as long as
this says. It is about a captain's turn, so one who waits alone for another makes that one hardly worse.
"""
LEAST: Final = 0.05
"""What a choice has however many wait: about what it takes to begin a search and to make something of it."""

NEEDS: Final = {"random": 0.0, "deckhand": 0.0, "sailor": 0.0, "bosun": 200 / 1500}
"""The part of the usual time without which a level plays worse; one that is not named may need all of it.

A bosun makes fewer simulations than the captain, for whom the usual time is meant. Written out here, because
the module of the levels brings the whole search into a process that never searches.
"""


def thinking_seconds(usual: float, *, waiting: int, places: int) -> float:
    """How long a choice may take while `waiting` others wait for one of `places`; never more than usual.

    >>> [thinking_seconds(2.0, waiting=number, places=1) for number in (0, 1, 4, 1_000)]
    [2.0, 0.5, 0.125, 0.05]
    """
    if waiting == 0:
        return usual
    return min(usual, max(LEAST, SERVED_WITHIN * places / waiting))


def is_hurried(level: str, seconds: float, *, usual: float) -> bool:
    """Whether a level has less time than it may need.

    This follows from the level and the queue alone: what a search found out of hidden cards must not show.
    """
    return seconds < usual * NEEDS.get(level, 1.0)
