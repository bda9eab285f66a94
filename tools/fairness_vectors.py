"""Write the vectors of the checks of a record: `python -m tools.fairness_vectors`.

Each is a record, what a seat kept from before the deal, and what has to be found. `cartagena verify`, the
Python client and the browser are tested with the same file. What is found stands here by hand, from
docs/fairness.md: nothing in the file is an answer of the program that it tests.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cartagena.fairness import Claim, Failure, Kept, Shuffle, commit
from cartagena.fairness.findings import OF_KEPT
from cartagena.fairness.opening import opening, shuffler
from cartagena.fairness.record import headers_of_shuffle
from cartagena.notation import Ending, Record, Result, format_record, format_ruleset, record_of
from cartagena.notation.record import Headers
from cartagena.rules.board import Board
from cartagena.rules.game import Game
from cartagena.rules.play import legal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, Ruleset

FILE: Final = Path(__file__).parents[1] / "tests" / "fairness" / "findings.json"
TABLE: Final = "01a1de9f-b2ad-71aa-b5a4-ea52740ae735"
NAMES: Final = ("Honest", "Friend", "", "Late")
ALL: Final = frozenset(OF_KEPT)


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
KEPT: Final = Kept(
    game_id=SHUFFLE.game_id,
    ruleset=SHUFFLE.ruleset,
    commitment=commit(SECRET),
    nonce_hashes=PROMISED,
    nonce=HONEST,
)
"""What the first seat kept when it showed its number."""
NEVER_ASKED: Final = Kept(commitment=commit(SECRET), nonce=HONEST)
"""What it kept if it was never asked to show it."""

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
    """What nobody can compare who kept nothing, or who was never asked to show a number."""
    if kept is None:
        return ALL
    return frozenset({Claim.GAME, Claim.RULESET, Claim.NONCE_HASHES}) if kept == NEVER_ASKED else frozenset()


# --- Records ---------------------------------------------------------------------------------------


def dealt(shuffle: Shuffle = SHUFFLE, rules: Ruleset = JAMAICA, **changed: object) -> Record:
    """A game that was left after the deal; headers may be changed afterwards."""
    headers = headers_of_shuffle(shuffle, rules, NAMES[: len(shuffle.nonces)])
    # The headers check their own types.
    headers = replace(headers, **changed)  # type: ignore[arg-type]
    return Record(headers=headers, steps=(), result=Result(Ending.ABANDONED))


def renewed() -> Record:
    """A game that was left after the first renewal of the stock."""
    game = Game(opening(SHUFFLE, JAMAICA, len(SHUFFLE.nonces)))
    order, choices = shuffler(SHUFFLE), SHUFFLE.stream("choices")
    while not (game.events and game.events[-1].orders):
        codes = legal(game.position)
        game.act(codes[choices.number(len(codes))], order)
    return record_of(game, _headers(), Result(Ending.ABANDONED))


def stacked(record: Record) -> Record:
    """A renewal in another order."""
    *steps, last = record.steps
    return replace(record, steps=(*steps, replace(last, orders=(last.orders[0][::-1],))))


def _headers() -> Headers:
    return headers_of_shuffle(SHUFFLE, JAMAICA, NAMES[: len(SHUFFLE.nonces)])


# --- Vectors ---------------------------------------------------------------------------------------


def honest() -> list[Vector]:
    """Games in which everything is as promised."""
    second = replace(SHUFFLE, game_id=f"{TABLE}.2")
    nest = replace(SHUFFLE, ruleset=format_ruleset(PIRATES_NEST))
    return [
        Vector("honest", renewed()),
        Vector("honest, the nest", dealt(nest, PIRATES_NEST), kept=replace(KEPT, ruleset=nest.ruleset)),
        Vector("honest, nothing was kept", dealt(), kept=None),
        Vector("honest, only commitment and number were kept", dealt(), kept=NEVER_ASKED),
        Vector(
            "honest, after a start that was called off",
            dealt(second),
            kept=replace(KEPT, game_id=second.game_id, starts=2),
            starts=2,
        ),
    ]


def exchanged() -> list[Vector]:
    """Records that are true in themselves, of another shuffle than the one that was promised."""
    rules = JAMAICA.with_options(quiet_rounds=41, row_refill="on_demand")
    alone = replace(SHUFFLE, nonces=(None, FRIEND, None))
    other = replace(SHUFFLE, nonces=(OTHER, FRIEND, None))
    left_out = (Claim.OWN_NONCE, Failure.NONCE_LEFT_OUT)
    another_hash = (Claim.NONCE_HASHES, Failure.NONCE_HASH_DIFFERS)
    return [
        Vector(
            "the ruleset was exchanged for one that plays alike",
            dealt(replace(SHUFFLE, ruleset=format_ruleset(rules)), rules),
            ((Claim.RULESET, Failure.RULESET_DIFFERS),),
        ),
        Vector("our number was left out", dealt(alone), (another_hash, left_out)),
        Vector("our number was left out and never asked for", dealt(alone), (left_out,), kept=NEVER_ASKED),
        Vector("our number was exchanged with its hash", dealt(other), (another_hash, left_out)),
        Vector(
            "the number of another seat was exchanged with its hash",
            dealt(replace(SHUFFLE, nonces=(HONEST, OTHER, None))),
            (another_hash,),
        ),
        Vector(
            "the secret was exchanged with its commitment",
            dealt(replace(SHUFFLE, secret=OTHER)),
            ((Claim.COMMITMENT, Failure.COMMITMENT_DIFFERS),),
        ),
        Vector(
            "another table",
            dealt(replace(SHUFFLE, game_id=f"{TABLE[::-1]}.1")),
            ((Claim.GAME, Failure.GAME_DIFFERS),),
        ),
        Vector(
            "another start",
            dealt(replace(SHUFFLE, game_id=f"{TABLE}.2")),
            ((Claim.GAME, Failure.START_DIFFERS),),
            starts=2,
        ),
        Vector(
            "the seats were reordered",
            dealt(replace(SHUFFLE, nonces=(FRIEND, HONEST, None))),
            ((Claim.NONCE_HASHES, Failure.SEATS_REORDERED),),
        ),
        Vector(
            "a seat was added",
            dealt(replace(SHUFFLE, nonces=(*SHUFFLE.nonces, OTHER))),
            ((Claim.NONCE_HASHES, Failure.SEATS_DIFFER),),
        ),
    ]


def broken() -> list[Vector]:
    """Records that contradict themselves."""
    board, first, deal = _headers().board, _headers().first_seat, _headers().deal
    missing, slipped = (HONEST, None, None), (HONEST, FRIEND, OTHER)
    return [
        Vector(
            "the secret does not fit its commitment",
            dealt(replace(SHUFFLE, secret=OTHER), commitment=commit(SECRET)),
            ((Claim.SECRET, Failure.COMMITMENT_BROKEN),),
        ),
        Vector(
            "a number does not fit its hash",
            dealt(replace(SHUFFLE, nonces=(HONEST, OTHER, None)), nonce_hashes=PROMISED),
            ((Claim.NONCE, Failure.NONCE_DIFFERS, 1),),
        ),
        Vector(
            "a promised number was not shown",
            dealt(replace(SHUFFLE, nonces=missing), nonce_hashes=PROMISED),
            ((Claim.NONCE, Failure.NONCE_MISSING, 1),),
        ),
        Vector(
            "a number was slipped in for a bot",
            dealt(replace(SHUFFLE, nonces=slipped), nonce_hashes=PROMISED),
            ((Claim.NONCE, Failure.NONCE_NOT_PROMISED, 2),),
        ),
        Vector(
            "another board",
            dealt(board=Board(board.family, board.signs[::-1])),
            ((Claim.BOARD, Failure.BOARD_DIFFERS),),
        ),
        Vector(
            "another first seat",
            dealt(first_seat=(first + 1) % 3),
            ((Claim.FIRST_SEAT, Failure.FIRST_SEAT_DIFFERS),),
        ),
        Vector("another deal", dealt(deal=deal[::-1]), ((Claim.DEAL, Failure.DEAL_DIFFERS),)),
        Vector(
            "another order of a renewed stock",
            stacked(renewed()),
            ((Claim.RENEWAL, Failure.RENEWAL_DIFFERS, 1),),
        ),
    ]


def text() -> str:
    """The whole file: the lists of symbols, and the vectors."""
    told = {
        "about": "What every client has to find in these records, explained in docs/fairness.md.",
        "claims": list(Claim),
        "failures": list(Failure),
        "vectors": [vector.told for vector in (*honest(), *exchanged(), *broken())],
    }
    return f"{json.dumps(told, indent=1)}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="ascii")
