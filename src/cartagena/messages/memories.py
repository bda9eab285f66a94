"""The memory of a view on the wire: short text, since it grows with the game.

A log is read from left to right. A digit says whose doings follow: `.` a card drawn unseen, `+` and a
letter a card drawn and known, a letter alone a card laid down, `-` and a letter a card taken back by undo.
`|` means that the stock was renewed.
"""

import re
from typing import Final

from msgspec import Struct

from cartagena.messages.cards import LETTERS, MessageError, cards_in, letters_of
from cartagena.rules.hidden.knowledge import UNSEEN, Memory
from cartagena.rules.position import LOG_DREW, LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK
from cartagena.rules.ruleset import MOST_SEATS

RENEWED: Final = "|"
DREW_UNSEEN: Final = "."
DREW: Final = "+"
TOOK_BACK: Final = "-"
SIGNS_OF_MARKS: Final = {LOG_DREW: DREW, LOG_LAID: "", LOG_TAKEN_BACK: TOOK_BACK}
STEPS: Final = {
    mark + 16 * seat + card: (str(seat), sign + letter)
    for mark, sign in SIGNS_OF_MARKS.items()
    for seat in range(MOST_SEATS)
    for card, letter in enumerate(LETTERS)
}
STEPS.update({LOG_DREW + 16 * seat + UNSEEN: (str(seat), DREW_UNSEEN) for seat in range(MOST_SEATS)})
STEPS[LOG_RENEWED] = ("", RENEWED)
"""How each entry of a log is written: which seat did it, if any, and what was done."""

WELL_FORMED: Final = re.compile(r"\|*([0-4](\||\.|[+-]?[a-n])+)*")
STEP: Final = re.compile(r"[0-4|.]|[+-]?[a-n]")


class MemoryMessage(Struct, frozen=True, kw_only=True):
    """Discard and hands at the beginning as letters, null for an unknown hand; the log as above."""

    discard: str
    hands: tuple[str | None, ...]
    log: str


def memory_message(memory: Memory) -> MemoryMessage:
    """A memory as it is sent."""
    return MemoryMessage(
        discard=letters_of(memory.discard),
        hands=tuple(None if hand is None else letters_of(hand) for hand in memory.hands),
        log=log_text(memory.log),
    )


def memory_of(message: MemoryMessage) -> Memory:
    """The memory that a message tells."""
    return Memory(
        discard=cards_in(message.discard),
        hands=tuple(None if hand is None else cards_in(hand) for hand in message.hands),
        log=log_of(message.log),
    )


def log_text(log: tuple[int, ...]) -> str:
    """A log as text.

    >>> log_text((15, 3, 128 + 3, 256, 16 + 15, 128 + 16 + 2))
    '0.+dd|1.c'
    """
    steps: list[str] = []
    last = None
    for entry in log:
        seat, step = STEPS[entry]
        if seat != last and seat:
            steps.append(seat)
            last = seat
        steps.append(step)
    return "".join(steps)


def log_of(text: str) -> tuple[int, ...]:
    """The log that a text tells.

    >>> log_of("0.+dd|1.c")
    (15, 3, 131, 256, 31, 146)
    """
    if not WELL_FORMED.fullmatch(text):
        raise MessageError(f"a log is digits, letters from a to n, '.', '+', '-' and '|', not {text!r}")
    log: list[int] = []
    seat = 0
    for step in STEP.findall(text):
        if step == RENEWED:
            log.append(LOG_RENEWED)
        elif step == DREW_UNSEEN:
            log.append(LOG_DREW + 16 * seat + UNSEEN)
        elif step.isdigit():
            seat = int(step)
        else:
            mark = next(mark for mark, sign in SIGNS_OF_MARKS.items() if sign == step[:-1])
            log.append(mark + 16 * seat + LETTERS.index(step[-1]))
    return tuple(log)
