"""What a seat was shown of the deal and what it chose: the record must tell of that very game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self, TypeAlias

from cartagena.fairness.checks import in_range, one_line
from cartagena.fairness.findings import Failure
from cartagena.notation.names import UNKNOWN, card_word
from cartagena.notation.record import Headers, Step
from cartagena.rules.ruleset import MOST_SEATS

Moves: TypeAlias = tuple[tuple[int, int], ...]
"""The turn and the code of each choice, in the order in which they were made."""

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The table after the deal, in the words of the view; None for a hand that the seat did not see.

    `board` are the signs of the spaces from the start on, `row` is head first.
    """

    board: Words
    first_seat: int
    hands: tuple[Words | None, ...] = field(repr=False)
    row: Words

    def __post_init__(self) -> None:
        for word in (*self.board, *self.row, *(word for hand in self.hands for word in hand or ())):
            one_line("the word for a card", word)
        in_range("the number of the first seat", self.first_seat + 1, MOST_SEATS)

    # Any: plain JSON, whose parts are checked above.
    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Self:
        """Read what a client wrote down; raises KeyError, TypeError or ValueError if it is anything else."""
        return cls(
            board=tuple(told["board"]),
            first_seat=told["first_seat"],
            hands=tuple(None if hand is None else tuple(hand) for hand in told["hands"]),
            row=tuple(told["row"]),
        )

    @property
    def json(self) -> dict[str, object]:
        """The form in which clients write it down."""
        return asdict(self)


def deal_of(headers: Headers) -> Shown:
    """The table after the deal that a record tells, with every hand."""
    rules, family = headers.ruleset, headers.ruleset.family
    words = tuple(card_word(family, card) for card in headers.deal)
    size, dealt = rules.hand_size, rules.hand_size * headers.seats
    return Shown(
        board=tuple(card_word(family, sign) for sign in headers.board.signs),
        first_seat=headers.first_seat,
        hands=tuple(words[first : first + size] for first in range(0, dealt, size)),
        row=words[dealt : dealt + rules.row_length],
    )


def difference(shown: Shown, recorded: Shown) -> tuple[Failure, str] | None:
    """The first part of what was shown that a record tells otherwise, None if all is as it was."""
    if shown.board != recorded.board:
        return Failure.SHOWN_BOARD_DIFFERS, "it has another board"
    if shown.first_seat != recorded.first_seat:
        return Failure.SHOWN_FIRST_SEAT_DIFFERS, f"seat {shown.first_seat} began"
    for seat, hand in enumerate(shown.hands):
        dealt = recorded.hands[seat] if seat < len(recorded.hands) else None
        if hand is not None and not _agree(sorted(hand), sorted(dealt or ())):
            return Failure.SHOWN_HAND_DIFFERS, f"seat {seat} had {' '.join(hand)}"
    if not _agree(shown.row, recorded.row):
        return Failure.SHOWN_ROW_DIFFERS, f"the row was {' '.join(shown.row)}"
    return None


def _agree(seen: Sequence[str], recorded: Sequence[str]) -> bool:
    """Whether cards are the same; the record of a view does not tell them all."""
    return UNKNOWN in recorded or seen == recorded


def missing_move(moves: Moves, seat: int, steps: Iterable[Step]) -> tuple[int, int] | None:
    """The first choice of a seat that a record does not have in its place.

    It may have others between: a bot that played on for the seat, or another device, made them.
    """
    made = iter([(step.turn, step.code) for step in steps if step.seat == seat])
    for turn, code in moves:
        # None stands for a choice that the reader of a view may not know.
        if not any(when == turn and chosen in {code, None} for when, chosen in made):
            return turn, code
    return None
