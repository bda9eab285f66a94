"""Learn what a crew is worth, for every family and number of seats, from games of the bots among themselves.

`make train` does it all with the seed of the shipped weights; `--only escape-2` does one course. With
--insight it learns the insight, which builds on the worth that was learned before. Games are played on all
cores, or on the Ray cluster at --address. A run that was stopped continues behind what it learned; the files
go to src/cartagena/bots/evaluation/weights/.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import ray
import torch
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch.optim.swa_utils import AveragedModel

from cartagena.bots.evaluation.linear import WEIGHTS, Worth
from cartagena.bots.evaluation.network import INSIGHTS, Insight
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
from cartagena.rules.ruleset import ESCAPE, FEWEST_SEATS, PRESETS, Ruleset
from research.experiment import Experiment, Game, Row, Summary
from research.run import PARTS, Parts, batches, cluster, play_missing
from research.training.insight import InsightNet, observed_game, study
from research.training.temporal_difference import Moment, TemporalDifferences, WorthModel, remembered_game

WEIGHTS_FOLDER: Final = Path(__file__).parents[2] / "src" / "cartagena" / "bots" / "evaluation" / "weights"
CHECKPOINTS: Final = PARTS / "training"

SCALE: Final = 0.04
"""The first weights are the yardstick's; one of its spaces is this many units of the softmax."""
FIRST_RATE: Final = 0.01
LAST_RATE: Final = 0.0003
"""How far one game moves the weights: the rate falls evenly from the first to the last."""
TRACE: Final = 0.6
TEMPERATURE: Final = 0.2
"""How curious the bots are: a turn whose log odds are lower by this much is taken a third as often."""
SETTLED: Final = 0.6
"""After this share of the games the weights are averaged, and the average is kept."""
ROUND: Final = 100
"""How many games are played with the same weights before they are learned from, one after the other."""
BATCH: Final = 10
"""How many of them are played in one go, on one core."""
READINGS: Final = 8
"""How many times all cases are read for insight."""
READING_RATE: Final = 0.003
"""How far a step goes at first."""

Report = Callable[[int], None]
"""Hears how many more games are done."""


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


def courses_of(**games: tuple[int, ...]) -> dict[str, Course]:
    """Make a course for every number of seats, each with its number of games; the fewest seats first."""
    courses = [
        Course(ruleset=PRESETS[name], seats=seats, games=number)
        for name, numbers in games.items()
        for seats, number in enumerate(numbers, start=FEWEST_SEATS)
    ]
    return {course.name: course for course in courses}


COURSES: Final = courses_of(tortuga=(50_000, 35_000, 30_000, 25_000), nest=(20_000, 12_000, 8_000, 6_000))
"""Tortuga's weights also serve where hands are hidden: what is worth much is the same."""
STUDIES: Final = courses_of(tortuga=(30_000, 15_000, 12_000, 10_000), nest=(20_000, 10_000, 8_000, 6_000))
"""The courses for insight."""


def survey_by(worth: Worth) -> Survey:
    """How bots look for plans while they learn: they skip some, for speed."""
    return Survey(worth, width=8, margin=1.0, beam=8)


# What crews are worth.


def play_round(
    course: Course, games: Sequence[Game], weights: list[float]
) -> list[tuple[list[Moment], list[float]]]:
    """Play games with the same weights; return the moments of each, and its result."""
    worth = Worth(weights)
    played = []
    for game in games:
        dice = Dice(game.chance().getrandbits(31))
        position = random_opening(course.ruleset, course.seats, dice)
        moments = remembered_game(position, survey_by(worth), TEMPERATURE, dice)
        played.append((moments, worth.chances(position)))
    return played


_play_round: Final = ray.remote(num_cpus=1, max_retries=-1)(play_round)


class WorthCourse:
    """The course of one set of weights; the same seed and number of games give the same weights anywhere."""

    def __init__(self, course: Course, seed: int, folder: Path = CHECKPOINTS) -> None:
        self.course = course
        self.seed = seed
        self.checkpoint = folder / f"{course.name}-{course.games}-seed-{seed}.pt"
        # Any start would do; the shipped weights, the Nest's too, began with this one.
        self.model = WorthModel([SCALE * weight for weight in sailors_worth(ESCAPE).weights])
        self.average = AveragedModel(self.model)
        self.teacher = TemporalDifferences(self.model, TRACE)
        self.games = 0

    def resume(self) -> None:
        """Continue behind the last checkpoint, if there is one."""
        if self.checkpoint.exists():
            state = torch.load(self.checkpoint)
            self.games = state["games"]
            self.model.load_state_dict(state["model"])
            self.average.load_state_dict(state["average"])

    def save(self) -> None:
        """Write a checkpoint; a crash leaves the old one or the new one."""
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.checkpoint.with_suffix(".unfinished")
        state = {
            "games": self.games,
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
        }
        torch.save(state, unfinished)
        unfinished.replace(self.checkpoint)

    def learn(self, report: Report) -> list[float]:
        """Play and learn, round after round; return the average weights of the last rounds."""
        while self.games < self.course.games:
            for moments, result in self.play():
                done = self.games / self.course.games
                self.teacher.learn(moments, result, FIRST_RATE * (LAST_RATE / FIRST_RATE) ** done)
                if done >= SETTLED:
                    self.average.update_parameters(self.model)
                self.games += 1
                report(1)
            self.save()
        weights: list[float] = self.average.module.weights.tolist()
        return weights

    def play(self) -> list[tuple[list[Moment], list[float]]]:
        """Play the next round, on all cores."""
        end = min(self.games + ROUND, self.course.games)
        games = [Game("worth", self.course.name, number, str(self.seed)) for number in range(self.games, end)]
        weights = self.model.weights.tolist()
        tasks: list[Any] = [
            _play_round.remote(self.course, games[first : first + BATCH], weights)
            for first in range(0, len(games), BATCH)
        ]
        return [played for batch in ray.get(tasks) for played in batch]


# Insight.


def worth_text(course: Course) -> str:
    """The worth on which insight builds, as it was written last: an installed package may be older."""
    return (WEIGHTS_FOLDER / worth_file(course.ruleset.family, course.seats)).read_text(encoding="utf-8")


def observe(game: Game) -> Row:
    """Play a game and keep its cases, and who won."""
    course = STUDIES[game.cell]
    worth = Worth(parse_weights(worth_text(course), KINDS, WEIGHTS))
    dice = Dice(game.chance().getrandbits(31))
    position = random_opening(course.ruleset, course.seats, dice)
    insight = Insight(worth, [0.0] * INSIGHTS)
    cases = observed_game(position, survey_by(worth), insight, TEMPERATURE, dice)
    return {"cases": cases, "result": worth.chances(position)}


CASES: Final = Experiment(
    name="insight-cases",
    games={name: course.games for name, course in STUDIES.items()},
    bots=lambda name: sha256(worth_text(STUDIES[name]).encode()).hexdigest()[:16],
    play=observe,
    figures=lambda _: {},
    table=lambda: "",
)


def learn_insight(course: Course, seed: int, report: Report, folder: Path | None = None) -> list[float]:
    """Play the games of a course and study their cases; return the weights of the net."""
    parts = Parts(CASES, str(seed), folder)
    wanted = batches(CASES, {course.name: course.games}, {course.name: Summary()})
    report(sum(batch.end - batch.first for batch in wanted if parts.file(batch).exists()))
    for batch in play_missing(CASES, wanted, parts, str(seed)):
        report(batch.end - batch.first)
    rows = [row for batch in wanted for row in parts.read(batch)]
    inputs = torch.tensor([case for row in rows for case in row["cases"]], dtype=torch.float64)
    results = torch.tensor([row["result"] for row in rows for _ in row["cases"]], dtype=torch.float64)
    net = InsightNet.begun(seed)
    study(net, inputs, results, readings=READINGS, rate=READING_RATE, seed=seed, report=lambda _: None)
    return net.weights()


def take(course: Course, seed: int, report: Report, *, insight: bool) -> None:
    """Go through a course and write its file."""
    family, seats = course.ruleset.family, course.seats
    if insight:
        weights, kinds, file = learn_insight(course, seed, report), INSIGHT_KINDS, insight_file(family, seats)
    else:
        lesson = WorthCourse(course, seed)
        lesson.resume()
        report(lesson.games)
        weights, kinds, file = lesson.learn(report), KINDS, worth_file(family, seats)
    wish = f"{'--insight ' if insight else ''}--only {course.name} --games {course.games} --seed {seed}"
    comments = (
        f"learned from {course.games} games of {course.ruleset.key} for {seats} seats",
        f"python -m research.training.train {wish}",
    )
    (WEIGHTS_FOLDER / file).write_text(format_weights(weights, kinds, comments), encoding="utf-8")


def main() -> None:
    """Go through the courses, one after the other, and show progress."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1672)
    parser.add_argument("--insight", action="store_true", help="study insight, on the worth that is there")
    parser.add_argument("--only", choices=COURSES, metavar="COURSE", help=", ".join(COURSES))
    parser.add_argument("--games", type=int, help="instead of the number in the table of courses")
    parser.add_argument("--address", help="of a Ray cluster (default: the cores of this machine)")
    parser.add_argument("--cores", type=int, help="of this machine (default: all)")
    wish = parser.parse_args()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with cluster(wish.address, wish.cores), Progress(*columns) as progress:
        for name, course in (STUDIES if wish.insight else COURSES).items():
            if wish.only in {None, name}:
                games = wish.games or course.games
                bar = progress.add_task(name, total=games)
                shorter = Course(ruleset=course.ruleset, seats=course.seats, games=games)
                take(shorter, wish.seed, partial(progress.advance, bar), insight=wish.insight)


if __name__ == "__main__":
    main()
