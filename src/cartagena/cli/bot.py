"""`cartagena bot`: a bot with an account of its own plays on a service, for as long as it is let."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import click

from cartagena.bots.players.interface import Budget
from cartagena.bots.players.registry import ENGINE
from cartagena.cli.style import Command, CommandRefused, Flag, no_client, spoken, words
from cartagena.cli.table_flags import BotName
from cartagena.engine_protocol import make
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from cartagena.terminal.source import Address, address_of, service_of

try:
    from cartagena.cli.bot_challenges import Acceptance, ClockWord, OpponentWord
    from cartagena.cli.bot_patience import TokenEnded
    from cartagena.cli.bot_run import BotPlan, NoBotAccount, run
    from cartagena.client import ClientError
    from cartagena.messages.requests import TermsMessage
    from cartagena.messages.tables import ClockSettings
except ModuleNotFoundError as missing:
    MISSING: str | None = missing.name
else:
    MISSING = None

SECONDS: Final = 1.0
"""How long a bot may think about each choice, unless the caller says otherwise."""
MOST_AT_ONCE: Final = 50
CLOCKS: Final = ("live", "correspondence", "none")
OPPONENTS: Final = ("everybody", "people", "bots")
BANK: Final = 600
INCREMENT: Final = 15
"""The clock of the tables that a bot opens, in seconds."""


class _EngineName(BotName):
    """The command of an engine; the name of a bot without its beginning."""

    name = "command"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name of the bot. The types are click's own."""
        return super().convert(f"{ENGINE}{value.removeprefix(ENGINE)}", param, ctx)


@click.command("bot", cls=Command)
@click.argument("address", metavar="URL")
@click.option("--token", "bot_token", envvar="CARTAGENA_TOKEN", required=True, metavar="TEXT", cls=Flag)
@click.option("--bot", "bot_name", type=BotName(), metavar="NAME", cls=Flag)
@click.option("--engine", "bot_engine", type=_EngineName(), metavar="COMMAND", cls=Flag)
@click.option("--seconds", "bot_seconds", type=click.FloatRange(0, min_open=True), default=SECONDS, cls=Flag)
@click.option("--table", "bot_tables", multiple=True, metavar="LINK", cls=Flag)
@click.option("--open", "bot_opens", type=click.Choice(list(PRESETS)), cls=Flag)
@click.option("--seats", "bot_seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), cls=Flag)
@click.option("--at-once", "bot_at_once", type=click.IntRange(1, MOST_AT_ONCE), cls=Flag)
@click.option("--accept", "bot_accepts", multiple=True, type=click.Choice(list(PRESETS)), cls=Flag)
@click.option("--accept-clock", "bot_accepts_clock", multiple=True, type=click.Choice(CLOCKS), cls=Flag)
@click.option("--accept-from", "bot_accepts_from", type=click.Choice(OPPONENTS), cls=Flag)
@click.option("--accept-at-once", "bot_accepts_at_once", type=click.IntRange(1, MOST_AT_ONCE), cls=Flag)
def command(  # noqa: PLR0913 - one for each flag
    address: str,
    *,
    bot_token: str,
    bot_name: str | None,
    bot_engine: str | None,
    bot_seconds: float,
    bot_tables: tuple[str, ...],
    bot_opens: str | None,
    bot_seats: int | None,
    bot_at_once: int | None,
    bot_accepts: "tuple[str, ...]",
    bot_accepts_clock: "tuple[ClockWord, ...]",
    bot_accepts_from: "OpponentWord | None",
    bot_accepts_at_once: int | None,
) -> None:
    """Play as a bot until there is nothing more to play, or the process is asked to stop."""
    if MISSING is not None:
        raise no_client(MISSING)
    service = service_of(address)
    if service is None:
        raise click.BadParameter(words().say("error.no_table", address=address), param_hint="URL")
    if (bot_name is None) == (bot_engine is None):
        raise click.UsageError(words().say("error.one_bot"))
    if bot_opens is None and (bot_seats is not None or bot_at_once is not None):
        raise click.UsageError(words().say("error.only_open"))
    name = bot_name or bot_engine
    assert name is not None
    plan = BotPlan(
        service=service,
        token=bot_token,
        name=name,
        make=partial(make, name),
        budget=Budget(seconds=bot_seconds),
        links=tuple(_link(service, link) for link in bot_tables),
        terms=None if bot_opens is None else _terms(bot_opens, bot_seats or FEWEST_SEATS),
        at_once=bot_at_once or 1,
        accepts=_acceptance(bot_accepts, bot_accepts_clock, bot_accepts_from, bot_accepts_at_once),
    )
    try:
        asyncio.run(run(plan, _log))
    except NoBotAccount as error:
        raise CommandRefused("error.no_bot_account") from error
    except TokenEnded as error:
        raise CommandRefused("error.token_ended") from error
    except ClientError as error:
        raise CommandRefused("error.no_seat", reason=error) from error


def _acceptance(
    rulesets: tuple[str, ...],
    clocks: "tuple[ClockWord, ...]",
    opponents: "OpponentWord | None",
    at_once: int | None,
) -> "Acceptance | None":
    if rulesets:
        return Acceptance(
            rulesets=frozenset(rulesets),
            clocks=frozenset(clocks or ("live",)),
            opponents=opponents or "everybody",
            at_once=at_once or 1,
        )
    if clocks or opponents or at_once:
        raise click.UsageError(words().say("error.only_accept"))
    return None


def _terms(ruleset: str, seats: int) -> "TermsMessage":
    # Without a clock somebody who goes away would hold the bot's chair for ever.
    clock = ClockSettings(kind="live", bank=BANK, increment=INCREMENT)
    return TermsMessage(ruleset=ruleset, seats=seats, clock=clock)


def _link(service: str, text: str) -> Address:
    """The table of this service to which a link leads; any other is a wrong use."""
    where = address_of(text)
    if where is None or where.service != service:
        raise click.BadParameter(words().say("error.no_table", address=text), param_hint="--table")
    return where


def _log(key: str, **values: object) -> None:
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    click.echo(f"{moment} {spoken(key, **values)}")
