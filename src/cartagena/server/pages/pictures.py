"""Pictures of links: what may be seen at an address, drawn in a process beside this one, and kept."""

import asyncio
from collections import OrderedDict
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from cartagena.endpoints.limits import Limit, Rate
from cartagena.endpoints.path_templates import PlaceKind
from cartagena.endpoints.request import Call
from cartagena.endpoints.responses import Answer, HeaderLines
from cartagena.endpoints.routing import Route
from cartagena.server.pages.built import digest_of, is_known
from cartagena.server.pages.link_pictures import LinkPicture, samples
from cartagena.server.pages.lookups import Lookup, Missing, SeenPlayer, SeenTable
from cartagena.server.pages.picture_texts import PictureTexts
from cartagena.server.pages.rasterizing import png_of
from cartagena.server.pages.shell import GENERAL_PICTURE, LOCALES, NEVER, PICTURED, PICTURES, PageName
from cartagena.server.shared.processes import ProcessLost, ProcessPool
from cartagena.tables.errors import Problem, ServiceError
from cartagena.words.catalogue import ENGLISH

PNG: Final = "image/png"
SUFFIX: Final = ".png"
A_MINUTE: Final = "public, max-age=60"
"""A game goes on; programs that show links keep their pictures much longer anyway."""
PICTURING: Final = Limit(group="pictures", player=Rate(40, 2), address=Rate(40, 2))
"""Programs that show links ask for these, one for each link; browsers do not."""
KEPT_BYTES: Final = 64 * 2**20
MOST_WAITING: Final = 8
"""How many pictures may be under way; who asks for another one gets the general picture."""
SECONDS: Final = 30.0
"""How long a picture may take: usually a fifth of a second, but the first on a busy machine takes long."""

logger = structlog.get_logger(__name__)


class PictureQuery(Struct, frozen=True, kw_only=True):
    """In which language, and with which invitation."""

    language: str = ENGLISH
    invite: str | None = None


class Renderer:
    """Draws one picture at a time in its own process, which starts when it is first needed or by `start`."""

    def __init__(self, processes: ProcessPool | None = None) -> None:
        self._processes = processes or ProcessPool(1)
        self._ahead: list[LinkPicture] = []
        self._preparing: asyncio.Task[None] | None = None
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0
        self._under_way: dict[bytes, asyncio.Task[bytes | None]] = {}

    def start(self, *, after: float = 0) -> None:
        """Begin to draw what pictures have in common, so that the first reader need not wait for it.

        It begins `after` some seconds: what a node does first it does for its players.
        """
        self._ahead = list(samples())
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepare(after))

    async def prepared(self) -> None:
        """Wait until nothing is left of that."""
        if self._preparing is not None:
            await self._preparing

    async def _prepare(self, after: float) -> None:
        await asyncio.sleep(after)
        # One by one: a reader who asks meanwhile comes next.
        try:
            while self._ahead:
                told = msgspec.json.encode(self._ahead.pop(0))
                await self._processes.work("pictures", SECONDS, png_of, told)
        except ProcessLost:
            return
        logger.info("pictures_ready")

    async def drawn(self, picture: LinkPicture) -> bytes | None:
        """The PNG; None if too many are under way, or if it cannot be drawn."""
        told = msgspec.json.encode(picture)
        if (png := self._kept.get(told)) is not None:
            self._kept.move_to_end(told)
            return png
        task = self._under_way.get(told)
        if task is None:
            if len(self._under_way) >= MOST_WAITING:
                return None
            task = self._under_way[told] = asyncio.create_task(self._draw(told))
            task.add_done_callback(lambda _: self._under_way.pop(told))
        # It is drawn to the end even if this reader leaves: to stop it would cost a new process.
        return await asyncio.shield(task)

    async def _draw(self, told: bytes) -> bytes | None:
        try:
            png = await self._processes.work("pictures", SECONDS, png_of, told)
        except ProcessLost:
            # The next process has drawn nothing yet.
            if self._preparing is not None:
                self.start()
            return None
        self._kept[told] = png
        self._bytes += len(told) + len(png)
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            key, oldest = self._kept.popitem(last=False)
            self._bytes -= len(key) + len(oldest)
        return png

    async def close(self) -> None:
        """Give up what is under way, and end the process."""
        tasks: list[asyncio.Task[Any]] = [*self._under_way.values()]
        if self._preparing is not None:
            tasks.append(self._preparing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._processes.close()


class Pictures:
    """Finds what a stranger may see at an address, and has it drawn; everything else looks like nothing."""

    def __init__(self, lookup: Lookup, renderer: Renderer) -> None:
        self._lookup = lookup
        self._renderer = renderer
        self._texts = {language: PictureTexts(language) for language in LOCALES}

    async def answer(self, call: Call) -> Answer:
        """The picture of an address."""
        kind, name = call.text("kind"), call.text("file")
        if kind not in {GENERAL_PICTURE, *PICTURED} or not name.endswith(SUFFIX):
            raise ServiceError(Problem.NO_SUCH_THING, "there is no such picture")
        asked = call.query(PictureQuery)
        texts = self._texts.get(asked.language, self._texts[ENGLISH])
        picture = await self._picture(texts, kind, name.removesuffix(SUFFIX), asked.invite, call.address)
        png = None if picture is None else await self._renderer.drawn(picture)
        # What an invitation opens is kept by nobody, nor what is sent only because there is too much to do.
        caching = A_MINUTE if asked.invite is None and png is not None else NEVER
        if png is None:
            png = await self._renderer.drawn(texts.general_picture())
        if png is None:
            raise ServiceError(Problem.UNAVAILABLE, "too many pictures are being drawn")
        tag = f'"{digest_of(png)}"'
        headers: HeaderLines = (("Cache-Control", caching), ("ETag", tag))
        if is_known(tag, call.headers.get(b"if-none-match")):
            return Answer(status=304, headers=headers)
        return Answer(content=png, media_type=PNG, headers=headers)

    async def _picture(
        self, texts: PictureTexts, kind: str, name: str, invite: str | None, address: str
    ) -> LinkPicture | None:
        """What is to be drawn; None if that could not be read now."""
        if kind == PageName.LESSON:
            return texts.lesson_picture(name)
        number = PlaceKind.UUID.read(name)
        if not isinstance(number, UUID):
            return texts.general_picture()
        found: SeenTable | SeenPlayer | Missing = Missing.HIDDEN
        if kind == PageName.PLAYER:
            found = await self._lookup.player(number, address)
        elif kind in {PageName.TABLE, PageName.REPLAY}:
            found = await self._lookup.table(number, invite, address)
        if isinstance(found, SeenPlayer):
            return texts.player_picture(found.player, found.ratings)
        if isinstance(found, SeenTable) and kind == PageName.TABLE:
            return texts.table_picture(found.table, invited=found.invited)
        if isinstance(found, SeenTable):
            return texts.replay_picture(found.table)
        return None if found is Missing.UNREAD else texts.general_picture()


def picture_route(pictures: Pictures) -> Route:
    """Where programs that show links fetch the picture of one."""
    return Route(
        method="GET",
        path=f"{PICTURES}{{kind:text}}/{{file:text}}",
        name="picture",
        tag="pages",
        summary="The picture of a link",
        description=(
            "1200 by 630 points. `kind` is table, replay, player, lesson or general; `file` is an id, or the "
            "name of a lesson, and `.png`. What a stranger may not see looks like what does not exist."
        ),
        handler=pictures.answer,
        query=PictureQuery,
        answer=PNG,
        other_answers={304: "The picture has not changed."},
        answer_headers={"ETag": "Changes with the picture."},
        problems=(Problem.NO_SUCH_THING, Problem.UNAVAILABLE),
        anonymous=True,
        quiet=True,
        limit=PICTURING,
    )
