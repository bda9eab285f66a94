"""`cartagena verify`: whether a game was played by its rules and its chance was fair."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from cartagena.cli.files import FILE, read_record
from cartagena.cli.style import JSON, Command, ExitCode, Flag, words
from cartagena.fairness.record import Report, verify_record
from cartagena.fairness.verdict import Finding
from cartagena.notation.record import Record, is_hash
from cartagena.notation.record_text import format_result


def _hash(context: click.Context, _: click.Parameter, text: str | None) -> str | None:
    """A SHA-256 hash in small letters; anything else is a wrong use."""
    if text is not None and not is_hash(text.strip().lower()):
        raise click.BadParameter(words(context).say("error.no_hash"))
    return text and text.strip().lower()


@click.command("verify", cls=Command)
@FILE
@click.option("--commitment", callback=_hash, metavar="HEX", cls=Flag)
@JSON
def command(file: Path, commitment: str | None, *, as_json: bool) -> None:
    """Check a record; fails if anything in it is false, or if it is the record of a view."""
    record = read_record(file)
    report = verify_record(record, commitment)
    if as_json:
        click.echo(json.dumps(_as_json(record, report), ensure_ascii=False, indent=2))
    else:
        for line in _lines(record, report):
            click.echo(line)
    if report.hidden or report.false:
        raise click.exceptions.Exit(ExitCode.REFUSED)


def _lines(record: Record, report: Report) -> Iterator[str]:
    say = words().say
    if report.hidden:
        yield say("verify.hidden")
    elif report.broken:
        yield say("verify.game_broken", reason=report.broken)
    else:
        yield say("verify.game_holds", result=format_result(record.result))
    for finding in _findings(report):
        yield _line(finding)
    if report.missing and not report.hidden:
        yield say("verify.unproved", missing=", ".join(report.missing))
    if report.false:
        yield say("verify.false")
    elif report.holds:
        yield say("verify.fair" if report.nonces else "verify.fair.alone")


def _findings(report: Report) -> tuple[Finding, ...]:
    kept = (report.kept,) if report.kept else ()
    return (*kept, *(report.verdict.findings if report.verdict else ()))


def _line(finding: Finding) -> str:
    say = words().say
    if finding.failure is None:
        return say("verify.claim_holds", claim=finding.claim)
    why = say(f"failure.{finding.failure.value}")
    return say("verify.claim_broken", claim=finding.claim, why=why, reason=finding.reason)


def _as_json(record: Record, report: Report) -> dict[str, object]:
    return {
        "result": format_result(record.result),
        "hidden": report.hidden,
        "game": None if report.hidden else report.broken is None,
        "broken": str(report.broken) if report.broken else None,
        "chance": report.verdict.holds if report.verdict else None,
        "missing": report.missing,
        "nonces": report.nonces,
        "findings": [
            {
                "claim": finding.claim,
                "holds": finding.holds,
                "failure": finding.failure.value if finding.failure else None,
                "reason": finding.reason or None,
            }
            for finding in _findings(report)
        ],
    }
