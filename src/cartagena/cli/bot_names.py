"""Bots by name: as they are typed, and as they stand in a record."""

from collections.abc import Iterator
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from cartagena.bots.registry import BotError, NoSuchBot, make, names
from cartagena.cli.style import Completed, words

BOT: Final = "bot"
"""How the name of a bot's seat begins; alone it stands for a bot of the default level."""

LEVEL: Final = "sailor"
"""The default level, which plays when none is named."""


class BotName(Completed):
    """The name of a bot that can be made; any other is a wrong use."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name itself. The types are click's own."""
        try:
            make(value)
        except BotError as error:
            self.fail(words(ctx).say("error.no_bot", reason=error), param, ctx)
        return value

    def offered(self) -> Iterator[CompletionItem]:
        """The levels and the installed bots."""
        return map(CompletionItem, names())


def seat_name(level: str) -> str:
    """The name of a seat that a bot of this level plays.

    >>> seat_name("sailor"), level_of("bot:sailor"), level_of("Ada")
    ('bot:sailor', 'sailor', None)
    """
    return f"{BOT}:{level}"


def known_names(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the seats of a record; raises BotError if it names code to run.

    A record may come from anywhere.
    """
    for level in filter(None, map(level_of, seats)):
        if level not in names():
            raise NoSuchBot(level)
    return seats


def level_of(name: str) -> str | None:
    """The level of the bot on a seat; None if a person sits there."""
    beginning, colon, level = name.partition(":")
    if beginning != BOT:
        return None
    return level if colon else LEVEL
