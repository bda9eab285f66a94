"""`cartagena rules`: the rulebook, a chapter of it, one sentence, or every sentence with a word."""

import json
import re
import shutil
import textwrap
from collections.abc import Iterator
from typing import Final

import click

from cartagena.cli.style import JSON, Command, near_to, words
from cartagena.words import Words
from cartagena.words.catalogue import in_ascii

WIDEST = 100
_NUMBER: Final = re.compile(r"R?\d+(\.\d+)?", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""The words of the rulebook to suggest for a mistyped one."""


@click.command("rules", cls=Command)
@click.argument("wanted", nargs=-1, metavar="[R5 | R5.1 | WORD]...")
@JSON
def command(wanted: tuple[str, ...], *, as_json: bool) -> None:
    """Print the rulebook or parts of it."""
    catalogue = words()
    chosen = dict.fromkeys(key for text in wanted for key in _part(catalogue, text)) or _rulebook(catalogue)
    if as_json:
        entries = {key.partition(".")[2]: catalogue.say(key) for key in chosen}
        click.echo(json.dumps(entries, ensure_ascii=False, indent=2))
        return
    for key in chosen:
        for line in _printed(key, catalogue.say(key)):
            click.echo(line)


def _rulebook(catalogue: Words) -> list[str]:
    """The keys of all chapters and sentences in the order of the book."""
    return sorted(catalogue.keys("chapter.", "rule."), key=_order)


def _order(key: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", key))


def _part(catalogue: Words, text: str) -> list[str]:
    return _numbered(catalogue, text) if _NUMBER.fullmatch(text) else _about(catalogue, text)


def _numbered(catalogue: Words, number: str) -> list[str]:
    """The keys of one sentence, or of a chapter and its sentences."""
    name = f"R{number.upper().removeprefix('R')}"
    part = [key for key in _rulebook(catalogue) if _belongs_to(key, name)]
    if not part:
        raise click.BadParameter(catalogue.say("error.no_such_rule", number=number))
    return part


def _belongs_to(key: str, name: str) -> bool:
    return key in {f"rule.{name}", f"chapter.{name}"} or key.startswith(f"rule.{name}.")


def _about(catalogue: Words, text: str) -> list[str]:
    """The keys of the sentences that contain a text, by chapter; a chapter with that title comes whole."""
    wanted = _folded(catalogue, text)
    book = {key: _folded(catalogue, catalogue.say(key)) for key in _rulebook(catalogue)}
    found = [key for key, told in book.items() if wanted in told]
    if not found:
        near = near_to(wanted, sorted({word for told in book.values() for word in _WORD.findall(told)}))
        key = "error.no_rule_about.near" if near else "error.no_rule_about"
        raise click.BadParameter(catalogue.say(key, text=text, near=", ".join(near)))
    shown = {*found, *(f"chapter.{_chapter(key)}" for key in found)}
    whole = {_chapter(key) for key in found if key.startswith("chapter.")}
    return [key for key in book if key in shown or _chapter(key) in whole]


def _chapter(key: str) -> str:
    return key.split(".")[1]


def _folded(catalogue: Words, text: str) -> str:
    return in_ascii(text, catalogue.language).casefold()


def _printed(key: str, text: str) -> Iterator[str]:
    kind, _, number = key.partition(".")
    if kind == "chapter":
        yield from ("", click.style(f"{number} {text}", bold=True), "")
        return
    width = min(shutil.get_terminal_size().columns, WIDEST)
    indent = " " * len("R10.10 ")
    yield textwrap.fill(text, width, initial_indent=f"{number:7}", subsequent_indent=indent)
