"""Send the service all that its document allows, and much that it does not, and hold it to the document.

Usage: python -m tools.contract_requests --requests 20000 [--seed 1] [--route kick] [--plant 404]

schemathesis makes the requests, with data that fits the document and data that does not; ids of real tables
and players, and sessions of real people, are put into most of them. An answer of 5xx, an answer that the
document does not know, or content that does not fit its schema is a finding, and any finding fails the run.
`--route` asks one route alone, by its name in the document. `--plant` leaves a status out of the document, to
see that the run would notice.
"""

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Final

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from tools.contract_harbour import Harbour, Json
from tools.contract_pilot import Case, Pilot
from tools.contract_service import Serving, new_database, serving
from tools.services import services

COVERED_FROM: Final = 3_000
"""With fewer requests not every limit of every field can be tried once; then all data is random."""
MOST_ROUNDS: Final = 100
MOST_SHOWN: Final = 20
LONGEST_SHOWN: Final = 300
ERRORS_FROM: Final = 400
CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
    "allow_header_conformance",
)
REFUSED: Final = (400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 431)
"""How a request that breaks the document may be refused; some are too long to be read at all."""


@dataclass(kw_only=True)
class Tally:
    """What came of the requests."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    successes: Counter[str] = field(default_factory=Counter)
    """How often each route succeeded, including those that never did."""
    findings: dict[tuple[str, str], str] = field(default_factory=dict)
    """By operation and kind, the first request that showed it."""

    def note(self, recorder: ScenarioRecorder) -> None:
        """Add what a scenario found."""
        for case_id, interaction in recorder.interactions.items():
            response = interaction.response
            if response is None:
                self.findings.setdefault((recorder.label, "no answer"), interaction.request.uri)
                continue
            self.requests += 1
            self.statuses[response.status_code] += 1
            operation = recorder.cases[case_id].value.operation
            # Some odd requests use a method that the path does not have; of those, OPTIONS succeeds.
            is_own = interaction.request.method == operation.method.upper()
            succeeded = is_own and response.status_code < ERRORS_FROM
            self.successes[operation.definition.raw["operationId"]] += succeeded
        for case_id, checks in recorder.checks.items():
            for check in checks:
                if check.failure_info is not None:
                    self._find(recorder, case_id, check.failure_info.failure)

    def _find(self, recorder: ScenarioRecorder, case_id: str, failure: Failure) -> None:
        shown = f"{failure.title}: {failure.message}"
        interaction = recorder.interactions.get(case_id)
        if interaction is not None:
            body = (interaction.request.body or b"")[:LONGEST_SHOWN]
            shown += f"\n    {interaction.request.method} {interaction.request.uri} {body!r}"
            if interaction.response is not None:
                answer = (interaction.response.content or b"")[:LONGEST_SHOWN]
                shown += f"\n    {interaction.response.status_code} {answer!r}"
        self.findings.setdefault((recorder.label, failure.title), shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a run is to do."""

    requests: int
    seed: int
    route: str | None = None
    planted: str | None = None

    def trimmed(self, document: Json) -> Json:
        """The document without what is not wanted."""
        paths = {
            path: {
                method: operation
                for method, operation in methods.items()
                if self.route in {None, operation["operationId"]}
            }
            for path, methods in document["paths"].items()
        }
        for operation in (operation for methods in paths.values() for operation in methods.values()):
            operation["responses"].pop(self.planted, None)
        return {**document, "paths": {path: methods for path, methods in paths.items() if methods}}


def ask(service: Serving, wanted: Wanted) -> Tally:
    """Send at least `wanted.requests` requests, round after round with new data."""
    chance = Random(wanted.seed)
    harbour, tally = Harbour(service, chance), Tally()
    document = wanted.trimmed(harbour.document())
    operations = sum(map(len, document["paths"].values()))
    pilot = Pilot(harbour, chance)

    @schemathesis.hook
    def before_call(context: schemathesis.HookContext, case: Case, kwargs: Json) -> None:
        del kwargs
        pilot.lead(context, case)

    rounds = 0
    while tally.requests < wanted.requests and rounds < MOST_ROUNDS:
        each = max(1, (wanted.requests - tally.requests) // operations)
        covered = wanted.requests >= COVERED_FROM and not rounds
        _ask_once(_schema(document, service.url, each, wanted.seed + rounds, covered=covered), tally)
        rounds += 1
    harbour.close()
    tally.findings.update({("log", line[:60]): line for line in service.log})
    return tally


def _schema(document: Json, url: str, each: int, seed: int, *, covered: bool) -> schemathesis.BaseSchema:
    config = schemathesis.Config.from_dict(
        {
            "seed": seed,
            "base-url": url,
            "max-stream-events": 1,
            "request-timeout": 60,
            "continue-on-failure": True,
            "checks": {
                "enabled": False,
                **{name: {"enabled": True} for name in CHECKS},
                "negative_data_rejection": {"enabled": True, "expected-statuses": list(REFUSED)},
            },
            "generation": {"max-examples": each, "no-shrink": True, "database": "none"},
            "phases": {"coverage": {"enabled": covered}, "stateful": {"enabled": False}},
        }
    )
    return schemathesis.openapi.from_dict(document, config=config)


def _ask_once(schema: schemathesis.BaseSchema, tally: Tally) -> None:
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            tally.note(event.recorder)
        elif isinstance(event, events.NonFatalError):
            tally.findings.setdefault((event.label, "not asked"), str(event.value))
        elif isinstance(event, events.FatalError):
            raise event.exception


def report(tally: Tally, seconds: float) -> str:
    """Return the outcome as text for people."""
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(tally.statuses.items()))
    never = sorted(name for name, count in tally.successes.items() if not count)
    lines = [
        f"{tally.requests} requests in {seconds:.0f} s; {statuses}",
        f"{len(tally.successes)} routes, never with success: {', '.join(never) or 'none'}",
        *(f"- {label}\n    {shown}" for (label, _), shown in list(tally.findings.items())[:MOST_SHOWN]),
        f"{len(tally.findings)} findings",
    ]
    return "\n".join(lines)


async def _run(wanted: Wanted) -> Tally:
    async with AsyncExitStack() as opened:
        dsn = await opened.enter_async_context(new_database(services()[0].address(os.environ)))
        service = opened.enter_context(serving(dsn))
        # In a thread of its own, as the service is: each waits for the other.
        return await asyncio.to_thread(ask, service, wanted)


def main(arguments: list[str] | None = None) -> int:
    """Run it; 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tools.contract_requests", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--route", metavar="NAME")
    parser.add_argument("--plant", metavar="STATUS")
    chosen = parser.parse_args(arguments)
    began = time.monotonic()
    wanted = Wanted(requests=chosen.requests, seed=chosen.seed, route=chosen.route, planted=chosen.plant)
    tally = asyncio.run(_run(wanted))
    sys.stdout.write(report(tally, time.monotonic() - began) + "\n")
    return 1 if tally.findings or tally.requests < wanted.requests else 0


if __name__ == "__main__":
    sys.exit(main())
