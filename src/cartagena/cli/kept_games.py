"""The games that were played here: each is kept in a file of its own in this person's folder."""

import contextlib
import datetime as dt
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from cartagena.bots.registry import BotError
from cartagena.cli.bot_names import known_names
from cartagena.cli.data_folder import data_file
from cartagena.cli.keeping import Keeper
from cartagena.cli.match import Match, resumed
from cartagena.cli.style import Completed, words
from cartagena.notation.errors import NotationError, ReplayError
from cartagena.notation.record import Ending, Record
from cartagena.notation.record_reader import parse_record

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

    def match(self) -> Match | None:
        """The game, to go on with; None if it is over or can no longer go on."""
        # Most games are over: they need not be read to the end.
        with contextlib.suppress(OSError, UnicodeDecodeError, NotationError, ReplayError, BotError):
            text = self.file.read_text(encoding="utf-8")
            if text.rstrip().endswith(RUNNING):
                record = parse_record(text)
                return resumed(record, known_names(record.headers.names))
        return None


def kept_games() -> list[KeptGame]:
    """All of them, the last played first."""
    _take_over_last_game()
    with contextlib.suppress(OSError):
        found = [_kept_game(file) for file in data_file(FOLDER).iterdir()]
        return sorted(filter(None, found), key=lambda game: (game.played, game.file), reverse=True)
    return []


def last_running() -> tuple[KeptGame, Match] | None:
    """The game that was last played and can go on; None if there is none."""
    for game in kept_games():
        match = game.match()
        if match is not None:
            return game, match
    return None


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


class Autosave(Keeper):
    """Keeps a game automatically, from its first choice on: a game not yet begun is not worth a file.

    If a game cannot be kept, people are told once, and play goes on.
    """

    def __init__(self, match: Match, game: KeptGame | None = None) -> None:
        super().__init__(data_file(FOLDER) if game is None else game.file, match)
        self.id = None if game is None else game.id

    def _write(self) -> None:
        if self.id is None:
            if not self._match.game.events:
                return
            self.file = _claimed(dt.date.today())  # noqa: DTZ011 - the day where the player is
            self.id = self.file.stem[-ID_LENGTH:]
        super()._write()

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
