"""Versions of our levels, by which results of long runs are named."""

from typing import Final

VERSIONS: Final = {"random": 1, "deckhand": 1, "sailor": 1, "bosun": 1, "captain": 1}
"""Raised whenever a level begins to choose differently; results of older versions no longer count."""


def version_of(*names: str) -> str:
    """The bots with these names and their versions; a bot that is none of our levels has only its name.

    >>> version_of("sailor", "captain", "my_bots:Clever")
    'captain 1, my_bots:Clever, sailor 1'
    """
    return ", ".join(f"{name} {VERSIONS[name]}" if name in VERSIONS else name for name in sorted(names))
