"""What a player was shown, did and kept: the record is compared with it after the game."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self, TypeAlias

from cartagena.fairness.shuffle import FairnessError, commit, full_size, hash_text, in_range, one_line
from cartagena.fairness.verdict import Claim, Failure, Finding
from cartagena.notation.names import UNKNOWN, card_word
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Headers, Record, Step
from cartagena.rules.ruleset import MOST_SEATS

Moves: TypeAlias = tuple[tuple[int, int], ...]
"""The turn and the code of each choice, in the order in which they were made."""

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The table after the deal, in the words of the view; None for a hand that the seat did not see.

    `board` are the signs of the spaces from the start on, `row` is head first.
    """

    board: Words
    first_seat: int
    hands: tuple[Words | None, ...] = field(repr=False)
    row: Words

    def __post_init__(self) -> None:
        for word in (*self.board, *self.row, *(word for hand in self.hands for word in hand or ())):
            one_line("the word for a card", word)
        in_range("the number of the first seat", self.first_seat + 1, MOST_SEATS)

    # Any: plain JSON, whose parts are checked above.
    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Self:
        """Read what a client wrote down; raises KeyError, TypeError or ValueError if it is anything else."""
        return cls(
            board=tuple(told["board"]),
            first_seat=told["first_seat"],
            hands=tuple(None if hand is None else tuple(hand) for hand in told["hands"]),
            row=tuple(told["row"]),
        )

    @property
    def json(self) -> dict[str, object]:
        """The form in which clients write it down."""
        return asdict(self)


def deal_of(headers: Headers) -> Shown:
    """The table after the deal that a record tells, with every hand."""
    rules, family = headers.ruleset, headers.ruleset.family
    words = tuple(card_word(family, card) for card in headers.deal)
    size, dealt = rules.hand_size, rules.hand_size * headers.seats
    return Shown(
        board=tuple(card_word(family, sign) for sign in headers.board.signs),
        first_seat=headers.first_seat,
        hands=tuple(words[first : first + size] for first in range(0, dealt, size)),
        row=words[dealt : dealt + rules.row_length],
    )


def difference(shown: Shown, recorded: Shown) -> tuple[Failure, str] | None:
    """The first part of what was shown that a record tells otherwise, None if all is as it was."""
    if shown.board != recorded.board:
        return Failure.SHOWN_BOARD_DIFFERS, "it has another board"
    if shown.first_seat != recorded.first_seat:
        return Failure.SHOWN_FIRST_SEAT_DIFFERS, f"seat {shown.first_seat} began"
    for seat, hand in enumerate(shown.hands):
        dealt = recorded.hands[seat] if seat < len(recorded.hands) else None
        if hand is not None and not _agree(sorted(hand), sorted(dealt or ())):
            return Failure.SHOWN_HAND_DIFFERS, f"seat {seat} had {' '.join(hand)}"
    if not _agree(shown.row, recorded.row):
        return Failure.SHOWN_ROW_DIFFERS, f"the row was {' '.join(shown.row)}"
    return None


def _agree(seen: Sequence[str], recorded: Sequence[str]) -> bool:
    """Whether cards are the same; the record of a view does not tell them all."""
    return UNKNOWN in recorded or seen == recorded


def missing_move(moves: Moves, seat: int, steps: Iterable[Step]) -> tuple[int, int] | None:
    """The first choice of a seat that a record does not have in its place.

    It may have others between: a bot that played on for the seat, or another device, made them.
    """
    made = iter([(step.turn, step.code) for step in steps if step.seat == seat])
    for turn, code in moves:
        # None stands for a choice that the reader of a view may not know.
        if not any(when == turn and chosen in {code, None} for when, chosen in made):
            return turn, code
    return None


_MOST: Final = 2**31
_START: Final = re.compile(r"\.([0-9]{1,9})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What enters the key, as it stood before the player's own number was shown; None for what was not seen.

    `starts` counts the starts of the table for which the player showed a number: each but the last was called
    off when the operator could know what it would deal. `seat` is where the player sat when the cards were
    dealt, `shown` what they saw there, and `moves` are their choices that the service has granted.
    """

    game_id: str | None = None
    ruleset: str | None = None
    commitment: str | None = None
    nonce_hashes: tuple[str | None, ...] | None = None
    nonce: bytes | None = field(default=None, repr=False)
    starts: int = 1
    seat: int | None = None
    shown: Shown | None = None
    moves: Moves | None = None

    def __post_init__(self) -> None:
        for name, line in (("a game id", self.game_id), ("a ruleset", self.ruleset)):
            if line is not None:
                one_line(name, line)
        for promised in (self.commitment, *(self.nonce_hashes or ())):
            if promised is not None:
                hash_text("a hash that was kept", promised)
        if self.nonce is not None:
            full_size("a nonce that was kept", self.nonce)
        in_range("the number of starts", self.starts, _MOST)
        if self.seat is not None:
            in_range("the number of a seat", self.seat + 1, MOST_SEATS)
        for turn, code in self.moves or ():
            in_range("a turn", turn, _MOST)
            in_range("the code of a choice", code + 1, _MOST)

    @classmethod
    def of_json(cls, text: str) -> Self:
        """Read what a client wrote down; raises FairnessError if it is anything else."""
        try:
            told = json.loads(text)
            hashes, nonce = told.get("nonce_hashes"), told.get("nonce")
            shown, moves = told.get("shown"), told.get("moves")
            return cls(
                game_id=told.get("game"),
                ruleset=told.get("ruleset"),
                commitment=told.get("commitment"),
                nonce_hashes=None if hashes is None else tuple(hashes),
                nonce=None if nonce is None else bytes.fromhex(nonce),
                starts=told.get("starts", 1),
                seat=told.get("seat"),
                shown=None if shown is None else Shown.of_json(shown),
                moves=None if moves is None else tuple((turn, code) for turn, code in moves),
            )
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
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
            "seat": self.seat,
            "shown": None if self.shown is None else self.shown.json,
            "moves": self.moves,
        }
        return json.dumps(told)


def compare(kept: Kept, record: Record) -> tuple[Finding, ...]:
    """A finding for everything that was kept, in the order of the list."""
    promises: Mapping[Claim, tuple[object, Callable[[Kept, Headers], Finding]]] = {
        Claim.GAME: (kept.game_id, _of_game),
        Claim.RULESET: (kept.ruleset, _of_ruleset),
        Claim.COMMITMENT: (kept.commitment, _of_commitment),
        Claim.NONCE_HASHES: (kept.nonce_hashes, _of_hashes),
        Claim.OWN_NONCE: (kept.nonce, _of_own_nonce),
        Claim.SHOWN_DEAL: (kept.shown, _of_shown),
    }
    found = tuple(answer(kept, record.headers) for seen, answer in promises.values() if seen is not None)
    if kept.seat is None or kept.moves is None:
        return found
    return (*found, _of_moves(missing_move(kept.moves, kept.seat, record.steps)))


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


def _of_shown(kept: Kept, headers: Headers) -> Finding:
    assert kept.shown is not None
    found = _other_seat(kept, headers) or difference(kept.shown, deal_of(headers))
    return Finding(Claim.SHOWN_DEAL, *found) if found else Finding(Claim.SHOWN_DEAL)


def _other_seat(kept: Kept, headers: Headers) -> tuple[Failure, str] | None:
    """Find a changed seat: choosing a seat after the deal means choosing a hand, however fair each is."""
    if kept.nonce is None or kept.seat is None:
        return None
    own, hashes = commit(kept.nonce), headers.nonce_hashes or ()
    if own not in hashes or hashes[kept.seat : kept.seat + 1] == (own,):
        return None
    return Failure.SHOWN_SEAT_DIFFERS, f"you sat on seat {kept.seat}, your number is at {hashes.index(own)}"


def _of_moves(missed: tuple[int, int] | None) -> Finding:
    if missed is None:
        return Finding(Claim.OWN_MOVES)
    turn, code = missed
    return Finding(Claim.OWN_MOVES, Failure.OWN_MOVES_DIFFER, f"it lacks your choice {code} in turn {turn}")
