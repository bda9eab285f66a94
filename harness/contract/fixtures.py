"""The harbour: players and tables in every stage, so that made-up requests meet something real."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from uuid import UUID

import httpx

from cartagena.fairness import commit
from harness.contract.service import Serving

# Any: JSON as it comes.
Json = dict[str, Any]

NONCE: Final = "5a" * 32
NONCE_HASH: Final = commit(bytes.fromhex(NONCE))
RULESETS: Final = ("jamaica", "tortuga", "nest")
STAGES: Final = ("open", "starting", "running", "over")
USES: Final = 20
"""Requests about one table, at most."""
MOSTLY: Final = 0.7
CLOCK: Final = {"kind": "live", "bank": 600, "increment": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A guest and their token."""

    id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A table, as it stood when it was made ready: its code, its seq, and what the seat to act might do."""

    id: str
    invite: str = field(repr=False)
    seats: tuple[Person, ...]
    seq: int
    legal: tuple[int, ...]
    to_act: int | None
    hint: str | None = None


class Harbour:
    """Makes whatever a request may be about, over HTTP like any client."""

    def __init__(self, serving: Serving, chance: Random) -> None:
        self._serving = serving
        self._client = httpx.Client(base_url=serving.url, verify=False)  # noqa: S501 - plain http on loopback
        self._chance = chance
        self._tables: dict[str, Standing] = {}
        self._uses: Counter[str] = Counter()
        self.strangers = [self.guest() for _ in range(3)]
        self.admin = self._new_admin()
        self.things: list[str] = []
        """Ids of anything else a path may name: sessions, tokens, browsers, reports."""

    def document(self) -> Json:
        """What the service says of itself."""
        return self._ok(self._client.get("/api/openapi.json"))

    def guest(self) -> Person:
        """Return a new guest."""
        made = self._ok(self._client.post("/api/guest", json={"bearer": True}))
        self._client.cookies.clear()
        return Person(id=made["me"]["id"], token=made["token"])

    def _new_admin(self) -> Person:
        person = self.guest()
        self._serving.make_admin(person.id)
        return person

    def close(self) -> None:
        """Let go of the service."""
        self._client.close()

    # Tables.

    def renew(self) -> None:
        """Make new strangers with new things; the old ones may be banned or deleted by now."""
        self.strangers = [self.guest() for _ in range(3)]
        self.things = self._new_things(self.strangers[0])

    def table(self, stage: str) -> Standing:
        """Return a table in `stage`, a new one every `USES` requests: the old one may be over or deserted."""
        if self._uses[stage] % USES == 0:
            listed = self._chance.random() < MOSTLY
            self._tables[stage] = self._table(stage, self._chance.choice(RULESETS), listed=listed)
        self._uses[stage] += 1
        return self._tables[stage]

    def _table(self, stage: str, ruleset: str, *, listed: bool) -> Standing:
        host, mate = self.guest(), self.guest()
        terms: Json = {
            "ruleset": ruleset,
            "seats": 3 if stage == "open" else 2,
            "listed": listed,
            "hints": True,
        }
        if self._chance.random() < MOSTLY:
            terms["clock"] = CLOCK
        made = self._post(host, "/api/tables", terms=terms, nonce_hash=NONCE_HASH)
        path, invite = f"/api/tables/{made['id']}", made["invite"]
        told = self._post(mate, f"{path}/sit", invite=invite, nonce_hash=NONCE_HASH)
        steps = STAGES.index(stage)
        if steps:
            told = self._post(host, f"{path}/start")
        if steps > 1:
            self._post(host, f"{path}/nonce", nonce=NONCE)
            told = self._post(mate, f"{path}/nonce", nonce=NONCE)
        hint = None
        if stage == "running":
            hint = self._hint((host, mate)[told["view"]["to_act"]], path)
        if stage == "over":
            self._post(host, f"{path}/abandon")
            told = self._post(mate, f"{path}/abandon")
            self._ok(self._client.post(f"{path}/analysis", headers=_shown(host)))
        return self._standing(made["id"], invite, (host, mate), told["seq"], hint)

    def _hint(self, person: Person, path: str) -> str:
        hint: str = self._ok(self._client.post(f"{path}/hint", headers=_shown(person)))["id"]
        return hint

    def _standing(
        self, table: str, invite: str, seats: tuple[Person, Person], seq: int, hint: str | None
    ) -> Standing:
        views = [
            self._ok(self._client.get(f"/api/tables/{table}", headers=_shown(person)))["current"]
            for person in seats
        ]
        legal = [(view.get("view") or {}).get("legal") for view in views]
        to_act = next((seat for seat, codes in enumerate(legal) if codes), None)
        codes = () if to_act is None else tuple(legal[to_act] or ())
        return Standing(id=table, invite=invite, seats=seats, seq=seq, legal=codes, to_act=to_act, hint=hint)

    # Other things.

    def _new_things(self, person: Person) -> list[str]:
        token = self._post(person, "/api/me/tokens", name="a program", scopes=["read"])
        report = self._post(person, "/api/reports", player=self.strangers[1].id, text="swears")
        sessions = self._ok(self._client.get("/api/me/sessions", headers=_shown(person)))["sessions"]
        del sessions[:1]  # the person's own; without it they could ask nothing more
        return [token["made"]["id"], report["id"], *(session["id"] for session in sessions)]

    def _post(self, person: Person, path: str, **body: object) -> Json:
        key = str(UUID(bytes=self._chance.randbytes(16), version=4))
        return self._ok(self._client.post(path, json={"key": key, **body}, headers=_shown(person)))

    def _ok(self, answer: httpx.Response) -> Json:
        if not answer.is_success:
            raise RuntimeError(f"{answer.request.method} {answer.request.url.path}: {answer.text}")
        told: Json = answer.json()
        return told


def _shown(person: Person) -> dict[str, str]:
    return {"authorization": f"Bearer {person.token}"}
