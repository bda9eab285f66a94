"""What may take part in a fair shuffle, and the error for what may not."""

import re
from typing import Final

SIZE: Final = 32
"""The bytes in a secret, a nonce and a key: too many to guess, as many as SHA-256 keeps apart."""

_LINE: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class FairnessError(ValueError):
    """Something that cannot take part in a fair shuffle."""


def one_line(name: str, text: str) -> str:
    """Let one plain line pass; a line break or an exotic letter could make two settings look alike."""
    if not _LINE.fullmatch(text):
        raise FairnessError(f"{name} must be one line of printable ASCII, unspaced at its ends, not {text!r}")
    return text


def full_size(name: str, value: object) -> bytes:
    """Let 32 bytes pass, and keep the value itself out of the message, because it may be secret."""
    if not isinstance(value, bytes):
        raise FairnessError(f"{name} must be bytes, not {type(value).__name__}")
    if len(value) != SIZE:
        raise FairnessError(f"{name} must be exactly {SIZE} bytes, not {len(value)}")
    return value


def hash_text(name: str, text: str) -> str:
    """Let a SHA-256 hash pass, written as 64 small hexadecimal digits."""
    if not _HASH.fullmatch(text):
        raise FairnessError(f"{name} must be 64 small hexadecimal digits, not {text!r}")
    return text


def in_range(name: str, value: int, most: int) -> int:
    """Let a whole number from 1 to `most` pass."""
    if not 1 <= value <= most:
        raise FairnessError(f"{name} must be from 1 to {most}, not {value}")
    return value
