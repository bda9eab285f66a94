"""Write what the learning pages show: the lessons, played out by the engine, and the plan of the rulebook.

python -m scripts.lessons web/src/learn/generated
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from cartagena.messages.happenings import HappeningMessage
from cartagena.messages.replays import ViewChange, view_change
from cartagena.messages.updates import update_for
from cartagena.messages.views import ViewMessage
from cartagena.messages.wishes import LegalMessage, WishesMessage
from cartagena.rules.actions import Kind, action_of
from cartagena.rules.happenings import Happening
from cartagena.rules.legality import apply, legal
from cartagena.rules.position import Position
from cartagena.rules.ruleset import ESCAPE, NEST, OPTIONS
from cartagena.rules.setup import arrange
from scripts.browser_words import write_folder
from scripts.lesson_plans import Deed, Lesson, Task, course
from scripts.rulebook import HEADING, PAGES, SENTENCE

# Lessons.


class Reply(Struct, frozen=True, kw_only=True):
    """The result of a choice: what happened, and what changed in the view."""

    happened: tuple[HappeningMessage, ...]
    changed: ViewChange


class TaskMessage(Struct, frozen=True, kw_only=True):
    """A task: what the learner sees and may choose, the codes that solve it, and the reply to each choice.

    A task with the scene of the one before begins where that one's goal led.
    """

    name: str
    scene: int
    rule: str
    goals: tuple[int, ...]
    view: ViewMessage
    wishes: WishesMessage
    replies: dict[int, Reply]


class LessonMessage(Struct, frozen=True, kw_only=True):
    """A lesson with all its tasks, in order."""

    name: str
    family: str
    tasks: tuple[TaskMessage, ...]


class Entry(Struct, frozen=True, kw_only=True):
    """A lesson in the list of all."""

    name: str
    family: str
    tasks: int


class LessonError(Exception):
    """A lesson that cannot be played as it is planned."""


def lesson_message(lesson: Lesson) -> LessonMessage:
    """A lesson played out."""
    tasks: list[TaskMessage] = []
    for number, scene in enumerate(lesson.scenes):
        position = arrange(scene.layout)
        you = position.seat
        for task in scene.tasks:
            if tasks and tasks[-1].scene == number and len(tasks[-1].goals) != 1:
                raise LessonError(f"{lesson.name}: nobody knows from where {task.name} begins")
            tasks.append(task_message(position, task, scene=number))
            position, _ = after(position, tasks[-1].goals[0], you)
    return LessonMessage(name=lesson.name, family=lesson.scenes[0].layout.ruleset.family, tasks=tuple(tasks))


def task_message(position: Position, task: Task, *, scene: int) -> TaskMessage:
    """A task in a position."""
    you = position.to_act
    now = update_for(you, 0, (), position)
    if now.view is None or now.wishes is None:
        raise LessonError(f"{task.name}: the learner is not to act")
    goals = tuple(choice.code for choice in now.wishes.legal if fits(task.deed, choice))
    if not goals:
        raise LessonError(f"{task.name}: nothing that is legal solves it")
    return TaskMessage(
        name=task.name,
        scene=scene,
        rule=task.rule,
        goals=goals,
        view=now.view,
        wishes=now.wishes,
        replies={choice.code: reply(position, choice.code, now.view) for choice in now.wishes.legal},
    )


def fits(deed: Deed, choice: LegalMessage) -> bool:
    """Whether a choice is what a task asks for."""
    wanted = (deed.card, deed.crew, deed.place, deed.target)
    made = (choice.card, choice.crew, choice.place, choice.target)
    pairs = zip(wanted, made, strict=True)
    return deed.kind is choice.kind and all(want is None or want == have for want, have in pairs)


def reply(position: Position, code: int, before: ViewMessage) -> Reply:
    """What the learner is shown after a choice."""
    you = position.to_act
    later, told = after(position, code, you)
    update = update_for(you, 0, told, later)
    assert update.view is not None, "cards are dealt"
    return Reply(happened=update.happened, changed=view_change(before, update.view))


def after(position: Position, code: int, you: int) -> tuple[Position, list[Happening]]:
    """The position after a choice and what happened; other seats that owe cards give their first ones."""
    later = position.copy()
    told = apply(later, code)
    while later.to_act != you and (trims := list(trims_of(later))):
        told += apply(later, trims[0])
    return later, told


def trims_of(position: Position) -> Iterator[int]:
    """The trims that are legal."""
    for code in legal(position):
        if action_of(position.ruleset, code).kind is Kind.TRIM:
            yield code


# The rulebook.


class Chapter(Struct, frozen=True, kw_only=True):
    """A chapter, and its sentences by number."""

    number: str
    rules: tuple[str, ...]


class RulebookPlan(Struct, frozen=True, kw_only=True):
    """Which sentences belong to which game, which only explain, and the options that a sentence names."""

    families: dict[str, tuple[Chapter, ...]]
    about: tuple[str, ...]
    options: dict[str, tuple[str, ...]]


SHARED = re.compile(r"^\*Both games\.")
TAKEN = re.compile(r"^From R1 it takes (.+)\.$", re.MULTILINE)
NEST_READING = ("R9", "R1", "R2", "R10", "R11", "R12", "R13", "R5", "R6", "R7", "R8")
"""The order in which the Nest is best read: its own chapters where Cartagena has others."""


def rulebook_plan() -> RulebookPlan:
    """The plan of docs/rules."""
    cartagena, nest = (page.read_text(encoding="utf-8") for page in PAGES)
    sentences = [sentence for line in (cartagena + nest).splitlines() if (sentence := SENTENCE.match(line))]
    taken = TAKEN.search(nest)
    assert taken is not None, "the page of the Nest says what it takes from R1"
    own, shared = sentences_of(nest), shared_chapters(cartagena)
    chapters = sentences_of(cartagena)
    readable = own | {"R1": re.findall(r"R1\.\d+", taken[1])} | {each: chapters[each] for each in shared}
    assert set(readable) == set(NEST_READING)
    named = {rule: options_in(text) for rule, _, text in (sentence.groups() for sentence in sentences)}
    return RulebookPlan(
        families={
            ESCAPE: chapters_of(chapters),
            NEST: chapters_of({each: readable[each] for each in NEST_READING}),
        },
        about=tuple(sentence[1] for sentence in sentences if sentence[2]),
        options={rule: options for rule, options in named.items() if options},
    )


def sentences_of(page: str) -> dict[str, list[str]]:
    """The numbers of the sentences of a page by their chapter."""
    chapters: dict[str, list[str]] = {}
    for line in page.splitlines():
        if heading := HEADING.match(line):
            chapters[heading[1]] = []
        elif sentence := SENTENCE.match(line):
            chapters[sentence[1].split(".")[0]].append(sentence[1])
    return chapters


def shared_chapters(page: str) -> list[str]:
    """The chapters of a page that hold in both games."""
    number = ""
    shared: list[str] = []
    for line in page.splitlines():
        if heading := HEADING.match(line):
            number = heading[1]
        elif SHARED.match(line):
            shared.append(number)
    return shared


def options_in(text: str) -> tuple[str, ...]:
    """The options that a sentence names."""
    return tuple(option.name for option in OPTIONS if f"`{option.name}`" in text)


def chapters_of(listed: dict[str, list[str]]) -> tuple[Chapter, ...]:
    """Chapters as they are written."""
    return tuple(Chapter(number=number, rules=tuple(rules)) for number, rules in listed.items())


# Files.


def files() -> dict[str, Struct | list[Entry]]:
    """Everything that is written, by the name of its file."""
    lessons = [lesson_message(lesson) for lesson in course()]
    entries = [Entry(name=lesson.name, family=lesson.family, tasks=len(lesson.tasks)) for lesson in lessons]
    return {
        **{f"lesson.{lesson.name}.json": lesson for lesson in lessons},
        "course.json": entries,
        "rulebook.json": rulebook_plan(),
    }


def write(folder: Path) -> None:
    """Write the files, and remove lessons that no longer exist."""
    write_folder(folder, {name: msgspec.json.encode(message) + b"\n" for name, message in files().items()})


def main() -> None:
    """Write them into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)


if __name__ == "__main__":
    main()
