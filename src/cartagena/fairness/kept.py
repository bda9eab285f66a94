"""What somebody saw before the deal and kept: the record is compared with it after the game."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from cartagena.fairness.checks import FairnessError, full_size, hash_text, in_range, one_line
from cartagena.fairness.commitment import commit
from cartagena.fairness.findings import Claim, Failure, Finding
from cartagena.notation.record import Headers
from cartagena.notation.ruleset_text import format_ruleset

_MOST_STARTS: Final = 2**31
_START: Final = re.compile(r"\.([0-9]{1,9})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What enters the key, as it stood before the own number was shown; None for what was not seen.

    `starts` counts the starts of the table for which an own number was shown: each but the last was called
    off when the operator could know what it would deal.
    """

    game_id: str | None = None
    ruleset: str | None = None
    commitment: str | None = None
    nonce_hashes: tuple[str | None, ...] | None = None
    nonce: bytes | None = field(default=None, repr=False)
    starts: int = 1

    def __post_init__(self) -> None:
        for name, line in (("a game id", self.game_id), ("a ruleset", self.ruleset)):
            if line is not None:
                one_line(name, line)
        for promised in (self.commitment, *(self.nonce_hashes or ())):
            if promised is not None:
                hash_text("a hash that was kept", promised)
        if self.nonce is not None:
            full_size("a nonce that was kept", self.nonce)
        in_range("the number of starts", self.starts, _MOST_STARTS)

    @classmethod
    def of_json(cls, text: str) -> Self:
        """What a client wrote down; raises FairnessError if it is none of that."""
        try:
            told = json.loads(text)
            hashes, nonce = told.get("nonce_hashes"), told.get("nonce")
            return cls(
                game_id=told.get("game"),
                ruleset=told.get("ruleset"),
                commitment=told.get("commitment"),
                nonce_hashes=None if hashes is None else tuple(hashes),
                nonce=None if nonce is None else bytes.fromhex(nonce),
                starts=told.get("starts", 1),
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise FairnessError(f"this is not what a client keeps: {error}") from error

    @property
    def json(self) -> str:
        """The form in which clients write it down."""
        told = {
            "game": self.game_id,
            "ruleset": self.ruleset,
            "commitment": self.commitment,
            "nonce_hashes": self.nonce_hashes,
            "nonce": None if self.nonce is None else self.nonce.hex(),
            "starts": self.starts,
        }
        return json.dumps(told)


def compare(kept: Kept, headers: Headers) -> tuple[Finding, ...]:
    """A finding for everything that was kept, in the order of the list."""
    answers: Mapping[Claim, tuple[object, Callable[[Kept, Headers], Finding]]] = {
        Claim.GAME: (kept.game_id, _of_game),
        Claim.RULESET: (kept.ruleset, _of_ruleset),
        Claim.COMMITMENT: (kept.commitment, _of_commitment),
        Claim.NONCE_HASHES: (kept.nonce_hashes, _of_hashes),
        Claim.OWN_NONCE: (kept.nonce, _of_own_nonce),
    }
    return tuple(answer(kept, headers) for seen, answer in answers.values() if seen is not None)


def start_of(game_id: str | None) -> int:
    """Which start of its table a game id names; 1 if it names none."""
    named = _START.search(game_id or "")
    return int(named[1]) if named else 1


def _of_game(kept: Kept, headers: Headers) -> Finding:
    if headers.game_id == kept.game_id:
        return Finding(Claim.GAME)
    table, recorded = (kept.game_id or "").rpartition(".")[0], (headers.game_id or "").rpartition(".")[0]
    failure = Failure.START_DIFFERS if table and table == recorded else Failure.GAME_DIFFERS
    return Finding(Claim.GAME, failure, f"the record has {headers.game_id or 'none'}")


def _of_ruleset(kept: Kept, headers: Headers) -> Finding:
    recorded = format_ruleset(headers.ruleset)
    if recorded == kept.ruleset:
        return Finding(Claim.RULESET)
    changed = sorted(set(recorded.split()) - set((kept.ruleset or "").split()))
    return Finding(Claim.RULESET, Failure.RULESET_DIFFERS, f"the record has {' '.join(changed) or recorded}")


def _of_commitment(kept: Kept, headers: Headers) -> Finding:
    if headers.commitment == kept.commitment:
        return Finding(Claim.COMMITMENT)
    reason = f"the record has {headers.commitment or 'none'}"
    return Finding(Claim.COMMITMENT, Failure.COMMITMENT_DIFFERS, reason)


def _of_hashes(kept: Kept, headers: Headers) -> Finding:
    promised, recorded = kept.nonce_hashes or (), headers.nonce_hashes or ()
    if promised == recorded:
        return Finding(Claim.NONCE_HASHES)
    if len(promised) != len(recorded):
        reason = f"{len(promised)} promised, the record has {len(recorded)}"
        return Finding(Claim.NONCE_HASHES, Failure.SEATS_DIFFER, reason)
    others = [str(seat) for seat, pair in enumerate(zip(promised, recorded, strict=True)) if len({*pair}) > 1]
    reason = f"other hashes stand at the seats {', '.join(others)}"
    is_reordered = sorted(map(str, promised)) == sorted(map(str, recorded))
    failure = Failure.SEATS_REORDERED if is_reordered else Failure.NONCE_HASH_DIFFERS
    return Finding(Claim.NONCE_HASHES, failure, reason)


def _of_own_nonce(kept: Kept, headers: Headers) -> Finding:
    assert kept.nonce is not None
    # Until the end of a game its record has no nonces, but their hashes.
    is_there = (
        commit(kept.nonce) in (headers.nonce_hashes or ())
        if headers.nonces is None
        else kept.nonce in headers.nonces
    )
    if is_there:
        return Finding(Claim.OWN_NONCE)
    return Finding(Claim.OWN_NONCE, Failure.NONCE_LEFT_OUT, "it is not among those of the record")
