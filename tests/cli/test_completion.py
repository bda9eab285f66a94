"""Shells complete commands, flags, files and the names of bots, without importing what is not asked for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from cartagena.bots.players.registry import names
from cartagena.cli.main import COMMANDS, entrance
from tests.cli.scripts import run

PROGRAM = Path(sys.executable).with_name("cartagena")
SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


def offered(shell: str, *typed: str) -> list[str]:
    """What is offered for the last of the words typed."""
    completing = SHELLS[shell](entrance, {}, "cartagena", "_CARTAGENA_COMPLETE")
    return [item.value for item in completing.get_completions(list(typed[:-1]), typed[-1])]


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_flags_and_choices_are_completed(shell: str) -> None:
    assert offered(shell, "") == list(COMMANDS)
    assert offered(shell, "ver") == ["verify"]
    assert offered(shell, "new", "--ed") == ["--edition"]
    assert offered(shell, "new", "--ruleset", "ja") == ["jamaica"]
    assert offered(shell, "db", "re") == ["repair"]
    assert offered(shell, "--lang", "") == ["de", "en", "nl", "sv"]


def test_bots_are_completed_by_name() -> None:
    assert offered("bash", "arena", "") == names()
    assert offered("bash", "arena", "sailor", "bo") == ["bosun"]


@pytest.mark.parametrize(("language", "words"), [("en", "rulebook"), ("sv", "regelhäftet")])
def test_zsh_and_fish_show_what_each_is_in_the_language_of_the_user(language: str, words: str) -> None:
    answer = completed("fish", "cartagena ru", "ru", language)
    assert words in answer
    assert "--json" in completed("fish", "cartagena rules --js", "--js", language)


def completed(shell: str, line: str, word: str, language: str = "en") -> str:
    """What the program answers to the lines that a shell loaded."""
    environment = {
        **os.environ,
        "LANGUAGE": language,
        "_CARTAGENA_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": word,
    }
    done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


def test_completing_a_command_imports_none() -> None:
    program = (
        "import sys; from cartagena.cli.main import entrance;"
        "entrance.shell_complete(entrance.make_context('cartagena', [], resilient_parsing=True), 'pl');"
        "print([name for name in sys.modules if name.startswith(('cartagena.rules', 'rich', 'textual'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "[]\n"


QUESTIONS = {
    "bash": (
        'eval "$(cartagena completion bash)"; '
        "COMP_WORDS=(cartagena ver); COMP_CWORD=1; _cartagena_completion cartagena ver cartagena; "
        'echo "${COMPREPLY[@]}"'
    ),
    "zsh": (
        "autoload -Uz compinit; compinit -u -D; "
        '_describe() { echo "$@" "${completions_with_descriptions[@]}"; }; '
        'eval "$(cartagena completion zsh)"; words=(cartagena ver); CURRENT=2; _cartagena_completion'
    ),
    "fish": "cartagena completion fish | source; complete --do-complete 'cartagena ver'",
}
"""What a shell is asked after it has loaded the lines: how it would go on after `cartagena ver`."""


@pytest.mark.parametrize("shell", QUESTIONS)
def test_the_lines_teach_a_real_shell(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed on this machine")
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [program, "-c", QUESTIONS[shell]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert "verify" in done.stdout, done.stderr


def test_another_shell_is_a_wrong_use() -> None:
    result = run("completion", "tcsh")
    assert (result.exit_code, "'bash', 'zsh', 'fish'" in result.output) == (2, True)
