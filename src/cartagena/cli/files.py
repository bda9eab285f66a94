"""Files: records by their names, and what is kept in this person's folder."""

import contextlib
import json
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import click

from cartagena.cli.style import CommandRefused, Unreadable, words
from cartagena.notation.record import Record
from cartagena.notation.record_reader import parse_record
from cartagena.notation.tokens import NotationError, ReplayError


def data_file(name: str) -> Path:
    """The path of a file of this person, whether it exists or not."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only who plays on a screen waits for it

    return user_data_path("cartagena", appauthor=False) / name


def keep_text(file: Path, text: str) -> bool:
    """Keep a text for its owner's eyes only; False if it cannot be kept, which does not stop the game."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(file, text)
        return True
    return False


def write_text(file: Path, text: str) -> None:
    """Write beside the file first, so that a power cut leaves the old or the new text whole; raises OSError.

    A link stays a link: the file it leads to is written. A new file is for its owner's eyes only, because
    a record holds every card; one that was there keeps its permissions.
    """
    permissions = permissions_of(file)
    target = Path(os.path.realpath(file))
    descriptor, name = tempfile.mkstemp(prefix=".cartagena-", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as written:
            written.write(text)
            written.flush()
            os.fsync(descriptor)
        if permissions is not None:
            beside.chmod(permissions)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def permissions_of(file: Path) -> int | None:
    """The permissions of the file if it is there; devices, pipes and folders are no place for a game."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise OSError(words().say("error.no_plain_file"))
    return stat.S_IMODE(mode)


GUESTS_FILE: Final = "guests.json"


def token_of(service: str, name: str | None) -> str | None:
    """The token of the guest of this name at a service, or of the last one; None if none is known."""
    kept = _kept().get(service, {})
    return kept.get(name) if name is not None else next(reversed(kept.values()), None)


def keep_guest(service: str, name: str, token: str) -> None:
    """Remember a guest as the last one at a service."""
    kept = _kept()
    others = {other: text for other, text in kept.get(service, {}).items() if other != name}
    keep_text(data_file(GUESTS_FILE), json.dumps({**kept, service: {**others, name: token}}, indent=1))


def _kept() -> dict[str, dict[str, str]]:
    """The tokens by service and name; empty if the file is missing or broken."""
    with contextlib.suppress(OSError, ValueError):
        kept = json.loads(data_file(GUESTS_FILE).read_text(encoding="utf-8"))
        if isinstance(kept, dict) and all(isinstance(names, dict) for names in kept.values()):
            return kept
    return {}


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


def broken(file: Path, error: ReplayError) -> CommandRefused:
    """The error for a record that can be read but not played."""
    return CommandRefused("error.does_not_replay", file=file, reason=error)
