"""What the bill stands on: the bytes that a move sends, and how long bots, hints and analyses think.

    python -m benchmarks.bill_figures [--games 4] [--only wire] [--only thinking]

The games are played by bots without any service; each frame is made by the code of the service. Lines go to
benchmarks/results/scale.jsonl.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import mean
from typing import Final

import msgspec
from rich.progress import track

from cartagena.bots.analysis.annotation import analyse
from cartagena.bots.analysis.comparison import hint
from cartagena.bots.analysis.effort import ANALYSIS_SIMULATIONS, HINT_SIMULATIONS
from cartagena.bots.players.registry import LEVELS
from cartagena.messages.patches import patch
from cartagena.messages.tables import ClockMessage
from cartagena.messages.updates import Reached, updates_for
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from harness import ledger
from harness.bot_games import played

LEDGER: Final = "scale"
SEED: Final = "the bill"
SEATS: Final = (2, 4)
LINES: Final = len(b"id: 100.0\ndata: \n\n")
"""What a stream puts around an update or a patch."""
PACES: Final = {"random": 8, "deckhand": 8, "sailor": 4, "bosun": 1, "captain": 1}
"""How many games of each level are measured for one game that is asked for."""
HINTS: Final = 10
"""How many moments of a game a hint is asked for."""


def frames(record: Record) -> Iterator[tuple[int, dict[int | None, bytes]]]:
    """For each move its seat, and what every seat and a spectator is sent."""
    game = begin(record.headers)
    audiences: list[int | None] = [*range(record.headers.seats), None]
    now = 1_763_000_000_000
    banks = (600_000,) * record.headers.seats
    clock = ClockMessage(banks=banks, running=0, deadline=now + banks[0], now=now)
    for number, step in enumerate(record.steps):
        told = replay_step(game, step)
        yield step.seat, updates_for(game.position, number, told, audiences, clock=clock, undo=True)


def measure_wire(games: int) -> None:
    """Bytes of a move by ruleset and seats."""
    for preset in PRESETS:
        for seats in SEATS:
            whole_answers, answers = list[int](), list[int]()
            # What a stream sends of each update: whole, and as a patch of the one before.
            whole, patches = defaultdict[bool, list[int]](list), defaultdict[bool, list[int]](list)
            for number in range(games):
                before: dict[int | None, bytes] = {}
                for move, (seat, sent) in enumerate(frames(played("sailor", preset, seats, number, SEED))):
                    whole_answers.append(len(sent[seat]))
                    answers.append(len(msgspec.json.encode(Reached(seq=move))))
                    for audience, update in sent.items():
                        is_seat = audience is not None
                        whole[is_seat].append(len(update) + LINES)
                        if audience in before:
                            patches[is_seat].append(len(patch(before[audience], update)) + LINES)
                    before = sent
            ledger.append(
                LEDGER,
                curve="wire",
                plan="full",
                table=f"{preset}, {seats}",
                games=games,
                moves=len(answers),
                whole_answer=round(mean(whole_answers)),
                whole_seat=round(mean(whole[True])),
                whole_watcher=round(mean(whole[False])),
                answer=round(mean(answers)),
                seat=round(mean(patches[True])),
                watcher=round(mean(patches[False])),
            )


def measure_thinking(games: int) -> None:
    """Processor seconds of a bot's move, a hint and an analysis; games of two, of each ruleset in turn."""
    for level in LEVELS:
        spent, moves = 0.0, 0
        for number in track(range(max(games * PACES[level], len(PRESETS))), level):
            begun = time.process_time()
            record = played(level, list(PRESETS)[number % len(PRESETS)], 2, number, SEED)
            spent += time.process_time() - begun
            moves += len(record.steps)
        ledger.append(
            LEDGER, curve="thinking", plan="full", what=level, moves=moves, seconds=round(spent / moves, 5)
        )
    hints, analyses = list[float](), list[float]()
    for number, preset in enumerate(track(PRESETS, "hints and analyses")):
        record = played("sailor", preset, 2, number, SEED)
        for position in moments(record):
            begun = time.process_time()
            hint(view(position, position.to_act), chance=Random(number), simulations=HINT_SIMULATIONS)
            hints.append(time.process_time() - begun)
        begun = time.process_time()
        analyse(record, simulations=ANALYSIS_SIMULATIONS)
        analyses.append(time.process_time() - begun)
    for what, taken in (("hint", hints), ("analysis", analyses)):
        ledger.append(LEDGER, curve="thinking", plan="full", what=what, seconds=round(mean(taken), 3))


def moments(record: Record) -> Iterator[Position]:
    """Some positions of a game, evenly spread."""
    game = begin(record.headers)
    pace = max(1, len(record.steps) // HINTS)
    for number, step in enumerate(record.steps):
        if number % pace == 0:
            yield game.position
        replay_step(game, step)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=4, help="games of each kind (4)")
    parser.add_argument("--only", action="append", choices=("wire", "thinking"))
    wish = parser.parse_args()
    for what, measure in (("wire", measure_wire), ("thinking", measure_thinking)):
        if not wish.only or what in wish.only:
            measure(wish.games)


if __name__ == "__main__":
    main()
