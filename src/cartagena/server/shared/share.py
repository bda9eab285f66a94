"""Shares: whose wish it is that keeps a processor busy, so that nobody's wishes keep all others waiting."""

from typing import NamedTuple


class Share(NamedTuple):
    """A household, under a name that tells nothing of its address, and one player of it."""

    household: str
    player: str
