"""Send the service all that its document allows, and much that it does not, and hold it to the document.

Usage: python -m harness.contract.requests --requests 20000 [--seed 1] [--route kick] [--plant 404]

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
from typing import Any, Final
from uuid import UUID

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder

from harness.contract.service import (
    NONCE,
    NONCE_HASH,
    RULESETS,
    STAGES,
    Harbour,
    Json,
    Person,
    Serving,
    Standing,
    new_database,
    serving,
)
from harness.services import services

RENEW_EVERY: Final = 120
"""Number of requests after which new strangers take over."""
FAREWELLS: Final = frozenset({"delete_me", "sign_out", "end_other_sessions", "end_session"})
"""These end the sender's session or account, so each is sent by a new guest."""
STAGE_OF: Final = {
    "open": {"sit", "leave", "promise", "start", "kick", "bots", "bots_remove", "order", "terms", "mute"},
    "starting": {"nonce"},
    "running": {"actions", "undo", "resign", "take_back", "abandon", "ask_hint", "read_hint", "record"},
    "over": {"rematch", "ask_analysis", "read_analysis"},
}
"""When a route can do its work; the others always can."""
OF_ADMINS: Final = frozenset({"reports", "close_report", "ban_player", "lift_ban", "renew_recovery_codes"})
OF_STRANGERS: Final = frozenset({"sit", "revoke_token", "report_player"})
OFTEN: Final = 0.8

# Any: schemathesis knows several kinds of answers, which do not matter here.
Case = schemathesis.Case[Any]


class Pilot:
    """Leads made-up requests to real tables: puts ids, sessions and what fits a table into most of them."""

    def __init__(self, harbour: Harbour, chance: Random) -> None:
        self._harbour = harbour
        self._chance = chance
        self._sent = 0

    def lead(self, context: schemathesis.HookContext, case: Case) -> None:
        """Change a request just before it is sent; what is wrong with it on purpose stays wrong."""
        if self._sent % RENEW_EVERY == 0:
            self._harbour.renew()
        self._sent += 1
        assert context.operation is not None
        name = context.operation.definition.raw["operationId"]
        table = self._harbour.table(self._stage(name))
        self._fill_path(case, table)
        if isinstance(case.body, dict) and self._often():
            case.body = self._filled(case.body, table)
            if name == "actions":
                case.body = self._acting(case.body, table)
        for field_name, fitting in (("invite", table.invite), ("ruleset", RULESETS[0])):
            if field_name in case.query and self._often():
                case.query[field_name] = fitting
        person = self._asker(name, table)
        if person is not None:
            case.headers["Authorization"] = f"Bearer {person.token}"

    def _often(self) -> bool:
        return self._chance.random() < OFTEN

    def _stage(self, name: str) -> str:
        """Mostly the stage in which a route can do its work."""
        fitting = next((stage for stage, names in STAGE_OF.items() if name in names), None)
        return fitting if fitting is not None and self._often() else self._chance.choice(STAGES)

    def _asker(self, name: str, table: Standing) -> Person | None:
        """Usually a person who may make this request; sometimes any person, or None."""
        harbour = self._harbour
        if name in FAREWELLS:
            return harbour.guest()
        if not self._often():
            return self._chance.choice((None, *table.seats, *harbour.strangers, harbour.admin))
        if name in OF_ADMINS:
            return harbour.admin
        if name in OF_STRANGERS:
            return harbour.strangers[0]
        return table.seats[table.to_act or 0]

    def _fill_path(self, case: Case, table: Standing) -> None:
        harbour, chance = self._harbour, self._chance
        for name, value in (case.path_parameters or {}).items():
            if not _is_uuid(value) or not self._often():
                continue
            if name == "table_id":
                case.path_parameters[name] = table.id
            elif name == "hint_id" and table.hint is not None:
                case.path_parameters[name] = table.hint
            elif name == "player_id":
                # Not a player at the table: a ban would keep them from everything that follows.
                case.path_parameters[name] = chance.choice(harbour.strangers[1:]).id
            elif harbour.things:
                case.path_parameters[name] = chance.choice(harbour.things)

    def _filled(self, body: Json, table: Standing) -> Json:
        fitting: Json = {
            "key": str(UUID(bytes=self._chance.randbytes(16), version=4)),
            "seq": table.seq,
            "nonce": NONCE,
            "nonce_hash": NONCE_HASH,
            "invite": table.invite,
            "level": "deckhand",
            "ruleset": self._chance.choice(RULESETS),
            "player": self._harbour.strangers[1].id,
            "url": "https://bot.example.org/my-turn",
            "seat": self._chance.choice((1, 2)),
            "order": [1, 0, 2],
        }
        # Replace only values of the right type: a value of the wrong type stays wrong.
        filled = {
            name: fitting[name] if name in fitting and type(value) is type(fitting[name]) else value
            for name, value in body.items()
        }
        if isinstance(filled.get("terms"), dict):
            filled["terms"] = self._filled(filled["terms"], table) | self._plain_options(filled["terms"])
        return filled

    def _acting(self, body: Json, table: Standing) -> Json:
        """The document lets code and action both be there or missing; the service wants one of them."""
        if not table.legal or not isinstance(body.get("code", 0), int | None):
            return body
        kept = {name: value for name, value in body.items() if name != "action"}
        return kept | {"code": self._chance.choice(table.legal)}

    def _plain_options(self, terms: Json) -> Json:
        return {name: {} for name in ("options",) if isinstance(terms.get(name), dict)}


def _is_uuid(value: object) -> bool:
    try:
        UUID(str(value))
    except ValueError:
        return False
    return True


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
    parser = argparse.ArgumentParser(prog="python -m harness.contract.requests", description=__doc__)
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
