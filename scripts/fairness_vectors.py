"""Write the vectors of the checks of a record: `python -m scripts.fairness_vectors`.

Each is a record, what a seat kept of the game, and what has to be found. `cartagena verify`, the Python
client and the browser are tested with the same file. The expected findings are written by hand, from
docs/fairness.md: nothing in the file comes from the program under test.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cartagena.client.fairness import shown_of
from cartagena.fairness import Claim, Failure, Kept, Moves, Shown, Shuffle, commit
from cartagena.fairness.record import headers_of_shuffle
from cartagena.fairness.shuffle import opening, shuffler
from cartagena.fairness.verdict import OF_KEPT
from cartagena.messages.views import view_message
from cartagena.notation import Ending, Record, Result, format_record, format_ruleset, record_of
from cartagena.rules.board import Board
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import legal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.undoable_game import UndoableGame

TABLE: Final = "01a1de9f-b2ad-71aa-b5a4-ea52740ae735"
NAMES: Final = ("Honest", "Friend", "", "Late")


def number(name: str) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(f"vector {name}".encode()).digest()


HONEST, FRIEND, OTHER, SECRET = map(number, ("honest", "friend", "other", "secret"))
SHUFFLE: Final = Shuffle(
    game_id=f"{TABLE}.1",
    ruleset=format_ruleset(JAMAICA),
    nonces=(HONEST, FRIEND, None),
    secret=SECRET,
)
"""The shuffle that was promised: two people and a bot."""
PROMISED: Final = (commit(HONEST), commit(FRIEND), None)
NEVER_ASKED: Final = Kept(commitment=commit(SECRET), nonce=HONEST)
"""What the first seat kept if it was never asked to show its number and saw nothing of the game."""


def by_rules(rules: Ruleset) -> Shuffle:
    """The promised shuffle for other rules."""
    return replace(SHUFFLE, ruleset=format_ruleset(rules))


# --- What was seen ---------------------------------------------------------------------------------


def shown(shuffle: Shuffle = SHUFFLE, rules: Ruleset = JAMAICA, seat: int = 0) -> Shown:
    """What a seat sees when these cards are dealt."""
    return shown_of(view_message(view(opening(shuffle, rules, len(shuffle.nonces)), seat)))


KEPT: Final = Kept(
    game_id=SHUFFLE.game_id,
    ruleset=SHUFFLE.ruleset,
    commitment=commit(SECRET),
    nonce_hashes=PROMISED,
    nonce=HONEST,
    seat=0,
    shown=shown(),
    moves=(),
)
"""What the first seat kept when it showed its number and saw the deal; it made no choice."""


def seen(shuffle: Shuffle, rules: Ruleset = JAMAICA) -> Kept:
    """What the first seat kept of the promise if these cards were dealt to it."""
    return replace(KEPT, shown=shown(shuffle, rules))


def moves_of(record: Record, seat: int = 0) -> Moves:
    """What a seat chose, as it would have kept it."""
    return tuple((step.turn, step.code or 0) for step in record.steps if step.seat == seat)


# --- Records ---------------------------------------------------------------------------------------


def dealt(shuffle: Shuffle = SHUFFLE, rules: Ruleset = JAMAICA, **changed: object) -> Record:
    """A game that was abandoned after the deal; headers may be changed afterwards."""
    headers = headers_of_shuffle(shuffle, rules, NAMES[: len(shuffle.nonces)])
    # The headers check their own types.
    headers = replace(headers, **changed)  # type: ignore[arg-type]
    return Record(headers=headers, steps=(), result=Result(Ending.ABANDONED))


def renewed() -> Record:
    """A game that was abandoned after the first renewal of the stock."""
    return _played(lambda game: bool(game.events and game.events[-1].orders))


def turns(most: int, rules: Ruleset = JAMAICA) -> Record:
    """A game by these rules that was abandoned after `most` turns."""
    return _played(lambda game: game.position.turn > most, rules)


def _played(is_left: Callable[[UndoableGame], bool], rules: Ruleset = JAMAICA) -> Record:
    shuffle = by_rules(rules)
    game = UndoableGame(opening(shuffle, rules, len(shuffle.nonces)))
    order, choices = shuffler(shuffle), shuffle.stream("choices")
    while not is_left(game):
        codes = legal(game.position)
        game.act(codes[choices.number(len(codes))], order)
    return record_of(game, dealt(shuffle, rules).headers, Result(Ending.ABANDONED))


def stacked(record: Record) -> Record:
    """The record with its last renewal in reverse order."""
    *steps, last = record.steps
    return replace(record, steps=(*steps, replace(last, orders=(last.orders[0][::-1],))))


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
