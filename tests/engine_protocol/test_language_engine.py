"""The example for language models: tried with a scripted stand-in, for no model is called from tests."""

import importlib.util
import io
import shlex
import sys
from dataclasses import asdict
from functools import partial
from types import ModuleType

import msgspec
import pytest

from cartagena.engine_protocol.conformance import CheckPatience, EngineCheck, check_engine
from cartagena.messages.views import view_message
from cartagena.notation import format_action
from cartagena.notation.names import format_cards
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import advance
from tests.engine_protocol import stand_in
from tests.engine_protocol.engines import EXAMPLES, PYTHON, dealt, first_view

LANGUAGE = EXAMPLES / "language.py"
SLOWLY = CheckPatience(starting=60, seconds=1, grace=20, ending=20)


def asking(way: str) -> str:
    """The command that asks the stand-in."""
    return shlex.join([*PYTHON, stand_in.__file__, way])


@pytest.fixture(scope="module")
def language() -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("language", LANGUAGE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["language"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.processes
def test_it_keeps_to_the_protocol() -> None:
    checks = [one for one in EngineCheck if not one.name.startswith("PLAYS")]
    engine = (sys.executable, str(LANGUAGE), "--ask", asking("last"))
    results = list(check_engine(engine, patience=SLOWLY, checks=checks))
    assert [(one.check, one.fault) for one in results] == [(check, None) for check in checks]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("last", {"questions": 1, "illegal": 0, "given_up": 0}),
        ("learner", {"questions": 2, "illegal": 1, "given_up": 0}),
        ("parrot", {"questions": 3, "illegal": 3, "given_up": 1}),
        ("noise", {"questions": 3, "unread": 3, "given_up": 1}),
        ("crash", {"questions": 1, "unanswered": 1, "given_up": 1}),
    ],
)
def test_it_plays_on_whatever_a_command_answers(
    language: ModuleType, way: str, expected: dict[str, int]
) -> None:
    seen, tally = first_view("nest", 3), language.Tally()
    code = language.choose(seen, partial(language.ask_command, asking(way)), tally, seconds=100)
    assert code == (seen.legal[-1] if way in {"last", "learner"} else seen.legal[0])
    told = asdict(tally)
    assert told == {**dict.fromkeys(told, 0), "choices": 1, **expected}


@pytest.mark.parametrize(
    ("answer", "rule"),
    [("retreat 1", "R4.1"), ("play bottle 9", "R3.1"), ("end_turn", "R2.8")],
)
def test_a_refusal_names_its_rule(language: ModuleType, answer: str, rule: str) -> None:
    tally = language.Tally()
    code, wrong = language.judge(first_view(), answer, tally)
    assert code is None
    assert rule in wrong
    assert (tally.illegal, tally.unread) == (1, 0)


def test_what_cannot_be_read_is_told_too(language: ModuleType) -> None:
    tally = language.Tally()
    code, wrong = language.judge(first_view(), "I shall win!\n", tally)
    assert code is None
    assert "could not be read" in wrong
    assert (tally.illegal, tally.unread) == (0, 1)


def test_a_question_shows_what_the_seat_sees_and_no_more(language: ModuleType) -> None:
    seen = first_view()
    asked = language.question(seen, ["Your answer 'x' is refused"])
    assert stand_in.legal_actions(asked) == [format_action(seen.ruleset, code) for code in seen.legal]
    unknown = format_cards(seen.ruleset.family, (None,) * seen.ruleset.hand_size)
    assert asked.count(f": {unknown}\n") == seen.seats - 1
    assert "is refused" in asked


def test_a_function_plays_a_game(language: ModuleType) -> None:
    questions = []

    def ask(question: str, seconds: float) -> str:
        assert seconds > 0
        questions.append(question)
        return stand_in.answer("last", question)

    position, lines = dealt("tortuga", 2), ["cartagena {}"]
    for _ in range(6):
        told = msgspec.json.encode(view_message(view(position, position.to_act))).decode()
        lines += [f"view {told}", 'go {"seconds": 1, "grace": 1}']
        advance(position, view(position, position.to_act).legal[-1])
    out = io.StringIO()
    tally = language.play(ask, io.StringIO("\n".join([*lines, "quit"])), out)
    assert (tally.choices, tally.questions, tally.given_up) == (6, 6, 0)
    assert len(questions) == out.getvalue().count("choice ") == 6
