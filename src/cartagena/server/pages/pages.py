"""Pages: what a browser gets for a path that is no route, from what was read at the start."""

from collections.abc import Mapping
from typing import Final

from cartagena.server.http.address import Headers
from cartagena.server.http.answers import Answer, HeaderLines
from cartagena.server.http.call import Call
from cartagena.server.http.headers import PAGE_POLICY
from cartagena.server.http.limits import Limit, Rate
from cartagena.server.http.route import Route
from cartagena.server.pages.addresses import is_page
from cartagena.server.pages.built import HTML, INDEX, BuiltFile, Form
from cartagena.server.pages.encodings import IDENTITY, best_encoding
from cartagena.server.pages.unbuilt import unbuilt_page
from cartagena.server.shared.errors import Problem, ServiceError

HASHED: Final = "/assets/"
"""Files below this path have a hash of their content in their name: another content is another file."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
"""A browser may keep it, but asks whether it is still the same; that costs one short answer."""
PAGES: Final = Limit(group="pages", player=Rate(600, 200), address=Rate(3000, 600))
"""A first visit takes some thirty files, and a whole school may come at once."""


class Pages:
    """The built files by their paths, and the one page that stands at every address of the client."""

    def __init__(self, files: Mapping[str, BuiltFile]) -> None:
        self._index = files.get(INDEX) or unbuilt_page()
        # The page has addresses of its own; under its name it would be a second home page.
        self._files = {path: file for path, file in files.items() if path != INDEX}

    def answer(self, path: str, headers: Headers) -> Answer:
        """What stands at a path; refuses as a route would if a program asks for a file that is not there."""
        file = self._files.get(path)
        if file is not None:
            return _answered(file, headers, FOR_EVER if path.startswith(HASHED) else ASK_AGAIN)
        if is_page(path):
            return _answered(self._index, headers, ASK_AGAIN)
        if "." in path.rpartition("/")[2] or path.startswith(HASHED):
            raise ServiceError(Problem.NO_SUCH_THING, "there is no such file")
        # The client says kindly, in the reader's language, that there is nothing here.
        return _answered(self._index, headers, ASK_AGAIN, status=Problem.NO_SUCH_THING.status)


def page_route(pages: Pages) -> Route:
    """The route of every path that no other route has; the path itself stands in its place `path`."""

    async def page(call: Call) -> Answer:
        return pages.answer(call.text("path"), call.headers)

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


def _answered(file: BuiltFile, headers: Headers, caching: str, status: int | None = None) -> Answer:
    encoding = best_encoding(headers.get(b"accept-encoding", b""), file.forms)
    form = file.forms[encoding]
    lines: HeaderLines = (
        ("Cache-Control", caching),
        # A worker's script needs it as much as a page: it governs what the worker may fetch.
        ("Content-Security-Policy", PAGE_POLICY),
        ("ETag", form.tag),
    )
    if len(file.forms) > 1:
        lines += (("Vary", "Accept-Encoding"),)
    if status is None and _is_known(form, headers.get(b"if-none-match")):
        return Answer(status=304, headers=lines)
    if encoding != IDENTITY:
        lines += (("Content-Encoding", encoding),)
    return Answer(content=form.content, status=status, media_type=file.media_type, headers=lines)


def _is_known(form: Form, known: bytes | None) -> bool:
    """Whether one of the tags that a browser shows is that of this form; a proxy may have made it weak."""
    if known is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in known.decode("latin-1").split(",")]
    return form.tag in tags or tags == ["*"]
