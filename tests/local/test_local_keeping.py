"""What a device keeps: a log that can end anywhere, and from which everything comes back."""

import asyncio
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from cartagena.fairness import commit
from cartagena.fairness.record import verify_record
from cartagena.local import Device
from cartagena.notation import parse_record
from cartagena.rules.ruleset import PRESETS
from cartagena.tables.ids import OF_DEVICE
from cartagena.tables.seating import PATIENCE
from tests.local.local_table import NOW, LocalGame, Paper, config


async def noted(game: LocalGame, paper: Paper, chance: Random) -> dict[int, bytes]:
    """Play a game at random; returns what was shown, by the number of lines that were kept then."""
    shown: dict[int, bytes] = {}
    told = await game.turn()
    while told is not None:
        shown[len(paper.lines)] = (await game.get()).body
        if told.get("undo") and chance.random() < 0.2:
            await game.done("undo", seq=told["seq"])
        else:
            await game.done("actions", seq=told["seq"], code=chance.choice(told["view"]["legal"]))
        told = await game.turn()
    shown[len(paper.lines)] = (await game.get()).body
    return shown


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_game_goes_on_from_any_line_even_a_torn_one(ruleset: str) -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start(ruleset, seats=3)
    shown = await noted(game, paper, Random(ruleset))
    for number, told in shown.items():
        lines = paper.lines[:number]
        if number < len(paper.lines):
            lines.append(paper.lines[number][: 10 + number % 80])
        again = Paper(lines)
        device = Device(again.append, lines, config(seed=number))
        assert (await device.answer("GET", f"/api/tables/{game.id}")).body == told
        await device.close()
    await game.close()


async def test_after_a_torn_line_the_game_goes_on_to_its_end() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("jamaica", seats=2)
    await game.play(Random(3), most=20)
    await game.close()
    torn = Paper([*paper.lines[:-1], paper.lines[-1][:40]])
    resumed = LocalGame(Device(torn.append, torn.lines, config(seed=2)), game.id)
    await resumed.play(Random(4))
    told = await resumed.shown()
    again = LocalGame(Device(torn.append, torn.lines, config(seed=3)), game.id)
    assert await again.shown() == told
    for one in (resumed, again):
        await one.close()


async def test_a_choice_that_cannot_be_kept_is_not_made() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("tortuga", seats=2, people=2)
    told = await game.turn()
    assert told is not None
    paper.is_full = True
    refused = await game.post("actions", seq=told["seq"], code=told["view"]["legal"][0])
    assert (refused.status, msgspec.json.decode(refused.body)["error"]["code"]) == (503, "unavailable")
    assert (await game.shown())["current"] == told
    paper.is_full = False
    await game.done("actions", seq=told["seq"], code=told["view"]["legal"][0])
    await game.close()


async def test_the_same_request_is_carried_out_once() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    body = {"key": game.key(), "terms": {"ruleset": "tortuga"}, "bots": ["random"]}
    first = await game.send("POST", "/api/tables", body, "Anne")
    assert (await game.send("POST", "/api/tables", body, "Anne")).body == first.body
    assert len(paper.lines) == 1
    await game.close()


async def test_the_record_of_a_game_is_verified_with_the_number_of_its_player() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    nonce = bytes(range(32))
    terms = {"ruleset": "nest"}
    body = {"key": game.key(), "terms": terms, "bots": ["random"], "nonce_hash": commit(nonce)}
    told = msgspec.json.decode((await game.send("POST", "/api/tables", body, "Anne")).body)
    game.id = told["id"]
    assert UUID(game.id).version == OF_DEVICE
    assert (await game.done("start"))["table"]["stage"] == "starting"
    await game.done("nonce", nonce=nonce.hex())
    await game.play(Random(5))
    report = verify_record(parse_record((await game.get("/record")).body.decode()))
    assert report.holds
    assert report.nonces == 1
    await game.close()


async def test_a_start_whose_number_is_lost_is_called_off() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    body = {"key": game.key(), "terms": {"ruleset": "nest"}, "bots": ["random"], "nonce_hash": "0" * 64}
    told = msgspec.json.decode((await game.send("POST", "/api/tables", body, "Anne")).body)
    game.id = told["id"]
    await game.done("start")
    assert (await game.shown())["current"]["table"]["stage"] == "starting"
    await game.close()
    later = LocalGame(Device(paper.append, paper.lines, config(now=NOW + 2 * PATIENCE)), game.id)
    table = (await later.shown())["current"]["table"]
    assert (table["stage"], table["called_off"]) == ("open", 1)
    assert table["commitment"] != told["current"]["table"]["commitment"]
    await later.close()


async def twice_at_once(game: LocalGame, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """What a request is answered that comes twice before the first answer."""
    answers = await asyncio.gather(*(game.send("POST", path, body, "Anne") for _ in range(2)))
    assert [answer.status for answer in answers] == [201, 201]
    return [msgspec.json.decode(answer.body) for answer in answers]


async def listed(device: Device) -> list[dict[str, Any]]:
    """The games that go on, then those that are over."""
    tables = msgspec.json.decode((await device.answer("GET", "/api/me/games")).body)["tables"]
    results = msgspec.json.decode((await device.answer("GET", "/api/me/games?over=true")).body)["results"]
    return [*tables, *results]


@pytest.mark.parametrize("what", ["open", "branch", "take up"])
async def test_a_request_that_comes_twice_at_once_opens_one_table(what: str) -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    body: dict[str, Any] = {"key": game.key(), "terms": {"ruleset": "tortuga"}, "bots": ["random"]}
    path, kept = "/api/tables", 0
    if what != "open":
        await game.start("tortuga", seats=2)
        await game.play(Random(1), most=4)
        await game.done("resign")
        record = (await game.get("/record")).body.decode()
        path = f"/api/tables/{game.id}/branch" if what == "branch" else "/api/tables/from-record"
        body = {"key": game.key()}
        body |= {"step": 1} if what == "branch" else {"record": record, "step": 1, "levels": [None, "random"]}
        kept = 1
    one, two = await twice_at_once(game, path, body)
    assert one["id"] == two["id"]
    assert len(await listed(game.device)) == kept + 1
    (again,) = {told["id"] for told in await twice_at_once(game, path, body)}
    assert again == one["id"]
    await game.close()


@pytest.mark.parametrize("keys", [1, 2])
async def test_a_rematch_that_is_asked_for_twice_at_once_goes_on_after_a_reload(keys: int) -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("jamaica", seats=2)
    await game.done("resign")
    own_keys = [game.key() for _ in range(keys)] * (2 // keys)
    one, two = await asyncio.gather(
        *(game.send("POST", f"/api/tables/{game.id}/rematch", {"key": key}) for key in own_keys)
    )
    assert one.body == two.body
    rematch = LocalGame(game.device, msgspec.json.decode(one.body)["id"])
    assert sum('"opened"' in line and rematch.id in line for line in paper.lines) == 1
    await rematch.done("start")
    await rematch.play(Random(3), most=10)
    await game.close()
    shown = await rematch.shown()
    again = LocalGame(Device(paper.append, paper.lines, config()), rematch.id)
    assert await again.shown() == shown
    await again.close()


@pytest.mark.parametrize("played", [0, 10])
@pytest.mark.parametrize("counts", ["first", "second"])
async def test_of_two_openings_of_a_table_the_one_that_was_dealt_from_counts(
    counts: str, played: int
) -> None:
    paper, other = Paper(), Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.open(ruleset="jamaica", bots=("random",))
    twin = LocalGame(Device(other.append, (), config(seed=2)))
    await twin.open(ruleset="jamaica", bots=("random",))
    wrong = other.lines[0].replace(twin.id, game.id)
    if played:
        await game.done("start")
        await game.play(Random(3), most=played)
    await game.close()
    await twin.close()
    shown, right = await game.shown(), paper.lines[0]
    openings = [right, wrong] if counts == "first" else [wrong, right]
    again = LocalGame(Device(paper.append, [*openings, *paper.lines[1:]], config()), game.id)
    assert ((await again.shown())["current"] == shown["current"]) is (played > 0 or counts == "second")
    await again.close()


@pytest.mark.parametrize("name", ["", "Anne\nBonny", "Anne # 1", "A" * 25, "\u2028"])
async def test_a_name_that_no_record_could_hold_is_refused(name: str) -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    body = {"key": game.key(), "terms": {"ruleset": "nest"}, "bots": ["random"]}
    assert (await game.send("POST", "/api/tables", body, name)).status == 422
    await game.open(ruleset="nest", seats=3)
    assert (await game.post("sit", name)).status == 422
    await game.close()


async def test_a_game_that_is_deleted_while_its_bot_thinks_is_gone() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("nest", seats=5, level="sailor")
    await game.device.drop(game.uuid)
    kept = len(paper.lines)
    other = LocalGame(game.device, "other")
    await other.start("tortuga", seats=2)
    await other.play(Random(1), most=5)
    assert all(game.id not in line for line in paper.lines[kept:])
    await game.close()


async def test_games_are_listed_and_deleted() -> None:
    paper = Paper()
    device = Device(paper.append, (), config())
    over, running = LocalGame(device, "over"), LocalGame(device, "running")
    await over.start("tortuga", seats=2, level="random")
    ear = await over.follow()
    await over.done("resign")
    await running.start("jamaica", seats=2, people=2)
    for one in (device, Device(paper.append, paper.lines, config())):
        table, result = await listed(one)
        assert (table["id"], table["stage"], table["my_turn"]) == (running.id, "running", True)
        assert (result["id"], result["ending"]) == (over.id, "resigned")
    assert (await over.send("DELETE", f"/api/tables/{over.id}")).status == 204
    assert ear.words[-1] == b'event: closed\ndata: {"code":"no_such_table"}\n\n'
    assert (await over.get()).status == 404
    for one in (device, Device(paper.append, paper.lines, config())):
        assert [told["id"] for told in await listed(one)] == [running.id]
    await asyncio.gather(*(task for _, task in over.streams))
    await device.close()


async def test_how_long_a_level_thinks_is_read_from_the_log() -> None:
    paper = Paper()
    game = LocalGame(Device(paper.append, (), config()))
    await game.start("tortuga", seats=2)
    told = await game.turn()
    while told is not None and told["view"]["turn"] < 3:
        await game.done("actions", seq=told["seq"], code=told["view"]["legal"][0])
        told = await game.turn()
    await game.close()
    lines = [msgspec.json.decode(line) for line in paper.lines]
    of_bot = [line for line in lines if line.get("seat") == 1]
    assert of_bot
    for number, line in enumerate(lines):
        line["at"] = NOW + 700 * number
    timed = Device(Paper().append, [msgspec.json.encode(line).decode() for line in lines], config())
    answer = await timed.answer("GET", "/api/me/pace")
    assert msgspec.json.decode(answer.body) == {"seconds": {"random": round(0.7 * len(of_bot), 1)}}
    await timed.close()
    nothing = Device(Paper().append, (), config())
    assert (await nothing.answer("GET", "/api/me/pace")).body == b'{"seconds":{}}'
    await nothing.close()
