"""One style: four languages, also in Click's own sentences, and tasks that explain themselves."""

import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner, Result

from cartagena.cli import progress
from cartagena.cli.main import COMMANDS, entrance
from cartagena.cli.style import CommandRefused, Task, Tasks, say
from cartagena.install import install_command, installed_from
from cartagena.words import languages
from cartagena.words.catalogue import LOCALE
from tests.cli.scripts import run

PERFT = Path(__file__).parents[1] / "perft"
OTHERS = [language for language in languages() if language != "en"]
ENGLISH = (
    "Usage:",
    "Options:",
    "Error:",
    "Try '",
    "Invalid",
    "No such",
    "not in the range",
    "Missing",
    "valid",
)
WRONG = [
    ("dance",),
    ("play", "--sets", "3"),
    ("new", "--seats", "9"),
    ("new", "--seats", "two"),
    ("new", "--ruleset", "havana"),
    ("new", "--seats"),
    ("new", "--json=1"),
    ("verify",),
    ("completion",),
    ("rules", "R99"),
    ("arena", "sailor", "--sprt", "1"),
    ("admin", "close", "x", "y", "z"),
    ("new", "one", "two"),
]


def tasks() -> Iterator[tuple[str, str]]:
    context = entrance.make_context("cartagena", ["rules"])
    for name in COMMANDS:
        command = entrance.get_command(context, name)
        if isinstance(command, Tasks):
            yield from ((name, task) for task in command.commands)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_a_wrong_use_is_explained_in_the_language_asked_for(
    arguments: tuple[str, ...], language: str
) -> None:
    result = run(*arguments, "--lang", language)
    assert result.exit_code == 2
    assert [words for words in ENGLISH if words in result.output] == []
    assert result.output != run(*arguments, "--lang", "en").output


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_a_help_page_is_all_in_one_language(name: str, language: str) -> None:
    output = run(*filter(None, [name]), "--help", "--lang", language).output
    assert [words for words in ENGLISH if words in output] == []
    assert "Exit codes" not in output


@pytest.mark.parametrize("variable", ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"])
def test_the_environment_chooses_the_language(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "de_DE.UTF-8")
    assert run("new", "--seats", "9").output.startswith("Aufruf: ")
    assert run("new", "--help").output.startswith("Aufruf: ")


def test_a_language_is_that_of_one_call_only() -> None:
    before = os.environ.get("LANGUAGE")
    run("dance", "--lang", "nl")
    assert os.environ.get("LANGUAGE") == before


def test_the_sentences_of_click_are_those_that_it_says() -> None:
    sources = "".join(
        inspect.getsource(module) for module in vars(click).values() if inspect.ismodule(module)
    )
    with (LOCALE / "en/LC_MESSAGES/click.po").open("rb") as file:
        keys = [message.id if isinstance(message.id, str) else message.id[0] for message in read_po(file)]
    assert [key for key in filter(None, keys) if repr(key)[1:-1] not in sources] == []


@pytest.mark.parametrize(("name", "task"), list(tasks()))
def test_every_task_explains_itself_with_an_example(name: str, task: str) -> None:
    output = run(name, task, "--help").output
    assert f"cartagena {name} {task}" in output.partition("\nExamples:\n")[2]
    assert "\nExit codes:\n" in output


def without_service(*arguments: str) -> Result:
    """Call a task of a command that lacks a library."""
    command = Tasks("db", missing="asyncpg")
    command.add_command(Task("upgrade", words_key="command.db.upgrade", callback=lambda: click.echo("done")))
    return CliRunner().invoke(command, arguments)


def test_without_the_libraries_of_the_service_help_is_still_there() -> None:
    assert without_service("upgrade", "--help").exit_code == 0
    refused = without_service("upgrade")
    assert (refused.exit_code, install_command("server", installed_from()) in refused.output) == (4, True)


def test_a_bar_shows_how_far_a_long_count_is_and_leaves_the_answer_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "is_terminal", lambda stream: stream is sys.stderr)
    monkeypatch.setenv("FORCE_COLOR", "1")
    file = str(min(PERFT.glob("*.perft")))
    entrance.main(["perft", file, "--depth", "2", "--lang", "en"], standalone_mode=False)
    captured = capsys.readouterr()
    *counts, total = captured.out.splitlines()
    assert total.startswith(f"{len(counts)} counts, 0 wrong")
    assert f"{len(counts)}/{len(counts)}" in captured.err


def test_what_a_stranger_wrote_commands_no_terminal() -> None:
    @click.command
    def command() -> None:
        say("bot.in", name="\x1b]0;title\x07\x1b[2JAnne", service="", engine="")
        raise CommandRefused("error.no_seat", reason=ValueError("\u202efull\nBye."))

    told = CliRunner().invoke(command)
    assert "Anne" in told.output
    assert not {"\x1b", "\x07", "\u202e"} & set(told.output)
    assert len(told.output.splitlines()) == 2, "no line of its own"
