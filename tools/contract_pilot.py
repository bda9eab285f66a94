"""The pilot: leads requests that schemathesis made up to real tables, so that they come through."""

from random import Random
from typing import Any, Final
from uuid import UUID

import schemathesis

from tools.contract_harbour import NONCE, NONCE_HASH, RULESETS, STAGES, Harbour, Json, Person, Standing

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
