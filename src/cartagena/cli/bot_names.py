"""Bots by name: as they are typed, and as they stand in a record."""

from typing import Any, Final

import click

from cartagena.bots.registry import BotError, make
from cartagena.cli.style import words

BOT: Final = "bot"
"""How the name of a seat begins that a bot plays; alone it stands for a bot of the level for everybody."""

LEVEL: Final = "sailor"
"""The level for everybody, which plays when none is named."""


class BotName(click.types.StringParamType):
    """The name of a bot that can be made; any other is a wrong use."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name itself. The types are click's own."""
        try:
            make(value)
        except BotError as error:
            self.fail(words(ctx).say("error.no_bot", reason=error), param, ctx)
        return value


def seat_name(level: str) -> str:
    """The name of a seat that a bot of this level plays.

    >>> seat_name("sailor"), level_of("bot:sailor"), level_of("Ada")
    ('bot:sailor', 'sailor', None)
    """
    return f"{BOT}:{level}"


def level_of(name: str) -> str | None:
    """The level of the bot on a seat; None if a person sits there."""
    beginning, colon, level = name.partition(":")
    if beginning != BOT:
        return None
    return level if colon else LEVEL
