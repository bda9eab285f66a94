"""What a client may ask of a table, and what a page tells when a part of it fails."""

from typing import Annotated, Final, Literal, TypeAlias
from uuid import UUID

from msgspec import Meta, Struct

from cartagena.messages.tables import ClockSettings

Seat = Annotated[int, Meta(ge=0, le=4)]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 as 64 small hexadecimal digits")]
Number = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as small hexadecimal digits")]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
BotPath = Annotated[
    str, Meta(min_length=1, max_length=200, description="A level, or the place of a bot in Python")
]
LONGEST_RECORD: Final = 30_000
"""Twice as long as any record of a usual game, in characters."""
RecordText = Annotated[str, Meta(min_length=1, max_length=LONGEST_RECORD)]
OptionName = Annotated[str, Meta(min_length=1, max_length=40)]


class Keyed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request with a key of the client's own making: the same key again is the same request again."""

    key: UUID


# Defaults are not sent: during an upgrade, nodes of the release before refuse a field that they do not know.
class TermsMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """By which rules, with how many seats, with which clock, and who may come in.

    `edition` is a printed edition whose readings are taken, `options` single options on top of it. A table
    that is not `listed` is private: only those it was shown to find it. With `hints` the seat to act may
    ask for one although people play each other; never in a rated game.
    """

    ruleset: Word
    edition: Word | None = None
    options: dict[OptionName, bool | int | str] = {}
    seats: Annotated[int, Meta(ge=2, le=5)] = 2
    clock: ClockSettings | None = None
    listed: bool = True
    rated: bool = False
    spectators: bool = True
    hints: bool = False


class OpenTable(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new table. `bots` are levels that fill the last seats; the host sits on the first one."""

    terms: TermsMessage
    bots: Annotated[tuple[Word, ...], Meta(max_length=4)] = ()
    nonce_hash: Hash | None = None


class ChangeTerms(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other terms for a table that has not started."""

    terms: TermsMessage


class Sit(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a seat, the first open one if none is named; a private table asks for its invitation code."""

    seat: Seat | None = None
    nonce_hash: Hash | None = None
    invite: Word | None = None


class AddBot(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let a bot of some level play on an open seat."""

    seat: Seat
    level: Word


class OfSeat(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something about one seat."""

    seat: Seat


class Mute(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Silence a seat or a player in the chat, or let them speak again; a spectator has no seat."""

    seat: Seat | None = None
    player: UUID | None = None
    muted: bool = True


class Reorder(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits where: the present seats in their new order."""

    order: Annotated[tuple[Seat, ...], Meta(min_length=2, max_length=5)]


class PromiseNonce(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hash of a number for the shuffle, given anew after a start that was called off."""

    nonce_hash: Hash


class ShowNonce(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number whose hash was promised."""

    nonce: Number


class Act(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A choice, by its code or as notation, of the table as it stands at `seq`."""

    seq: Seq
    code: Annotated[int, Meta(ge=0, le=1023)] | None = None
    action: Annotated[str, Meta(min_length=1, max_length=80)] | None = None


class Undo(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take back the last choice of the table as it stands at `seq`."""

    seq: Seq


class Abandon(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Agree to end the game without a result, or no longer."""

    agrees: bool = True


class Rematch(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rematch: a new table that follows this one."""

    nonce_hash: Hash | None = None


class BranchFrom(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that goes on from a game after its first `step` actions; a private game asks for its code."""

    step: Seq
    invite: Word | None = None


class GoOnFrom(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that goes on from a record, or from its first `step` actions.

    `levels` says who plays each seat, `null` a person; without it the seats that are named after a level are
    those of bots.
    """

    record: RecordText
    step: Seq | None = None
    levels: Annotated[tuple[Word | None, ...], Meta(max_length=5)] | None = None


class TakeUp(GoOnFrom, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a device that goes on from a record; without a `step` a game that is over stays over.

    `names` are those of all seats, instead of the names in the record.
    """

    record: str
    levels: Annotated[tuple[BotPath | None, ...], Meta(max_length=5)] | None = None
    names: Annotated[tuple[Word, ...], Meta(max_length=5)] | None = None


class Say(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    invite: Word | None = None


class RemoveLine(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a line of chat away for everybody; a spectator of a private table shows the invitation code."""

    invite: Word | None = None


PagePart: TypeAlias = Literal[
    "page",
    "window",
    "surface",
    "board",
    "row",
    "hand",
    "turn",
    "players",
    "bar",
    "asked",
    "side",
    "log",
    "chat",
    "menu",
    "told",
    "chances",
    "transport",
    "sheet",
    "details",
    "hands",
    "shuffle",
]
"""The parts of a page that fail apart from each other; `window` is whatever no part has caught."""

ErrorName = Annotated[
    str, Meta(pattern="^[A-Za-z][A-Za-z0-9_$]{0,39}$", description="The class of an error, without its words")
]
CodePlace = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_$.<>\[\] /-]{1,160}:[0-9]{1,7}:[0-9]{1,7}$",
        description="A function, if it has a name, and the path of its file with line and column",
    ),
]
ProgramFile = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_./-]{1,80}$",
        description="The path of the program that the page runs; a new version has another one",
    ),
]


class ReportFailure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a page failed: which, by what kind of error, and where in the program, innermost first."""

    where: PagePart
    error: ErrorName
    version: ProgramFile
    stack: Annotated[tuple[CodePlace, ...], Meta(max_length=10)] = ()
