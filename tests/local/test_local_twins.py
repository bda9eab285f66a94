"""A device answers and tells what the service does, byte for byte."""

from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest

from cartagena.rules.ruleset import PRESETS
from cartagena.server.store.databases import Databases
from tests.local.twin import Twins

WHOLE: Final = 10_000
SOME: Final = 50


async def play(twins: Twins, chance: Random, most: int) -> None:
    """Play at random on both, at most `most` choices of people."""
    for _ in range(most):
        told = await twins.shown()
        if told["table"]["stage"] == "over":
            return
        if not told["view"]["legal"]:
            await twins.uncover()
        elif told.get("undo") and chance.random() < 0.1:
            await twins.act("undo", seq=told["seq"])
        else:
            await twins.act("actions", seq=told["seq"], code=chance.choice(told["view"]["legal"]))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_game_is_answered_and_told_alike(databases: Databases, ruleset: str, seats: int) -> None:
    chance = Random(f"{ruleset} {seats}")
    twins, people = Twins(databases, seed=seats), chance.randint(1, seats)
    await twins.open(people, ("random",) * (seats - people), ruleset=ruleset, seats=seats)
    await twins.act("start")
    await play(twins, chance, most=WHOLE if seats == 2 else SOME)
    await twins.compare_streams()
    for what in ("", "/record", "/replay"):
        assert (await twins.same("GET", f"/api/tables/{twins.id}{what}")).status == 200
    # Other actions are looked at only after the end.
    await twins.same("GET", f"/api/tables/{twins.id}/line?step=3")
    await twins.close()


async def test_a_request_is_refused_alike(databases: Databases) -> None:
    twins = Twins(databases, seed=7)
    await twins.open(1, ("random",), ruleset="jamaica", seats=3)
    table, key = f"/api/tables/{twins.id}", str(uuid4())
    elsewhere = "/api/tables/01a1de9f-0000-8000-8000-000000000000"
    before: list[tuple[str, str, dict[str, Any] | None]] = [
        ("POST", f"{table}/actions", {"key": key, "seq": 0, "code": 3}),
        ("POST", f"{table}/start", {"key": key}),
        ("POST", f"{table}/bots", {"key": key, "seat": 2, "level": "random"}),
        ("POST", f"{table}/bots", {"key": key, "seat": 1, "level": "nobody"}),
        ("POST", f"{table}/bots/remove", {"key": key, "seat": 1}),
        ("POST", f"{table}/order", {"key": key, "order": [0, 0, 1]}),
        ("POST", f"{table}/nonce", {"key": key, "nonce": "0" * 64}),
        ("POST", f"{table}/terms", {"key": key, "terms": {"ruleset": "jamaica", "seats": 2}}),
        ("POST", f"{table}/terms", {"key": key, "terms": {"ruleset": "chess"}}),
        ("POST", "/api/tables", {"key": key, "terms": {"ruleset": "nest", "options": {"hand_size": 90}}}),
        ("POST", f"{table}/sit", {"seat": 1}),
        ("POST", f"{table}/sit", {"key": key, "seat": 9}),
        ("POST", f"{elsewhere}/start", {"key": key}),
        ("GET", elsewhere, None),
        ("GET", f"{table}/record", None),
        ("GET", f"{table}/replay?step=1", None),
        ("GET", "/api/tables/nothing", None),
        ("GET", "/api/nothing", None),
    ]
    for method, path, body in before:
        assert (await twins.same(method, path, body)).status >= 400
    await twins.act("bots", seat=1, level="random")
    await twins.act("start")
    told = await twins.shown()
    illegal = next(code for code in range(200) if code not in told["view"]["legal"])
    running = [
        ("actions", {"key": key, "seq": told["seq"], "code": illegal}),
        ("actions", {"key": key, "seq": told["seq"], "action": "dance"}),
        ("actions", {"key": key, "seq": told["seq"]}),
        ("actions", {"key": key, "seq": told["seq"] - 1, "code": illegal}),
        ("actions", {"key": key, "seq": told["seq"] + 5, "code": told["view"]["legal"][0]}),
        ("undo", {"key": key, "seq": told["seq"]}),
        ("take-back", {"key": key}),
        ("rematch", {"key": key}),
        ("branch", {"key": key, "step": 1}),
        ("leave", {"key": key}),
    ]
    for verb, body in running:
        assert (await twins.same("POST", f"{table}/{verb}", body)).status >= 400
    await twins.close()
