"""The entrance: help, languages, rulebook, counting, and that it opens at once."""

import ast
import json
import platform
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import cartagena
from cartagena.cli.main import COMMANDS
from cartagena.rules import legality
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import RULES_VERSION
from cartagena.words import languages
from tests.cli.scripts import run

PERFT = Path(__file__).parents[1] / "perft"
SENTENCE = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+")


def call(*arguments: str | Path) -> str:
    """What a program prints when it runs in a process of its own."""
    command = [str(argument) for argument in arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own


def test_help_lists_every_command_and_the_exit_codes() -> None:
    output = run("--help").output
    for name in COMMANDS:
        assert f"\n  {name} " in output
    assert "3  a file, the input or the output cannot be read" in output
    assert "4  a library is not installed" in output


@pytest.mark.parametrize("language", languages())
def test_without_a_command_a_short_page_names_what_most_people_want(language: str) -> None:
    result = run("--lang", language)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) < 80
    for name in ("play", "games", "join URL", "rules", "--help"):
        assert f"cartagena {name}" in result.output
    if language == "en":
        assert run().output == result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples(name: str) -> None:
    output = run(name, "--help").output
    assert f"\nExamples:\n  cartagena {name}" in output
    assert "\nExit codes:\n" in output
    assert "--lang" in output


def test_a_language_can_be_chosen_before_and_after_the_command() -> None:
    assert run("--lang", "en", "rules", "R5.1").output == run("rules", "R5.1", "--lang", "en").output
    assert run("--lang", "xx", "rules").exit_code == 2


def test_an_unknown_command_is_a_wrong_use() -> None:
    result = run("dance")
    assert (result.exit_code, "There is no command dance." in result.output) == (2, True)
    assert "Did you mean" not in result.output


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("anaylse", "game.txt"), "analyse"),
        (("pla",), "play"),
        (("db", "upgarde"), "upgrade"),
        (("games", "resmue", "k7q2m"), "resume"),
    ],
)
def test_a_mistyped_command_is_answered_with_what_was_meant(typed: tuple[str, ...], meant: str) -> None:
    result = run(*typed)
    assert result.exit_code == 2
    assert re.search(rf"Did you mean [a-z, ]*\b{meant}\b[a-z, ]*\?", result.output), result.output


def test_a_mistyped_command_imports_none() -> None:
    program = (
        "import sys; from cartagena.cli.main import main; from contextlib import suppress\n"
        "sys.argv = ['cartagena', 'anaylse']\n"
        "with suppress(SystemExit): main()\n"
        "print('cartagena.cli.analyse' in sys.modules)"
    )
    assert call(sys.executable, "-c", program).splitlines()[-1] == "False"


def test_the_version_tells_release_engine_rules_and_python() -> None:
    engine = "interpreted" if str(legality.__file__).endswith(".py") else "compiled"
    told = f"(engine {engine}, rules {RULES_VERSION}, Python {platform.python_version()})"
    assert run("--version").output == f"cartagena {cartagena.__version__} {told}\n"


def test_the_version_is_told_without_loading_the_engine() -> None:
    program = (
        "import sys; from cartagena.cli.main import entrance; entrance(['--version'], standalone_mode=False);"
        "print(sorted(name for name in sys.modules if name.startswith('cartagena.rules')))"
    )
    output = call(sys.executable, "-c", program)
    assert ast.literal_eval(output.splitlines()[-1]) == ["cartagena.rules", "cartagena.rules.ruleset"]


def test_no_command_is_imported_before_it_is_called() -> None:
    program = (
        "import sys; from cartagena.cli.main import entrance; entrance(['--help'], standalone_mode=False);"
        "print(sorted(name for name in sys.modules if name.startswith(('cartagena.', 'msgspec', 'rich'))))"
    )
    output = call(sys.executable, "-c", program)
    assert ast.literal_eval(output.splitlines()[-1]) == [
        "cartagena.cli",
        "cartagena.cli.language",
        "cartagena.cli.main",
        "cartagena.cli.style",
        "cartagena.cli.version",
        "cartagena.words",
        "cartagena.words.catalogue",
        "cartagena.words.printable",
    ]


def test_help_is_there_at_once() -> None:
    def seconds() -> float:
        # CPU time, not wall-clock time: other tests run at the same time.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        call(sys.executable, "-c", "from cartagena.cli.main import main; main()", "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.4


def test_colours_are_left_out_of_pipes_and_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("play", "--bots", "2", "--seed", "3")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in run(*arguments).output
    assert "\x1b[" in run(*arguments, color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run(*arguments, color=True).output


def test_the_rulebook_can_be_read_whole_by_chapter_and_by_sentence() -> None:
    whole = run("rules").output
    assert whole.index("\nR2 The turn\n") < whole.index("\nR10 Playing a card in the Nest\n")
    assert whole.index("\nR2.9 ") < whole.index("\nR2.10 ")
    assert run("rules", "R5.1").output.startswith("R5.1   Cards are drawn one after another")
    chapter = run("rules", "r8").output
    assert ("\nR8 Undo\n" in chapter, "R8.9" in chapter, "R9" in chapter) == (True, True, False)
    assert json.loads(run("rules", "8.9", "--json").output) == {
        "R8.9": "A seat may undo at most ten times in one turn."
    }


def test_the_rulebook_is_searched_by_word() -> None:
    found = run("rules", "RETREAT").output
    assert "\nR4 Retreating\n" in found
    assert all(f"\nR4.{number} " in found for number in range(1, 10))
    assert "\nR3 Playing a card\n\nR3.6 " in found
    assert "R5.1 " not in found
    phrase = json.loads(run("rules", "in mid-turn", "--json").output)
    assert list(phrase) == ["R6", "R6.3"]
    both = run("rules", "R8.9", "mid-turn", "R6.3").output
    assert (both.count("R8.9"), both.count("R6.3")) == (1, 1)


@pytest.mark.parametrize(
    ("language", "word"), [("de", "zurueckziehen"), ("nl", "terugtrekken"), ("sv", "BAKÅT")]
)
def test_words_are_found_in_every_language_however_they_are_spelled(language: str, word: str) -> None:
    assert "R4.1 " in run("rules", word, "--lang", language).output


def test_a_word_that_no_rule_has_is_answered_with_one_like_it() -> None:
    near = run("rules", "retrat")
    assert (near.exit_code, "did you mean retreat" in near.output) == (2, True)
    strange = run("rules", "xylophone")
    assert (strange.exit_code, "no rule speaks of xylophone" in strange.output) == (2, True)


def test_there_is_no_rule_without_a_number() -> None:
    result = run("rules", "R99")
    assert (result.exit_code, "`cartagena rules` shows all" in result.output) == (2, True)


def test_every_refusal_quotes_a_rule_that_exists() -> None:
    for refusal in Refusal:
        assert run("rules", refusal.rule).exit_code == 0, refusal


def test_perft_counts_and_compares() -> None:
    files = sorted(str(file) for file in PERFT.glob("*.perft"))[:3]
    result = run("perft", *files, "--depth", "2")
    assert result.exit_code == 0, result.output
    assert re.search(r", 0 wrong; \d+ nodes, \d+ a second$", result.output)
    assert all(count["agrees"] for count in json.loads(run("perft", *files, "--depth", "1", "--json").output))


def test_perft_fails_on_another_number(tmp_path: Path) -> None:
    good = min(PERFT.glob("*.perft")).read_text(encoding="utf-8")
    file = tmp_path / "wrong.perft"
    file.write_text(re.sub(r"^perft 1 (\d+)", r"perft 1 9\1", good, flags=re.MULTILINE), encoding="utf-8")
    result = run("perft", str(file), "--depth", "1")
    assert (result.exit_code, "(WRONG, expected 9" in result.output) == (1, True)
    file.write_text("perft 1 2\n", encoding="utf-8")
    assert run("perft", str(file)).exit_code == 3


def test_the_program_is_installed_under_its_name() -> None:
    output = call(Path(sys.executable).with_name("cartagena"), "rules", "R6.4", "--lang", "en")
    assert output.startswith("R6.4   There is at most one winner")


def test_sentences_stand_in_the_catalogue_and_not_in_the_commands() -> None:
    for path in (Path(cartagena.__file__).parent / "cli").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        written = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node not in docstrings and isinstance(node.value, str)
        ]
        assert [text for text in written if SENTENCE.search(text)] == [], path
