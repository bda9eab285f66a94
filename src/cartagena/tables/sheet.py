"""The sheet of a table: who sits where, by which rules and clocks they play, and how it ended.

It changes seldom and is kept apart from the position, which changes with every action.
"""

import enum
from functools import cached_property, lru_cache
from typing import Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from cartagena.notation import parse_record
from cartagena.notation.position_text import parse_ruleset
from cartagena.notation.record import Ending
from cartagena.rules.ruleset import Ruleset
from cartagena.tables.audience_ids import sitting, watching

MINDER: Final = "bosun"
"""The level that plays on for a crew whose owner ran out of time or resigned."""

SECOND: Final = 1_000
DAY: Final = 24 * 60 * 60 * SECOND


class Stage(enum.IntEnum):
    """How far a table has come."""

    OPEN = 0
    STARTING = 1
    RUNNING = 2
    OVER = 3


ClockKind = Literal["live", "correspondence"]
EndingWord = Literal["won", "dead", "quiet", "resigned", "abandoned", "closed"]


class Clock(Struct, frozen=True, kw_only=True):
    """The time a seat has: live, a bank that grows with each turn; by correspondence, a time per turn."""

    kind: ClockKind
    bank: int
    increment: int = 0

    @property
    def reset(self) -> int | None:
        """What a bank is set to after its seat has acted; None if it keeps what is left."""
        return self.bank if self.kind == "correspondence" else None


class Chair(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat of a table: open, a person's, or a bot's of some level.

    `program` says that its player is the account of a bot, whose owner runs it elsewhere.
    `since` is the event with which its player sat down. A person's chair is `minded` while a bot plays on
    for it; `lost` says that it ran out of time, which counts in a rated game even if its owner comes back.
    `agrees` is the wish to abandon the game. The player is told no line of chat up to `told_after`.
    """

    player: UUID | None = None
    name: str = ""
    level: str | None = None
    guest: bool = False
    program: bool = False
    since: int = 0
    nonce_hash: str | None = None
    nonce: str | None = None
    minded: bool = False
    lost: bool = False
    resigned: bool = False
    agrees: bool = False
    muted: bool = False
    told_after: int = 0

    @property
    def is_open(self) -> bool:
        """Whether nobody sits here."""
        return self.player is None and self.level is None

    @property
    def bot(self) -> str | None:
        """The level of the bot that acts here, None if a person does."""
        return MINDER if self.minded else self.level

    @property
    def owes_nonce(self) -> bool:
        """Whether the promised number has not been shown yet."""
        return self.nonce_hash is not None and self.nonce is None


class Branch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The game that a table goes on from: its table, the id of its shuffle, what was played before.

    A game whose cards follow from no shuffle is told by its `record` instead of the codes.
    """

    table: UUID
    shuffle: str
    codes: tuple[int, ...]
    record: str = ""


class Share(NamedTuple):
    """A household, under a name that reveals nothing of its address, and one of its players."""

    household: str
    player: str


class Sheet(Struct, frozen=True, kw_only=True, dict=True):
    """Everything about a table except its position.

    `starts` counts the attempts to begin its game. `shut_since` is the event that last sent spectators away.
    `public_after` is the last line of chat that was said while only invited players could come in.
    A `quick` table starts by itself when it is full. `hints` is the host's permission to ask for hints while
    people play each other. `invited` players need no invitation code, `kicked` players are let in by none,
    and `muted` players may not speak. `household` is where the table was opened from, under a name that
    reveals nothing. A table with a `branch` does not deal: it continues another game.
    """

    ruleset: str
    chairs: tuple[Chair, ...]
    host: UUID
    clock: Clock | None
    listed: bool
    rated: bool
    spectators: bool
    invite: str
    commitment: str
    stage: Stage = Stage.OPEN
    starts: int = 0
    called_off: int = 0
    quick: bool = False
    hints: bool = False
    shut_since: int = 0
    public_after: int = 0
    kicked: tuple[UUID, ...] = ()
    muted: tuple[UUID, ...] = ()
    invited: tuple[UUID, ...] = ()
    ending: EndingWord | None = None
    winner: int | None = None
    rematch: UUID | None = None
    rematch_of: UUID | None = None
    household: str = ""
    branch: Branch | None = None

    @property
    def share(self) -> Share:
        """The share that the bots of this table are charged to."""
        return Share(self.household, str(self.host))

    @property
    def allows_hints(self) -> bool:
        """Whether the seat to act may ask for a hint: if alone against bots, or by the host's permission."""
        people = sum(chair.player is not None for chair in self.chairs)
        return not self.rated and (people == 1 or (self.hints and not self.quick))

    def allows(self, ruleset: str, seats: int, *, listed: bool, rated: bool) -> bool:
        """Whether there may be such terms here: a game that goes on keeps its own, private and casual."""
        is_same = ruleset == self.ruleset and seats == len(self.chairs)
        return self.branch is None or (is_same and not listed and not rated)

    @cached_property
    def rules(self) -> Ruleset:
        """The ruleset as a value."""
        return _ruleset_of(self.ruleset)

    def seat_of(self, player: UUID | None) -> int | None:
        """The seat that a player holds, if any."""
        if player is not None:
            for seat, chair in enumerate(self.chairs):
                if chair.player == player:
                    return seat
        return None

    def counts_otherwise(self, before: "Sheet") -> bool:
        """Whether a game would be rated by terms that somebody beside the host has not sat down under."""
        others = any(chair.player not in {None, self.host} for chair in self.chairs)
        return self.rated and others and self.wager != before.wager

    @property
    def wager(self) -> tuple[object, ...]:
        """What those who sit down have agreed to play for."""
        return self.rated, self.ruleset, self.clock, len(self.chairs)

    @property
    def silent(self) -> tuple[UUID, ...]:
        """The players who may not speak here, seated or not."""
        return (*self.muted, *(chair.player for chair in self.chairs if chair.player and chair.muted))

    def is_muted(self, player: UUID | None) -> bool:
        """Whether a player may not speak here, seated or not."""
        return player in self.silent

    def audience_of(self, seat: int) -> int:
        """The audience of the player who sits there now."""
        return sitting(seat, self.chairs[seat].since)

    @property
    def watchers(self) -> int:
        """The audience of those who only watch now."""
        return watching(self.shut_since)

    def told_after(self, seat: int | None) -> int:
        """The last line of chat that a seat, or for None the spectators, may not read."""
        return self.public_after if seat is None else self.chairs[seat].told_after

    def with_chair(self, seat: int, chair: Chair) -> "Sheet":
        """The sheet with one chair changed."""
        return msgspec.structs.replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    def shuffle_id(self, table_id: UUID) -> str:
        """The id of the game in the fair shuffle: a new start must not share the draws of one called off."""
        return f"{table_id}.{self.starts}" if self.branch is None else self.branch.shuffle


_ENDINGS: Final[dict[Ending, EndingWord]] = {
    Ending.WON: "won",
    Ending.DEAD: "dead",
    Ending.QUIET: "quiet",
    Ending.RESIGNED: "resigned",
    Ending.ABANDONED: "abandoned",
}


def begun(sheet: Sheet) -> Sheet:
    """The sheet of a game that begins; one that was taken up from a record may be over."""
    running = msgspec.structs.replace(sheet, stage=Stage.RUNNING)
    if sheet.branch is None or not sheet.branch.record:
        return running
    result = parse_record(sheet.branch.record).result
    ending = _ENDINGS.get(result.ending)
    if ending is None:
        return running
    return msgspec.structs.replace(sheet, stage=Stage.OVER, ending=ending, winner=result.winner)


def encode_sheet(sheet: Sheet) -> bytes:
    """A sheet as it is stored."""
    return _ENCODER.encode(sheet)


def decode_sheet(data: bytes) -> Sheet:
    """The sheet that was stored."""
    return _DECODER.decode(data)


@lru_cache(maxsize=256)
def _ruleset_of(text: str) -> Ruleset:
    return parse_ruleset(text)


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Sheet)
