"""Make the corpus of whole games in tests/records: `make_records.py FOLDER`.

Every choice comes from a stream of the fair shuffle, so the games are the same on every machine. The files
never change: an engine that replays them to another end has changed the rules.
"""

import hashlib
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from cartagena.fairness import Shuffle
from cartagena.fairness.record import headers_of_shuffle
from cartagena.fairness.shuffle import opening, shuffler
from cartagena.notation import Record, format_record, format_ruleset, parse_ruleset, record_of, record_of_view
from cartagena.rules.legality import legal
from cartagena.rules.undoable_game import UndoableGame

NAMES = ("Ada", "Blas de Lezo", "Carmen", "Dirk", "Élin")
LONGEST = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One game to play: its file, rules, seats, how many actions at most, and who reads the record."""

    name: str
    ruleset: str
    seats: int
    actions: int = LONGEST
    reader: int | None = None


PLANS = (
    Plan(name="tortuga-2", ruleset="tortuga", seats=2),
    Plan(name="tortuga-3", ruleset="tortuga row_refill=on_demand", seats=3),
    Plan(name="tortuga-4", ruleset="tortuga reshuffle=turn_over short_row=short", seats=4),
    Plan(name="tortuga-5-running", ruleset="tortuga pass_allowed=true", seats=5, actions=150),
    Plan(name="jamaica-2", ruleset="jamaica retreat_from_sloop=false", seats=2),
    Plan(name="jamaica-3", ruleset="jamaica", seats=3),
    Plan(name="jamaica-3-blue", ruleset="jamaica", seats=3, actions=300, reader=1),
    Plan(name="jamaica-4", ruleset="jamaica reshuffle=turn_over stalemate=most_home", seats=4),
    Plan(name="jamaica-5-quiet", ruleset="jamaica quiet_rounds=4", seats=5),
    Plan(name="nest-2", ruleset="nest", seats=2),
    Plan(name="nest-3", ruleset="nest captain_needs_aboard=false captain_needs_precondition=false", seats=3),
    Plan(name="nest-4", ruleset="nest start_is_island1=false", seats=4),
    Plan(name="nest-5", ruleset="nest pass_allowed=true", seats=5),
)


def shuffle_of(plan: Plan) -> Shuffle:
    """The fair shuffle of a planned game; a bot sits on the last of many seats."""
    people = [hashlib.sha256(f"{plan.name} nonce {seat}".encode()).digest() for seat in range(plan.seats)]
    bot_plays = plan.seats > 3  # noqa: PLR2004 - so that some games have a bot and some have none
    return Shuffle(
        game_id=plan.name,
        ruleset=format_ruleset(parse_ruleset(plan.ruleset)),
        nonces=(*people[:-1], None if bot_plays else people[-1]),
        secret=hashlib.sha256(f"{plan.name} secret".encode()).digest(),
    )


def play(plan: Plan) -> Record:
    """Play a planned game and return its record."""
    shuffle = shuffle_of(plan)
    ruleset = parse_ruleset(plan.ruleset)
    game = UndoableGame(opening(shuffle, ruleset, plan.seats))
    choices, renewed = shuffle.stream("choices"), shuffler(shuffle)
    for _ in range(plan.actions):
        if game.position.over:
            break
        codes = legal(game.position)
        game.act(codes[choices.number(len(codes))], renewed)
    headers = headers_of_shuffle(shuffle, ruleset, NAMES[: plan.seats])
    if not game.position.over:
        headers = replace(headers, secret=None, nonces=None)
    record = record_of(game, headers)
    return record if plan.reader is None else record_of_view(record, plan.reader)


def main(folder: str) -> None:
    """Write every record into a folder."""
    for plan in PLANS:
        record = play(plan)
        Path(folder, f"{plan.name}.record").write_text(format_record(record), encoding="utf-8")
        print(plan.name, len(record.steps), record.result)


if __name__ == "__main__":
    main(*sys.argv[1:])
