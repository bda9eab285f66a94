"""Happenings on the wire: the key `happening` says which one it is."""

from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from cartagena.messages.cards import card_of, cards_of, known_card_of, word_of, words_of
from cartagena.messages.views import TrimMessage
from cartagena.notation.names import card_word
from cartagena.rules.happenings import (
    Dead,
    Drew,
    Happening,
    Moved,
    Passed,
    Played,
    Quiet,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
    Won,
)


class HappeningStruct(Struct, frozen=True, kw_only=True, tag_field="happening"):
    """One thing that came to pass."""


class PlayedMessage(HappeningStruct, frozen=True, kw_only=True, tag="played"):
    """A seat laid a card on the discard."""

    seat: int
    card: str


class MovedMessage(HappeningStruct, frozen=True, kw_only=True, tag="moved"):
    """A pirate went from one place to another."""

    seat: int
    crew: int
    start: int
    target: int


class DrewMessage(HappeningStruct, frozen=True, kw_only=True, tag="drew"):
    """A seat took one card; null if the audience may not know it."""

    seat: int
    card: str | None
    from_row: bool
    turned_over: bool


class RowLaidMessage(HappeningStruct, frozen=True, kw_only=True, tag="row_laid"):
    """A new row lies face up, head first."""

    cards: tuple[str, ...]


class RenewedMessage(HappeningStruct, frozen=True, kw_only=True, tag="renewed"):
    """The discard became the stock; its order is null unless it was turned over."""

    size: int
    order: tuple[str, ...] | None


class SailedMessage(HappeningStruct, frozen=True, kw_only=True, tag="sailed"):
    """The sloop crossed to a dock."""

    seat: int
    dock: int
    free: bool


class TrimDueMessage(HappeningStruct, frozen=True, kw_only=True, tag="trim_due"):
    """A freebooter came: the surplus of each seat."""

    surplus: tuple[int, ...]


class TrimmedMessage(HappeningStruct, frozen=True, kw_only=True, tag="trimmed"):
    """A seat chose a surplus card; null if the audience may not know it."""

    seat: int
    card: str | None


class TrimShownMessage(HappeningStruct, frozen=True, kw_only=True, tag="trim_shown"):
    """The trimmed cards were turned up and discarded."""

    cards: tuple[TrimMessage, ...]


class PassedMessage(HappeningStruct, frozen=True, kw_only=True, tag="passed"):
    """A seat ended its turn without an action."""

    seat: int
    forced: bool


class TurnEndedMessage(HappeningStruct, frozen=True, kw_only=True, tag="turn_ended"):
    """The turn went on to the next seat."""

    seat: int
    next_seat: int


class WonMessage(HappeningStruct, frozen=True, kw_only=True, tag="won"):
    """A seat has all its pirates home."""

    seat: int


class DeadMessage(HappeningStruct, frozen=True, kw_only=True, tag="dead"):
    """Nobody can ever act again."""

    winner: int | None


class QuietMessage(HappeningStruct, frozen=True, kw_only=True, tag="quiet"):
    """Too many rounds went by without progress."""

    rounds: int


HappeningMessage: TypeAlias = (
    PlayedMessage
    | MovedMessage
    | DrewMessage
    | RowLaidMessage
    | RenewedMessage
    | SailedMessage
    | TrimDueMessage
    | TrimmedMessage
    | TrimShownMessage
    | PassedMessage
    | TurnEndedMessage
    | WonMessage
    | DeadMessage
    | QuietMessage
)

MESSAGES: Final[dict[type[Happening], type[HappeningMessage]]] = {
    Played: PlayedMessage,
    Moved: MovedMessage,
    Drew: DrewMessage,
    RowLaid: RowLaidMessage,
    Renewed: RenewedMessage,
    Sailed: SailedMessage,
    TrimDue: TrimDueMessage,
    Trimmed: TrimmedMessage,
    TrimShown: TrimShownMessage,
    Passed: PassedMessage,
    TurnEnded: TurnEndedMessage,
    Won: WonMessage,
    Dead: DeadMessage,
    Quiet: QuietMessage,
}
HAPPENINGS: Final = {message: happening for happening, message in MESSAGES.items()}
NAMES: Final = {happening: [field.name for field in fields(happening)] for happening in MESSAGES}


def happening_message(happening: Happening, family: str) -> HappeningMessage:
    """A happening as it is sent; only cards are called by other names than in the engine."""
    # Any: the fields of fourteen classes, each copied under its own name.
    told: dict[str, Any] = {name: getattr(happening, name) for name in NAMES[type(happening)]}
    match happening:
        case Played(card=card) | Drew(card=card) | Trimmed(card=card):
            told["card"] = word_of(family, card)
        case RowLaid(cards=cards):
            told["cards"] = words_of(family, cards)
        case Renewed(order=tuple(order)):
            told["order"] = words_of(family, order)
        case TrimShown(cards=shown):
            told["cards"] = tuple(
                TrimMessage(seat=seat, card=card_word(family, card)) for seat, card in shown
            )
    return MESSAGES[type(happening)](**told)


# Kept by value, because most happenings are told again and again, at one table or another.
@lru_cache(maxsize=4096)
def happening_json(happening: Happening, family: str) -> str:
    """Return a happening as JSON."""
    return msgspec.json.encode(happening_message(happening, family)).decode()


def happening_of(message: HappeningMessage) -> Happening:
    """The happening that a message tells."""
    told = asdict(message)
    match message:
        case PlayedMessage(card=card):
            told["card"] = card_of(card)
        case DrewMessage(card=maybe) | TrimmedMessage(card=maybe):
            told["card"] = known_card_of(maybe)
        case RowLaidMessage(cards=cards):
            told["cards"] = cards_of(cards)
        case RenewedMessage(order=tuple(order)):
            told["order"] = cards_of(order)
        case TrimShownMessage(cards=shown):
            told["cards"] = tuple((trim.seat, known_card_of(trim.card)) for trim in shown)
    return HAPPENINGS[type(message)](**told)
