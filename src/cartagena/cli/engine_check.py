"""`cartagena engine-check`: whether a program keeps to the engine protocol."""

import json
from collections.abc import Sequence

import click

from cartagena.bots.players.registry import ENGINE, BotError
from cartagena.cli.style import JSON, Command, ExitCode, Flag, words
from cartagena.engine_protocol.conformance import (
    SECONDS,
    CheckedEngine,
    CheckPatience,
    EngineCheck,
    check_engine,
)
from cartagena.engine_protocol.naming import command_of


def _command(context: click.Context, param: click.Parameter, typed: tuple[str, ...]) -> list[str]:
    """The program and its arguments; one that is not there is a wrong use."""
    first, *rest = typed
    try:
        return command_of(first.removeprefix(ENGINE)) + rest
    except BotError as error:
        raise click.BadParameter(words(context).say("error.no_bot", reason=error), param=param) from error


@click.command(
    "engine-check",
    cls=Command,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument(
    "engine", nargs=-1, required=True, type=click.UNPROCESSED, callback=_command, metavar="COMMAND"
)
@click.option(
    "--seconds", "check_seconds", type=click.FloatRange(0, min_open=True), default=SECONDS, cls=Flag
)
@JSON
def command(engine: Sequence[str], check_seconds: float, *, as_json: bool) -> None:
    """Check an engine, and say what is wrong with it."""
    done: list[CheckedEngine] = []
    for checked in check_engine(engine, patience=CheckPatience(seconds=check_seconds)):
        done.append(checked)
        if not as_json:
            click.echo(_line(checked))
    failed = done[-1].fault is not None
    if as_json:
        click.echo(json.dumps([_as_json(checked) for checked in done], ensure_ascii=False, indent=2))
    else:
        click.echo(_sum(done, failed=failed))
    if failed:
        raise click.exceptions.Exit(ExitCode.REFUSED)


def _line(checked: CheckedEngine) -> str:
    say = words().say
    check = say(checked.check)
    if checked.fault is not None:
        fault = checked.fault
        reason = f"{say(fault.trouble, **fault.values)} {fault.line}".rstrip()
        failed = say("engine_check.failed", check=check, reason=reason)
        if not fault.complaint:
            return failed
        return "\n".join([failed, say("engine_check.complaint"), *map("    {}".format, fault.complaint)])
    if checked.choices:
        return say(
            "engine_check.chose", check=check, choices=checked.choices, slowest=f"{checked.slowest:.3f}"
        )
    return say("engine_check.passed", check=check)


def _sum(done: list[CheckedEngine], *, failed: bool) -> str:
    if failed:
        return words().say("engine_check.sum.failed", passed=len(done) - 1, checks=len(EngineCheck))
    return words().say("engine_check.sum.passed", name=done[-1].name, checks=len(EngineCheck))


def _as_json(checked: CheckedEngine) -> dict[str, object]:
    fault = checked.fault
    return {
        "check": checked.check.partition(".")[2],
        "passed": fault is None,
        "trouble": None if fault is None else fault.trouble.partition(".")[2],
        "reason": None if fault is None else fault.reason,
        "detail": None if fault is None else fault.detail,
        "stderr": None if fault is None else fault.complaint,
        "name": checked.name or None,
        "choices": checked.choices,
        "slowest": round(checked.slowest, 3),
    }
