"""`cartagena rules`: the rulebook, a chapter of it, or one sentence."""

import json
import re
import shutil
import textwrap
from collections.abc import Iterator

import click

from cartagena.cli.style import JSON, Command, words
from cartagena.words import Words

WIDEST = 100


@click.command("rules", cls=Command)
@click.argument("numbers", nargs=-1, metavar="[R5 | R5.1]...")
@JSON
def command(numbers: tuple[str, ...], *, as_json: bool) -> None:
    """Print the rulebook or parts of it."""
    catalogue = words()
    chosen = [key for number in numbers for key in _part(catalogue, number)] or _rulebook(catalogue)
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


def _part(catalogue: Words, number: str) -> list[str]:
    """The keys of one sentence, or of a chapter and its sentences."""
    name = f"R{number.upper().removeprefix('R')}"
    part = [
        key
        for key in _rulebook(catalogue)
        if key in {f"rule.{name}", f"chapter.{name}"} or key.startswith(f"rule.{name}.")
    ]
    if not part:
        raise click.BadParameter(catalogue.say("error.no_such_rule", number=number))
    return part


def _printed(key: str, text: str) -> Iterator[str]:
    kind, _, number = key.partition(".")
    if kind == "chapter":
        yield from ("", click.style(f"{number} {text}", bold=True), "")
        return
    width = min(shutil.get_terminal_size().columns, WIDEST)
    indent = " " * len("R10.10 ")
    yield textwrap.fill(text, width, initial_indent=f"{number:7}", subsequent_indent=indent)
