"""Record files: read and written, with an error that says what to do."""

from pathlib import Path

import click

from cartagena.cli.style import Refused, Unreadable
from cartagena.notation.errors import NotationError, ReplayError
from cartagena.notation.record import Record
from cartagena.notation.record_reader import parse_record
from cartagena.notation.record_text import format_record

FILE = click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
"""The argument of a command that reads one record; a dash stands for the standard input."""


def read_text(file: Path) -> str:
    """The text of a file, or of the standard input for a dash."""
    try:
        with click.open_file(str(file), encoding="utf-8") as source:
            return str(source.read())
    except OSError as error:
        raise Unreadable("error.cannot_read", file=file, reason=error.strerror) from error
    except UnicodeDecodeError as error:
        raise Unreadable("error.no_text", file=file) from error


def read_record(file: Path) -> Record:
    """The one record of a file."""
    text = read_text(file)
    try:
        return parse_record(text)
    except NotationError as error:
        raise Unreadable("error.no_record", file=file, reason=error) from error


def write_record(file: Path, record: Record) -> None:
    """Write a record beside the file first, so that a power cut leaves the old or the new one whole."""
    beside = file.with_name(f"{file.name}.part")
    try:
        beside.write_text(format_record(record), encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        raise Unreadable("error.cannot_write", file=file, reason=error.strerror) from error


def broken(file: Path, error: ReplayError) -> Refused:
    """What to say of a record that can be read but not played."""
    return Refused("error.does_not_replay", file=file, reason=error)
