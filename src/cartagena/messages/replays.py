"""A whole game on the wire, step by step: a first view, then what each action changed in it."""

from typing import Final, Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from cartagena.messages.happenings import HappeningMessage
from cartagena.messages.tables import TableMessage
from cartagena.messages.views import Ending, TrimMessage, ViewMessage

# Hints and analyses on the wire: what takes long and is asked for first, then fetched.

JobState: TypeAlias = Literal["waiting", "ready", "failed"]
"""Whether something is still being worked out, is there, or could not be found out."""
MarkSign: TypeAlias = Literal["", "?", "??", "!"]
"""What is remarkable about a decision: nothing, costly, a blunder, a find."""


class ProspectMessage(Struct, frozen=True, kw_only=True):
    """One decision: the codes of its actions, the same in notation, and with it each seat's chance to win."""

    codes: tuple[int, ...]
    actions: tuple[str, ...]
    chances: tuple[float, ...]


class HintFound(Struct, frozen=True, kw_only=True):
    """The best decision of a seat, and up to three alternatives, best first."""

    best: ProspectMessage
    alternatives: tuple[ProspectMessage, ...]


class HintMessage(Struct, frozen=True, kw_only=True):
    """A hint that was asked for when the table stood at `seq`; `found` is null unless it is ready."""

    id: str
    state: JobState
    seat: int
    seq: int
    found: HintFound | None = None


class DecisionMessage(Struct, frozen=True, kw_only=True):
    """What is to be said of a decision, from what its seat knew.

    The best of `played` and `alternatives` promises the chances before the decision. `cost` is how much less
    `played` promises, and `luck` how much better the chance came out than that. So the chance after the
    decision is the one before, less `cost`, plus `luck`.
    """

    mark: MarkSign
    cost: float
    luck: float = 0.0
    played: ProspectMessage
    alternatives: tuple[ProspectMessage, ...]


class AnalysedStep(Struct, frozen=True, kw_only=True):
    """An action of the record, and the chances of every seat after it.

    The decision stands with its first action; it is null where it goes on, or where there was no choice.
    It is judged as a whole: the chances change with its last action, not with the end of the turn behind it.
    """

    turn: int
    seat: int
    code: int
    action: str
    chances: tuple[float, ...]
    decision: DecisionMessage | None


class AnalysisFound(Struct, frozen=True, kw_only=True):
    """The chances of every seat before the first action and after each, and the decisions judged.

    The same simulations and seed give the same again, for instance with `cartagena analyse`.
    """

    simulations: int
    seed: str
    before: tuple[float, ...]
    steps: tuple[AnalysedStep, ...]


class AnalysisMessage(Struct, frozen=True, kw_only=True):
    """The analysis of a table's game; `found` is null unless it is ready.

    `done` is how much of it is done, from 0 to 1; null where that is not known, as at the service.
    """

    table: str
    state: JobState
    done: float | None = None
    found: AnalysisFound | None = None


# What a worker is told to do, by way of the queue. It is stored, so it never names a card.


class HintOrder(Struct, frozen=True, kw_only=True):
    """Find a hint for a seat of a table as it stood at `seq`; `household` and `player` asked for it."""

    hint: UUID
    table: UUID
    seat: int
    seq: int
    household: str = ""
    player: UUID | None = None


class AnalysisOrder(Struct, frozen=True, kw_only=True):
    """Analyse the game of a table; `household` and `player` asked for it first."""

    table: UUID
    household: str = ""
    player: UUID | None = None


class ViewChange(Struct, frozen=True, kw_only=True):
    """The fields of a view that are no longer as they were; those that are absent have not changed."""

    pirates: tuple[tuple[int, ...], ...] | UnsetType = UNSET
    most_home: tuple[int, ...] | UnsetType = UNSET
    dock: int | UnsetType | None = UNSET
    hand_sizes: tuple[int, ...] | UnsetType = UNSET
    hands: tuple[tuple[str, ...] | None, ...] | UnsetType = UNSET
    row: tuple[str, ...] | UnsetType = UNSET
    stock_size: int | UnsetType = UNSET
    stock: tuple[str, ...] | UnsetType | None = UNSET
    discard: tuple[str, ...] | UnsetType = UNSET
    renewals: int | UnsetType = UNSET
    to_act: int | Literal["chance"] | UnsetType | None = UNSET
    turn_seat: int | UnsetType = UNSET
    actions_used: int | UnsetType = UNSET
    crossing_open: bool | UnsetType = UNSET
    owed: int | UnsetType = UNSET
    trimmed: tuple[TrimMessage, ...] | UnsetType = UNSET
    surplus: tuple[int, ...] | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    last_progress: int | UnsetType = UNSET
    quiet_turns: int | UnsetType = UNSET
    ending: Ending | UnsetType | None = UNSET
    winner: int | UnsetType | None = UNSET


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One action of the record, what happened with it, and what it changed in the view.

    `code` is null for a trim that still lies face down for the reader.
    """

    turn: int
    seat: int
    code: int | None
    happened: tuple[HappeningMessage, ...]
    changed: ViewChange


class ReplayMessage(Struct, frozen=True, kw_only=True):
    """A game from the deal to where it stands: the table, the view after the deal, and every action.

    After the end hands and trims are open. Until then, and for the stock always, each view is the one that
    the reader, at `seat` or as a spectator, had at the time. `legal` and `memory` are not told.
    `analysis` is whether the analysis of the game has been asked for.
    """

    seat: int | None
    table: TableMessage
    first: ViewMessage
    steps: tuple[ReplayStep, ...]
    analysis: bool


class LineMessage(Struct, frozen=True, kw_only=True):
    """Other actions than those of a game that is over: the view before them, and each of them."""

    first: ViewMessage
    steps: tuple[ReplayStep, ...]


CHANGING: Final = tuple(field.name for field in fields(ViewChange))


def view_change(before: ViewMessage, after: ViewMessage) -> ViewChange:
    """What is different in a later view of the same game."""
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in CHANGING)
    return ViewChange(**{name: now for name, then, now in pairs if now != then})
