"""The addresses of the client's pages; all of them get the one page, which works out the rest itself."""

import enum
from dataclasses import dataclass
from typing import Final


class Page(enum.StrEnum):
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
    "": Page.HOME,
    "account": Page.ACCOUNT,
    "credits": Page.CREDITS,
    "ladder": Page.LADDER,
    "learn": Page.LEARN,
    "open": Page.OPEN,
    "rules": Page.RULEBOOK,
    "settings": Page.SETTINGS,
    "sign-in": Page.SIGN_IN,
}
"""Pages with nothing after their word; the first is the home page."""
WITH_NAME: Final = {
    "learn": Page.LESSON,
    "player": Page.PLAYER,
    "replay": Page.REPLAY,
    "rules": Page.RULEBOOK,
    "table": Page.TABLE,
}
"""Pages with one name after their word: which table, which lesson."""
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Address:
    """A page, and the name after its word."""

    page: Page
    name: str = ""


NOWHERE: Final = Address(Page.NOT_FOUND)


def address_of(path: str) -> Address:
    """The page of the client at a path.

    >>> address_of("/table/01a1de9f")
    Address(page=<Page.TABLE: 'table'>, name='01a1de9f')
    >>> [address_of(path).page.value for path in ("/", "/rules", "/table", "/table/1/2", "/open/")]
    ['home', 'rulebook', 'notFound', 'notFound', 'notFound']
    """
    word, slash, name = path[1:].partition("/")
    if not slash:
        return Address(ALONE[word]) if word in ALONE else NOWHERE
    if word in WITH_NAME and 0 < len(name) <= _LONGEST_NAME and "/" not in name:
        return Address(WITH_NAME[word], name)
    return NOWHERE
