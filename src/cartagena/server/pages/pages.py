"""Pages: what a browser gets for a path that is not a route, from what was listed at startup."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, quote
from uuid import UUID

from cartagena.endpoints.limits import Limit, Rate
from cartagena.endpoints.path_templates import PlaceKind
from cartagena.endpoints.request import Call, Headers
from cartagena.endpoints.responses import Answer, HeaderLines
from cartagena.endpoints.routing import Route
from cartagena.install import NODE, pages_command
from cartagena.server.http.response_headers import PAGE_POLICY, WORKER_POLICY
from cartagena.server.pages.built import HTML, IDENTITY, INDEX, BuiltFile, FileForm, best_encoding, is_known
from cartagena.server.pages.link_texts import PageTexts
from cartagena.server.pages.lookups import Lookup, Missing, SeenTable
from cartagena.server.pages.shell import (
    LOCALES,
    NEVER,
    PICTURES,
    PageAddress,
    PageName,
    PageText,
    Shell,
    address_of,
    best_language,
    picture_path,
)
from cartagena.tables.errors import Problem, ServiceError

# It does not say where this service was installed from: strangers need not know.
_PAGE: Final = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cartagena: the pages are not built</title>
</head>
<body>
<h1>The pages are not built</h1>
<p>This service works, but its pages for browsers are missing. To build them from a
checkout, with Node.js {NODE} or newer:</p>
<pre>{pages_command()}</pre>
<p>Then start the service again. Programs need none of this: <a href="/api/docs">what they may ask</a>.</p>
</body>
</html>
"""


def unbuilt_page() -> BuiltFile:
    """The page, as if it had been built."""
    return BuiltFile(media_type=HTML, forms={IDENTITY: FileForm(source=_PAGE.encode(), tag='"unbuilt"')})


HASHED: Final = ("/assets/", "/engine/")
"""Files below these paths have a hash of their content in their path: new content is a new file."""
PARTS: Final = "/engine/parts.json"
"""Tells which of them are the newest."""
WORKER: Final = "/assets/worker-"
"""How the script begins that runs Python on the reader's device; alone it may compile WebAssembly."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
"""A browser may keep it, but asks whether it has changed; that costs one short answer."""
PAGES: Final = Limit(group="pages", player=Rate(600, 200), address=Rate(3000, 600))
"""A first visit takes some thirty files, and a whole school may come at once."""

_INVITE: Final = "invite"
_LONGEST_CODE: Final = 100
_MOST_QUERY_FIELDS: Final = 50


class Pages:
    """The built files by their paths, and the one page that is sent at every address of the client.

    The page says in its head what is at the address, as far as `lookup` finds that out; `home` is the
    origin that people are told to open.
    """

    def __init__(
        self, files: Mapping[str, BuiltFile], *, home: str | None = None, lookup: Lookup | None = None
    ) -> None:
        index = files.get(INDEX)
        self._unbuilt = unbuilt_page()
        self._shell = None if index is None else Shell(index)
        # The page has addresses of its own; under its file name it would be a second home page.
        self._files = {path: file for path, file in files.items() if path != INDEX}
        self._texts = {language: PageTexts(language) for language in LOCALES}
        self._home = home
        self._lookup = lookup

    async def answer(self, path: str, headers: Headers, *, search: bytes = b"", address: str = "") -> Answer:
        """Return what is at a path; refuses as a route would if a program asks for a missing file."""
        file = self._files.get(path)
        if file is not None:
            caching = FOR_EVER if path.startswith(HASHED) and path != PARTS else ASK_AGAIN
            policy = WORKER_POLICY if path.startswith(WORKER) else PAGE_POLICY
            return _answered(file, headers, caching, policy=policy)
        goal = address_of(path)
        if goal.page is PageName.NOT_FOUND and (
            "." in path.rpartition("/")[2] or path.startswith((*HASHED, PICTURES))
        ):
            raise ServiceError(Problem.NO_SUCH_THING, "there is no such file")
        # The client says kindly, in the reader's language, that there is nothing here.
        status = Problem.NO_SUCH_THING.status if goal.page is PageName.NOT_FOUND else None
        if self._shell is None:
            return _answered(self._unbuilt, headers, ASK_AGAIN, status=status)
        invite = _invite_of(search) if goal.page in {PageName.TABLE, PageName.REPLAY} else None
        text, invited = await self._text(
            goal, best_language(headers.get(b"accept-language", b"")), invite, address
        )
        url = None if self._home is None or status else f"{self._home}{quote(path)}"
        picture = None if url is None else f"{self._home}{picture_path(goal, text.language, invited)}"
        if url is not None and invited is not None:
            # Some programs link to this address instead of the one that they were given.
            url += f"?{_INVITE}={quote(invited)}"
        caching = ASK_AGAIN if invite is None else NEVER
        return _answered(
            self._shell.written(text, url, picture), headers, caching, status=status, vary="Accept-Language"
        )

    async def _text(
        self, goal: PageAddress, language: str, invite: str | None, address: str
    ) -> tuple[PageText, str | None]:
        """Return the text for an address, and the invitation code if the text needed it."""
        texts = self._texts[language]
        match goal.page:
            case PageName.LESSON:
                return texts.lesson(goal.name), None
            case PageName.PLAYER:
                return await self._player(texts, goal, address), None
            case PageName.TABLE | PageName.REPLAY:
                found = await self._table(goal, invite, address)
                if isinstance(found, SeenTable):
                    text = (
                        texts.table(found.table, invited=found.invited)
                        if goal.page is PageName.TABLE
                        else texts.replay(found.table)
                    )
                    return text, invite if found.invited else None
                if found is Missing.HIDDEN and goal.page is PageName.TABLE:
                    return texts.private_table(), None
                return texts.general(goal.page), None
            case (
                PageName.HOME
                | PageName.OPEN
                | PageName.DEVICE
                | PageName.ANALYSIS
                | PageName.LEARN
                | PageName.RULEBOOK
                | PageName.LADDER
                | PageName.ACCOUNT
                | PageName.SIGN_IN
                | PageName.SETTINGS
                | PageName.CREDITS
                | PageName.NOT_FOUND
            ):
                return texts.general(goal.page), None

    async def _table(self, goal: PageAddress, invite: str | None, address: str) -> SeenTable | Missing:
        table_id = PlaceKind.UUID.read(goal.name)
        if self._lookup is None or not isinstance(table_id, UUID):
            return Missing.UNREAD
        return await self._lookup.table(table_id, invite, address)

    async def _player(self, texts: PageTexts, goal: PageAddress, address: str) -> PageText:
        player_id = PlaceKind.UUID.read(goal.name)
        if self._lookup is not None and isinstance(player_id, UUID):
            found = await self._lookup.player(player_id, address)
            if not isinstance(found, Missing):
                return texts.player(found.player, found.ratings)
        return texts.general(goal.page)


def page_route(pages: Pages) -> Route:
    """The route of every path that no other route has; its place `path` holds the path itself."""

    async def page(call: Call) -> Answer:
        return await pages.answer(call.text("path"), call.headers, search=call.search, address=call.address)

    return Route(
        method="GET",
        path="/{path:text}",
        name="page",
        tag="pages",
        summary="A page of the browser client, or a file that it needs",
        handler=page,
        answer=HTML,
        problems=(Problem.NO_SUCH_THING,),
        anonymous=True,
        quiet=True,
        limit=PAGES,
    )


def _invite_of(search: bytes) -> str | None:
    """Return the invitation code in a query, as the client reads it; a page refuses no query."""
    try:
        pairs = parse_qsl(search.decode("latin-1"), max_num_fields=_MOST_QUERY_FIELDS)
    except ValueError:
        return None
    code = next((value for name, value in pairs if name == _INVITE), None)
    return None if code is None else code[:_LONGEST_CODE]


def _answered(
    file: BuiltFile,
    headers: Headers,
    caching: str,
    *,
    policy: str = PAGE_POLICY,
    status: int | None = None,
    vary: str | None = None,
) -> Answer:
    encoding = best_encoding(headers.get(b"accept-encoding", b""), file.forms)
    form = file.forms[encoding]
    lines: HeaderLines = (
        ("Cache-Control", caching),
        # A worker's script needs it as much as a page: it governs what the worker may fetch.
        ("Content-Security-Policy", policy),
        ("ETag", form.tag),
    )
    if len(file.forms) > 1:
        lines += (("Vary", "Accept-Encoding"),)
    if vary is not None:
        lines += (("Vary", vary),)
    if status is None and is_known(form.tag, headers.get(b"if-none-match")):
        return Answer(status=304, headers=lines)
    if encoding != IDENTITY:
        lines += (("Content-Encoding", encoding),)
    return Answer(content=form.content, status=status, media_type=file.media_type, headers=lines)
