"""The shell: the client's one page, with a link's preview in the reader's language in its head."""

import enum
import gzip
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal
from urllib.parse import quote, urlencode

from cartagena.server.http.api_docs import Html, joined, tag
from cartagena.server.pages.built import GZIP, IDENTITY, BuiltFile, FileForm, digest_of, wishes_of
from cartagena.words.catalogue import ENGLISH

# The addresses of the client's pages; all of them get the one page, which works out the rest itself.


class PageName(enum.StrEnum):
    """A page of the client, by the name that it has in `web/src/shell/routes.ts` and in its title's key."""

    HOME = "home"
    OPEN = "open"
    DEVICE = "device"
    ANALYSIS = "analysis"
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
    "analysis": PageName.ANALYSIS,
    "credits": PageName.CREDITS,
    "device": PageName.DEVICE,
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


NEVER: Final = "no-store"
"""What an invitation opens must not be cached between here and the reader."""
PICTURED: Final = (PageName.TABLE, PageName.REPLAY, PageName.PLAYER, PageName.LESSON)
"""Pages whose links have pictures of their own; all others share one."""
PICTURES: Final = "/pictures/"
"""What the paths of all pictures begin with."""
GENERAL_PICTURE: Final = "general"
PICTURE_SIZE: Final = (1200, 630)
"""What Open Graph asks for."""


def picture_path(goal: PageAddress, language: str, invite: str | None) -> str:
    """The path of the picture of a page.

    >>> picture_path(PageAddress(PageName.TABLE, "01a1de9f"), "nl", None)
    '/pictures/table/01a1de9f.png?language=nl'
    >>> picture_path(PageAddress(PageName.LADDER), "en", None)
    '/pictures/general/cartagena.png?language=en'
    """
    kind, name = (goal.page.value, goal.name) if goal.page in PICTURED else (GENERAL_PICTURE, SITE.casefold())
    asked = {"language": language} | ({} if invite is None else {"invite": invite})
    return f"{PICTURES}{kind}/{quote(name, safe='')}.png?{urlencode(asked)}"


SITE: Final = "Cartagena"
LOCALES: Final = {"de": "de_DE", "en": "en_GB", "nl": "nl_NL", "sv": "sv_SE"}
"""Our languages, each as Open Graph names it."""


def best_language(accepted: bytes) -> str:
    """Return the most wanted of our languages, ignoring the country; English if none is wanted.

    >>> best_language(b"fr, nl-BE;q=0.8, de;q=0.9")
    'de'
    >>> best_language(b"tlh")
    'en'
    """
    wishes = [(weight, tag.partition("-")[0]) for tag, weight in wishes_of(accepted).items()]
    ours = [(weight, language) for weight, language in wishes if language in LOCALES and weight > 0.0]
    # Of equally wanted languages the first counts, as it does in the browser.
    return max(ours, key=lambda wish: wish[0])[1] if ours else ENGLISH


KEPT: Final = 256
"""How many written pages are kept; home in four languages is asked for far more often than any table."""
_LEVEL: Final = 6
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION: Final = re.compile(r'\s*<meta\s+name="description"[^>]*>')
_LANGUAGE: Final = re.compile(r'(?<=<html lang=")[a-z]+(?=")')

Kind = Literal["website", "article", "profile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a page says about itself: its title, and what a chat program shows for a link to it.

    `heading` stands above the preview of a link; without it, the title does.
    """

    language: str
    title: str
    description: str
    heading: str | None = None
    kind: Kind = "website"


class Shell:
    """Writes texts into the page that was built.

    The build names files from where the page lies; `root` is how they are named instead, because the page is
    sent at other addresses.
    """

    def __init__(self, built: BuiltFile, root: str = "/") -> None:
        page = built.forms[IDENTITY].content.decode().replace('="./', f'="{root}')
        self._media_type = built.media_type
        # Ours is the only description; the one that was built is for servers that write none.
        page = _DESCRIPTION.sub("", page)
        title = _TITLE.search(page)
        assert title is not None, "the built page has no title"
        self._before, self._after = page[: title.start()], page[title.end() :]
        self.written = lru_cache(maxsize=KEPT)(self._written)

    def _written(self, text: PageText, url: str | None, picture: str | None) -> BuiltFile:
        """The page with a text; `url` is the address that a link to it should have, and its `picture`."""
        before = _LANGUAGE.sub(text.language, self._before, count=1)
        page = f"{before}{_head_of(text, url, picture)}{self._after}"
        content = page.encode()
        digest = digest_of(content)
        packed = gzip.compress(content, _LEVEL, mtime=0)
        forms = {
            IDENTITY: FileForm(source=content, tag=f'"{digest}"'),
            GZIP: FileForm(source=packed, tag=f'"{digest}-{GZIP}"'),
        }
        return BuiltFile(media_type=self._media_type, forms=forms)


def _head_of(text: PageText, url: str | None, picture: str | None) -> Html:
    graph = {
        "og:title": text.heading or text.title,
        "og:description": text.description,
        "og:type": text.kind,
        "og:site_name": SITE,
        "og:locale": LOCALES[text.language],
        **({} if url is None else {"og:url": url}),
        **({} if picture is None else _pictured(text, picture)),
    }
    return joined(
        tag("title", text.title),
        tag("meta", name="description", content=text.description),
        *(tag("meta", property=name, content=value) for name, value in graph.items()),
        tag("meta", name="twitter:card", content="summary" if picture is None else "summary_large_image"),
    )


def _pictured(text: PageText, picture: str) -> dict[str, str]:
    width, height = PICTURE_SIZE
    return {
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": text.heading or text.title,
    }
