"""Did the game keep its promises? The one list of what is checked, and the reasons when it did not."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cartagena.fairness.shuffle import DEAL, FairnessError, Shuffle, check, hash_text, one_line, renewal


class Claim(enum.StrEnum):
    """What is checked; the value is the end of the key under which the catalogue says it."""

    # The record against what was seen before the deal.
    GAME = "game"
    RULESET = "ruleset"
    COMMITMENT = "commitment"
    NONCE_HASHES = "nonce_hashes"
    OWN_NONCE = "own_nonce"
    # The record against what was seen at the deal and done since.
    SHOWN_DEAL = "shown_deal"
    OWN_MOVES = "own_moves"
    # The record against itself.
    PLAY = "play"
    SECRET = "secret"
    SEATS = "seats"
    NONCE = "nonce"
    BOARD = "board"
    FIRST_SEAT = "first_seat"
    DEAL = "deal"
    RENEWAL = "renewal"


OF_KEPT = tuple(Claim)[: tuple(Claim).index(Claim.PLAY)]
"""What can be checked only with something kept: everything before the record against itself."""


class Failure(enum.StrEnum):
    """How a claim is false; the value is the end of the key under which the catalogue says it."""

    GAME_DIFFERS = "game_differs"
    START_DIFFERS = "start_differs"
    RULESET_DIFFERS = "ruleset_differs"
    COMMITMENT_DIFFERS = "commitment_differs"
    SEATS_DIFFER = "seats_differ"
    SEATS_REORDERED = "seats_reordered"
    NONCE_HASH_DIFFERS = "nonce_hash_differs"
    NONCE_LEFT_OUT = "nonce_left_out"
    SHOWN_SEAT_DIFFERS = "shown_seat_differs"
    SHOWN_BOARD_DIFFERS = "shown_board_differs"
    SHOWN_FIRST_SEAT_DIFFERS = "shown_first_seat_differs"
    SHOWN_HAND_DIFFERS = "shown_hand_differs"
    SHOWN_ROW_DIFFERS = "shown_row_differs"
    OWN_MOVES_DIFFER = "own_moves_differ"
    PLAY_BROKEN = "play_broken"
    COMMITMENT_BROKEN = "commitment_broken"
    NONCE_MISSING = "nonce_missing"
    NONCE_DIFFERS = "nonce_differs"
    NONCE_NOT_PROMISED = "nonce_not_promised"
    BOARD_DIFFERS = "board_differs"
    FIRST_SEAT_DIFFERS = "first_seat_differs"
    DEAL_DIFFERS = "deal_differs"
    RENEWAL_DIFFERS = "renewal_differs"


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim and whether it is true; `number` is the seat of a nonce or counts the renewals from 1."""

    claim: Claim
    failure: Failure | None = None
    reason: str = ""
    number: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the claim is true."""
        return self.failure is None

    @property
    def name(self) -> str:
        """The claim in English, for programs and errors: `nonce of seat 0`, `renewal 1`, `first seat`."""
        words = self.claim.replace("_", " ")
        if self.number is None:
            return words
        return f"{words} of seat {self.number}" if self.claim is Claim.NONCE else f"{words} {self.number}"

    def __str__(self) -> str:
        return f"{self.name}: true" if self.holds else f"{self.name}: false, {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What everybody at the table saw before the first nonce was sent."""

    game_id: str
    ruleset: str
    commitment: str
    nonce_hashes: tuple[str | None, ...]
    """What each seat promised, in the order of the seats; None for one that promised none."""

    def __post_init__(self) -> None:
        one_line("a game id", self.game_id)
        one_line("a ruleset", self.ruleset)
        hash_text("a commitment", self.commitment)
        if not self.nonce_hashes:
            raise FairnessError("a game has at least one seat")
        for seat, promised in enumerate(self.nonce_hashes):
            if promised is not None:
                hash_text(f"the nonce hash of seat {seat}", promised)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What a record says chance decided; None for a board or a first seat that the table chose."""

    deal: tuple[int, ...]
    renewals: tuple[tuple[int, ...], ...] = ()
    first_seat: int | None = None
    segments: tuple[tuple[int, ...], tuple[bool, ...]] | None = None
    pieces: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        if self.segments is not None and self.pieces is not None:
            raise FairnessError("a game has one board: of segments or of pieces, not of both")


DRAWN_OTHERWISE: Final = {
    Claim.BOARD: Failure.BOARD_DIFFERS,
    Claim.FIRST_SEAT: Failure.FIRST_SEAT_DIFFERS,
    Claim.DEAL: Failure.DEAL_DIFFERS,
    Claim.RENEWAL: Failure.RENEWAL_DIFFERS,
}
"""What is wrong if the shuffle gives something else."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings about one game."""

    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether every claim is true."""
        return not self.failed

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The claims that are not true."""
        return tuple(finding for finding in self.findings if not finding.holds)


def verify(promise: Promise, claims: Claims, *, secret: bytes, nonces: tuple[bytes | None, ...]) -> Verdict:
    """Check a finished game: the secret, every nonce, and everything chance is said to have decided.

    The game id and the ruleset are those of the promise, so a game played by other rules fails in its orders.
    """
    shuffle = Shuffle(game_id=promise.game_id, ruleset=promise.ruleset, nonces=nonces, secret=secret)
    return Verdict((_of_secret(promise, secret), *_of_seats(promise, nonces), *_of_claims(claims, shuffle)))


def _of_secret(promise: Promise, secret: bytes) -> Finding:
    if check(promise.commitment, secret):
        return Finding(Claim.SECRET)
    return Finding(Claim.SECRET, Failure.COMMITMENT_BROKEN, "it does not fit the commitment")


def _of_seats(promise: Promise, nonces: tuple[bytes | None, ...]) -> Iterator[Finding]:
    promised, present = len(promise.nonce_hashes), len(nonces)
    if promised != present:
        yield Finding(Claim.SEATS, Failure.SEATS_DIFFER, f"{promised} promised, {present} played")
        return
    yield Finding(Claim.SEATS)
    for seat, (nonce_hash, nonce) in enumerate(zip(promise.nonce_hashes, nonces, strict=True)):
        if nonce_hash is not None or nonce is not None:
            yield Finding(Claim.NONCE, *_of_nonce(nonce_hash, nonce), number=seat)


def _of_nonce(nonce_hash: str | None, nonce: bytes | None) -> tuple[Failure | None, str]:
    if nonce_hash is None:
        return Failure.NONCE_NOT_PROMISED, "that seat promised none"
    if nonce is None:
        return Failure.NONCE_MISSING, "it was never sent; such a start is called off"
    if not check(nonce_hash, nonce):
        return Failure.NONCE_DIFFERS, "it does not fit its hash"
    return None, ""


def _of_claims(claims: Claims, shuffle: Shuffle) -> Iterator[Finding]:
    if claims.segments is not None:
        yield _of_draw(Claim.BOARD, claims.segments, shuffle.segments())
    if claims.pieces is not None:
        yield _of_draw(Claim.BOARD, claims.pieces, shuffle.pieces())
    if claims.first_seat is not None:
        yield _of_draw(Claim.FIRST_SEAT, (claims.first_seat,), (shuffle.first_seat(),))
    yield _of_draw(Claim.DEAL, claims.deal, shuffle.order(DEAL, claims.deal))
    for number, order in enumerate(claims.renewals, 1):
        yield _of_draw(Claim.RENEWAL, order, shuffle.order(renewal(number), order), number)


def _of_draw(
    claim: Claim, claimed: tuple[object, ...], drawn: tuple[object, ...], number: int | None = None
) -> Finding:
    if claimed == drawn:
        return Finding(claim, number=number)
    return Finding(claim, DRAWN_OTHERWISE[claim], _difference(claimed, drawn), number)


def _difference(claimed: tuple[object, ...], drawn: tuple[object, ...]) -> str:
    for place, (said, fair) in enumerate(zip(claimed, drawn, strict=False), 1):
        if said != fair:
            where = f"entry {place}" if len(claimed) > 1 else "it"
            return f"{where} is {said}, the shuffle gives {fair}"
    return f"it has {len(claimed)} entries, the shuffle gives {len(drawn)}"
