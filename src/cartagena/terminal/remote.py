"""A table as a source, reached by requests and streams: played at, or only watched."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing, suppress
from typing import Final

from cartagena.client import BrokenPromise, Player, Refused, TableConnection, TableState, tables
from cartagena.client.request import Request
from cartagena.client.stream import Told
from cartagena.fairness.record import Report
from cartagena.messages.happenings import happening_of
from cartagena.messages.replays import HintMessage
from cartagena.messages.tables import ChairMessage, ChatMessage, NewsMessage
from cartagena.messages.updates import Update
from cartagena.messages.views import ruleset_of
from cartagena.messages.wishes import RefusalMessage
from cartagena.rules.codes import END_TURN
from cartagena.rules.happenings import Happening, Moved
from cartagena.rules.ruleset import Ruleset
from cartagena.terminal.source import Declined, Moment, ReadOnlyTable, Role, Show, Tip
from cartagena.words.printable import printable
from cartagena.words.sentences import Names, tell

NEWS: Final = {
    "sat": "terminal.news.sat",
    "left": "terminal.news.left",
    "undone": "terminal.news.undone",
    "resigned": "terminal.news.resigned",
    "expired": "terminal.news.expired",
    "taken_back": "terminal.news.taken_back",
    "hurried": "terminal.news.hurried",
    "abandoned": "terminal.news.abandoned",
}
"""What is said for each kind of news around a game; other news can be seen at the table itself."""

REMOVED: Final = "\u2026"
"""What stands where a line of chat was taken away; it needs no language."""

LOOK_AGAIN: Final = 0.25
"""Seconds between two looks at whether a hint is ready."""
LOOKS: Final = 80
"""How many looks there are; after that no worker is expected to answer."""


class HeardTable:
    """What is known of a table, and the log of what was told there."""

    def __init__(self, standing: TableState, names: Names) -> None:
        self.standing = standing
        self.names = names
        self.log: list[str] = []
        self._said: dict[int, tuple[int, str]] = {}
        self.last: Moved | None = None
        self._moves: list[int] = []
        """Where in the log each move begins, and whatever else was told by itself."""
        self._recalled = 0

    def recall(self, moves: Iterable[Iterable[Happening]]) -> None:
        """Take note of what happened, move by move, before anything was heard."""
        for happened in moves:
            self._write(map(self._line, happened))
        self._recalled = len(self.log)

    def _write(self, lines: Iterable[str]) -> None:
        self._moves.append(len(self.log))
        self.log.extend(lines)

    def hear(self, told: Told) -> None:
        """Take note of what a stream tells; it tells everything once and in order."""
        if not isinstance(told, Update):
            self._hear_line(told)
            return
        self.standing = self.standing.after(told)
        self._write(self._lines(told))

    def _hear_line(self, line: ChatMessage) -> None:
        if line.removes is None:
            self._said[line.number] = len(self.log), printable(line.name)
            self._write([f"{printable(line.name)}: {printable(line.text) or REMOVED}"])
        elif line.removes in self._said:
            place, name = self._said[line.removes]
            self.log[place] = f"{name}: {REMOVED}"

    def _lines(self, update: Update) -> Iterator[str]:
        if update.news is not None and update.news.kind in NEWS:
            yield self._news(update.news)
        yield from (self._line(happening_of(message)) for message in update.happened)

    def _line(self, happening: Happening) -> str:
        self.last = happening if isinstance(happening, Moved) else self.last
        return tell(self.names, happening)

    def _news(self, news: NewsMessage) -> str:
        name = printable(news.name or "") or ("" if news.seat is None else self.names.crew(news.seat))
        return self.names.words.say(NEWS[news.kind], name=name)

    def moment(self, standing: TableState, note: str = "", link: str = "") -> Moment:
        """The table as it is known."""
        is_running = standing.table.stage == "running"
        return Moment(
            view=None if standing.view is None else standing.sight,
            wishes=standing.wishes if is_running else None,
            players=tuple(map(self._player, standing.table.chairs)),
            log=tuple(self.log),
            moves=tuple(self._moves),
            recalled=self._recalled,
            last=self.last,
            is_over=standing.is_over,
            winner=standing.table.winner,
            note=note or self._waiting(standing),
            link=link if self._free(standing) else "",
        )

    @property
    def away(self) -> str:
        """What is said while the service does not answer."""
        return self.names.words.say("terminal.away")

    def _player(self, chair: ChairMessage) -> str:
        if chair.is_guest:
            return self.names.words.say("terminal.guest", name=chair.name)
        if chair.is_bot:
            return self.names.words.say("terminal.bot", name=chair.name)
        return chair.name or chair.level or ""

    def _waiting(self, standing: TableState) -> str:
        """What a table waits for before its game, or that the game is over."""
        if standing.is_over:
            return self.names.words.say("terminal.page.end")
        if standing.view is not None:
            return ""
        free, say = self._free(standing), self.names.words
        return say.count("terminal.waiting.seats", free) if free else say.say("terminal.waiting.start")

    @staticmethod
    def _free(standing: TableState) -> int:
        """How many chairs are still open before the game."""
        return sum(chair.kind == "open" for chair in standing.table.chairs) if standing.view is None else 0


class WatchedTable(ReadOnlyTable):
    """A table that is only watched."""

    def __init__(self, client: TableConnection, listener: HeardTable, invite: str | None = None) -> None:
        super().__init__(listener.names.words)
        self._client = client
        self._invite = invite
        self._listener = listener

    @property
    def role(self) -> Role:
        """The people at this keyboard only watch."""
        return Role.WATCHING

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return ruleset_of(self._listener.standing.table.ruleset)

    async def run(self, show: Show) -> None:
        """Show everything that happens until the game is over."""
        listener = self._listener
        following = self._client.stream(
            listener.standing.table.id,
            invite=self._invite,
            on_away=lambda: show(listener.moment(listener.standing, listener.away)),
        )
        async with aclosing(following) as stream:
            async for told in stream:
                listener.hear(told)
                show(listener.moment(listener.standing))
                if listener.standing.is_over:
                    return

    def go(self, steps: int) -> None:
        """What happens now is not followed step by step."""


class SeatedTable:
    """A seat at a table; `link` is how others find it. With `auto_end` a turn ends when nothing is left."""

    def __init__(
        self,
        client: TableConnection,
        player: Player,
        listener: HeardTable,
        *,
        link: str = "",
        auto_end: bool = False,
    ) -> None:
        self._client = client
        self._player = player
        self._listener = listener
        self._link = link
        self._auto_end = auto_end
        self._code: int | None = None
        self._note = ""
        self._show: Show = lambda _: None
        player.choose = self._chosen

    @property
    def role(self) -> Role:
        """The people at this keyboard play."""
        return Role.PLAYING

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that is played."""
        return ruleset_of(self._player.standing.table.ruleset)

    # What is shown.

    async def run(self, show: Show) -> None:
        """Show everything that happens, and do what needs no choice, until the game is over."""
        self._show = show
        player = self._player
        following = self._client.stream(player.table_id, invite=player.invite, on_away=self._tell_away)
        async with aclosing(following) as stream:
            async for told in stream:
                player.hear(told)
                self._listener.hear(told)
                # Promise and show the number for the shuffle, start as the host, take the seat back.
                await self._client.grant(player)
                self._tell()
                if player.is_done:
                    break

    def _chosen(self, standing: TableState) -> int | None:
        must_end = self._auto_end and standing.sight.legal == (END_TURN,)
        return END_TURN if must_end else self._code

    def _tell(self) -> None:
        self._show(self._listener.moment(self._player.standing, self._note, self._link))

    def _tell_away(self) -> None:
        self._show(self._listener.moment(self._player.standing, self._listener.away, self._link))

    # What is asked for.

    async def act(self, code: int) -> None:
        """Send a choice."""
        self._code = code
        wish = self._player.wish() if self._player.is_asked else None
        self._code = None
        if wish is None:
            raise Declined(self._listener.names.words.say("terminal.not_your_turn"))
        await self._send(wish)

    async def undo(self) -> None:
        """Ask to take back the last choice."""
        await self._send(tables.undo(self._player.table_id, seq=self._player.standing.seq))

    async def _send(self, wish: Request[Update]) -> None:
        try:
            self._player.answered(wish, await self._client.send(wish))
        except Refused as error:
            raise self._declined(error) from error
        finally:
            self._tell()

    def _declined(self, error: Refused) -> Declined:
        # `Player` raises every refusal but those that came too late; a person is told of all of them.
        with suppress(Refused):
            self._player.refused(error)
        if error.rule is not None:
            return Declined(refusal=RefusalMessage(code=error.code, rule=error.rule))
        return Declined(self._listener.names.words.say("terminal.refused", reason=printable(str(error))))

    async def tip(self) -> Tip:
        """Ask the service for a hint and wait until it is there."""
        try:
            told = await self._hint()
        except Refused as error:
            raise self._declined(error) from error
        if told.found is None:
            raise Declined(self._listener.names.words.say("terminal.no_tip"))
        best = told.found.best
        return Tip(codes=best.codes, chance=best.chances[told.seat])

    async def _hint(self) -> HintMessage:
        told = await self._client.send(tables.ask_hint(self._player.table_id))
        for _ in range(LOOKS):
            if told.state != "waiting":
                break
            await asyncio.sleep(LOOK_AGAIN)
            told = await self._client.send(tables.read_hint(self._player.table_id, told.id))
        return told

    async def uncover(self) -> None:
        """Nothing is covered: one player looks from here."""

    def go(self, steps: int) -> None:
        """What happens now is not followed step by step."""


class JoinedTable(SeatedTable):
    """A seat at a table of a service, whose promises are checked when everything may be known."""

    def __init__(self, client: TableConnection, player: Player, names: Names, link: str = "") -> None:
        super().__init__(client, player, HeardTable(player.standing, names), link=link)

    async def run(self, show: Show) -> None:
        """Show everything that happens; after the game, whether the shuffle was the promised one."""
        await super().run(show)
        await self._check()
        self._tell()

    async def _check(self) -> None:
        """Compare the shuffle with what was promised, once everything may be known."""
        player = self._player
        if not player.standing.is_over or player.standing.view is None:
            return
        record = await self._client.send(tables.record(player.table_id, invite=player.invite))
        try:
            report = player.check(record)
        except BrokenPromise as error:
            self._note = self._broken(error)
        else:
            self._note = self._held(report)

    def _broken(self, error: BrokenPromise) -> str:
        say = self._listener.names.words.say
        reasons = [say(f"failure.{finding.failure}") for finding in error.findings]
        return say("terminal.shuffle.broken", reason="; ".join(reasons) or error)

    def _held(self, report: Report) -> str:
        words = self._listener.names.words
        note = words.say("terminal.shuffle.itself" if report.unchecked else "terminal.shuffle.kept")
        called_off = report.starts - 1
        return f"{note} {words.count('shuffle.called_off', called_off)}" if called_off else note
