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

from rich.progress import track

from benchmarks.wire import SEATS, SEED, WHOLE, answer, frames_of, told
from cartagena.bots.analysis.annotation import analyse
from cartagena.bots.analysis.comparison import hint
from cartagena.bots.analysis.effort import ANALYSIS_SIMULATIONS, HINT_SIMULATIONS
from cartagena.bots.players.registry import LEVELS
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.hidden.view import view
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS
from cartagena.server.http.streams.connections import FORMS
from harness import ledger
from harness.bot_games import played

LEDGER: Final = "scale"
PACES: Final = {"random": 8, "deckhand": 8, "sailor": 4, "bosun": 1, "captain": 1}
"""How many games of each level are measured for one game that is asked for."""
HINTS: Final = 10
"""How many moments of a game a hint is asked for."""


def measure_wire(games: int) -> None:
    """Bytes of a move by ruleset and seats."""
    for preset in PRESETS:
        for seats in SEATS:
            whole_answers, answers = list[int](), list[int]()
            # What a stream sends of each update, by its form and whether a seat or a spectator is told.
            sent = defaultdict[tuple[str, bool], list[int]](list)
            for frame in frames_of(preset, seats, games):
                for form in (WHOLE, *FORMS):
                    sent[form, frame.audience is not None].append(len(told(form, frame)))
                if frame.audience == frame.seat:
                    whole_answers.append(len(frame.after))
                    answers.append(len(answer(frame.move)))
            ledger.append(
                LEDGER,
                curve="wire",
                plan="full",
                table=f"{preset}, {seats}",
                games=games,
                moves=len(answers),
                whole_answer=round(mean(whole_answers)),
                whole_seat=round(mean(sent[WHOLE, True])),
                whole_watcher=round(mean(sent[WHOLE, False])),
                answer=round(mean(answers)),
                patched_seat=round(mean(sent["patches", True])),
                patched_watcher=round(mean(sent["patches", False])),
                seat=round(mean(sent["compact=1", True])),
                watcher=round(mean(sent["compact=1", False])),
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
