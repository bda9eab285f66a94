"""Keeping a game in a file while it is played."""

import os
import shlex
import stat
import tempfile
from pathlib import Path

from cartagena.cli.match import Match
from cartagena.cli.style import Unreadable, words
from cartagena.notation.record import Record
from cartagena.notation.record_text import format_record


class Keeper:
    """Keeps a game in a file; people are told once of a save that fails, and the next choice tries again."""

    def __init__(self, file: Path, match: Match) -> None:
        self.file = file
        self._match = match
        self._trouble: OSError | None = None

    def begin(self, *, new: bool) -> None:
        """Keep the game for the first time: any problem with the file shows before play begins.

        A new file never takes the place of one that is there.
        """
        try:
            if new and _permissions(self.file) is not None:
                raise Unreadable("error.file_exists", file=self.file, command=shlex.quote(str(self.file)))
            self._write()
        except OSError as error:
            raise Unreadable("error.cannot_write", file=self.file, reason=_reason(error)) from error

    @property
    def is_kept(self) -> bool:
        """Whether the last save went well."""
        return self._trouble is None

    def keep(self) -> str:
        """Keep the game as it stands; returns what people must be told now, usually nothing."""
        told = self._trouble is not None
        try:
            self._write()
        except OSError as error:
            self._trouble = error
            return "" if told else words().say("play.not_saved", file=self.file, reason=_reason(error))
        self._trouble = None
        return ""

    def _write(self) -> None:
        write_text(self.file, format_record(self._match.record()))

    def end(self) -> None:
        """Leave the file; raises Unreadable if the game is not in it."""
        if self._trouble is not None:
            raise Unreadable("error.not_kept", file=self.file, reason=_reason(self._trouble))


def save_copy(name: str, record: Record) -> str:
    """Write a record into a new file; returns what people must be told, even if it failed."""
    file = Path(name).expanduser()
    try:
        if _permissions(file) is not None:
            return words().say("terminal.save.exists", file=file)
        write_text(file, format_record(record))
    except OSError as error:
        return words().say("terminal.save.failed", file=file, reason=_reason(error))
    return words().say("play.saved.over", file=file, command=shlex.quote(str(file)))


def write_text(file: Path, text: str) -> None:
    """Write beside the file first, so that a power cut leaves the old or the new text whole; raises OSError.

    A link stays a link: the file it leads to is written. A new file is for its owner's eyes only, because
    a record holds every card; one that was there keeps its permissions.
    """
    permissions = _permissions(file)
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


def _permissions(file: Path) -> int | None:
    """The permissions of the file if it is there; devices, pipes and folders are no place for a game."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise OSError(words().say("error.no_plain_file"))
    return stat.S_IMODE(mode)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
