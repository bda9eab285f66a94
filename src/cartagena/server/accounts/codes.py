"""Codes that a person reads and types: how they are written, and how they are proved.

The first letters find a code, the others prove it. So a wrong guess can be counted against the very
code it was aimed at, and a code that was guessed at too often becomes worthless.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from asyncpg import Record

from cartagena.server.accounts.directory import Chance
from cartagena.tables.errors import Problem, ServiceError

ALPHABET: Final = "ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, which are mistaken for other characters."""

_SLOW: Final = b"\x01"
"""Begins every hash made by scrypt; those of earlier releases are a bare SHA-256, one byte shorter."""
WORK = 2**13
"""Eight megabytes and a fiftieth of a second per try; with 62 random bits, guessing is out of reach."""

_FAIR: Final = 256 - 256 % len(ALPHABET)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeForm:
    """How long the two parts of a code are, and after how many letters a hyphen is inserted."""

    locator: int
    proof: int
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code in its two parts."""

    locator: str
    proof: str = field(repr=False)


def new_code(form: CodeForm, chance: Chance) -> Code:
    """A random code, every letter as likely as any other."""
    letters = ""
    while len(letters) < form.locator + form.proof:
        letters += "".join(ALPHABET[byte % len(ALPHABET)] for byte in chance(32) if byte < _FAIR)
    return Code(locator=letters[: form.locator], proof=letters[form.locator : form.locator + form.proof])


def written(code: Code, form: CodeForm) -> str:
    """A code as it is shown.

    >>> written(Code(locator="ABC", proof="DEFGH"), CodeForm(locator=3, proof=5, group=4))
    'ABCD-EFGH'
    """
    letters = code.locator + code.proof
    return "-".join(letters[at : at + form.group] for at in range(0, len(letters), form.group))


def read(text: str, form: CodeForm) -> Code:
    """The code that was typed, in any case and spacing; raises WRONG_PROOF if it cannot be a code."""
    letters = "".join(text.upper().replace("-", " ").split())
    if len(letters) != form.locator + form.proof or not set(letters) <= set(ALPHABET):
        raise wrong_code()
    return Code(locator=letters[: form.locator], proof=letters[form.locator :])


async def proof_hash(code_id: UUID, proof: str) -> bytes:
    """All that is stored of a proof; the id makes equal proofs look different."""
    return await asyncio.to_thread(_slow_hash, code_id, proof)


def _slow_hash(code_id: UUID, proof: str) -> bytes:
    return _SLOW + hashlib.scrypt(proof.encode(), salt=code_id.bytes, n=WORK, r=8, p=1, dklen=32)


def _quick_hash(code_id: UUID, proof: str) -> bytes:
    return hashlib.sha256(code_id.bytes + proof.encode()).digest()


async def proved(rows: Sequence[Record], proof: str) -> Record | None:
    """The row with this proof, None if there is none; every row is compared, each in constant time."""
    return await asyncio.to_thread(_first_proved, rows, proof)


def _first_proved(rows: Sequence[Record], proof: str) -> Record | None:
    if not rows:
        # As much work as for a code that exists: the time it takes must not reveal which codes do.
        _slow_hash(UUID(int=0), proof)
    matching = [row for row in rows if _proves(row["proof_hash"], row["code_id"], proof)]
    return matching[0] if matching else None


def _proves(kept: bytes, code_id: UUID, proof: str) -> bool:
    make = _quick_hash if len(kept) == hashlib.sha256().digest_size else _slow_hash
    return hmac.compare_digest(kept, make(code_id, proof))


def wrong_code() -> ServiceError:
    """The refusal of a code; it does not reveal whether a similar one exists."""
    return ServiceError(Problem.WRONG_PROOF, "this code is wrong, used or too old")
