"""Views on the wire."""

from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from cartagena.messages.cards import MessageError, card_of, cards_of, known_card_of, word_of, words_of
from cartagena.messages.memories import MemoryMessage, memory_message, memory_of
from cartagena.notation.names import CARD_BY_WORD, place_word
from cartagena.rules.board import Board, BoardError, spaces_of
from cartagena.rules.families.facts import facts_of
from cartagena.rules.hidden.view import View
from cartagena.rules.places import PLACES, bit
from cartagena.rules.position import CHANCE, DEAD, NOBODY, QUIET, RUNNING, WON
from cartagena.rules.ruleset import PRESETS, OptionError, Ruleset

Ending = Literal["won", "dead", "quiet"]
ENDINGS: Final[dict[int, Ending | None]] = {RUNNING: None, WON: "won", DEAD: "dead", QUIET: "quiet"}
ENDING_BY_WORD: Final = {word: ending for ending, word in ENDINGS.items()}


class RulesetMessage(Struct, frozen=True, kw_only=True):
    """A ruleset: its preset, its family, and the value of each option that the family has.

    An option that came after version 0.1.0 is left out where it has its default.
    """

    preset: str
    family: str
    options: dict[str, bool | int | str]


class TrimMessage(Struct, frozen=True, kw_only=True):
    """A card that a seat has chosen to trim; null while it lies face down for the viewer."""

    seat: int
    card: str | None


class ViewMessage(Struct, frozen=True, kw_only=True):
    """What one seat, or a spectator (`seat` null), may know.

    `to_act` is a seat, "chance" when an order of cards is due, null after the end. `dock` is null in a
    game without docks. `legal` holds the codes of the viewer's choices, null unless it is to act.
    """

    seat: int | None
    ruleset: RulesetMessage
    board: tuple[str, ...]
    pirates: tuple[tuple[int, ...], ...]
    most_home: tuple[int, ...]
    dock: int | None
    hand_sizes: tuple[int, ...]
    hands: tuple[tuple[str, ...] | None, ...]
    row: tuple[str, ...]
    stock_size: int
    stock: tuple[str, ...] | None
    discard: tuple[str, ...]
    renewals: int
    to_act: int | Literal["chance"] | None
    turn_seat: int
    actions_used: int
    crossing_open: bool
    owed: int
    trimmed: tuple[TrimMessage, ...]
    surplus: tuple[int, ...]
    turn: int
    last_progress: int
    quiet_turns: int
    ending: Ending | None
    winner: int | None
    legal: tuple[int, ...] | None
    memory: MemoryMessage


def view_message(view: View) -> ViewMessage:
    """A view as it is sent."""
    family = view.ruleset.family
    return ViewMessage(
        seat=view.seat,
        ruleset=ruleset_message(view.ruleset),
        board=board_words(view.board),
        pirates=view.pirates,
        most_home=view.most_home,
        dock=view.dock if facts_of(family).has_crossing else None,
        hand_sizes=view.hand_sizes,
        hands=tuple(None if hand is None else words_of(family, hand) for hand in view.hands),
        row=words_of(family, view.row),
        stock_size=view.stock_size,
        stock=None if view.stock is None else words_of(family, view.stock),
        discard=words_of(family, view.discard),
        renewals=view.renewals,
        to_act="chance" if view.to_act == CHANCE else None if view.to_act == NOBODY else view.to_act,
        turn_seat=view.turn_seat,
        actions_used=view.actions_used,
        crossing_open=view.crossing_open,
        owed=view.owed,
        trimmed=tuple(TrimMessage(seat=seat, card=word_of(family, card)) for seat, card in view.trimmed),
        surplus=view.surplus,
        turn=view.turn,
        last_progress=view.last_progress,
        quiet_turns=view.quiet_turns,
        ending=ENDINGS[view.ending],
        winner=view.winner,
        legal=view.legal or None,
        memory=memory_message(view.memory),
    )


def view_of(message: ViewMessage) -> View:
    """The view that a message tells; raises MessageError if its words make no sense."""
    ruleset = ruleset_of(message.ruleset)
    return View(
        seat=message.seat,
        ruleset=ruleset,
        board=board_of(ruleset.family, message.board),
        pirates=message.pirates,
        most_home=message.most_home,
        dock=1 if message.dock is None else message.dock,
        hand_sizes=message.hand_sizes,
        hands=tuple(None if hand is None else cards_of(hand) for hand in message.hands),
        row=cards_of(message.row),
        stock_size=message.stock_size,
        stock=None if message.stock is None else cards_of(message.stock),
        discard=cards_of(message.discard),
        renewals=message.renewals,
        to_act=party_of(message.to_act),
        turn_seat=message.turn_seat,
        actions_used=message.actions_used,
        crossing_open=message.crossing_open,
        owed=message.owed,
        trimmed=tuple((trim.seat, known_card_of(trim.card)) for trim in message.trimmed),
        surplus=message.surplus,
        turn=message.turn,
        last_progress=message.last_progress,
        ending=ENDING_BY_WORD[message.ending],
        winner=message.winner,
        legal=message.legal or (),
        memory=memory_of(message.memory),
    )


# Parts of a view.


def party_of(to_act: int | str | None) -> int:
    """Who is to act, by its number."""
    if to_act is None:
        return NOBODY
    return to_act if isinstance(to_act, int) else CHANCE


# A game keeps its ruleset and its board, so their messages are made once and kept by value.


@lru_cache(maxsize=256)
def ruleset_message(ruleset: Ruleset) -> RulesetMessage:
    """A ruleset as it is sent."""
    return RulesetMessage(preset=ruleset.key, family=ruleset.family, options=ruleset.written_options())


def ruleset_of(message: RulesetMessage) -> Ruleset:
    """The ruleset that a message tells."""
    preset = PRESETS.get(message.preset)
    if preset is None or preset.family != message.family:
        raise MessageError(f"no preset of the family {message.family!r} is called {message.preset!r}")
    try:
        return preset.with_options(**message.options)
    except OptionError as error:
        raise MessageError(str(error)) from error


@lru_cache(maxsize=1024)
def board_words(board: Board) -> tuple[str, ...]:
    """What is at each place: the sign of a space, or start, sloop, nest."""
    family = board.family
    signs = iter(words_of(family, board.signs))
    spaces = spaces_of(family)
    return tuple(next(signs) if spaces & bit(place) else place_word(family, place) for place in range(PLACES))


def board_of(family: str, words: tuple[str, ...]) -> Board:
    """The board that a list of words tells."""
    try:
        board = Board(family, [card_of(word) for word in words if word in CARD_BY_WORD[family]])
    except BoardError as error:
        raise MessageError(str(error)) from error
    if board_words(board) != words:
        raise MessageError("start, sloop and nest do not lie where they belong")
    return board
