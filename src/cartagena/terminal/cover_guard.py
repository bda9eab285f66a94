"""Which press may uncover a hand: not one that was meant for what lay there before the cover came."""

from collections.abc import Callable
from typing import Final

from cartagena.terminal.source import Moment

PAUSE: Final = 0.7
"""Seconds without a press after which one is meant for the cover; a double press takes less."""


class CoverGuard:
    """Knows when a hand was covered, and when a press last came too soon to uncover it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._covered: int | None = None
        self._since = 0.0

    def take(self, moment: Moment) -> None:
        """Take note of whose hand is covered."""
        if moment.covered != self._covered:
            self._covered, self._since = moment.covered, self._now()

    def is_meant(self) -> bool:
        """Whether a press now is meant for the cover; one that is not begins the pause anew."""
        before, self._since = self._since, self._now()
        return self._since - before >= PAUSE
