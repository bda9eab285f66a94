"""The game that was last played on the screen: it is kept by itself, so that it can go on another day."""

import contextlib
from typing import Final

from cartagena.bots.registry import BotError
from cartagena.cli.bot_names import known_names
from cartagena.cli.data_folder import data_file, keep_text
from cartagena.cli.match import Match, resumed
from cartagena.notation.errors import NotationError, ReplayError
from cartagena.notation.record_reader import parse_record
from cartagena.notation.record_text import format_record

FILE: Final = "last-game.txt"


def keep_last(match: Match) -> str:
    """Keep a game as the last one, from its first choice to its end; nobody need be told of it."""
    if match.position.over:
        with contextlib.suppress(OSError):
            data_file(FILE).unlink(missing_ok=True)
    elif match.game.events:
        keep_text(data_file(FILE), format_record(match.record()))
    return ""


def last_game() -> Match | None:
    """The game to go on with; None if there is none, or if nobody can go on with it any more."""
    with contextlib.suppress(OSError, UnicodeDecodeError, NotationError, ReplayError, BotError):
        record = parse_record(data_file(FILE).read_text(encoding="utf-8"))
        match = resumed(record, known_names(record.headers.names))
        return None if match.position.over else match
    return None
