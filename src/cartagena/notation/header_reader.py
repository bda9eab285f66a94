"""Reading the headers of a record."""

import re
from datetime import date
from typing import Final

from cartagena.notation.cards import Cards, read_board, read_cards
from cartagena.notation.names import COLOURS, read_seat
from cartagena.notation.reading import Line, Words, whole_number
from cartagena.notation.record import Headers, is_deal, is_game_id, is_hash, is_name
from cartagena.notation.record_text import BOT
from cartagena.notation.ruleset_text import read_ruleset
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset

_NEEDED: Final = ("Rules", "Ruleset", "Seat", "Board", "First", "Deal")
_OPTIONAL: Final = ("Game", "Date", "Commitment", "Nonce hashes", "Nonces", "Secret")
KEYS: Final = _NEEDED + _OPTIONAL
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


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
    nonce_hashes = _read_hashes(values["Nonce hashes"], len(names))
    nonces = _read_hashes(values["Nonces"], len(names))
    secret = _read_hash(values["Secret"])
    return Headers(
        ruleset=ruleset,
        board=read_board(values["Board"][0], ruleset.family),
        names=names,
        first_seat=_read_first(values["First"][0], len(names)),
        deal=_read_deal(values["Deal"][0], ruleset),
        game_id=_read_game_id(values["Game"]),
        date=_read_date(values["Date"]),
        rules_version=_read_version(values["Rules"][0]),
        commitment=_read_hash(values["Commitment"]),
        nonce_hashes=nonce_hashes,
        nonces=None
        if nonces is None
        else tuple(None if text is None else bytes.fromhex(text) for text in nonces),
        secret=None if secret is None else bytes.fromhex(secret),
    )


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
    seat = read_seat(words)
    words.end()
    if seat >= seats:
        raise line.error(f"a crew that plays ({', '.join(COLOURS[:seats])})")
    return seat


def _read_deal(line: Line, ruleset: Ruleset) -> Cards:
    words = Words(line)
    deal = read_cards(words, ruleset.family)
    words.end()
    if not is_deal(ruleset, deal):
        raise line.error(f"the {len(ruleset.deck())} cards of the deck")
    return deal


def _read_game_id(lines: list[Line]) -> str | None:
    for line in lines:
        if not is_game_id(line.text):
            raise line.error("a game id in plain letters and signs")
        return line.text
    return None


def _read_date(lines: list[Line]) -> date | None:
    for line in lines:
        try:
            if _DATE.fullmatch(line.text):
                return date.fromisoformat(line.text)
        except ValueError as error:
            raise line.error("a day of the calendar") from error
        raise line.error("a date as YYYY-MM-DD")
    return None


def _read_hash(lines: list[Line]) -> str | None:
    for line in lines:
        if not is_hash(line.text):
            raise line.error("64 hexadecimal digits")
        return line.text
    return None


def _read_hashes(lines: list[Line], seats: int) -> tuple[str | None, ...] | None:
    for line in lines:
        words = line.text.split(" ")
        if len(words) != seats or not all(word == BOT or is_hash(word) for word in words):
            raise line.error(f"for each of the {seats} seats 64 hexadecimal digits, or {BOT!r} for a bot")
        return tuple(None if word == BOT else word for word in words)
    return None
