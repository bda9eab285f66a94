"""A table on a device can go on from a record, whatever program wrote it."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cartagena import Game
from cartagena.fairness.record import verify_record
from cartagena.local import Device
from cartagena.notation import Ending, Result, format_record, parse_record
from cartagena.notation.record import Record
from cartagena.rules.ruleset import PRESETS
from tests.local.local_table import LocalGame, Paper, config

RECORDS = {
    file.stem: parse_record(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[1] / "records").glob("*.record"))
}
WHOLE = [
    name
    for name, record in RECORDS.items()
    if None not in record.headers.deal and all(step.code is not None for step in record.steps)
]


async def taken(paper: Paper, record: Record, **body: Any) -> LocalGame:
    """A table that goes on from a record."""
    game = LocalGame(Device(paper.append, paper.lines, config()))
    answer = await game.send(
        "POST", "/api/tables/from-record", {"key": game.key(), "record": format_record(record), **body}
    )
    assert answer.status == 201, answer.body
    game.id = msgspec.json.decode(answer.body)["id"]
    return game


async def whole(game: LocalGame) -> Record:
    """The game with every card."""
    return parse_record((await game.get("/whole-record")).body.decode())


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_game_of_the_library_goes_on_and_is_still_proved(ruleset: str) -> None:
    library, paper = Game.start(ruleset, seats=3, seed=4), Paper()
    for _ in range(30):
        library.push(library.moves()[0])
    game = await taken(paper, library.record(), levels=[None, "random", None])
    told = await game.turn() or {}
    assert told["view"]["turn"] >= library.turn
    assert [chair["kind"] for chair in (await game.shown())["current"]["table"]["chairs"]] == [
        "person",
        "bot",
        "person",
    ]
    await game.play(Random(1))
    record = parse_record((await game.get("/record")).body.decode())
    assert verify_record(record).holds
    assert record.steps[:30] == library.record().steps
    await game.close()


@pytest.mark.parametrize("name", WHOLE)
async def test_a_record_without_a_shuffle_goes_on_from_any_step(name: str) -> None:
    record, paper = RECORDS[name], Paper()
    bare = replace(record, headers=replace(record.headers, secret=None))
    step = len(record.steps) // 2
    levels = ["random"] * (record.headers.seats - 1)
    game = await taken(paper, bare, step=step, levels=[None, *levels])
    await game.play(Random(1), most=10)
    await game.close()
    again = LocalGame(Device(paper.append, paper.lines, config()), game.id)
    await again.play(Random(1))
    told = parse_record((await again.get("/record")).body.decode())
    assert told.steps[:step] == record.steps[:step]
    await again.close()


@pytest.mark.parametrize(
    ("ending", "winner"), [(Ending.WON, None), (Ending.RESIGNED, 1), (Ending.ABANDONED, None)]
)
async def test_a_game_that_is_over_is_kept_as_it_ended(ending: Ending, winner: int | None) -> None:
    library, paper = Game.start("jamaica", seats=2, seed=4, names=("Anne", "Bart")), Paper()
    if ending is Ending.WON:
        library.play_out("sailor")
    else:
        for _ in range(30):
            library.push(library.moves()[0])
    record = library.record()
    if ending is not Ending.WON:
        record = replace(record, result=Result(ending, winner))
    game = await taken(paper, record)
    for device in (game.device, Device(paper.append, paper.lines, config())):
        again = LocalGame(device, game.id)
        told = (await again.shown())["current"]["table"]
        assert (told["stage"], told["ending"]) == ("over", record.result.ending.value)
        assert told["winner"] == record.result.winner
        kept = parse_record((await again.get("/record")).body.decode())
        assert replace(kept, headers=replace(kept.headers, date=None)) == record
        assert len(msgspec.json.decode((await again.get("/replay")).body)["steps"]) == len(record.steps)
        (result,) = msgspec.json.decode((await again.send("GET", "/api/me/games?over=true")).body)["results"]
        assert (result["id"], result["ending"]) == (game.id, record.result.ending.value)
        await again.close()


async def test_a_game_that_is_over_goes_on_from_an_earlier_step() -> None:
    library, paper = Game.start("tortuga", seed=1), Paper()
    library.play_out("sailor")
    game = await taken(paper, library.record(), step=20, levels=[None, "random"])
    assert (await game.shown())["current"]["table"]["stage"] == "running"
    await game.close()


async def test_a_game_moves_to_another_device_with_all_its_cards() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("jamaica", seats=2, people=1)
    await game.play(Random(1), most=8)
    record = await whole(game)
    await game.close()
    other = await taken(Paper(), record, names=["Anne", "the bot"])
    assert (await whole(other)).steps == record.steps
    told = (await other.shown())["current"]["table"]
    assert [chair["name"] for chair in told["chairs"]] == ["Anne", "random"]
    await other.play(Random(2))
    assert verify_record(parse_record((await other.get("/record")).body.decode())).holds
    await other.close()


async def test_what_could_be_taken_back_still_can() -> None:
    library, paper = Game.start("tortuga", seed=4), Paper()
    for number in (1, 2):
        library.push(library.moves("play")[number])
    game = await taken(paper, library.record(), levels=[None, None])
    assert (await whole(game)).steps == library.record().steps
    for steps in (1, 0):
        told = (await game.shown())["current"]
        assert told["undo"]
        await game.done("undo", seq=told["seq"])
        assert len((await whole(game)).steps) == steps
    assert not (await game.shown())["current"].get("undo")
    again = LocalGame(Device(paper.append, paper.lines, config()), game.id)
    assert await again.shown() == await game.shown()
    for one in (game, again):
        await one.close()


async def test_what_a_bot_did_last_is_not_done_again() -> None:
    library, paper = Game.start("tortuga", seed=4), Paper()
    library.push(library.moves("play")[1])
    levels = ["random" if seat == library.to_act else None for seat in range(2)]
    game = await taken(paper, library.record(), levels=levels)
    assert (await whole(game)).steps[:1] == library.record().steps
    await game.close()


async def test_what_cannot_go_on_is_refused() -> None:
    library = Game.start("tortuga", seed=1)
    library.play_out("random")
    text, device = format_record(library.record()), Device(Paper().append)
    for body, status in (
        ({"record": text, "step": len(library.events)}, 422),
        ({"record": text.replace("Result: ", "Result: dead, ")}, 422),
        ({"record": text, "step": 0, "names": ["Anne"]}, 422),
        ({"record": "nothing"}, 400),
    ):
        keyed = {"key": "0d5f1c2e-3b0a-4c8e-9a57-0a1b2c3d4e5f", **body}
        answer = await device.answer("POST", "/api/tables/from-record", msgspec.json.encode(keyed))
        assert answer.status == status, body
    await device.close()
