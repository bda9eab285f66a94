"""The games that were played here: each is kept in a file of its own while it is played."""

import contextlib
import datetime as dt
import re
import secrets
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from cartagena.bots.players.registry import BotError
from cartagena.cli.deal import fresh
from cartagena.cli.files import data_file, permissions_of, write_text
from cartagena.cli.style import Completed, Unreadable, say, words
from cartagena.cli.table_flags import known_names, level_of
from cartagena.notation.record import Ending, Record, format_record
from cartagena.notation.record_reader import parse_record
from cartagena.notation.replay import replay
from cartagena.notation.tokens import NotationError, ReplayError


class GameFile:
    """Keeps a game in a file; people are told once of a save that fails, and the next choice tries again."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._trouble: OSError | None = None

    def begin(self, record: Record, *, new: bool) -> None:
        """Keep the game for the first time: any problem with the file shows before play begins.

        A new file never takes the place of one that is there.
        """
        try:
            if new and permissions_of(self.file) is not None:
                raise Unreadable("error.file_exists", file=self.file, command=shlex.quote(str(self.file)))
            self._write(record)
        except OSError as error:
            raise Unreadable("error.cannot_write", file=self.file, reason=_reason(error)) from error

    @property
    def is_kept(self) -> bool:
        """Whether the last save went well."""
        return self._trouble is None

    def keep(self, record: Record) -> str:
        """Keep the game as it stands; returns what people must be told now, usually nothing."""
        told = self._trouble is not None
        try:
            self._write(record)
        except OSError as error:
            self._trouble = error
            return "" if told else words().say("play.not_saved", file=self.file, reason=_reason(error))
        self._trouble = None
        return ""

    def _write(self, record: Record) -> None:
        write_text(self.file, format_record(record))

    def end(self) -> None:
        """Leave the file; raises Unreadable if the game is not in it."""
        if self._trouble is not None:
            raise Unreadable("error.not_kept", file=self.file, reason=_reason(self._trouble))


def save_copy(name: str, record: Record) -> str:
    """Write a record into a new file; returns what people must be told, even if it failed."""
    file = Path(name).expanduser()
    try:
        if permissions_of(file) is not None:
            return words().say("terminal.save.exists", file=file)
        write_text(file, format_record(record))
    except OSError as error:
        return words().say("terminal.save.failed", file=file, reason=_reason(error))
    return words().say("play.saved.over", file=file, command=shlex.quote(str(file)))


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


FOLDER: Final = "games"
LAST_GAME: Final = "last-game.txt"
"""Where version 0.1.0 kept its only game."""
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What an id is made of: no characters that are easily confused."""
ID_LENGTH: Final = 5
RUNNING: Final = f"Result: {Ending.RUNNING.value}"
"""How the record of a game ends that can go on."""

_NAME: Final = re.compile(rf"(\d{{4}}-\d\d-\d\d)-([{LETTERS}]{{{ID_LENGTH}}})\.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A game by its id: the day on which it was begun, when it was last played, and its file."""

    id: str
    begun: dt.date
    played: dt.datetime
    file: Path

    def record(self) -> Record | None:
        """The record; None if the file cannot be read any more."""
        with contextlib.suppress(OSError, UnicodeDecodeError, NotationError):
            return parse_record(self.file.read_text(encoding="utf-8"))
        return None

    def running(self) -> "Sitting | None":
        """The game, to go on with; None if it is over or can no longer go on."""
        # Most games are over: they need not be read to the end.
        with contextlib.suppress(OSError, UnicodeDecodeError, NotationError, ReplayError, BotError):
            text = self.file.read_text(encoding="utf-8")
            if text.rstrip().endswith(RUNNING):
                sitting = Sitting.autosaved(parse_record(text), self)
                known_names(sitting.record.headers.names)
                # A game that cannot be played again cannot go on either.
                return sitting if sitting.turn else None
        return None


def kept_games() -> list[KeptGame]:
    """All of them, the last played first."""
    _take_over_last_game()
    with contextlib.suppress(OSError):
        found = [_kept_game(file) for file in data_file(FOLDER).iterdir()]
        return sorted(filter(None, found), key=lambda game: (game.played, game.file), reverse=True)
    return []


def last_running() -> "Sitting | None":
    """The game that was last played and can go on; None if there is none.

    One in which no person has a choice to lose stands back behind all others.
    """
    first = None
    for found in filter(None, (game.running() for game in kept_games())):
        if is_begun(found.record):
            return found
        first = first or found
    return first


def is_begun(record: Record) -> bool:
    """Whether a person has chosen something; where only bots play, whether one of them has."""
    levels = [level_of(name) for name in record.headers.names]
    people = [seat for seat, level in enumerate(levels) if level is None] or range(len(levels))
    return any(step.seat in people for step in record.steps)


def _kept_game(file: Path) -> KeptGame | None:
    named = _NAME.fullmatch(file.name)
    if named is None:
        return None
    with contextlib.suppress(OSError, ValueError):
        played = dt.datetime.fromtimestamp(file.stat().st_mtime, tz=dt.UTC)
        return KeptGame(id=named[2], begun=dt.date.fromisoformat(named[1]), played=played, file=file)
    return None


def _take_over_last_game() -> None:
    """Put the game that an older version kept among the others."""
    old = data_file(LAST_GAME)
    with contextlib.suppress(OSError):
        if old.exists():
            old.replace(_claimed(dt.date.fromtimestamp(old.stat().st_mtime)))  # noqa: DTZ012 - the day here


def _claimed(day: dt.date) -> Path:
    """A new, empty file for a game that was begun on a day; raises OSError."""
    folder = data_file(FOLDER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    while True:
        file = folder / f"{day.isoformat()}-{''.join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))}.txt"
        with contextlib.suppress(FileExistsError):
            file.touch(mode=0o600, exist_ok=False)
            return file


class Autosave(GameFile):
    """Keeps a game automatically, from a person's first choice on: before, it is not worth a file.

    If a game cannot be kept, people are told once, and play goes on.
    """

    def __init__(self, game: KeptGame | None = None) -> None:
        super().__init__(data_file(FOLDER) if game is None else game.file)
        self.id = None if game is None else game.id

    def _write(self, record: Record) -> None:
        if self.id is None:
            if not is_begun(record):
                return
            self.file = _claimed(dt.date.today())  # noqa: DTZ011 - the day where the player is
            self.id = self.file.stem[-ID_LENGTH:]
        super()._write(record)

    def end(self) -> None:
        """Leave the file as it is."""


class GameId(Completed):
    """The id of a kept game, or enough of its beginning to tell it from the others."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The game; an id that fits none, or several, is a wrong use. The types are click's own."""
        found = [game for game in kept_games() if game.id.startswith(str(value).lower())]
        if not found:
            self.fail(words(ctx).say("error.no_such_game", id=value), param, ctx)
        if len(found) > 1:
            several = ", ".join(game.id for game in found)
            self.fail(words(ctx).say("error.several_games", id=value, several=several), param, ctx)
        return found[0]

    def offered(self) -> Iterator[CompletionItem]:
        """The ids, each with its day."""
        return (CompletionItem(game.id, help=game.begun.isoformat()) for game in kept_games())


class Sitting:
    """One game as it was last shown, with the keeper that writes it down; without one it is forgotten.

    What bots do follows from `seed`, if there is one.
    """

    def __init__(self, record: Record, keeper: GameFile | None, seed: str | None = None) -> None:
        self.record = record
        self.seed = seed
        self._keeper = keeper

    @classmethod
    def autosaved(cls, record: Record, game: KeptGame | None = None, seed: str | None = None) -> "Sitting":
        """A game that is kept among the others of this person; `game` if it is there already."""
        return cls(record, Autosave(game), seed)

    @classmethod
    def kept_in(cls, file: Path, record: Record, seed: str | None = None, *, new: bool) -> "Sitting":
        """A game that is kept in a file that the player named; raises Unreadable if it cannot be written."""
        keeper = GameFile(file)
        keeper.begin(record, new=new)
        return cls(record, keeper, seed)

    @property
    def levels(self) -> tuple[str | None, ...]:
        """The bot on each seat, None for a person."""
        return tuple(map(level_of, self.record.headers.names))

    @property
    def people(self) -> int:
        """How many sit at this keyboard."""
        return self.levels.count(None)

    @property
    def turn(self) -> int:
        """The number of the running turn; raises ReplayError if the record is impossible."""
        return replay(self.record).position.turn

    @property
    def is_over(self) -> bool:
        """Whether no more choices will be made."""
        return self.record.result.ending is not Ending.RUNNING

    def keep(self, record: Record) -> str:
        """Keep the game as it stands now; returns what people must be told, usually nothing."""
        self.record = record
        # Bots alone could play it all again.
        is_worth_it = self.people or self.is_over
        return self._keeper.keep(record) if self._keeper is not None and is_worth_it else ""

    def again(self) -> "Sitting":
        """A new game of the same seats by the same rules, kept among the others if this one is kept."""
        headers = self.record.headers
        record = fresh(headers.ruleset, headers.names, seed=None)
        return Sitting(record, None if self._keeper is None else Autosave())

    def save(self, name: str) -> str:
        """Save a copy in a new file; returns what people must be told."""
        return save_copy(name, self.record)

    def end(self) -> None:
        """Leave the file, and say where the game is; raises Unreadable if it is not where it should be."""
        keeper = self._keeper
        if keeper is None:
            return
        keeper.keep(self.record)
        keeper.end()
        if not isinstance(keeper, Autosave):
            file = keeper.file
            say(
                "play.saved.over" if self.is_over else "play.saved", file=file, command=shlex.quote(str(file))
            )
        elif keeper.id is not None and keeper.is_kept:
            say("play.kept.over" if self.is_over else "play.kept", id=keeper.id)
