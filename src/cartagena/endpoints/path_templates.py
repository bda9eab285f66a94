"""Paths with named places in them: `/api/tables/{table_id:uuid}/seats/{seat:int}`."""

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec

PathValue = UUID | int | str

_UUID_LENGTH: Final = 36
_MOST_DIGITS: Final = 9
_MOST_LETTERS: Final = 100
_PLACE: Final = re.compile(r"\{(?P<name>[a-z_]+):(?P<kind>[a-z]+)\}")


def _read_uuid(text: str) -> UUID | None:
    if len(text) != _UUID_LENGTH:
        return None
    try:
        return msgspec.convert(text, UUID)
    except msgspec.ValidationError:
        return None


def _read_number(text: str) -> int | None:
    fits = len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit()
    return int(text) if fits else None


def _read_text(text: str) -> str | None:
    return text if 0 < len(text) <= _MOST_LETTERS and text.isprintable() else None


class PlaceKind(enum.Enum):
    """What may stand in a place of a path: how it is read, and its JSON schema."""

    UUID = ("uuid", _read_uuid, {"type": "string", "format": "uuid"})
    INT = ("int", _read_number, {"type": "integer", "minimum": 0, "maximum": 10**_MOST_DIGITS - 1})
    TEXT = ("text", _read_text, {"type": "string", "minLength": 1, "maxLength": _MOST_LETTERS})

    def __init__(
        self, word: str, read: Callable[[str], PathValue | None], schema: dict[str, str | int]
    ) -> None:
        self.word = word
        self.read = read
        self.schema = schema


@dataclass(frozen=True, slots=True)
class PathPlace:
    """A named part of a path that differs from request to request."""

    name: str
    kind: PlaceKind


def parts_of(path: str) -> tuple[str | PathPlace, ...]:
    """The words and places of a path, in order.

    >>> parts_of("/api/seats/{seat:int}")[:2]
    ('api', 'seats')
    >>> parts_of("/api/seats/{seat:int}")[2].name
    'seat'
    """
    assert path.startswith("/"), path
    return tuple(_part(text) for text in path[1:].split("/"))


def places_of(path: str) -> tuple[PathPlace, ...]:
    """The places of a path alone."""
    return tuple(part for part in parts_of(path) if isinstance(part, PathPlace))


def plain(path: str) -> str:
    """The path as people and documents write it, without kinds.

    >>> plain("/api/seats/{seat:int}")
    '/api/seats/{seat}'
    """
    return _PLACE.sub(r"{\g<name>}", path)


def _part(text: str) -> str | PathPlace:
    match = _PLACE.fullmatch(text)
    if match is None:
        assert "{" not in text, f"cannot read {text}"
        return text
    return PathPlace(match["name"], next(kind for kind in PlaceKind if kind.word == match["kind"]))
