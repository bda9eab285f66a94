"""Words for screens that have no letters but those of ASCII."""

import unicodedata
from typing import Final

_EVERYWHERE: Final = {
    "ß": "ss",
    "æ": "ae",
    "ø": "o",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{EN DASH}": "-",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
}
_OWN: Final = {"de": {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}}
"""How a language spells its letters in ASCII; the others drop the accents."""
_UNKNOWN: Final = "?"


def in_ascii(text: str, language: str = "") -> str:
    """A text spelled with ASCII alone, as its readers would spell it; what cannot be spelled is a `?`.

    >>> in_ascii("Schlüssel zur Größe", "de"), in_ascii("nästet på ön", "sv"), in_ascii("beëindigen", "nl")
    ('Schluessel zur Groesse', 'nastet pa on', 'beeindigen')
    """
    if text.isascii():
        return text
    spelling = str.maketrans(_EVERYWHERE | _OWN.get(language, {}))
    return "".join(map(_spelled, unicodedata.normalize("NFC", text).translate(spelling)))


def in_columns(text: str) -> str:
    """A text in ASCII that is as long as before, for lines that were laid out already.

    >>> in_columns("Zoë…")
    'Zoe.'
    """
    return text if text.isascii() else "".join(in_ascii(letter)[:1] or " " for letter in text)


def _spelled(letter: str) -> str:
    if letter.isascii():
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(letter) else _UNKNOWN)
