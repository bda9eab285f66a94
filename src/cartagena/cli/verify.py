"""`cartagena verify`: whether a game was played by its rules and its chance was fair."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from cartagena.cli.files import FILE, read_record
from cartagena.cli.style import JSON, Command, ExitCode, words
from cartagena.fairness.record import Report, verify_record
from cartagena.fairness.verdict import Finding
from cartagena.notation.record import Record
from cartagena.notation.record_text import format_result


@click.command("verify", cls=Command)
@FILE
@JSON
def command(file: Path, *, as_json: bool) -> None:
    """Check a record; fails if anything in it is false."""
    record = read_record(file)
    report = verify_record(record)
    if as_json:
        click.echo(json.dumps(_as_json(record, report), ensure_ascii=False, indent=2))
    else:
        for line in _lines(record, report):
            click.echo(line)
    if report.broken or (report.verdict and not report.verdict.holds):
        raise click.exceptions.Exit(ExitCode.REFUSED)


def _lines(record: Record, report: Report) -> Iterator[str]:
    say = words().say
    if report.broken:
        yield say("verify.game_broken", reason=report.broken)
    else:
        yield say("verify.game_holds", result=format_result(record.result))
    if report.verdict is None:
        yield say("verify.unproved", reason=report.unproved)
        return
    for finding in report.verdict.findings:
        yield _line(finding)
    yield say("verify.fair" if report.verdict.holds else "verify.unfair")


def _line(finding: Finding) -> str:
    say = words().say
    if finding.failure is None:
        return say("verify.claim_holds", claim=finding.claim)
    why = say(f"failure.{finding.failure.value}")
    return say("verify.claim_broken", claim=finding.claim, why=why, reason=finding.reason)


def _as_json(record: Record, report: Report) -> dict[str, object]:
    findings = report.verdict.findings if report.verdict else ()
    return {
        "result": format_result(record.result),
        "game": report.broken is None,
        "broken": str(report.broken) if report.broken else None,
        "chance": report.verdict.holds if report.verdict else None,
        "unproved": report.unproved or None,
        "findings": [
            {
                "claim": finding.claim,
                "holds": finding.holds,
                "failure": finding.failure.value if finding.failure else None,
                "reason": finding.reason or None,
            }
            for finding in findings
        ],
    }
