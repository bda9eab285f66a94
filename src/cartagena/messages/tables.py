"""The table around the game on the wire: chairs, clocks, news, chat, and why something is refused.

Ids are UUIDs in text. All of it is public to those who may watch the table.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from cartagena.messages.views import RulesetMessage

ChairKind: TypeAlias = Literal["open", "person", "bot"]
ClockKind: TypeAlias = Literal["live", "correspondence"]
StageWord: TypeAlias = Literal["open", "starting", "running", "over"]
NewsKind: TypeAlias = Literal[
    "opened",
    "sat",
    "left",
    "kicked",
    "bot_added",
    "bot_removed",
    "settings_changed",
    "reordered",
    "promised",
    "started",
    "nonce_shown",
    "called_off",
    "began",
    "undone",
    "resigned",
    "expired",
    "taken_back",
    "abandon_asked",
    "abandon_withdrawn",
    "abandoned",
    "rematch",
    "muted",
    "unmuted",
    "closed",
    "renamed",
    "hurried",
]


class ClockMessage(Struct, frozen=True, kw_only=True):
    """The clocks right after an update: what each seat has left (ms), whose runs, and until which moment.

    `now` is the moment by the clock that decides, so that a screen can tell how far its own is off.
    """

    banks: tuple[int, ...]
    running: int | None
    deadline: int | None
    now: int


class ClockSettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time a seat has: live a bank and an increment in seconds, by correspondence days for each turn."""

    kind: ClockKind
    bank: int = 0
    increment: int = 0
    days: int = 0


class ChairMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chair of a table and who sits there.

    `minder` is the bot that plays on for a person; `lost` says that its time ran out, `agrees` that it
    wishes to abandon the game. `nonce_hash` is what it promised to bring to the shuffle, `nonce` what it
    brought, once that may be known. `is_guest`: the player there has no account and does not keep the name.
    `is_bot`: the player there is the account of a program; `kind` says "bot" only of the service's own.
    """

    seat: int
    kind: ChairKind
    name: str = ""
    player: str | None = None
    level: str | None = None
    minder: str | None = None
    lost: bool = False
    resigned: bool = False
    agrees: bool = False
    nonce_hash: str | None = None
    nonce: str | None = None
    is_host: bool = False
    is_guest: bool = False
    is_bot: bool = False


class TableMessage(Struct, frozen=True, kw_only=True):
    """A table as everybody there may know it.

    `commitment` binds the shuffle, in which `game` is the name of the game; `starts` counts the tries to
    begin and `called_off` those of them that failed. `rematch` is the table where its players meet again.
    A `quick` one starts by itself when it is full; `hints` says that people who play each other may ask for
    hints. One that is `set_up` goes on from a moment that was chosen by its host, who may know every card.
    """

    id: str
    stage: StageWord
    ruleset: RulesetMessage
    chairs: tuple[ChairMessage, ...]
    clock: ClockSettings | None
    listed: bool
    rated: bool
    spectators: bool
    commitment: str
    game: str
    starts: int
    called_off: int
    ending: str | None
    winner: int | None
    rematch: str | None
    rules_version: int
    created: int
    quick: bool = False
    hints: bool = False
    set_up: bool = False


class PresenceMessage(Struct, frozen=True, kw_only=True):
    """Who is at a table now, and how many watch; a person's seat that is in neither list is gone.

    Seats that are `here` follow the table, those `away` did so a moment ago.
    """

    here: tuple[int, ...]
    away: tuple[int, ...]
    watching: int


class NewsMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came to pass around the game: the seat and the name it is about, and a text that belongs to it."""

    kind: NewsKind
    seat: int | None = None
    name: str | None = None
    text: str | None = None


class ChatMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of chat; `seat` is null if a spectator wrote it.

    One that was `removed` has no text any more; one that `removes` another says only that.
    """

    number: int
    seat: int | None
    name: str
    text: str
    at: int
    player: str | None = None
    removed: bool = False
    removes: int | None = None


class ProblemMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was refused: a code for programs, a sentence for curl, and the rule if one says so.

    `retry_after` is a number of seconds; `home` is the address at which the service is to be opened.
    """

    code: str
    message: str
    rule: str | None = None
    retry_after: int | None = None
    home: str | None = None
