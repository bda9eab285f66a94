"""Frames: what each audience of a table is sent or has missed, made only from what it may know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cartagena.messages.tables import (
    ChairMessage,
    ChatMessage,
    ClockMessage,
    ClockSettings,
    NewsKind,
    NewsMessage,
    StageWord,
    TableMessage,
)
from cartagena.messages.updates import updates_for
from cartagena.messages.views import ruleset_message
from cartagena.rules.happenings import Happening
from cartagena.rules.ruleset import RULES_VERSION
from cartagena.rules.undoable_game import Event, UndoableGame
from cartagena.tables.audience_ids import seat_of_audience
from cartagena.tables.ports import Aside, ChatLine, Past, Store, here
from cartagena.tables.seating import dealt
from cartagena.tables.sheet import DAY, SECOND, Chair, Clock, Stage
from cartagena.tables.table import NO_NEWS, Change, EventKind, News, Table, Times

STAGES: Final[dict[Stage, StageWord]] = {
    Stage.OPEN: "open",
    Stage.STARTING: "starting",
    Stage.RUNNING: "running",
    Stage.OVER: "over",
}
NEWS: Final[dict[EventKind, NewsKind]] = {
    EventKind.OPENED: "opened",
    EventKind.UNDONE: "undone",
    EventKind.SAT: "sat",
    EventKind.LEFT: "left",
    EventKind.KICKED: "kicked",
    EventKind.BOT_ADDED: "bot_added",
    EventKind.BOT_REMOVED: "bot_removed",
    EventKind.SETTINGS_CHANGED: "settings_changed",
    EventKind.REORDERED: "reordered",
    EventKind.PROMISED: "promised",
    EventKind.STARTED: "started",
    EventKind.NONCE_SHOWN: "nonce_shown",
    EventKind.CALLED_OFF: "called_off",
    EventKind.BEGAN: "began",
    EventKind.RESIGNED: "resigned",
    EventKind.EXPIRED: "expired",
    EventKind.TAKEN_BACK: "taken_back",
    EventKind.ABANDON_ASKED: "abandon_asked",
    EventKind.ABANDON_WITHDRAWN: "abandon_withdrawn",
    EventKind.ABANDONED: "abandoned",
    EventKind.REMATCH: "rematch",
    EventKind.MUTED: "muted",
    EventKind.UNMUTED: "unmuted",
    EventKind.CLOSED: "closed",
    EventKind.RENAMED: "renamed",
}
"""The words for events; an action needs none, because its happenings say everything but `HURRIED`."""
HURRIED: Final[NewsKind] = "hurried"
"""A bot began its turn with less time to think than usual."""


def audiences(table: Table) -> list[int]:
    """Every audience that may be told something: each seated person, and the spectators if allowed."""
    people = [
        table.sheet.audience_of(seat)
        for seat, chair in enumerate(table.sheet.chairs)
        if chair.player is not None
    ]
    watched = table.sheet.spectators or table.game is None
    return [*people, table.sheet.watchers] if watched else people


class TableMoment(Struct, frozen=True, kw_only=True):
    """A table right after an event; `around` is the table around the game, if that is to be told."""

    table: Table
    happened: Sequence[Happening] = ()
    news: NewsMessage | None = None
    around: TableMessage | None = None

    def frames(self, listeners: Sequence[int]) -> dict[int, bytes]:
        """What each audience is told: what happened as it may see it, its view, and the clocks."""
        table = self.table
        made = updates_for(
            table.position,
            table.seq,
            self.happened,
            [seat_of_audience(audience) for audience in listeners],
            news=self.news,
            table=self.around,
            clock=None if table.sheet.clock is None else clock_message(table.times),
            undo=table.game is not None and table.game.refusal_of_undo() is None,
        )
        return dict(zip(listeners, made.values(), strict=True))


def frames(change: Change, after: Table) -> dict[int, bytes]:
    """What every audience is sent after a change; `after` is the table with its clocks as they are now."""
    moment = TableMoment(
        table=after,
        happened=change.told,
        news=news_message(change.kind, change.news),
        around=table_message(after) if change.sheet_changed else None,
    )
    return moment.frames(audiences(after))


def current(table: Table, audience: int) -> bytes:
    """The whole state of a table for one audience, without happenings."""
    return TableMoment(table=table, around=table_message(table)).frames([audience])[audience]


def news_message(kind: EventKind, news: News) -> NewsMessage | None:
    """What an event was about, None if its happenings say everything."""
    if kind not in NEWS and news == NO_NEWS:
        return None
    return NewsMessage(kind=NEWS.get(kind, HURRIED), seat=news.seat, name=news.name, text=news.text)


def table_message(table: Table) -> TableMessage:
    """The table around the game, as everybody may know it."""
    sheet = table.sheet
    return TableMessage(
        id=str(table.id),
        stage=STAGES[sheet.stage],
        ruleset=ruleset_message(sheet.rules),
        chairs=tuple(_chair_message(table, seat, chair) for seat, chair in enumerate(sheet.chairs)),
        clock=None if sheet.clock is None else clock_settings(sheet.clock),
        listed=sheet.listed,
        rated=sheet.rated,
        spectators=sheet.spectators,
        commitment=sheet.commitment,
        game=sheet.shuffle_id(table.id),
        starts=sheet.starts,
        called_off=sheet.called_off,
        ending=sheet.ending,
        winner=sheet.winner,
        rematch=_text(sheet.rematch),
        rules_version=RULES_VERSION,
        created=table.created,
        quick=sheet.quick,
        hints=sheet.hints,
        set_up=sheet.branch is not None,
    )


def _chair_message(table: Table, seat: int, chair: Chair) -> ChairMessage:
    over = table.sheet.stage is Stage.OVER
    return ChairMessage(
        seat=seat,
        kind="open" if chair.is_open else "bot" if chair.player is None else "person",
        name=chair.name,
        player=_text(chair.player),
        level=chair.level,
        minder=chair.bot if chair.minded else None,
        lost=chair.lost,
        resigned=chair.resigned,
        agrees=chair.agrees,
        nonce_hash=chair.nonce_hash,
        nonce=chair.nonce if over else None,
        is_host=chair.player is not None and chair.player == table.sheet.host,
        is_guest=chair.guest,
        is_bot=chair.program,
    )


def clock_settings(clock: Clock) -> ClockSettings:
    """A clock as people say it: in seconds, or in days."""
    if clock.kind == "correspondence":
        return ClockSettings(kind=clock.kind, days=clock.bank // DAY)
    return ClockSettings(kind=clock.kind, bank=clock.bank // SECOND, increment=clock.increment // SECOND)


def clock_message(times: Times) -> ClockMessage:
    """The clocks as the store last reported them."""
    return ClockMessage(banks=times.banks, running=times.running, deadline=times.deadline, now=times.now)


def chat_message(line: ChatLine) -> ChatMessage:
    """A line of chat as it is sent."""
    return ChatMessage(
        number=line.number,
        seat=line.seat,
        name=line.name,
        text=line.text,
        at=line.at,
        player=_text(line.player),
        removed=line.is_removed,
        removes=line.removes,
    )


def encode_lines(lines: Iterable[ChatLine]) -> list[bytes]:
    """Lines of chat, each as the frame of a stream."""
    return [msgspec.json.encode(chat_message(line)) for line in lines]


def _text(value: UUID | None) -> str | None:
    return None if value is None else str(value)


MOST_AGAIN: Final = 1_000
"""The most events that are read to retell some; even a long game has fewer, unless players are malicious."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An event that an audience missed, as its update."""

    seq: int
    frame: bytes


def redo(game: UndoableGame, past: Past) -> list[Happening]:
    """Apply a stored event to the game again, if it changed it, and return what happened."""
    if past.kind is EventKind.ACTED:
        assert past.code is not None
        return game.replay(Event(past.code, past.orders))
    if past.kind is EventKind.UNDONE:
        game.undo()
    return []


def _read_from(table: Table, seq: int) -> int:
    """After which event the log is read to retell what came after `seq`: in a turn, or all of it."""
    return table.turn_seq if seq >= table.turn_seq and table.game is not None else -1


def events_read(table: Table, seq: int) -> int:
    """At most how many events are read to retell what came after `seq`: those before it make the game.

    Of the events beside the game only those that are retold are read.
    """
    return table.game_seq - _read_from(table, seq) + table.seq - max(seq, table.game_seq)


async def frames_since(
    store: Store, table: Table, audience: int, seq: int, *, aside: Aside = here
) -> list[Missed]:
    """The frame of every event after `seq` up to the table's own; the last describes the whole table.

    An audience for which more than MOST_AGAIN must be read gets only the current state of the table.
    """
    if events_read(table, seq) > MOST_AGAIN:
        return [Missed(seq=table.seq, frame=current(table, audience))]
    log = await store.past(table.id, _read_from(table, seq), beside_after=seq)
    return await aside(lambda: list(_retold(table, audience, seq, log)))


def _retold(table: Table, audience: int, seq: int, log: Sequence[Past]) -> Iterator[Missed]:
    in_turn = _read_from(table, seq) >= 0
    game = UndoableGame(table.game.opening) if in_turn and table.game is not None else None
    for past in log:
        if past.seq > table.seq:
            return
        if past.kind is EventKind.BEGAN:
            game = UndoableGame(dealt(table).position)
        happened = redo(game, past) if game is not None else []
        if past.seq > seq:
            yield Missed(
                seq=past.seq, frame=_frame(replace(table, seq=past.seq, game=game), past, happened, audience)
            )


def _frame(table: Table, past: Past, happened: list[Happening], audience: int) -> bytes:
    moment = TableMoment(
        table=table,
        happened=happened,
        news=news_message(past.kind, past.news),
        # How the table around the game looked then is not stored, so each frame shows how it looks now.
        around=table_message(table) if _changed_table(table, past.kind) else None,
    )
    return moment.frames([audience])[audience]


def _changed_table(table: Table, kind: EventKind) -> bool:
    """Whether an event changed more than the game: any news but undo, and the action that ends the game."""
    if kind is EventKind.ACTED:
        return table.position is not None and table.position.over
    return kind in NEWS and kind is not EventKind.UNDONE
