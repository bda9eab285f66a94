"""What each page says about itself, in one language; its title is the one that the client gives it."""

import math
from collections.abc import Sequence
from typing import Final

from cartagena.messages.accounts import PlayerMessage
from cartagena.messages.lobby import RatingMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.pages.shell import PageName, PageText
from cartagena.tables.frames import clock_settings
from cartagena.tables.sheet import Chair, Sheet, Stage
from cartagena.tables.table import Table
from cartagena.words.catalogue import DOMAIN, WEB, Words

_GENERAL: Final = "web.home.hero.what"
_DESCRIPTIONS: Final = {
    PageName.HOME: _GENERAL,
    PageName.OPEN: "page.open",
    PageName.DEVICE: "web.device.what",
    PageName.ANALYSIS: "web.analysis.what",
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
        key = self._key_of_lesson(name)
        if key is None:
            return self.general(PageName.LESSON)
        return PageText(
            language=self._language,
            title=self._named(self._words.say(key)),
            description=self._words.say(f"{key}.what"),
            kind="article",
        )

    def player(self, player: PlayerMessage, ratings: Sequence[RatingMessage]) -> PageText:
        """A player, with the ratings that count for the ladder."""
        return PageText(
            language=self._language,
            title=self._named(player.name),
            description=self._description_of_player(player, ratings),
            kind="profile",
        )

    def table(self, table: Table, *, invited: bool) -> PageText:
        """A table that the reader may see; if `invited`, the heading before the start says so."""
        sheet = table.sheet
        return PageText(
            language=self._language,
            title=self._title_of_table(table),
            description=self._description_of_table(sheet, self._terms(sheet)),
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
            description=self._description_of_replay(sheet, self._terms(sheet)),
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

    def _description_of_table(self, sheet: Sheet, terms: str) -> str:
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

    def _description_of_replay(self, sheet: Sheet, terms: str) -> str:
        if sheet.stage is not Stage.OVER:
            return self._words.say("page.replay.running", terms=terms)
        if sheet.winner is None:
            return self._words.say("page.replay.over", terms=terms)
        return self._words.say("page.replay.won", terms=terms, name=self._names(sheet)[sheet.winner])

    # Players and lessons.

    def _description_of_player(self, player: PlayerMessage, ratings: Sequence[RatingMessage]) -> str:
        settled = ", ".join(f"{self._game(one.ruleset)} {one.rating}" for one in ratings if one.settled)
        if settled:
            return self._words.say("page.player.rated", name=player.name, ratings=settled)
        return self._words.say("page.player.unrated", name=player.name)

    def _key_of_lesson(self, name: str) -> str | None:
        key = f"web.learn.lesson.{name}"
        return None if f"{key}.what" not in self._known or "." in name else key

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
        return f"{self._game(sheet.rules.key)} · {self._terms_at_a_table(sheet)}"

    def _terms_at_a_table(self, sheet: Sheet) -> str:
        """The terms of a game whose name is known."""
        clock = None if sheet.clock is None else clock_settings(sheet.clock)
        players = self._words.count("web.table.players", len(sheet.chairs))
        return f"{players} · {self._pace(clock)}"

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
