"""Encodings: which of the forms that the build made of a file a browser gets."""

from collections.abc import Container
from typing import Final

BROTLI: Final = "br"
GZIP: Final = "gzip"
IDENTITY: Final = "identity"

SUFFIXES: Final = {BROTLI: ".br", GZIP: ".gz"}
"""How the build names the packed forms of a file, smallest first."""


def best_encoding(accepted: bytes, made: Container[str]) -> str:
    """The smallest form that was made and is accepted; the plain one is always there.

    >>> best_encoding(b"gzip, deflate, br", {"br", "gzip"})
    'br'
    >>> best_encoding(b"gzip;q=1.0, br;q=0", {"br", "gzip"})
    'gzip'
    >>> best_encoding(b"*", {"gzip"})
    'gzip'
    """
    wishes = wishes_of(accepted)
    for encoding in SUFFIXES:
        if encoding in made and wishes.get(encoding, wishes.get("*", 0.0)) > 0.0:
            return encoding
    return IDENTITY


def wishes_of(accepted: bytes) -> dict[str, float]:
    """Return the weight of each name in an Accept header, in order; 0 if the weight cannot be read."""
    wishes = {}
    for part in accepted.decode("latin-1").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        wishes[name] = _weight(parameters)
    return wishes


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
