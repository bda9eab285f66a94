"""What each page says about itself, in one language; its title is the one that the client gives it."""

import asyncio
import enum
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeVar
from uuid import UUID

import structlog
from msgspec import Struct

from cartagena.endpoints.limits import READING
from cartagena.messages.accounts import PlayerMessage
from cartagena.messages.lobby import RatingMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.accounts.directory import Directory
from cartagena.server.accounts.players import player
from cartagena.server.http.client_address import household_of
from cartagena.server.http.rate_limits import Buckets, Paced
from cartagena.server.lobby.listings import is_public
from cartagena.server.lobby.ratings import ratings_of
from cartagena.server.pages.shell import PageName, PageText
from cartagena.server.store.databases import AWAY
from cartagena.tables.access import audience_of, is_invitation
from cartagena.tables.errors import ServiceError
from cartagena.tables.frames import clock_settings
from cartagena.tables.service import Tables
from cartagena.tables.sheet import Chair, Sheet, Stage
from cartagena.tables.table import Table
from cartagena.words.catalogue import DOMAIN, WEB, Words

# Looks up what a stranger may know about an address, and never takes long.
#
# The page is sent whether or not the databases answer: what takes too long, or is asked for too often, counts
# as unknown. How long an answer takes does not tell a private table from one that does not exist.

PATIENCE: Final = 0.3
"""Seconds that a page waits for what it says about itself."""
STEP: Final = 0.05
"""Seconds; a refusal comes a whole number of steps after the question, and reading takes less than one."""
AT_ONCE: Final = 16
"""How many lookups run at a time; a database that hangs is asked no more often than this."""

_Found = TypeVar("_Found")
_log: Final = structlog.get_logger()


class Missing(enum.Enum):
    """Why there is nothing to tell."""

    HIDDEN = enum.auto()
    """It is not for strangers, or does not exist."""
    UNREAD = enum.auto()
    """Unknown: it took too long, or was asked for too often."""


class SeenTable(Struct, frozen=True, kw_only=True):
    """A table that the reader may see; `invited` if the address brings its invitation."""

    table: Table
    invited: bool = False


class SeenPlayer(Struct, frozen=True, kw_only=True):
    """What everybody may know of a player."""

    player: PlayerMessage
    ratings: tuple[RatingMessage, ...]


class Lookup:
    """Reads what the API reads, at the same rate for each address."""

    def __init__(
        self,
        tables: Tables,
        directory: Directory,
        *,
        pace: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = tables
        self._directory = directory
        self._clock = clock
        self._rate = Paced(pace).rate(READING.address)
        self._buckets = Buckets()
        # Held until they end, however late: each holds a connection.
        self._under_way: set[asyncio.Task[object]] = set()

    async def table(self, table_id: UUID, invite: str | None, address: str) -> SeenTable | Missing:
        """Look up a table as a stranger may see it, or as the holder of the code `invite` may."""
        began = self._clock()
        if invite is None:
            found = await self._read(address, partial(self._public_table, table_id))
            if found is Missing.HIDDEN:
                await asyncio.sleep((began - self._clock()) % STEP)
            return found
        found = await self._read(address, partial(self._invited_table, table_id, invite))
        if isinstance(found, SeenTable):
            return found
        # Loading a private table takes longer than finding none: a wrong code always waits to the end.
        await asyncio.sleep(max(0.0, began + PATIENCE - self._clock()))
        return Missing.HIDDEN

    async def player(self, player_id: UUID, address: str) -> SeenPlayer | Missing:
        """A player as everybody may know them."""
        return await self._read(address, partial(self._player, player_id))

    async def close(self) -> None:
        """Give up what is still under way."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _public_table(self, table_id: UUID) -> SeenTable:
        # The directory has no private tables, so nothing of one is read here.
        if not await is_public(self._directory.pool, table_id):
            raise _Hidden
        table = await self._tables.newest(table_id)
        audience_of(table, None)
        return SeenTable(table=table)

    async def _invited_table(self, table_id: UUID, invite: str) -> SeenTable:
        table = await self._tables.newest(table_id)
        audience_of(table, None, invite)
        return SeenTable(table=table, invited=is_invitation(table.sheet, invite))

    async def _player(self, player_id: UUID) -> SeenPlayer:
        known = await player(self._directory, player_id)
        return SeenPlayer(player=known, ratings=await ratings_of(self._directory.pool, player_id))

    async def _read(self, address: str, read: Callable[[], Awaitable[_Found]]) -> _Found | Missing:
        key = ("page texts", household_of(address))
        if len(self._under_way) >= AT_ONCE or self._buckets.wait(key, self._rate, self._clock()):
            return Missing.UNREAD
        task = asyncio.ensure_future(_settled(read))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # Not cancelled when it is late: to cancel a query, asyncpg asks the database once more.
        await asyncio.wait({task}, timeout=PATIENCE)
        return task.result() if task.done() else Missing.UNREAD


class _Hidden(Exception):
    """The directory knows of no such table."""


async def _settled(read: Callable[[], Awaitable[_Found]]) -> _Found | Missing:
    """Return what was read, or why nothing was; a page must not fail for lack of a title."""
    try:
        return await read()
    except (ServiceError, _Hidden):
        return Missing.HIDDEN
    except AWAY:
        return Missing.UNREAD
    except Exception:  # noqa: BLE001  # whatever it is, the page works without
        _log.warning("page_text_failed", exc_info=True)
        return Missing.UNREAD


_GENERAL: Final = "web.home.hero.what"
_DESCRIPTIONS: Final = {
    PageName.HOME: _GENERAL,
    PageName.OPEN: "page.open",
    PageName.TABLE: _GENERAL,
    PageName.REPLAY: "page.replay",
    PageName.LEARN: "web.learn.what",
    PageName.LESSON: "web.learn.what",
    PageName.RULEBOOK: "web.learn.rules.what",
    PageName.PLAYER: "page.player",
    PageName.LADDER: "web.ladder.what",
    PageName.ACCOUNT: _GENERAL,
    PageName.SIGN_IN: _GENERAL,
    PageName.SETTINGS: _GENERAL,
    PageName.CREDITS: _GENERAL,
    PageName.NOT_FOUND: _GENERAL,
}
_MINUTE: Final = 60


class PageTexts:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self._words = Words(language, domains=(DOMAIN, WEB))
        self._language = language
        self._known = frozenset(self._words.keys("web.learn.lesson.", "web.level."))

    def general(self, page: PageName) -> PageText:
        """What anybody may be told about a page, whatever is there."""
        return PageText(
            language=self._language,
            title=self._words.say(f"web.shell.title.{page}"),
            description=self._words.say(_DESCRIPTIONS[page]),
        )

    def private_table(self) -> PageText:
        """A table that is not for strangers, or that does not exist: the two must not be told apart."""
        return PageText(
            language=self._language,
            title=self._words.say(f"web.shell.title.{PageName.TABLE}"),
            description=self._words.say(_GENERAL),
            heading=self._words.say("page.table.private"),
        )

    def lesson(self, name: str) -> PageText:
        """A lesson by its name; the general text if there is no such lesson."""
        key = f"web.learn.lesson.{name}"
        if f"{key}.what" not in self._known or "." in name:
            return self.general(PageName.LESSON)
        return PageText(
            language=self._language,
            title=self._named(self._words.say(key)),
            description=self._words.say(f"{key}.what"),
            kind="article",
        )

    def player(self, player: PlayerMessage, ratings: Sequence[RatingMessage]) -> PageText:
        """A player, with the ratings that count for the ladder."""
        settled = ", ".join(f"{self._game(one.ruleset)} {one.rating}" for one in ratings if one.settled)
        if settled:
            description = self._words.say("page.player.rated", name=player.name, ratings=settled)
        else:
            description = self._words.say("page.player.unrated", name=player.name)
        return PageText(
            language=self._language,
            title=self._named(player.name),
            description=description,
            kind="profile",
        )

    def table(self, table: Table, *, invited: bool) -> PageText:
        """A table that the reader may see; if `invited`, the heading before the start says so."""
        sheet = table.sheet
        return PageText(
            language=self._language,
            title=self._title_of_table(table),
            description=self._description_of_table(sheet),
            heading=self._heading_of_table(sheet, invited=invited),
        )

    def replay(self, table: Table) -> PageText:
        """A game that the reader may look at; the general text before the deal."""
        sheet = table.sheet
        if table.game is None:
            return self.general(PageName.REPLAY)
        return PageText(
            language=self._language,
            title=self._named(self._players(sheet)),
            description=self._description_of_replay(sheet),
        )

    # Tables.

    def _title_of_table(self, table: Table) -> str:
        """Must match `titleOf` of `web/src/table/attention.ts`, for a reader who only watches."""
        game = self._game(table.sheet.rules.key)
        if table.sheet.stage is Stage.OVER:
            return self._words.say("web.table.title.over", game=game)
        if table.game is None:
            return self._words.say("web.table.title.waiting", game=game)
        seat = table.to_act
        name = "" if seat is None else self._names(table.sheet)[seat]
        return self._words.say("web.table.title.theirs", name=name, game=game)

    def _heading_of_table(self, sheet: Sheet, *, invited: bool) -> str | None:
        host = _host(sheet)
        match sheet.stage:
            case Stage.RUNNING | Stage.OVER:
                return self._players(sheet)
            case Stage.OPEN | Stage.STARTING:
                if host is None:
                    return None
                game = self._game(sheet.rules.key)
                if invited:
                    return self._words.say("page.table.invites", name=host, game=game)
                return self._words.say("page.table.host", name=host, game=game)

    def _description_of_table(self, sheet: Sheet) -> str:
        terms = self._terms(sheet)
        match sheet.stage:
            case Stage.OPEN | Stage.STARTING:
                free = sum(chair.is_open for chair in sheet.chairs)
                if free == 0:
                    return self._words.say("page.table.full", terms=terms)
                return self._words.count("page.table.free", free, terms=terms)
            case Stage.RUNNING:
                return self._words.say("page.table.running", terms=terms)
            case Stage.OVER:
                if sheet.winner is None:
                    return self._words.say("page.table.over", terms=terms)
                return self._words.say("page.table.won", terms=terms, name=self._names(sheet)[sheet.winner])

    def _description_of_replay(self, sheet: Sheet) -> str:
        terms = self._terms(sheet)
        if sheet.stage is not Stage.OVER:
            return self._words.say("page.replay.running", terms=terms)
        if sheet.winner is None:
            return self._words.say("page.replay.over", terms=terms)
        return self._words.say("page.replay.won", terms=terms, name=self._names(sheet)[sheet.winner])

    # Parts of sentences.

    def _named(self, name: str) -> str:
        return self._words.say("web.shell.title.named", name=name)

    def _game(self, ruleset: str) -> str:
        return self._words.say(f"ruleset.{ruleset}")

    def _players(self, sheet: Sheet) -> str:
        """Who plays what, as `ReplayRoom.svelte` says it."""
        names = ", ".join(name for name in self._names(sheet) if name)
        return f"{self._game(sheet.rules.key)}: {names}"

    def _terms(self, sheet: Sheet) -> str:
        """Must match the beginning of `captionOf` of `web/src/table/terms.ts`."""
        clock = None if sheet.clock is None else clock_settings(sheet.clock)
        players = self._words.count("web.table.players", len(sheet.chairs))
        return " · ".join((self._game(sheet.rules.key), players, self._pace(clock)))

    def _pace(self, clock: ClockSettings | None) -> str:
        """Must match `paceText` of `web/src/ui/pace.ts`."""
        if clock is None:
            return self._words.say("web.home.pace.none")
        if clock.kind == "correspondence":
            return self._words.count("web.home.pace.days", clock.days or 1)
        bank = clock.bank or 0
        if bank < _MINUTE:
            time = self._words.say("web.home.pace.seconds", seconds=bank)
        else:
            # Rounded as the browser rounds: halves go up.
            tenths = math.floor(bank * 10 / _MINUTE + 0.5)
            time = self._words.say("web.home.pace.minutes", minutes=f"{tenths / 10:g}")
        if not clock.increment:
            return time
        return self._words.say("web.home.pace.plus", time=time, increment=clock.increment)

    def _names(self, sheet: Sheet) -> list[str]:
        """Must match `namesOf` of `web/src/connection/names.ts`: bots by their level, numbered if alike."""
        names = []
        for seat, chair in enumerate(sheet.chairs):
            if chair.level is None:
                names.append(chair.name)
                continue
            alike = [other for other, one in enumerate(sheet.chairs) if one.level == chair.level]
            word = self._level(chair)
            names.append(f"{word} {alike.index(seat) + 1}" if len(alike) > 1 else word)
        return names

    def _level(self, chair: Chair) -> str:
        key = f"web.level.{chair.level}"
        return self._words.say(key) if key in self._known else str(chair.level)


def _host(sheet: Sheet) -> str | None:
    seat = sheet.seat_of(sheet.host)
    return None if seat is None else sheet.chairs[seat].name or None
