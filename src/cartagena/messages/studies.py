"""Looking into a game on a device: a record or a position, and lines of other actions from any step."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from cartagena.messages.replays import ReplayStep
from cartagena.messages.requests import Seq, Word
from cartagena.messages.views import ViewMessage
from cartagena.messages.wishes import RefusalMessage, WishesMessage

MOST_ACTIONS: Final = 2000
"""Three times as many as a game of five seats that is played at random."""
Text = Annotated[str, Meta(max_length=100_000)]
"""A record or a position; the browser refuses longer ones itself."""
Codes = Annotated[tuple[int, ...], Meta(max_length=MOST_ACTIONS)]
"""The actions of a line."""
TroubleCode: TypeAlias = Literal[
    "unreadable", "of_view", "newer", "refused", "impossible", "arrangement", "too_long"
]


class OpenStudy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read a record, or a position."""

    text: Text


class StudyLine(OpenStudy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line in the game of a text: its first `step` actions, then those of `codes`."""

    step: Seq = 0
    codes: Codes = ()


class AskStudyHint(StudyLine, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the seat to act might do at the end of a line; more simulations find more, and take longer."""

    simulations: Annotated[int, Meta(ge=1, le=1000)]


class StudyMessage(Struct, frozen=True, kw_only=True):
    """A game to look into, step by step, with open hands; that of a position has no steps.

    One that `is_dealt` begins with a deal, any other with a position that somebody set up. `text` is the
    record or the position as it is usually written. A seat without a name has an empty one. `ending` and
    `winner` are those of the record, also if players ended the game themselves.
    """

    text: str
    is_dealt: bool
    names: tuple[str, ...]
    first: ViewMessage
    steps: tuple[ReplayStep, ...]
    ending: str | None
    winner: int | None


class FaultMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong with a table that was laid out by hand; card and place are words of the notation."""

    code: str
    values: dict[str, int] = {}
    card: str | None = None
    place: str | None = None


class TextTrouble(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a text is no game to look into, and where; `message` says so in English.

    An `unreadable` one has something else than what is `expected`, perhaps `meant` to be another word. That
    `of_view` hides cards, a `newer` one has rules that are not known here. The rules refuse what is
    `refused`; a wrong `arrangement` cannot lie on one table. One that is `too_long` has too many actions.
    """

    code: TroubleCode
    message: str
    line: int = 0
    column: int = 0
    expected: str = ""
    found: str = ""
    meant: str = ""
    refusal: RefusalMessage | None = None
    fault: FaultMessage | None = None


class OpenedStudy(Struct, frozen=True, kw_only=True):
    """What came of reading a text: either is null."""

    study: StudyMessage | None
    trouble: TextTrouble | None


class StudyLineMessage(Struct, frozen=True, kw_only=True):
    """A line: the view before its `codes`, each of them, the view after them, and what can be chosen then.

    After the end there are no `wishes`.
    """

    first: ViewMessage
    steps: tuple[ReplayStep, ...]
    now: ViewMessage
    wishes: WishesMessage | None


class StudyText(Struct, frozen=True, kw_only=True):
    """A line as text: its record, and the position at its end.

    In the middle of an action and after the end there is no position to write.
    """

    record: str
    position: str | None


class DraftMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position that is laid out by hand: places by number, cards by word, the ruleset as its line.

    Row and stock begin with the card that is drawn first, the discard with the oldest. `crossing_open` null
    asks the captain's rule.
    """

    ruleset: str
    board: tuple[str, ...]
    pirates: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    row: tuple[str, ...]
    stock: tuple[str, ...]
    discard: tuple[str, ...]
    seat: int
    actions_used: int
    dock: int
    crossing_open: bool | None
    turn: int
    last_progress: int
    most_home: tuple[int, ...]


class ArrangedMessage(Struct, frozen=True, kw_only=True):
    """A draft whose stock has every card that lies nowhere else, and as text; or what is wrong with it."""

    draft: DraftMessage
    text: str | None
    fault: FaultMessage | None


class DealStudy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new game to look into, by the line of its ruleset."""

    ruleset: Word
    seats: Annotated[int, Meta(ge=2, le=5)]
