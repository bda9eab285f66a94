"""Write the vectors of the checks of a record: `python -m tools.fairness_vectors`.

Each is a record, what a seat kept of the game, and what has to be found. `cartagena verify`, the Python
client and the browser are tested with the same file. The expected findings are written by hand, from
docs/fairness.md: nothing in the file comes from the program under test.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cartagena.fairness import Claim, Failure, Kept, Shuffle, commit
from cartagena.fairness.findings import OF_KEPT
from cartagena.notation import Record, format_record
from cartagena.rules.board import Board
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from tools.fairness_records import (
    FRIEND,
    HONEST,
    KEPT,
    NEVER_ASKED,
    OTHER,
    PROMISED,
    SECRET,
    SHUFFLE,
    TABLE,
    by_rules,
    dealt,
    moves_of,
    renewed,
    seen,
    shown,
    stacked,
    turns,
)

FILE: Final = Path(__file__).parents[1] / "tests" / "fairness" / "findings.json"
ALL: Final = frozenset(OF_KEPT)

Found = tuple[Claim, Failure] | tuple[Claim, Failure, int]


@dataclass(frozen=True, slots=True)
class Vector:
    """A record, what was kept, and everything that has to be found false."""

    name: str
    record: Record
    found: tuple[Found, ...] = ()
    kept: Kept | None = KEPT
    starts: int = 1

    @property
    def told(self) -> dict[str, object]:
        """The vector as it stands in the file."""
        return {
            "name": self.name,
            "kept": None if self.kept is None else json.loads(self.kept.json),
            "failed": [_told(*found) for found in self.found],
            "unchecked": [claim for claim in OF_KEPT if claim in _unseen(self.kept)],
            "starts": self.starts,
            "record": format_record(self.record),
        }


def _told(claim: Claim, failure: Failure, place: int | None = None) -> dict[str, object]:
    return {"claim": claim, "number": place, "failure": failure}


def _unseen(kept: Kept | None) -> frozenset[Claim]:
    """The claims that cannot be checked if nothing was kept, or only a number that was never asked for."""
    if kept is None:
        return ALL
    return ALL - {Claim.COMMITMENT, Claim.OWN_NONCE} if kept == NEVER_ASKED else frozenset()


def honest() -> list[Vector]:
    """Games in which everything is as promised and as it was shown."""
    second, moves = replace(SHUFFLE, game_id=f"{TABLE}.2"), moves_of(renewed())
    return [
        Vector("honest", renewed(), kept=replace(KEPT, moves=moves)),
        _by_rules("honest, the nest", PIRATES_NEST),
        _by_rules("honest, open hands and a row", TORTUGA),
        Vector(
            "honest, others chose for our seat at times", renewed(), kept=replace(KEPT, moves=moves[2::3])
        ),
        Vector("honest, nothing was kept", dealt(), kept=None),
        Vector("honest, only commitment and number were kept", dealt(), kept=NEVER_ASKED),
        Vector(
            "honest, after a start that was called off",
            dealt(second),
            kept=replace(seen(second), game_id=second.game_id, starts=2),
            starts=2,
        ),
    ]


def _by_rules(name: str, rules: Ruleset) -> Vector:
    shuffle, record = by_rules(rules), turns(40, rules)
    kept = replace(seen(shuffle, rules), ruleset=shuffle.ruleset, moves=moves_of(record))
    return Vector(name, record, kept=kept)


def exchanged() -> list[Vector]:
    """Consistent records of a shuffle other than the promised one; that other shuffle was also dealt."""
    rules = JAMAICA.with_options(quiet_rounds=41, row_refill="on_demand")
    alone, ours = _with_numbers(None, FRIEND, None), _with_numbers(OTHER, FRIEND, None)
    theirs = _with_numbers(HONEST, OTHER, None)
    left_out = (Claim.OWN_NONCE, Failure.NONCE_LEFT_OUT)
    another_hash = (Claim.NONCE_HASHES, Failure.NONCE_HASH_DIFFERS)
    return [
        Vector(
            "the ruleset was exchanged for one that plays alike",
            dealt(by_rules(rules), rules),
            ((Claim.RULESET, Failure.RULESET_DIFFERS),),
            kept=seen(by_rules(rules), rules),
        ),
        _exchanged("our number was left out", alone, another_hash, left_out),
        Vector("our number was left out and never asked for", dealt(alone), (left_out,), kept=NEVER_ASKED),
        _exchanged("our number was exchanged with its hash", ours, another_hash, left_out),
        _exchanged("the number of another seat was exchanged with its hash", theirs, another_hash),
        _exchanged(
            "the secret was exchanged with its commitment",
            replace(SHUFFLE, secret=OTHER),
            (Claim.COMMITMENT, Failure.COMMITMENT_DIFFERS),
        ),
        _exchanged(
            "another table",
            replace(SHUFFLE, game_id=f"{TABLE[::-1]}.1"),
            (Claim.GAME, Failure.GAME_DIFFERS),
        ),
        _exchanged(
            "another start",
            replace(SHUFFLE, game_id=f"{TABLE}.2"),
            (Claim.GAME, Failure.START_DIFFERS),
            starts=2,
        ),
        _exchanged(
            "the seats were reordered",
            _with_numbers(FRIEND, HONEST, None),
            (Claim.NONCE_HASHES, Failure.SEATS_REORDERED),
            (Claim.SHOWN_DEAL, Failure.SHOWN_SEAT_DIFFERS),
        ),
        _exchanged(
            "a seat was added",
            _with_numbers(HONEST, FRIEND, None, OTHER),
            (Claim.NONCE_HASHES, Failure.SEATS_DIFFER),
        ),
    ]


def _exchanged(name: str, shuffle: Shuffle, *found: Found, starts: int = 1) -> Vector:
    return Vector(name, dealt(shuffle), found, kept=seen(shuffle), starts=starts)


def _with_numbers(*nonces: bytes | None) -> Shuffle:
    return replace(SHUFFLE, nonces=nonces)


def another_game() -> list[Vector]:
    """Records that are true and as promised, while the seat was shown another game."""
    friend, row = shown(seat=1), by_rules(TORTUGA)
    other = shown(replace(SHUFFLE, secret=OTHER))
    moves = moves_of(renewed())
    tortuga = replace(seen(row, TORTUGA), ruleset=row.ruleset)
    turned = replace(shown(row, TORTUGA), row=shown(row, TORTUGA).row[::-1])
    (turn, code), *later = moves
    return [
        _shown(
            "another board was shown", Failure.SHOWN_BOARD_DIFFERS, shown=replace(shown(), board=other.board)
        ),
        _shown("another seat began", Failure.SHOWN_FIRST_SEAT_DIFFERS, shown=replace(shown(), first_seat=0)),
        _shown(
            "another hand was shown", Failure.SHOWN_HAND_DIFFERS, shown=replace(shown(), hands=other.hands)
        ),
        _shown("we sat on the seat of the friend", Failure.SHOWN_SEAT_DIFFERS, shown=friend, seat=1),
        Vector(
            "another row was shown",
            dealt(row, TORTUGA),
            ((Claim.SHOWN_DEAL, Failure.SHOWN_ROW_DIFFERS),),
            kept=replace(tortuga, shown=turned),
        ),
        _moved("a choice of ours is another one", ((turn, code + 1), *later)),
        _moved("a choice of ours was made in another turn", ((turn + 1, code), *later)),
        _moved("our choices were made in another order", moves[::-1]),
        _moved("our last choice is not there", (*moves, (999, 0))),
    ]


def _shown(name: str, failure: Failure, **changed: object) -> Vector:
    # What is kept checks its own types.
    kept = replace(KEPT, **changed)  # type: ignore[arg-type]
    return Vector(name, dealt(), ((Claim.SHOWN_DEAL, failure),), kept=kept)


def _moved(name: str, moves: tuple[tuple[int, int], ...]) -> Vector:
    found = ((Claim.OWN_MOVES, Failure.OWN_MOVES_DIFFER),)
    return Vector(name, renewed(), found, kept=replace(KEPT, moves=moves))


def broken() -> list[Vector]:
    """Records that contradict themselves."""
    headers = dealt().headers
    board, first, deal = headers.board, headers.first_seat, headers.deal
    numbers = _with_numbers(HONEST, OTHER, None)
    missing, slipped = _with_numbers(HONEST, None, None), _with_numbers(HONEST, FRIEND, OTHER)
    secret = replace(SHUFFLE, secret=OTHER)
    return [
        Vector(
            "the secret does not fit its commitment",
            dealt(secret, commitment=commit(SECRET)),
            ((Claim.SECRET, Failure.COMMITMENT_BROKEN),),
            kept=seen(secret),
        ),
        _unfit("a number does not fit its hash", numbers, (Claim.NONCE, Failure.NONCE_DIFFERS, 1)),
        _unfit("a promised number was not shown", missing, (Claim.NONCE, Failure.NONCE_MISSING, 1)),
        _unfit("a number was slipped in for a bot", slipped, (Claim.NONCE, Failure.NONCE_NOT_PROMISED, 2)),
        Vector(
            "another board",
            dealt(board=Board(board.family, board.signs[::-1])),
            ((Claim.SHOWN_DEAL, Failure.SHOWN_BOARD_DIFFERS), (Claim.BOARD, Failure.BOARD_DIFFERS)),
        ),
        Vector(
            "another first seat",
            dealt(first_seat=(first + 1) % 3),
            (
                (Claim.SHOWN_DEAL, Failure.SHOWN_FIRST_SEAT_DIFFERS),
                (Claim.FIRST_SEAT, Failure.FIRST_SEAT_DIFFERS),
            ),
        ),
        Vector(
            "another deal",
            dealt(deal=deal[::-1]),
            ((Claim.SHOWN_DEAL, Failure.SHOWN_HAND_DIFFERS), (Claim.DEAL, Failure.DEAL_DIFFERS)),
        ),
        Vector(
            "another order of a renewed stock",
            stacked(renewed()),
            ((Claim.RENEWAL, Failure.RENEWAL_DIFFERS, 1),),
        ),
    ]


def _unfit(name: str, shuffle: Shuffle, found: Found) -> Vector:
    return Vector(name, dealt(shuffle, nonce_hashes=PROMISED), (found,), kept=seen(shuffle))


def text() -> str:
    """The whole file: the lists of symbols, and the vectors, with each of their parts on a line."""
    vectors = (*honest(), *exchanged(), *another_game(), *broken())
    told = {
        "about": "What every client has to find in these records, explained in docs/fairness.md.",
        "claims": list(Claim),
        "failures": list(Failure),
        "vectors": [vector.told for vector in vectors],
    }
    return f"{_lines(told, 2)}\n"


def _lines(part: object, depth: int) -> str:
    if depth and isinstance(part, dict):
        entries = [f"{json.dumps(key)}: {_lines(value, depth - 1)}" for key, value in part.items()]
        return "{\n" + ",\n".join(entries) + "\n}"
    if depth and isinstance(part, list) and part and isinstance(part[0], dict):
        return "[\n" + ",\n".join(_lines(entry, depth) for entry in part) + "\n]"
    return json.dumps(part)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
