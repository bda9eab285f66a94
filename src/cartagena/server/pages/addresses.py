"""The addresses of the client's pages; all of them get the one page, which works out the rest itself."""

import enum
from dataclasses import dataclass
from typing import Final


class PageName(enum.StrEnum):
    """A page of the client, by the name that it has in `web/src/shell/routes.ts` and in its title's key."""

    HOME = "home"
    OPEN = "open"
    TABLE = "table"
    REPLAY = "replay"
    LEARN = "learn"
    LESSON = "lesson"
    RULEBOOK = "rulebook"
    PLAYER = "player"
    LADDER = "ladder"
    ACCOUNT = "account"
    SIGN_IN = "signIn"
    SETTINGS = "settings"
    CREDITS = "credits"
    NOT_FOUND = "notFound"


ALONE: Final = {
    "": PageName.HOME,
    "account": PageName.ACCOUNT,
    "credits": PageName.CREDITS,
    "ladder": PageName.LADDER,
    "learn": PageName.LEARN,
    "open": PageName.OPEN,
    "rules": PageName.RULEBOOK,
    "settings": PageName.SETTINGS,
    "sign-in": PageName.SIGN_IN,
}
"""Pages with nothing after their word; the first is the home page."""
WITH_NAME: Final = {
    "learn": PageName.LESSON,
    "player": PageName.PLAYER,
    "replay": PageName.REPLAY,
    "rules": PageName.RULEBOOK,
    "table": PageName.TABLE,
}
"""Pages with one name after their word: which table, which lesson."""
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A page, and the name after its word."""

    page: PageName
    name: str = ""


NOWHERE: Final = PageAddress(PageName.NOT_FOUND)


def address_of(path: str) -> PageAddress:
    """The page of the client at a path.

    >>> address_of("/table/01a1de9f")
    PageAddress(page=<PageName.TABLE: 'table'>, name='01a1de9f')
    >>> [address_of(path).page.value for path in ("/", "/rules", "/table", "/table/1/2", "/open/")]
    ['home', 'rulebook', 'notFound', 'notFound', 'notFound']
    """
    word, slash, name = path[1:].partition("/")
    if not slash:
        return PageAddress(ALONE[word]) if word in ALONE else NOWHERE
    if word in WITH_NAME and 0 < len(name) <= _LONGEST_NAME and "/" not in name:
        return PageAddress(WITH_NAME[word], name)
    return NOWHERE
