"""Nothing that people read is missing from the English catalogue, and nothing in it is unused."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import cartagena
from cartagena.bots.players.registry import LEVELS
from cartagena.cli.main import entrance
from cartagena.cli.style import Flag, Tasks
from cartagena.fairness.verdict import Claim, Failure
from cartagena.notation.names import COLOURS
from cartagena.rules.happenings import Happening
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import EDITIONS, OPTIONS, PRESETS, SIGNS, Option
from cartagena.words import Words
from cartagena.words.catalogue import DOMAIN, LOCALE, WEB
from scripts import rulebook

SOURCES = Path(cartagena.__file__).parent


def catalogue(name: str = DOMAIN) -> Catalog:
    with (LOCALE / f"en/LC_MESSAGES/{name}.po").open("rb") as source:
        return read_po(source, abort_invalid=True)


def keys(name: str = DOMAIN) -> set[str]:
    return {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in catalogue(name) if entry.id}


def keys_of_option(option: Option) -> Iterator[str]:
    yield from (f"option.{option.name}", f"option.{option.name}.meaning")
    for value in option.values:
        if isinstance(value, bool | str):
            yield f"option.{option.name}.{str(value).lower()}"


def keys_of_the_game() -> Iterator[str]:
    yield from (f"ruleset.{name}" for name in PRESETS)
    yield from (f"edition.{name}" for name in EDITIONS)
    for signs in SIGNS.values():
        yield from (f"{part}.{sign}" for part in ("sign", "letter") for sign in signs)
        yield from (f"sign.{sign}.{form}" for sign in signs for form in ("with_article", "none"))
    for colour in COLOURS:
        yield from (f"crew.{colour}", f"crew.{colour}.letter")
    for family in SIGNS:
        yield f"terminal.play.{family}"
        for key in ("place.start", "place.home", "table.start", "table.home"):
            yield f"{key}.{family}"
        yield from (f"place.{part}.{family}.{end}" for part in ("start", "home") for end in ("from", "to"))
    yield from (f"place.{place}.{end}" for place in ("space", "sloop") for end in ("from", "to"))
    for dock in (1, 2):
        yield from (f"place.dock.{dock}", f"place.dock.{dock}.to")
        yield from (f"table.island.{dock}", f"terminal.sloop.{dock}")
    yield from (f"terminal.level.{level}" for level in LEVELS)
    yield from (f"claim.{claim}" for claim in Claim)
    yield from (f"failure.{failure}" for failure in Failure)
    yield from (f"refusal.{refusal.code}" for refusal in Refusal)
    for option in OPTIONS:
        yield from keys_of_option(option)
    yield from (key for page in rulebook.PAGES for key, _ in rulebook.read(page))


def keys_of_the_command_line() -> Iterator[str]:
    context = entrance.make_context("cartagena", ["rules"])
    commands = [entrance.get_command(context, name) for name in entrance.list_commands(context)]
    for command in commands:
        assert command is not None
        yield from (f"command.{command.name}.{part}" for part in ("summary", "help", "examples"))
    tasks = [task for command in commands if isinstance(command, Tasks) for task in command.commands.values()]
    for command in (entrance, *commands, *tasks):
        assert command is not None
        yield from (f"flag.{flag.name}" for flag in command.params if isinstance(flag, Flag))


def literals() -> set[str]:
    """Every text written in the program, except its docstrings."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def said_keys() -> Iterator[str]:
    """Every key that the program says by its whole name."""
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name_of(node.func) in {"say", "count", "Refused", "Unreadable"}:
                for part in ast.walk(node.args[0]) if node.args else ():
                    if isinstance(part, ast.Constant) and "." in str(part.value):
                        yield str(part.value)


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def test_no_key_is_missing() -> None:
    happenings = {f"happening.{snake(kind.__name__)}" for kind in get_args(Happening)}
    wanted = {*keys_of_the_game(), *keys_of_the_command_line(), *happenings}
    assert sorted(wanted - keys()) == []


def test_no_key_that_the_program_says_is_missing() -> None:
    # A key built from parts, such as f"crew.{colour}", is looked at by the test above.
    whole = {key for key in said_keys() if not key.endswith(".") and not key.startswith(".")}
    assert len(whole) > 20
    # The pages that the service writes take words of the browser.
    all_keys = keys() | keys(WEB)
    assert sorted(key for key in whole - all_keys if not any(one.startswith(key) for one in all_keys)) == []


def test_no_key_is_unused() -> None:
    used = {*keys_of_the_game(), *keys_of_the_command_line(), *literals()}
    assert sorted(keys() - used) == []


def test_the_built_catalogue_is_the_written_one() -> None:
    words = Words("en")
    assert set(words.keys()) == keys(), "run `make words`"
    for entry in catalogue():
        if entry.id and isinstance(entry.id, str):
            assert words._text(entry.id, None) == entry.string, "run `make words`"


def test_every_key_has_words_and_named_values_only() -> None:
    for entry in catalogue():
        forms = [entry.string] if isinstance(entry.string, str) else list(entry.string or [""])
        assert all(forms), entry.id
        for form in forms if entry.id else ():
            names = [name for _, name, _, _ in string.Formatter().parse(form) if name is not None]
            assert all(name.isidentifier() for name in names), entry.id


def test_no_two_keys_of_a_sentence_are_the_same() -> None:
    sentences = [str(entry.string) for entry in catalogue() if str(entry.string).endswith(".")]
    assert len(sentences) == len(set(sentences))


def test_the_rulebook_in_the_catalogue_is_that_of_the_docs() -> None:
    assert rulebook.main(["--check"]) == 0


def test_the_check_of_the_rulebook_notices_another_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "changed.md"
    page.write_text('## R1 "Quoted"\n\n**R1.1** *about* A {brace}.\n', encoding="utf-8")
    copy = tmp_path / "cartagena.po"
    copy.write_text(rulebook.CATALOGUE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(rulebook, "PAGES", (page,))
    monkeypatch.setattr(rulebook, "CATALOGUE", copy)
    assert rulebook.main(["--check"]) == 1
    assert "scripts/rulebook.py" in capsys.readouterr().out
    assert rulebook.main([]) == 0
    assert rulebook.main(["--check"]) == 0
    assert 'msgid "chapter.R1"\nmsgstr "\\"Quoted\\""' in copy.read_text(encoding="utf-8")
    assert 'msgid "rule.R1.1"\nmsgstr "A {{brace}}."' in copy.read_text(encoding="utf-8")
