"""Reading records: a visitor is told the headers, each action and the result."""

from collections.abc import Iterator
from typing import Final

from cartagena.notation.action_text import read_action
from cartagena.notation.cards import Cards, read_cards
from cartagena.notation.errors import NotationError
from cartagena.notation.header_reader import read_headers
from cartagena.notation.names import SEAT_BY_COLOUR, UNKNOWN, read_playing_seat
from cartagena.notation.position_text import LATEST_TURN
from cartagena.notation.reading import Line, Words, lines_of
from cartagena.notation.record import WITH_WINNER, Ending, Headers, Record, Result, Step
from cartagena.notation.record_text import FIRST_LINE
from cartagena.rules.ruleset import NEST

_ENDINGS: Final = {ending.value: ending for ending in Ending if ending is not Ending.WON}


class RecordVisitor:
    """Receives what a reader finds; override the methods you need."""

    def headers(self, headers: Headers) -> bool:
        """A record begins; answer False to skip its actions and its result."""
        del headers
        return True

    def action(self, step: Step) -> None:
        """The next action of the record."""

    def result(self, result: Result) -> None:
        """The record is complete."""


class _Builder(RecordVisitor):
    """Builds records from what the reader finds."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._headers: Headers | None = None
        self._steps: list[Step] = []

    def headers(self, headers: Headers) -> bool:
        self._headers = headers
        self._steps = []
        return True

    def action(self, step: Step) -> None:
        self._steps.append(step)

    def result(self, result: Result) -> None:
        assert self._headers is not None
        self.records.append(Record(headers=self._headers, steps=tuple(self._steps), result=result))


def parse_record(text: str) -> Record:
    """The one record of a text; raises NotationError."""
    blocks = list(_blocks(text))
    if not blocks:
        raise NotationError("", 1, 1, "a record")
    builder = _Builder()
    _read_record(blocks[0], builder)
    if len(blocks) > 1:
        raise blocks[1][0].error("the end after one record")
    return builder.records[0]


def parse_records(text: str) -> tuple[Record, ...]:
    """All records of a text, separated by blank lines; raises NotationError."""
    builder = _Builder()
    read_records(text, builder)
    return tuple(builder.records)


def read_records(text: str, visitor: RecordVisitor) -> None:
    """Read the records of a text and tell a visitor; raises NotationError."""
    for block in _blocks(text):
        _read_record(block, visitor)


def _blocks(text: str) -> Iterator[list[Line]]:
    block: list[Line] = []
    # A blank line ends a record, so the last one is given its own.
    for line, blank in lines_of(text + "\n"):
        if line.text:
            block.append(line)
        elif blank and block:
            yield block
            block = []


def _read_record(block: list[Line], visitor: RecordVisitor) -> None:
    first, *rest = block
    if first.text != FIRST_LINE:
        raise first.error(repr(FIRST_LINE))
    split = next((number for number, line in enumerate(rest) if _ends_headers(line)), len(rest))
    headers = read_headers(rest[:split], first)
    if not visitor.headers(headers):
        return
    *turns, last = rest[split:] or [block[-1]]
    _read_turns(turns, headers, visitor)
    visitor.result(_read_result(last, headers.seats))


def _ends_headers(line: Line) -> bool:
    return line.text[0].isdigit() or line.text.startswith("Result")


def _read_turns(lines: list[Line], headers: Headers, visitor: RecordVisitor) -> None:
    before = 0
    for line in lines:
        words = Words(line)
        turn = words.number(f"a turn's number after {before}", before + 1, LATEST_TURN)
        seat = read_playing_seat(words, headers.seats)
        words.expect(":")
        visitor.action(_read_step(words, headers, turn, seat))
        while not words.done:
            words.expect(";")
            named = words.peek() in SEAT_BY_COLOUR
            actor = read_playing_seat(words, headers.seats) if named else seat
            visitor.action(_read_step(words, headers, turn, actor))
        before = turn


def _read_step(words: Words, headers: Headers, turn: int, seat: int) -> Step:
    family = headers.ruleset.family
    column = words.column
    unknown = family == NEST and words.accept("trim", UNKNOWN)
    code = None if unknown else read_action(words, family)
    orders: list[Cards] = []
    while words.accept("["):
        words.expect("order")
        words.expect(":")
        orders.append(read_cards(words, family))
        words.expect("]")
    return Step(turn=turn, seat=seat, code=code, orders=tuple(orders), line=words.line.number, column=column)


def _read_result(line: Line, seats: int) -> Result:
    parts = line.split()
    if parts is None or parts[0].text != "Result":
        raise line.error("a turn, or at the end 'Result: ...'")
    words = Words(parts[1])
    if words.peek() in SEAT_BY_COLOUR:
        return Result(Ending.WON, _read_winner(words, seats))
    ending = words.one_of(_ENDINGS, f"a result (COLOUR wins, {', '.join(_ENDINGS)})")
    if ending in WITH_WINNER and words.accept(","):
        return Result(ending, _read_winner(words, seats))
    words.end()
    return Result(ending)


def _read_winner(words: Words, seats: int) -> int:
    winner = read_playing_seat(words, seats)
    words.expect("wins")
    words.end()
    return winner
