"""Shares: on whose behalf a processor is busy, so that no household keeps all others waiting."""

from typing import NamedTuple


class Share(NamedTuple):
    """A household, under a name that reveals nothing of its address, and one of its players."""

    household: str
    player: str
