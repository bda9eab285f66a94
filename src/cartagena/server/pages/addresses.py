"""The addresses of the client's pages; all of them are answered with the one page that finds out the rest."""

from typing import Final

ALONE: Final = frozenset(
    {"", "account", "credits", "ladder", "learn", "open", "rules", "settings", "sign-in"}
)
"""Pages with nothing behind their word; the first is the home page."""
WITH_NAME: Final = frozenset({"learn", "player", "replay", "rules", "table"})
"""Pages with one name behind their word: which table, which lesson."""
_LONGEST_NAME: Final = 100


def is_page(path: str) -> bool:
    """Whether the client has a page at this path.

    >>> [is_page(path) for path in ("/", "/table/01a1de9f", "/rules", "/table", "/table/1/2", "/open/")]
    [True, True, True, False, False, False]
    """
    word, slash, name = path[1:].partition("/")
    if not slash:
        return word in ALONE
    return word in WITH_NAME and 0 < len(name) <= _LONGEST_NAME and "/" not in name
