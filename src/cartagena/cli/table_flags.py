"""The flags that set a table: which game, by which options, how many seats, which bots, which seed."""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Concatenate, Final, ParamSpec

import click
from click.shell_completion import CompletionItem

from cartagena.bots.players.registry import BotError, NoSuchBot, names
from cartagena.cli.style import Completed, Flag, words
from cartagena.engine_protocol import make
from cartagena.notation.position_text import format_ruleset, parse_ruleset
from cartagena.notation.tokens import NotationError
from cartagena.rules.ruleset import EDITIONS, FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA, Ruleset

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


_Rest = ParamSpec("_Rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """What the command line asked for; None where it said nothing."""

    preset: str | None
    edition: str | None
    options: tuple[str, ...]
    seats: int | None
    seed: str | None

    @property
    def untouched(self) -> bool:
        """Whether nothing was said at all."""
        return not (self.preset or self.edition or self.options or self.seats or self.seed)

    def ruleset(self) -> Ruleset:
        """The ruleset asked for, Tortuga if none was; a wrong option is a wrong use."""
        preset = PRESETS[self.preset or TORTUGA.key].with_options(**EDITIONS[self.edition or "en"])
        try:
            return parse_ruleset(" ".join([_without(preset, self.options), *self.options]))
        except NotationError as error:
            raise click.BadOptionUsage("options", f"--option: {error.expected}") from error


def _without(ruleset: Ruleset, options: tuple[str, ...]) -> str:
    """The text of a ruleset without the options that are named again."""
    named = {option.partition("=")[0] for option in options}
    words = format_ruleset(ruleset).split()
    return " ".join(word for word in words if word.partition("=")[0] not in named)


def table_flags(command: Callable[Concatenate[TableOptions, _Rest], None]) -> Callable[..., None]:
    """Give a command the flags of a table and hand it the TableOptions they make."""

    @click.option("--ruleset", "preset", type=click.Choice(list(PRESETS)), cls=Flag)
    @click.option("--edition", type=click.Choice(list(EDITIONS)), cls=Flag)
    @click.option("--option", "options", multiple=True, metavar="NAME=VALUE", cls=Flag)
    @click.option("--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), cls=Flag)
    @click.option("--seed", metavar="TEXT", cls=Flag)
    @functools.wraps(command)
    def with_table(
        preset: str | None,
        edition: str | None,
        options: tuple[str, ...],
        seats: int | None,
        seed: str | None,
        *args: _Rest.args,
        **kwargs: _Rest.kwargs,
    ) -> None:
        table = TableOptions(preset=preset, edition=edition, options=options, seats=seats, seed=seed)
        command(table, *args, **kwargs)

    return with_table
