"""Hints and analyses on the wire: what takes long and is asked for first, then fetched."""

from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

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
    """The analysis of a table's game; `found` is null unless it is ready."""

    table: str
    state: JobState
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
