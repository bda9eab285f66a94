"""Learn what a crew is worth, for every family and number of seats, from games of the bots among themselves.

`make train` does it all with the seed of the shipped weights; `python -m research.train --only escape-2` one.
With --insight it learns the insight, which builds on the worth that was learned before. The same seed and
number of games give the same weights on every machine. On the compiled engine each takes minutes; the files
go to src/cartagena/bots/evaluation/weights/.
"""

import argparse
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cartagena.bots.evaluation.linear import WEIGHTS, Worth
from cartagena.bots.evaluation.network import Insight
from cartagena.bots.evaluation.weights import (
    INSIGHT_KINDS,
    KINDS,
    format_weights,
    insight_file,
    parse_weights,
    worth_file,
)
from cartagena.bots.players.simple import sailors_worth
from cartagena.bots.random_games import Dice, random_opening
from cartagena.bots.search.turn_candidates import Survey
from cartagena.bots.training.supervised import Case, Student, first_weights, observed_game
from cartagena.bots.training.temporal_difference import learn_from, remembered_game
from cartagena.rules.ruleset import ESCAPE, FEWEST_SEATS, PRESETS, Ruleset

WEIGHTS_FOLDER: Final = Path(__file__).parents[1] / "src" / "cartagena" / "bots" / "evaluation" / "weights"

SCALE: Final = 0.04
"""The first weights are the yardstick's; one of its spaces is this many units of the softmax."""
FIRST_RATE: Final = 0.01
LAST_RATE: Final = 0.0003
"""How far one game moves the weights: the rate falls evenly from the first to the last."""
TRACE: Final = 0.6
"""How much of what a moment learns comes from the end of the game rather than from the next moment."""
TEMPERATURE: Final = 0.2
"""How curious the bots are: a turn whose log odds are lower by this much is taken a third as often."""
SETTLED: Final = 0.6
"""After this share of the games the weights are averaged, and the average is kept."""
READINGS: Final = 8
"""How many times all cases are read for insight."""
READING_RATE: Final = 0.003
"""How far a step goes at first; it falls evenly to zero."""
REPORT: Final = 100
"""Games between two reports of progress."""

Report = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What to learn from: how many games of which ruleset."""

    ruleset: Ruleset
    seats: int
    games: int

    @property
    def name(self) -> str:
        """What this course is called on the command line."""
        return f"{self.ruleset.family}-{self.seats}"


def courses_of(**games: tuple[int, ...]) -> list[Course]:
    """Make a course for every number of seats, each with its number of games; the fewest seats first."""
    return [
        Course(ruleset=PRESETS[name], seats=seats, games=number)
        for name, numbers in games.items()
        for seats, number in enumerate(numbers, start=FEWEST_SEATS)
    ]


COURSES: Final = courses_of(tortuga=(50_000, 35_000, 30_000, 25_000), nest=(20_000, 12_000, 8_000, 6_000))
"""Tortuga's weights also serve where hands are hidden: what is worth much is the same."""
STUDIES: Final = courses_of(tortuga=(30_000, 15_000, 12_000, 10_000), nest=(20_000, 10_000, 8_000, 6_000))
"""The courses for insight."""


def learn(course: Course, seed: int, report: Report) -> list[float]:
    """Return the weights of worth after the games of `course`; `report` is called every hundred games."""
    dice = Dice(seed)
    # Any start would do; the shipped weights, the Nest's too, began with this one.
    worth = Worth([SCALE * weight for weight in sailors_worth(ESCAPE).weights])
    survey = survey_by(worth)
    average = [0.0] * WEIGHTS
    settled = 0
    for number in range(course.games):
        done = number / course.games
        position = random_opening(course.ruleset, course.seats, dice)
        moments = remembered_game(position, survey, TEMPERATURE, dice)
        learn_from(
            worth, moments, worth.chances(position), FIRST_RATE * (LAST_RATE / FIRST_RATE) ** done, TRACE
        )
        if done >= SETTLED:
            settled += 1
            for feature, weight in enumerate(worth.weights):
                average[feature] += (weight - average[feature]) / settled
        if number % REPORT == REPORT - 1:
            report(REPORT)
    return average


def study(course: Course, seed: int, report: Report) -> list[float]:
    """Return the weights of insight after the games of `course`."""
    dice = Dice(seed)
    # Read from where it was just written: an installed package may still have what was learned before.
    text = (WEIGHTS_FOLDER / worth_file(course.ruleset.family, course.seats)).read_text()
    worth = Worth(parse_weights(text, KINDS, WEIGHTS))
    insight = Insight(worth, first_weights(dice))
    survey = survey_by(worth)
    cases: list[Case] = []
    for number in range(course.games):
        position = random_opening(course.ruleset, course.seats, dice)
        cases += observed_game(position, survey, insight, TEMPERATURE, dice)
        if number % REPORT == REPORT - 1:
            report(REPORT)
    student = Student(insight)
    for reading in range(READINGS):
        order = list(range(len(cases)))
        dice.shuffle(order)
        student.study([cases[number] for number in order], READING_RATE * (1 - reading / READINGS))
    return insight.weights


def survey_by(worth: Worth) -> Survey:
    """How bots look for plans while they learn: they skip some, for speed."""
    return Survey(worth, width=8, margin=1.0, beam=8)


def take(course: Course, seed: int, reports: "Queue[tuple[str, int]]", *, insight: bool) -> str:
    """Go through a course and write its file; return the name of the course."""
    family, seats = course.ruleset.family, course.seats
    subject = "--insight " if insight else ""
    weights = (study if insight else learn)(course, seed, lambda games: reports.put((course.name, games)))
    comments = (
        f"learned from {course.games} games of {course.ruleset.key} for {seats} seats",
        f"python -m research.train {subject}--only {course.name} --games {course.games} --seed {seed}",
    )
    text = format_weights(weights, INSIGHT_KINDS if insight else KINDS, comments)
    (WEIGHTS_FOLDER / (insight_file if insight else worth_file)(family, seats)).write_text(text)
    return course.name


def main() -> None:
    """Learn on all cores and show progress."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1672)
    parser.add_argument("--insight", action="store_true", help="study insight, on the worth that is there")
    parser.add_argument("--only", choices=[course.name for course in COURSES])
    parser.add_argument("--games", type=int, help="instead of the number in the table of courses")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    wish = parser.parse_args()
    courses = [
        Course(ruleset=course.ruleset, seats=course.seats, games=wish.games or course.games)
        for course in (STUDIES if wish.insight else COURSES)
        if wish.only in {None, course.name}
    ]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        multiprocessing.Manager() as manager,
        ProcessPoolExecutor(wish.workers) as pool,
        Progress(*columns) as progress,
    ):
        reports: Queue[tuple[str, int]] = manager.Queue()
        bars = {course.name: progress.add_task(course.name, total=course.games) for course in courses}
        running = {pool.submit(take, course, wish.seed, reports, insight=wish.insight) for course in courses}
        while running:
            try:
                name, games = reports.get(timeout=1)
                progress.advance(bars[name], games)
            except Empty:
                for future in [future for future in running if future.done()]:
                    future.result()
                    running.remove(future)


if __name__ == "__main__":
    main()
