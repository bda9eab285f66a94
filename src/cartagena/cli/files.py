"""Record files as they are named and read, with an error that says what to do."""

import sys
from pathlib import Path
from typing import Any, Final

import click

from cartagena.cli.style import Refused, Unreadable, words
from cartagena.notation.errors import NotationError, ReplayError
from cartagena.notation.record import Record
from cartagena.notation.record_reader import parse_record

DASH: Final = "-"
"""The standard input, where a file is only read."""


class FileName(click.Path):
    """The name of a file; a dash only where the standard input can take its place."""

    def __init__(self, *, allow_dash: bool) -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; an empty name is a wrong use. The types are click's own."""
        if str(value) == "":
            self.fail(words(ctx).say("error.no_name"), param, ctx)
        if str(value) == DASH and not self.allow_dash:
            self.fail(words(ctx).say("error.dash"), param, ctx)
        return super().convert(value, param, ctx)


FILE = click.argument("file", type=FileName(allow_dash=True))
"""The argument of a command that reads one record; a dash stands for the standard input."""


def read_text(file: Path) -> str:
    """The text of a file, or of the standard input for a dash, without the mark some editors put first."""
    if str(file) == DASH and sys.stdin is None:
        raise Unreadable("error.no_input")
    try:
        with click.open_file(str(file), encoding="utf-8-sig") as source:
            return str(source.read())
    except OSError as error:
        raise Unreadable("error.cannot_read", file=file, reason=error.strerror or error) from error
    except UnicodeDecodeError as error:
        raise Unreadable("error.no_text", file=file) from error


def read_record(file: Path) -> Record:
    """The one record of a file."""
    text = read_text(file)
    try:
        return parse_record(text)
    except NotationError as error:
        raise Unreadable("error.no_record", file=file, reason=error) from error


def broken(file: Path, error: ReplayError) -> Refused:
    """The error for a record that can be read but not played."""
    return Refused("error.does_not_replay", file=file, reason=error)
