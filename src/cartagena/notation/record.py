"""The record of a game, as a value and as text: headers, one line for each turn, the result."""

import datetime as dt
import enum
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from cartagena.notation.action_text import format_action
from cartagena.notation.names import COLOURS, UNKNOWN, Cards, format_board, format_cards
from cartagena.notation.position_text import format_ruleset, lines_after_board
from cartagena.notation.sight import Sight, all_cards
from cartagena.rules.board import Board
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, RULES_VERSION, Ruleset

_GAME_ID: Final = re.compile(r"[!-~]([ -~]*[!-~])?")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SECRET_SIZE: Final = 32


class Ending(enum.Enum):
    """How a game stands or ended; the value is the word for it."""

    RUNNING = "running"
    WON = "won"
    DEAD = "dead"
    QUIET = "quiet"
    RESIGNED = "resigned"
    ABANDONED = "abandoned"


WITH_WINNER: Final = (Ending.WON, Ending.DEAD, Ending.RESIGNED)
"""The endings that can have a winner; a won game always has one."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game stands, and the seat that won it if one did."""

    ending: Ending
    winner: int | None = None

    def __post_init__(self) -> None:
        if self.winner is None and self.ending is Ending.WON:
            raise ValueError("a game that is won has a winner")
        if self.winner is not None and self.ending not in WITH_WINNER:
            raise ValueError(f"a game that is {self.ending.value} has no winner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Headers:
    """What is known of a game before its first action.

    `deal` is the whole deck in the order it was dealt from, None for a card the reader may not know. A game
    that began with a position that somebody set up has that `opening` instead, and no cards in its `deal`.
    A seat without a name has an empty one. The fair shuffle's values are there if it was used. What a
    running game keeps secret is not printed.
    """

    ruleset: Ruleset
    board: Board
    names: tuple[str, ...]
    first_seat: int
    deal: Cards = field(repr=False)
    opening: Sight | None = field(default=None, repr=False)
    game_id: str | None = None
    date: dt.date | None = None
    rules_version: int = RULES_VERSION
    commitment: str | None = None
    nonce_hashes: tuple[str | None, ...] | None = None
    nonces: tuple[bytes | None, ...] | None = field(default=None, repr=False)
    secret: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        faults = [
            (
                not FEWEST_SEATS <= self.seats <= MOST_SEATS,
                f"a game has {FEWEST_SEATS} to {MOST_SEATS} seats, not {self.seats}",
            ),
            (not all(map(is_name, self.names)), "a name is one printable line without #"),
            (not 0 <= self.first_seat < self.seats, "the first seat is one that plays"),
            (self.board.family != self.ruleset.family, "board and ruleset belong to different games"),
            (
                self.opening is None and not is_deal(self.ruleset, self.deal),
                "a deal names every card of the deck",
            ),
            (not self._opening_fits(), "an opening is a position of this game, instead of a deal"),
            (
                self.game_id is not None and not is_game_id(self.game_id),
                "a game id is a plain line without #",
            ),
            (self.rules_version < 1, "the rules versions count from 1"),
            (not self._promise_fits(), "a hash, a secret and a nonce have 32 bytes, one for each seat"),
        ]
        for wrong, sentence in faults:
            if wrong:
                raise ValueError(sentence)

    def _opening_fits(self) -> bool:
        if self.opening is None:
            return True
        ours = (self.ruleset, self.board, self.seats, self.first_seat)
        theirs = (
            self.opening.ruleset,
            self.opening.board,
            len(self.opening.pirates),
            self.opening.seat,
        )
        return ours == theirs and not self.deal

    def _promise_fits(self) -> bool:
        hashes = (self.commitment, *(self.nonce_hashes or ()))
        secrets = (self.secret, *(self.nonces or ()))
        return (
            all(text is None or is_hash(text) for text in hashes)
            and all(secret is None or len(secret) == _SECRET_SIZE for secret in secrets)
            and all(group is None or len(group) == self.seats for group in (self.nonce_hashes, self.nonces))
        )

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.names)

    @property
    def cards(self) -> Cards:
        """Every card as the game began, None for one the reader may not know."""
        return self.deal if self.opening is None else all_cards(self.opening)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action in its turn, by the seat that chose it, with the orders of cards it called for.

    `code` is None for a trim the reader may not know. `line` and `column` tell where it was read. The
    orders are not printed: a running game keeps them secret.
    """

    turn: int
    seat: int
    code: int | None
    orders: tuple[Cards, ...] = field(default=(), repr=False)
    line: int = field(default=0, compare=False, repr=False)
    column: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A whole game, or as much of one as its reader may know."""

    headers: Headers
    steps: tuple[Step, ...]
    result: Result

    def __post_init__(self) -> None:
        turns = [1, *(step.turn for step in self.steps)]
        if turns != sorted(turns):
            raise ValueError("the turns of a record are numbered in ascending order, from 1 on")

    def __str__(self) -> str:
        return format_record(self)


def is_name(text: str) -> bool:
    """Whether a text can be a seat's name: one printable line, possibly empty."""
    return text.isprintable() and text == text.strip() and "#" not in text


def is_game_id(text: str) -> bool:
    """Whether a text can be the id of a game: plain letters and signs on one line."""
    return _GAME_ID.fullmatch(text) is not None and "#" not in text


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 hash, or a secret of that size, in small hexadecimal digits."""
    return _HASH.fullmatch(text) is not None


def is_deal(ruleset: Ruleset, deal: Cards) -> bool:
    """Whether these are as many cards as the deck has, all of them from the deck."""
    known = Counter(card for card in deal if card is not None)
    deck = ruleset.deck()
    return len(deal) == len(deck) and known <= Counter(deck)


FIRST_LINE: Final = "Cartagena record 1"
NO_NONCE: Final = "-"
"""Stands for the nonce of a seat that brings none, as a bot does."""


def format_record(record: Record) -> str:
    """The text of a record, ready for `parse_record`; several texts with a blank line between make a file."""
    family = record.headers.ruleset.family
    lines = [FIRST_LINE, *_header_lines(record.headers)]
    for turn, steps in groupby(record.steps, key=lambda step: step.turn):
        lines.append(_turn_line(family, turn, list(steps)))
    lines.append(f"Result: {format_result(record.result)}")
    return "\n".join(lines) + "\n"


def format_result(result: Result) -> str:
    """A result in words: `running`, `red wins`, `dead`, `dead, red wins`, `quiet`."""
    if result.winner is None:
        return result.ending.value
    wins = f"{COLOURS[result.winner]} wins"
    return wins if result.ending is Ending.WON else f"{result.ending.value}, {wins}"


def _header_lines(headers: Headers) -> Iterator[str]:
    yield f"Rules: {headers.rules_version}"
    if headers.game_id is not None:
        yield f"Game: {headers.game_id}"
    if headers.date is not None:
        yield f"Date: {headers.date.isoformat()}"
    yield f"Ruleset: {format_ruleset(headers.ruleset)}"
    for colour, name in zip(COLOURS, headers.names, strict=False):
        yield f"Seat: {colour} {name}".rstrip()
    yield f"Board: {format_board(headers.board)}"
    if headers.opening is None:
        yield f"First: {COLOURS[headers.first_seat]}"
        yield f"Deal: {format_cards(headers.ruleset.family, headers.deal)}"
    else:
        yield from lines_after_board(headers.opening)
    yield from _promise_lines(headers)


def _promise_lines(headers: Headers) -> Iterator[str]:
    if headers.commitment is not None:
        yield f"Commitment: {headers.commitment}"
    if headers.nonce_hashes is not None:
        yield f"Nonce hashes: {' '.join(text or NO_NONCE for text in headers.nonce_hashes)}"
    if headers.nonces is not None:
        nonces = [NO_NONCE if nonce is None else nonce.hex() for nonce in headers.nonces]
        yield f"Nonces: {' '.join(nonces)}"
    if headers.secret is not None:
        yield f"Secret: {headers.secret.hex()}"


def _turn_line(family: str, turn: int, steps: list[Step]) -> str:
    seat = steps[0].seat
    actions = [
        format_step(family, step)
        if step.seat == seat
        else f"{COLOURS[step.seat]} {format_step(family, step)}"
        for step in steps
    ]
    return f"{turn} {COLOURS[seat]}: {'; '.join(actions)}"


def format_step(family: str, step: Step) -> str:
    """An action with the orders of cards it called for."""
    action = f"trim {UNKNOWN}" if step.code is None else format_action(family, step.code)
    return " ".join([action, *(f"[order: {format_cards(family, order)}]" for order in step.orders)])
