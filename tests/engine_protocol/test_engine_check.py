"""`cartagena engine-check`: both examples pass, and each broken engine is told what is wrong with it."""

import json
import shlex

import pytest

from cartagena.engine_protocol.conformance import CheckPatience, EngineCheck, check_engine
from cartagena.engine_protocol.faults import EngineTrouble
from tests.cli.scripts import run
from tests.engine_protocol.engines import FURTHEST, FURTHEST_JS, broken
from tests.marks import NO_NODE


@pytest.mark.processes
@pytest.mark.parametrize(
    ("command", "name"),
    [(FURTHEST, "Furthest 1.0"), pytest.param(FURTHEST_JS, "Furthest.js 1.0", marks=NO_NODE)],
)
def test_the_examples_keep_to_the_protocol(command: tuple[str, ...], name: str) -> None:
    result = run("engine-check", *command)
    assert result.exit_code == 0, result.output
    *checks, verdict = result.output.splitlines()
    assert verdict == f"{name} keeps to the protocol: all {len(EngineCheck)} checks passed."
    assert [line[:9] for line in checks] == ["  ok     "] * len(EngineCheck)
    assert "  ok     plays Tortuga with two seats (choices: 30, slowest: 0." in result.output


BROKEN = [
    (("mute",), EngineCheck.GREETS, EngineTrouble.TOO_LATE),
    (("chatty",), EngineCheck.GREETS, EngineTrouble.NO_LINE),
    (("other",), EngineCheck.GREETS, EngineTrouble.OTHER_PROTOCOL),
    (("eager",), EngineCheck.WAITS, EngineTrouble.UNASKED),
    (("twice",), EngineCheck.WAITS, EngineTrouble.UNASKED),
    (("crash",), EngineCheck.ANSWERS, EngineTrouble.ENDED),
    (("hang",), EngineCheck.ANSWERS, EngineTrouble.TOO_LATE),
    (("late", "0.5"), EngineCheck.ANSWERS, EngineTrouble.TOO_LATE),
    (("illegal",), EngineCheck.ANSWERS, EngineTrouble.NO_CHOICE),
    (("garbage",), EngineCheck.ANSWERS, EngineTrouble.NO_LINE),
    (("closed",), EngineCheck.ANSWERS, EngineTrouble.CLOSED),
    (("sure",), EngineCheck.ANSWERS, EngineTrouble.WRONG_CHANCES),
    (("strict",), EngineCheck.IGNORES, EngineTrouble.ENDED),
    (("ungrateful",), EngineCheck.QUITS, EngineTrouble.ENDED),
    (("clinging",), EngineCheck.QUITS, EngineTrouble.STAYED),
    (("orphan",), EngineCheck.LEAVES, EngineTrouble.STAYED),
]


@pytest.mark.parametrize(("way", "check", "trouble"), BROKEN, ids=[way[0] for way, _, _ in BROKEN])
def test_a_broken_engine_fails_one_check_and_is_asked_no_more(
    way: tuple[str, ...], check: EngineCheck, trouble: EngineTrouble
) -> None:
    patience = CheckPatience(
        starting=1 if way == ("mute",) else 10,
        seconds=0.02,
        grace=0.3 if trouble is EngineTrouble.TOO_LATE else 5,
        ending=0.3 if trouble is EngineTrouble.STAYED else 5,
    )
    checks = dict.fromkeys((EngineCheck.GREETS, EngineCheck.ANSWERS, check))
    if check is EngineCheck.GREETS:
        checks = {check: None}
    *passed, failed = check_engine(broken(*way), patience=patience, checks=[*checks, EngineCheck.LEAVES])
    assert [one.fault for one in passed] == [None] * (len(checks) - 1)
    assert failed.fault is not None
    assert (failed.check, failed.fault.trouble) == (check, trouble)


def test_what_is_wrong_is_one_line_with_what_to_do() -> None:
    result = run("engine-check", shlex.join(broken("illegal")))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "  ok     answers the greeting",
        (
            "  FAILS  answers `go` with a `choice`. It chose what is not among the choices. "
            "Answer `go` with the `code` of one of the `choices` before it. 'choice 1023'"
        ),
        "1 of 11 checks passed. Those behind the one that failed were not tried.",
    ]


def test_the_end_of_the_standard_error_is_shown() -> None:
    told = run("engine-check", shlex.join(broken("node"))).output.splitlines()
    assert told[2] == "  The last lines of its standard error:"
    assert told[3:5] == ["    TypeError: the hand holds a skull", "        at step 13"]
    assert told[12:] == [
        "    Node.js v22.0.0",
        "1 of 11 checks passed. Those behind the one that failed were not tried.",
    ]


def test_programs_are_told_the_same() -> None:
    result = run("engine-check", "--json", *broken("other"))
    assert result.exit_code == 1
    (told,) = json.loads(result.output)
    assert (told["check"], told["passed"], told["trouble"]) == ("greets", False, "other_protocol")
    assert told["detail"] == ""


def test_the_help_page_speaks_of_this_command_alone() -> None:
    told = run("engine-check", "--help").output
    assert "0.1 if nothing is said" in " ".join(told.split())
    assert "arena" not in told


def test_a_program_that_is_not_there_is_a_wrong_use() -> None:
    result = run("engine-check", "./no_such_engine")
    assert (result.exit_code, "there is no program './no_such_engine'" in result.output) == (2, True)
