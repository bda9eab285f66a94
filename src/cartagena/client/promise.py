"""The promise of the shuffle, as a client keeps it: look, keep, and only then show your own number.

`docs/fairness.md` says what each step is good for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from cartagena.client.errors import BrokenPromise
from cartagena.fairness import SIZE, Kept, Promise, commit
from cartagena.fairness.record import Report, verify_record
from cartagena.messages.tables import TableMessage
from cartagena.messages.views import ruleset_of
from cartagena.notation import Record
from cartagena.notation.ruleset_text import format_ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Pledge:
    """A number for one start of one game, secret until everything else is fixed."""

    nonce: bytes = field(repr=False)

    @classmethod
    def draw(cls, chance: Callable[[int], bytes]) -> Self:
        """Draw a new number; `chance` returns as many unpredictable bytes as it is asked for."""
        return cls(nonce=chance(SIZE))

    @property
    def nonce_hash(self) -> str:
        """What is shown of it beforehand."""
        return commit(self.nonce)


def check_record(record: Record, kept: Kept | None) -> Report:
    """Raise BrokenPromise unless a record is fair, by the rules, and what was promised, if that was kept."""
    report = verify_record(record, kept)
    troubles = _troubles(report)
    if troubles:
        raise BrokenPromise("; ".join(troubles), report.failed)
    return report


def troubles_of(record: Record) -> list[str]:
    """What is wrong with a record in itself; nothing if it was fair and by the rules."""
    return _troubles(verify_record(record))


def _troubles(report: Report) -> list[str]:
    wrong = [str(finding) for finding in report.failed]
    if report.verdict is None:
        return [*wrong, "the record does not tell all that proves its shuffle"]
    return wrong


def promise_of(table: TableMessage) -> Promise:
    """The promise that a table shows when its game starts."""
    return Promise(
        game_id=table.game,
        ruleset=format_ruleset(ruleset_of(table.ruleset)),
        commitment=table.commitment,
        nonce_hashes=tuple(chair.nonce_hash for chair in table.chairs),
    )


def kept_promise(table: TableMessage, seat: int, pledge: Pledge, commitment: str | None) -> Kept:
    """Look at a promise before the number is shown; `commitment` is the one seen when it was promised.

    Raises BrokenPromise: then the number must not be shown.
    """
    if commitment is None or table.commitment != commitment:
        raise BrokenPromise("the commitment is not the one that was there when we promised our number")
    if table.chairs[seat].nonce_hash != pledge.nonce_hash:
        raise BrokenPromise("another hash than ours stands at our seat")
    promise = promise_of(table)
    return Kept(
        game_id=promise.game_id,
        ruleset=promise.ruleset,
        commitment=promise.commitment,
        nonce_hashes=promise.nonce_hashes,
        nonce=pledge.nonce,
    )
