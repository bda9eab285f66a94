"""Reading the headers of a record."""

import re
from collections.abc import Callable
from datetime import date
from typing import Final, TypeVar

from cartagena.notation.cards import Cards, read_board, read_cards
from cartagena.notation.names import COLOURS, read_playing_seat
from cartagena.notation.reading import Line, Words, whole_number
from cartagena.notation.record import Headers, is_deal, is_game_id, is_hash, is_name
from cartagena.notation.record_text import NO_NONCE
from cartagena.notation.ruleset_text import read_ruleset
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset

_NEEDED: Final = ("Rules", "Ruleset", "Seat", "Board", "First", "Deal")
_OPTIONAL: Final = ("Game", "Date", "Commitment", "Nonce hashes", "Nonces", "Secret")
KEYS: Final = _NEEDED + _OPTIONAL
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_T = TypeVar("_T")


def read_headers(lines: list[Line], first: Line) -> Headers:
    """Read the header lines of a record; `first` is the line before them."""
    values: dict[str, list[Line]] = {key: [] for key in KEYS}
    for line in lines:
        parts = line.split()
        if parts is None or parts[0].text not in KEYS:
            raise line.error(f"a header ({', '.join(KEYS)}), a turn or the result")
        key, value = parts
        if values[key.text] and key.text != "Seat":
            raise line.error(f"{key.text} only once")
        values[key.text].append(value)
    for needed in _NEEDED:
        if not values[needed]:
            raise [first, *lines][-1].error(f"also a line {needed!r}")
    return _headers(values)


def _headers(values: dict[str, list[Line]]) -> Headers:
    ruleset = read_ruleset(values["Ruleset"][0])
    names = _read_names(values["Seat"])
    return Headers(
        ruleset=ruleset,
        board=read_board(values["Board"][0], ruleset.family),
        names=names,
        first_seat=_read_first(values["First"][0], len(names)),
        deal=_read_deal(values["Deal"][0], ruleset),
        game_id=_if_written(values["Game"], _read_game_id),
        date=_if_written(values["Date"], _read_date),
        rules_version=_read_version(values["Rules"][0]),
        commitment=_if_written(values["Commitment"], _read_hash),
        nonce_hashes=_if_written(values["Nonce hashes"], lambda line: _read_hashes(line, len(names))),
        nonces=_if_written(values["Nonces"], lambda line: _read_nonces(line, len(names))),
        secret=_if_written(values["Secret"], lambda line: bytes.fromhex(_read_hash(line))),
    )


def _if_written(lines: list[Line], read: Callable[[Line], _T]) -> _T | None:
    return read(lines[0]) if lines else None


def _read_version(line: Line) -> int:
    version = whole_number(line.text)
    if not version:
        raise line.error("a rules version, from 1 on")
    return version


def _read_names(lines: list[Line]) -> tuple[str, ...]:
    names: list[str] = []
    for line, colour in zip(lines, COLOURS, strict=False):
        word, _, name = line.text.partition(" ")
        if word != colour or not is_name(name.strip(" ")):
            raise line.error(f"{colour} and a name, or {colour} alone")
        names.append(name.strip(" "))
    if not FEWEST_SEATS <= len(lines) <= MOST_SEATS:
        raise lines[-1].error(f"{FEWEST_SEATS} to {MOST_SEATS} seats, not {len(lines)}")
    return tuple(names)


def _read_first(line: Line, seats: int) -> int:
    words = Words(line)
    seat = read_playing_seat(words, seats)
    words.end()
    return seat


def _read_deal(line: Line, ruleset: Ruleset) -> Cards:
    words = Words(line)
    deal = read_cards(words, ruleset.family)
    words.end()
    if not is_deal(ruleset, deal):
        raise line.error(f"the {len(ruleset.deck())} cards of the deck")
    return deal


def _read_game_id(line: Line) -> str:
    if not is_game_id(line.text):
        raise line.error("a game id in plain letters and signs")
    return line.text


def _read_date(line: Line) -> date:
    if not _DATE.fullmatch(line.text):
        raise line.error("a date as YYYY-MM-DD")
    try:
        return date.fromisoformat(line.text)
    except ValueError as error:
        raise line.error("a day of the calendar") from error


def _read_hash(line: Line) -> str:
    if not is_hash(line.text):
        raise line.error("64 hexadecimal digits")
    return line.text


def _read_hashes(line: Line, seats: int) -> tuple[str | None, ...]:
    words = line.text.split(" ")
    if len(words) != seats or not all(word == NO_NONCE or is_hash(word) for word in words):
        raise line.error(f"for each of the {seats} seats 64 hexadecimal digits, or {NO_NONCE!r} for none")
    return tuple(None if word == NO_NONCE else word for word in words)


def _read_nonces(line: Line, seats: int) -> tuple[bytes | None, ...]:
    return tuple(None if text is None else bytes.fromhex(text) for text in _read_hashes(line, seats))
