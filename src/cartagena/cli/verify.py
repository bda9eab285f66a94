"""`cartagena verify`: whether a game was played by its rules and its chance was fair."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from cartagena.cli.files import FILE, FileName, read_record, read_text
from cartagena.cli.style import JSON, Command, ExitCode, Flag, Unreadable, words
from cartagena.fairness import Claim, FairnessError, Finding, Kept
from cartagena.fairness.record import Report, verify_record
from cartagena.notation.names import COLOURS
from cartagena.notation.record import Record, format_result, is_hash
from cartagena.words import Words


def _hash(context: click.Context, _: click.Parameter, text: str | None) -> str | None:
    """A SHA-256 hash in small letters; anything else is a wrong use."""
    if text is not None and not is_hash(text.strip().lower()):
        raise click.BadParameter(words(context).say("error.no_hash"))
    return text and text.strip().lower()


@click.command("verify", cls=Command)
@FILE
@click.option("--commitment", callback=_hash, metavar="HEX", cls=Flag)
@click.option("--nonce", callback=_hash, metavar="HEX", cls=Flag)
@click.option("--kept", "kept_file", type=FileName(allow_dash=False), metavar="FILE", cls=Flag)
@JSON
def command(
    file: Path, commitment: str | None, nonce: str | None, kept_file: Path | None, *, as_json: bool
) -> None:
    """Check a record; fails if anything in it is false, or if it is the record of a view."""
    record = read_record(file)
    report = verify_record(record, _kept(kept_file, commitment, nonce))
    if as_json:
        click.echo(json.dumps(_as_json(record, report), ensure_ascii=False, indent=2))
    else:
        for line in _lines(record, report):
            click.echo(line)
    if report.hidden or report.false:
        raise click.exceptions.Exit(ExitCode.REFUSED)


def _kept(file: Path | None, commitment: str | None, nonce: str | None) -> Kept:
    """What was kept in a file; a flag goes before it."""
    kept = Kept()
    if file is not None:
        try:
            kept = Kept.of_json(read_text(file))
        except FairnessError as error:
            raise Unreadable("error.no_kept", file=file, reason=error) from error
    return replace(
        kept,
        commitment=commitment or kept.commitment,
        nonce=bytes.fromhex(nonce) if nonce else kept.nonce,
    )


def _lines(record: Record, report: Report) -> Iterator[str]:
    say = words().say
    if report.hidden:
        yield say("verify.hidden")
    elif report.broken:
        yield say("verify.game_broken", reason=report.broken)
    else:
        yield say("verify.game_holds", result=format_result(record.result))
    for finding in report.findings:
        if finding.claim is not Claim.PLAY:
            yield _line(record, finding)
    if report.missing and not report.hidden:
        yield say("verify.unproved", missing=", ".join(report.missing))
    if report.verdict is not None:
        yield from _unchecked(report)
    yield from _sum(report)


def _unchecked(report: Report) -> Iterator[str]:
    say = words().say
    for claim in report.unchecked:
        yield say("verify.claim_unchecked", claim=say(f"claim.{claim}"))
    if report.starts > 1:
        yield words().count("shuffle.called_off", report.starts - 1)


def _sum(report: Report) -> Iterator[str]:
    say = words().say
    if report.false:
        yield say("verify.false")
    elif report.holds and not report.nonces:
        yield say("verify.fair.alone")
    elif report.holds:
        yield say("verify.fair.itself" if report.unchecked else "verify.fair")


def _line(record: Record, finding: Finding) -> str:
    say, claim = words().say, claim_words(words(), finding, record.headers.names)
    if finding.failure is None:
        return say("verify.claim_holds", claim=claim)
    why = say(f"failure.{finding.failure}")
    return say("verify.claim_broken", claim=claim, why=why, reason=finding.reason)


def claim_words(catalogue: Words, finding: Finding, names: Sequence[str]) -> str:
    """A claim as a sentence; a seat is called by its player's name, else by its crew."""
    number = finding.number or 0
    is_seat = finding.claim is Claim.NONCE and number < len(names)
    name = (names[number] or catalogue.say(f"crew.{COLOURS[number]}")) if is_seat else ""
    return catalogue.say(f"claim.{finding.claim}", number=number, name=name)


def _as_json(record: Record, report: Report) -> dict[str, object]:
    return {
        "result": format_result(record.result),
        "hidden": report.hidden,
        "game": None if report.hidden else report.broken is None,
        "broken": str(report.broken) if report.broken else None,
        "chance": report.verdict.holds if report.verdict else None,
        "missing": report.missing,
        "nonces": report.nonces,
        "starts": report.starts,
        "findings": [
            {
                "claim": finding.name,
                "holds": finding.holds,
                "failure": finding.failure,
                "reason": finding.reason or None,
            }
            for finding in report.findings
        ],
        "unchecked": [claim.replace("_", " ") for claim in report.unchecked],
    }
