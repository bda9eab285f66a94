"""The promise of the shuffle, as a client keeps it: look, keep, and only then show the own number.

`docs/fairness.md` says what each step is good for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from cartagena.client.errors import BrokenPromise
from cartagena.fairness import SIZE, Promise, commit
from cartagena.fairness.record import verify_record
from cartagena.messages.tables import TableMessage
from cartagena.messages.views import ruleset_of
from cartagena.notation import Record
from cartagena.notation.ruleset_text import format_ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Pledge:
    """A number for one start of one game, which nobody may know before everything else is fixed."""

    nonce: bytes = field(repr=False)

    @classmethod
    def draw(cls, chance: Callable[[int], bytes]) -> Self:
        """A new number; `chance` gives as many bytes as it is asked for that nobody can guess."""
        return cls(nonce=chance(SIZE))

    @property
    def nonce_hash(self) -> str:
        """What is shown of it beforehand."""
        return commit(self.nonce)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The promise as it stood when the own number was shown: whoever keeps it can check the record later."""

    promise: Promise
    seat: int
    nonce: bytes = field(repr=False)

    def troubles(self, record: Record) -> list[str]:
        """In what a record of the game is not what was promised."""
        headers, promise = record.headers, self.promise
        told = {
            "game": (headers.game_id, promise.game_id),
            "ruleset": (format_ruleset(headers.ruleset), promise.ruleset),
            "commitment": (headers.commitment, promise.commitment),
            "hash of a seat": (headers.nonce_hashes, promise.nonce_hashes),
        }
        differing = [name for name, (recorded, promised) in told.items() if recorded != promised]
        if headers.nonces is None or headers.nonces[self.seat] != self.nonce:
            differing.append("number at our own seat")
        return [f"the {name} is not the one promised" for name in differing]


def check_record(record: Record, kept: Kept | None) -> None:
    """Raise BrokenPromise unless a record is fair, by the rules, and what was promised, if that was kept."""
    troubles = troubles_of(record) if kept is None else [*kept.troubles(record), *troubles_of(record)]
    if troubles:
        raise BrokenPromise("; ".join(troubles))


def troubles_of(record: Record) -> list[str]:
    """What is wrong with a record in itself; nothing if it was fair and by the rules."""
    report = verify_record(record)
    troubles = [] if report.broken is None else [f"the game cannot have gone so: {report.broken}"]
    if report.verdict is None:
        return [*troubles, "the record does not tell all that proves its shuffle"]
    return troubles + [str(finding) for finding in report.verdict.failed]


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
    return Kept(promise=promise_of(table), seat=seat, nonce=pledge.nonce)
