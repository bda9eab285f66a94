"""The flags that set a table: which game, by which options, for how many seats, from which seed."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec

import click

from cartagena.cli.style import Flag
from cartagena.notation.errors import NotationError
from cartagena.notation.ruleset_text import format_ruleset, parse_ruleset
from cartagena.rules.ruleset import EDITIONS, FEWEST_SEATS, MOST_SEATS, PRESETS, TORTUGA, Ruleset

_Rest = ParamSpec("_Rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
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


def table_flags(command: Callable[Concatenate[Table, _Rest], None]) -> Callable[..., None]:
    """Give a command the flags of a table and hand it the Table they make."""

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
        table = Table(preset=preset, edition=edition, options=options, seats=seats, seed=seed)
        command(table, *args, **kwargs)

    return with_table
