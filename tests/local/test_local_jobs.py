"""Hints, analyses and bots of a device are those of the service."""

import asyncio
from random import Random
from uuid import UUID

import msgspec
import pytest

from cartagena.bots.analysis.annotation import analyse
from cartagena.fairness import SIZE
from cartagena.local import Device
from cartagena.local.store import LocalStore
from cartagena.messages.replays import AnalysisMessage, HintMessage
from cartagena.messages.updates import encode
from cartagena.messages.views import view_message
from cartagena.notation import parse_record
from cartagena.rules.hidden.view import view
from cartagena.tables.creating import INVITE_BYTES
from cartagena.tables.ids import RANDOM_BYTES
from cartagena.tables.thinking import analysis_message, choose, seed_from
from tests.local.local_table import FEW, LocalGame, Paper, chance_of, config
from tests.waiting import until


async def test_a_hint_is_found_from_the_view_and_told_to_who_asked() -> None:
    game = LocalGame(Device(Paper().append, (), config(seed=3)))
    await game.start("tortuga", seats=2)
    told = await game.turn()
    assert told is not None
    asked = await game.post("hint")
    hint = msgspec.json.decode(asked.body, type=HintMessage)
    assert (asked.status, hint.state, hint.seq) == (202, "waiting", told["seq"])

    async def is_ready() -> bool:
        return (await game.get(f"/hints/{hint.id}")).status == 200

    await until(is_ready)
    found = msgspec.json.decode((await game.get(f"/hints/{hint.id}")).body, type=HintMessage)
    assert found.found is not None
    assert found.found.best.codes[0] in told["view"]["legal"]
    assert (await game.post("hint")).body == (await game.get(f"/hints/{hint.id}")).body
    await game.close()


async def test_among_people_there_is_a_hint_only_where_the_terms_say_so() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("tortuga", seats=2, people=2)
    await game.turn()
    refused = await game.post("hint")
    assert (refused.status, msgspec.json.decode(refused.body)["error"]["code"]) == (403, "no_hints")
    await game.close()


async def test_an_analysis_is_made_between_requests_and_kept() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("tortuga", seats=2)
    await game.play(Random(1), most=30)
    await game.done("resign")
    assert (await game.get("/analysis")).status == 404
    assert (await game.post("analysis")).status == 202
    kept, shares = len(paper.lines), []
    while (answer := await game.get("/analysis")).status == 202:
        shares.append(msgspec.json.decode(answer.body, type=AnalysisMessage).done or 0.0)
        await asyncio.sleep(0)
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert len(set(shares)) > 1
    assert len(paper.lines) == kept + 1
    made = msgspec.json.decode((await game.get("/analysis")).body, type=AnalysisMessage)
    record = parse_record((await game.get("/record")).body.decode())
    assert made.found == analysis_message(record, analyse(record, simulations=FEW))
    await game.close()
    again = LocalGame(Device(paper.append, paper.lines, config()), game.id)
    assert (await again.get("/analysis")).body == encode(made)
    assert msgspec.json.decode((await again.get("/replay")).body)["analysis"] is True
    await again.close()


@pytest.mark.parametrize("ruleset", ["tortuga", "nest"])
async def test_a_bot_chooses_from_its_view_and_a_seed_as_a_worker_lets_it(ruleset: str) -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config(seed=9)))
    await game.start(ruleset, seats=3, level="sailor")
    await game.play(Random(1), most=12)
    await game.turn()
    await game.close()
    chance = chance_of(9)
    # The table has its id, its secret and its invitation from the same chance.
    for size in (RANDOM_BYTES, SIZE, INVITE_BYTES):
        chance(size)
    choices = 0
    for number, line in enumerate(paper.lines):
        event = msgspec.json.decode(line)
        if event["line"] != "event" or "player" in event:
            continue
        store = LocalStore(paper.append, int, paper.lines[:number])
        table = await store.load(game.uuid)
        assert table is not None
        assert table.position is not None
        seen = view(table.position, event["seat"])
        assert seen.legal
        if len(seen.legal) > 1:
            seed = seed_from(chance)
            assert choose("sailor", "again", encode(view_message(seen)), seed, 5.0).code == event["code"]
            choices += 1
        assert UUID(bytes=chance(16), version=4) == UUID(event["key"])
    assert choices > 5
