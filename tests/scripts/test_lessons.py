"""The lessons of the browser: they can be played as planned, tell no secret, and have all their words."""

from itertools import pairwise

import msgspec
import pytest

from cartagena.messages.replays import view_change
from cartagena.rules.actions import Kind
from cartagena.rules.ruleset import OPTIONS_BY_NAME
from cartagena.words.catalogue import ENGLISH
from harness.rulebook_examples import EXAMPLES, ruleset_of, steps_of
from scripts.browser_words import RULEBOOK, SAID, words_of
from scripts.lesson_plans import Deed, Lesson, Scene, Task, play, printed
from scripts.lessons import (
    LessonError,
    LessonMessage,
    TaskMessage,
    files,
    fits,
    lesson_message,
    rulebook_plan,
)

LESSONS = [message for message in files().values() if isinstance(message, LessonMessage)]
TASKS = [
    pytest.param(lesson, task, id=f"{lesson.name}.{task.name}") for lesson in LESSONS for task in lesson.tasks
]

ONLY_TASKS = [pytest.param(param.values[1], id=param.id) for param in TASKS]


def moves(lesson: LessonMessage, scene: int = 0) -> list[tuple[int | None, int | None]]:
    """From where to where the goals of a scene lead."""
    found = []
    for task in lesson.tasks:
        goal = next(choice for choice in task.wishes.legal if choice.code in task.goals)
        if task.scene == scene and goal.kind is not Kind.END_TURN:
            found.append((goal.start, goal.target))
    return found


def named(name: str) -> LessonMessage:
    return next(lesson for lesson in LESSONS if lesson.name == name)


@pytest.mark.parametrize(
    ("name", "example"),
    [
        ("jump", "T-Y"),
        ("retreat", "T-2c"),
        ("turn", "T-1"),
        ("boarding", "T-3"),
        ("row", "T-2"),
        ("push", "N1.2"),
        ("captain", "N1.1b"),
    ],
)
def test_a_lesson_made_of_a_printed_example_has_its_steps(name: str, example: str) -> None:
    assert example in EXAMPLES["tortuga" if ruleset_of(example).row_length else "nest"]["examples"]
    assert moves(named(name)) == [(step.start, step.target) for step in steps_of(example)]


@pytest.mark.parametrize("task", ONLY_TASKS)
def test_every_legal_choice_has_a_reply(task: TaskMessage) -> None:
    codes = [choice.code for choice in task.wishes.legal]
    assert sorted(task.replies) == sorted(codes)
    assert set(task.goals) <= set(codes)
    assert all(reply.happened for reply in task.replies.values())


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_goal_leads_to_where_the_next_task_of_the_scene_begins(lesson: LessonMessage) -> None:
    for before, after in pairwise(lesson.tasks):
        if before.scene == after.scene:
            assert before.replies[before.goals[0]].changed == view_change(before.view, after.view)


@pytest.mark.parametrize("task", ONLY_TASKS)
def test_no_hidden_hand_is_told(task: TaskMessage) -> None:
    if not task.view.ruleset.options.get("hands_open"):
        you = task.view.seat
        views = [task.view.hands, *(reply.changed.hands for reply in task.replies.values())]
        for hands in views:
            if not isinstance(hands, msgspec.UnsetType):
                assert all((hand is None) == (seat != you) for seat, hand in enumerate(hands))
        assert task.view.stock is None


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_every_task_has_its_words_and_its_rule(lesson: LessonMessage, task: TaskMessage) -> None:
    words = words_of(ENGLISH, SAID + RULEBOOK)
    parts = {"why", "do", "done"} | ({"other"} if len(task.replies) > len(task.goals) else set())
    assert parts == {
        part for part in (*parts, "other") if f"web.learn.task.{lesson.name}.{task.name}.{part}" in words
    }
    assert {f"web.learn.lesson.{lesson.name}", f"web.learn.lesson.{lesson.name}.what"} <= set(words)
    chapters = rulebook_plan().families[lesson.family]
    assert any(task.rule in chapter.rules for chapter in chapters)


def test_the_same_files_are_written_every_time() -> None:
    first, second = files(), files()
    assert [msgspec.json.encode(each) for each in first.values()] == [
        msgspec.json.encode(each) for each in second.values()
    ]


def test_a_task_that_nothing_solves_is_refused() -> None:
    impossible = Task("never", "R3.1", play("key", 9))
    with pytest.raises(LessonError, match="nothing that is legal"):
        lesson_message(Lesson("no", (Scene(printed("blue"), (impossible,)),)))


def test_a_task_behind_one_with_several_goals_is_refused() -> None:
    tasks = (Task("any", "R3.1", play()), Task("then", "R3.1", play()))
    with pytest.raises(LessonError, match="from where then begins"):
        lesson_message(Lesson("no", (Scene(printed("blue"), tasks),)))


def test_a_deed_asks_for_what_it_names_only() -> None:
    choice = named("turn").tasks[0].wishes.legal[0]
    assert fits(Deed(kind=choice.kind), choice)
    assert fits(Deed(kind=choice.kind, card=choice.card, place=choice.place, target=choice.target), choice)
    assert not fits(Deed(kind=choice.kind, target=99), choice)


# The rulebook.


def test_the_plan_has_every_sentence_of_the_rulebook_and_no_other() -> None:
    plan = rulebook_plan()
    planned = {rule for chapters in plan.families.values() for each in chapters for rule in each.rules}
    assert {f"rule.{rule}" for rule in planned} == set(words_of(ENGLISH, ("rule.",)))
    assert {*plan.about, *plan.options} <= planned


def test_every_option_is_named_where_the_rules_say_it_stands() -> None:
    options = rulebook_plan().options
    for option in OPTIONS_BY_NAME.values():
        assert option.name in options[option.rule]
