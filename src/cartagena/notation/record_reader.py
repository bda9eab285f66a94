"""Reading records: a visitor is told the headers, each action and the result."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final, TypeVar

from cartagena.notation.action_text import read_action
from cartagena.notation.names import (
    COLOURS,
    SEAT_BY_COLOUR,
    UNKNOWN,
    Cards,
    read_board,
    read_cards,
    read_playing_seat,
)
from cartagena.notation.position_text import KEYS_AFTER_BOARD, LATEST_TURN, read_ruleset, read_sight
from cartagena.notation.record import (
    FIRST_LINE,
    NO_NONCE,
    WITH_WINNER,
    Ending,
    Headers,
    Record,
    Result,
    Step,
    is_deal,
    is_game_id,
    is_hash,
    is_name,
)
from cartagena.notation.sight import Sight
from cartagena.notation.tokens import NotationError, TextLine, TokenReader, lines_of, whole_number
from cartagena.rules.families.facts import facts_of
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset

_NEEDED: Final = ("Rules", "Ruleset", "Seat", "Board")
_OF_DEAL: Final = ("First", "Deal")
_OPTIONAL: Final = ("Game", "Date", "Commitment", "Nonce hashes", "Nonces", "Secret")
KEYS: Final = _NEEDED + _OF_DEAL + _OPTIONAL + KEYS_AFTER_BOARD
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_T = TypeVar("_T")


def read_headers(lines: list[TextLine], first: TextLine) -> Headers:
    """Read the header lines of a record; `first` is the line before them."""
    values: dict[str, list[TextLine]] = {key: [] for key in KEYS}
    for line in lines:
        parts = line.split()
        if parts is None or parts[0].text not in KEYS:
            raise line.error(f"a header ({', '.join(KEYS)}), a turn or the result")
        key, value = parts
        if values[key.text] and key.text != "Seat":
            raise line.error(f"{key.text} only once")
        values[key.text].append(value)
    last = [first, *lines][-1]
    set_up = [line for key in KEYS_AFTER_BOARD for line in values[key]]
    for needed in (*_NEEDED, *(() if set_up else _OF_DEAL)):
        if not values[needed]:
            raise last.error(f"also a line {needed!r}")
    return _headers(values, _read_opening(values, last) if set_up else None)


def _read_opening(values: dict[str, list[TextLine]], last: TextLine) -> Sight:
    for line in (*values["First"], *values["Deal"]):
        raise line.error("no deal beside the lines of a position")
    opening = read_sight({key: found[0] for key, found in values.items() if found}, last)
    if len(opening.pirates) != len(values["Seat"]):
        raise last.error(f"a seat for each of the {len(opening.pirates)} crews, not {len(values['Seat'])}")
    return opening


def _headers(values: dict[str, list[TextLine]], opening: Sight | None) -> Headers:
    ruleset = read_ruleset(values["Ruleset"][0])
    names = _read_names(values["Seat"])
    return Headers(
        ruleset=ruleset,
        board=read_board(values["Board"][0], ruleset.family),
        names=names,
        first_seat=_read_first(values["First"][0], len(names)) if opening is None else opening.seat,
        deal=_read_deal(values["Deal"][0], ruleset) if opening is None else (),
        opening=opening,
        game_id=_if_written(values["Game"], _read_game_id),
        date=_if_written(values["Date"], _read_date),
        rules_version=_read_version(values["Rules"][0]),
        commitment=_if_written(values["Commitment"], _read_hash),
        nonce_hashes=_if_written(values["Nonce hashes"], lambda line: _read_hashes(line, len(names))),
        nonces=_if_written(values["Nonces"], lambda line: _read_nonces(line, len(names))),
        secret=_if_written(values["Secret"], lambda line: bytes.fromhex(_read_hash(line))),
    )


def _if_written(lines: list[TextLine], read: Callable[[TextLine], _T]) -> _T | None:
    return read(lines[0]) if lines else None


def _read_version(line: TextLine) -> int:
    version = whole_number(line.text)
    if not version:
        raise line.error("a rules version, from 1 on")
    return version


def _read_names(lines: list[TextLine]) -> tuple[str, ...]:
    names: list[str] = []
    for line, colour in zip(lines, COLOURS, strict=False):
        word, _, name = line.text.partition(" ")
        if word != colour or not is_name(name.strip(" ")):
            raise line.error(f"{colour} and a name, or {colour} alone")
        names.append(name.strip(" "))
    if not FEWEST_SEATS <= len(lines) <= MOST_SEATS:
        raise lines[-1].error(f"{FEWEST_SEATS} to {MOST_SEATS} seats, not {len(lines)}")
    return tuple(names)


def _read_first(line: TextLine, seats: int) -> int:
    words = TokenReader(line)
    seat = read_playing_seat(words, seats)
    words.end()
    return seat


def _read_deal(line: TextLine, ruleset: Ruleset) -> Cards:
    words = TokenReader(line)
    deal = read_cards(words, ruleset.family)
    words.end()
    if not is_deal(ruleset, deal):
        raise line.error(f"the {len(ruleset.deck())} cards of the deck")
    return deal


def _read_game_id(line: TextLine) -> str:
    if not is_game_id(line.text):
        raise line.error("a game id in plain letters and signs")
    return line.text


def _read_date(line: TextLine) -> date:
    if not _DATE.fullmatch(line.text):
        raise line.error("a date as YYYY-MM-DD")
    try:
        return date.fromisoformat(line.text)
    except ValueError as error:
        raise line.error("a day of the calendar") from error


def _read_hash(line: TextLine) -> str:
    if not is_hash(line.text):
        raise line.error("64 hexadecimal digits")
    return line.text


def _read_hashes(line: TextLine, seats: int) -> tuple[str | None, ...]:
    words = line.text.split(" ")
    if len(words) != seats or not all(word == NO_NONCE or is_hash(word) for word in words):
        raise line.error(f"for each of the {seats} seats 64 hexadecimal digits, or {NO_NONCE!r} for none")
    return tuple(None if word == NO_NONCE else word for word in words)


def _read_nonces(line: TextLine, seats: int) -> tuple[bytes | None, ...]:
    return tuple(None if text is None else bytes.fromhex(text) for text in _read_hashes(line, seats))


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


def _blocks(text: str) -> Iterator[list[TextLine]]:
    block: list[TextLine] = []
    # A blank line ends a record, so the last one is given its own.
    for line, blank in lines_of(text + "\n"):
        if line.text:
            block.append(line)
        elif blank and block:
            yield block
            block = []


def _read_record(block: list[TextLine], visitor: RecordVisitor) -> None:
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


def _ends_headers(line: TextLine) -> bool:
    return line.text[0].isdigit() or line.text.startswith("Result")


def _read_turns(lines: list[TextLine], headers: Headers, visitor: RecordVisitor) -> None:
    before = 0
    for line in lines:
        words = TokenReader(line)
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


def _read_step(words: TokenReader, headers: Headers, turn: int, seat: int) -> Step:
    family = headers.ruleset.family
    column = words.column
    unknown = facts_of(family).has_gold and words.accept("trim", UNKNOWN)
    code = None if unknown else read_action(words, family)
    orders: list[Cards] = []
    while words.accept("["):
        words.expect("order")
        words.expect(":")
        orders.append(read_cards(words, family))
        words.expect("]")
    return Step(turn=turn, seat=seat, code=code, orders=tuple(orders), line=words.line.number, column=column)


def _read_result(line: TextLine, seats: int) -> Result:
    parts = line.split()
    if parts is None or parts[0].text != "Result":
        raise line.error("a turn, or at the end 'Result: ...'")
    words = TokenReader(parts[1])
    if words.peek() in SEAT_BY_COLOUR:
        return Result(Ending.WON, _read_winner(words, seats))
    ending = words.one_of(_ENDINGS, f"a result (COLOUR wins, {', '.join(_ENDINGS)})")
    if ending in WITH_WINNER and words.accept(","):
        return Result(ending, _read_winner(words, seats))
    words.end()
    return Result(ending)


def _read_winner(words: TokenReader, seats: int) -> int:
    winner = read_playing_seat(words, seats)
    words.expect("wins")
    words.end()
    return winner
