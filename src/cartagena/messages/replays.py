"""A whole game on the wire, step by step: a first view, then what each action changed in it."""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import fields

from cartagena.messages.happenings import HappeningMessage
from cartagena.messages.tables import TableMessage
from cartagena.messages.views import Ending, TrimMessage, ViewMessage


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
