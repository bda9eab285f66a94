"""The one list of what is checked of a shuffle and of what can be wrong, for every client.

The browser has the list again, and `tests/fairness/findings.json` holds both to it.
"""

import enum
from dataclasses import dataclass


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
