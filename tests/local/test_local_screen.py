"""Several people at one device: while a hand is covered, nothing of it leaves the device."""

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from cartagena.local import Device
from cartagena.local.store import LocalStore
from cartagena.tables.records import whole_record
from harness.play.checks import secrets_of, truth_of
from harness.play.clients import Exchange
from harness.play.secrets import Listener, Search
from tests.local.local_table import NAMES, LocalGame, Paper, config

FORBIDDEN = b'event: closed\ndata: {"code":"forbidden"}\n\n'
HIDDEN = ["jamaica", "nest"]
STEPS = 150
END_TURN = 0


class Watched(LocalGame):
    """A game of which everything that leaves the device is kept by who was looking, None for nobody."""

    def __init__(self, device: Device) -> None:
        super().__init__(device)
        self.looking: int | None = None
        self.by_seat: dict[int | None, list[Exchange]] = {}

    async def step(self, chance: Random) -> bool:
        """Let the person who is asked act, or come; False once the game is over."""
        told = (await self.shown())["current"]
        if told["view"]["seat"] != self.looking:
            # A bot was the last to act before another person is asked.
            assert told["view"]["seat"] is None
            await self._look(None)
        self._note()
        if told["table"]["stage"] == "over":
            return False
        asked = told["table"]["chairs"][told["view"]["to_act"]]
        if asked["kind"] == "bot":
            await asyncio.sleep(0)
        elif told["view"]["legal"]:
            await self._act(told, chance)
        else:
            await self._uncover(asked["seat"])
        return True

    async def _act(self, told: dict[str, Any], chance: Random) -> None:
        code = chance.choice(told["view"]["legal"])
        answer = await self.done("actions", seq=told["seq"], code=code)
        asked, chairs = answer["view"]["to_act"], told["table"]["chairs"]
        another_person = asked >= 0 and chairs[asked]["kind"] == "person" and asked != self.looking
        assert answer["view"]["seat"] == (None if another_person else self.looking)
        if another_person:
            await self._look(None)
            if chance.random() < 0.1:
                await self._ask_everything(told["seq"])
        self._note()

    async def _uncover(self, seat: int) -> None:
        assert (await self.done("uncover"))["seat"] == seat
        # It answers what looking at the table answers.
        self.exchanges[-1] = replace(self.exchanges[-1], method="GET", path=f"/api/tables/{self.id}")
        await self._look(seat)
        self._note()

    async def _ask_everything(self, seq: int) -> None:
        """Ask for whatever a page could ask for while hands are covered."""
        await self.get("/record")
        for verb in ("hint", "undo", "resign", "abandon", "take-back", "rematch"):
            assert (await self.post(verb, seq=seq)).status in {400, 403}
        self._note()
        replay = msgspec.json.decode((await self.get("/replay")).body)
        assert replay["first"]["hands"] == [None] * len(replay["first"]["hands"])
        self.exchanges.clear()

    async def _look(self, seat: int | None) -> None:
        """The device looks from elsewhere: its stream has ended, and another one begins."""
        ear, _ = self.streams[-1]
        assert ear.words[-1] == FORBIDDEN
        self.end_stream()
        self.looking = seat
        await self.follow()

    def _note(self) -> None:
        """What was answered since the last time was told to who looks now."""
        heard, self.exchanges = self.exchanges, []
        self.by_seat.setdefault(self.looking, []).extend(heard)

    def end_stream(self) -> None:
        """Note what the last stream told; it told one audience only."""
        body = bytearray(b"".join(self.streams[-1][0].words))
        path = f"/api/tables/{self.id}/stream"
        heard = Exchange(method="GET", path=path, status=200, headers=(), body=body)
        self.by_seat.setdefault(self.looking, []).append(heard)


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("ruleset", HIDDEN)
async def test_nothing_hidden_is_told_before_its_owner_has_come(ruleset: str, seats: int) -> None:
    paper = Paper()
    game = Watched(Device(paper.append, (), config()))
    await game.start(ruleset, seats, people=max(2, seats - 1))
    game.exchanges.clear()
    await game.follow()
    chance = Random(f"{ruleset} {seats}")
    for _ in range(STEPS):
        if not await game.step(chance):
            break
    game.end_stream()
    store = LocalStore(paper.append, int, paper.lines)
    table = await store.load(game.uuid)
    assert table is not None
    record = await whole_record(store, table)
    truth = truth_of(record, await store.past(game.uuid, -1))
    secrets = secrets_of(table, record)
    assert None in game.by_seat
    for seat, exchanges in game.by_seat.items():
        listener = Listener(name=f"the screen of {seat}", seat=seat, exchanges=tuple(exchanges))
        search = Search(truth, listener, secrets, (), Random(1))
        assert list(search.leaks()) == []
        assert search.updates > 5
    await game.close()


async def test_a_person_can_cover_a_hand_again() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("jamaica", seats=2, people=2)
    told = await game.turn()
    assert told is not None
    ear = await game.follow()
    covered = await game.done("cover")
    assert (covered["seat"], covered["current"]["view"]["legal"]) == (None, None)
    assert ear.words[-1] == FORBIDDEN
    assert (await game.done("uncover"))["current"] == told
    await game.close()


@pytest.mark.parametrize("ruleset", HIDDEN)
async def test_who_has_resigned_does_not_see_the_last_person_s_hand_come(ruleset: str) -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start(ruleset, seats=3, people=2)
    told = await game.turn()
    assert told is not None
    resigned = told["view"]["seat"]
    answer = await game.done("resign")
    assert answer["view"]["seat"] in {None, resigned}
    shown = await game.shown()
    while not _waits_for(shown, 1 - resigned):
        assert shown["seat"] in {None, resigned}
        await asyncio.sleep(0)
        shown = await game.shown()
    view = shown["current"]["view"]
    assert (shown["seat"], view["hands"], view["legal"]) == (None, [None] * 3, None)
    # Once uncovered, it is covered no more: nobody else is asked.
    assert (await game.done("uncover"))["seat"] == 1 - resigned
    code = (await game.shown())["current"]["view"]["legal"][0]
    await game.done("actions", seq=shown["current"]["seq"], code=code)
    assert (await game.shown())["seat"] == 1 - resigned
    await game.close()


def _waits_for(shown: dict[str, Any], seat: int) -> bool:
    return bool(shown["current"]["view"]["to_act"] == seat)


@pytest.mark.parametrize(("ruleset", "people"), [("jamaica", 1), ("tortuga", 3)])
async def test_nothing_is_covered_alone_or_with_open_hands(ruleset: str, people: int) -> None:
    chance, game = Random(2), LocalGame(Device(Paper().append, (), config()))
    await game.start(ruleset, seats=3, people=people)
    turn = 0
    while turn < 10:
        told = (await game.shown())["current"]
        turn, asked = told["view"]["turn"], told["view"]["to_act"]
        if told["table"]["chairs"][asked]["kind"] == "bot":
            await asyncio.sleep(0)
        else:
            await game.done("actions", seq=told["seq"], code=chance.choice(told["view"]["legal"]))
    await game.close()


async def test_who_comes_back_is_told_what_the_present_seat_missed() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("jamaica", seats=2, people=2)
    told = await game.turn()
    assert told is not None
    seq = told["seq"]
    # The look has changed without an event, so the client is told all, and to forget what it knew.
    again = await game.follow(last=f"{seq}.0")
    assert msgspec.json.decode(again.words[0].split(b"data: ")[1])["anew"]
    await game.done("actions", seq=seq, code=told["view"]["legal"][0])
    missed = await game.follow(last=f"{seq}.0")
    assert missed.words[0].startswith(f"event: update\nid: {seq + 1}.0\n".encode())
    await game.close()


async def to_the_end_of_a_turn(game: LocalGame, chance: Random) -> dict[str, Any]:
    """Play until the person who is asked may end the turn."""
    while (told := await game.turn()) is not None and END_TURN not in told["view"]["legal"]:
        await game.done("actions", seq=told["seq"], code=chance.choice(told["view"]["legal"]))
    assert told is not None
    return told


async def test_a_refusal_shows_what_the_screen_may_see_by_then() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("jamaica", seats=2, people=2)
    told = await to_the_end_of_a_turn(game, Random(1))
    one, two = await asyncio.gather(
        *(game.post("actions", seq=told["seq"], code=END_TURN) for _ in range(2)),
    )
    assert (one.status, two.status) == (200, 409)
    shown = (await game.shown())["current"]
    assert shown["view"]["seat"] is None
    refused = msgspec.json.decode(two.body)["current"]
    assert (refused["seq"], refused["view"], refused["table"]) == (
        shown["seq"],
        shown["view"],
        shown["table"],
    )
    # Who still looks is told the own hand.
    mine = await game.turn()
    assert mine is not None
    stale = await game.post("actions", seq=mine["seq"] - 1, code=mine["view"]["legal"][0])
    assert msgspec.json.decode(stale.body)["current"]["view"] == mine["view"]
    await game.close()


async def test_a_repeated_request_shows_what_the_screen_may_see_by_then() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    wish = {"key": game.key(), "terms": {"ruleset": "jamaica"}, "bots": ()}
    opened = await game.send("POST", "/api/tables", wish, NAMES[0])
    game.id = msgspec.json.decode(opened.body)["id"]
    sit = {"key": game.key()}
    await game.send("POST", f"/api/tables/{game.id}/sit", sit, NAMES[1])
    assert (await game.send("POST", "/api/tables", wish, NAMES[0])).status == 201
    await game.done("start")
    again = await game.send("POST", "/api/tables", wish, NAMES[0])
    shown = await game.get()
    assert again.status == 201
    assert again.body == shown.body
    sat_again = await game.send("POST", f"/api/tables/{game.id}/sit", sit, NAMES[1])
    current = msgspec.json.decode(shown.body)["current"]
    assert current["view"]["hands"] == [None, None]
    assert msgspec.json.decode(sat_again.body)["view"] == current["view"]
    await game.close()


async def test_a_rematch_that_is_asked_for_again_shows_what_the_screen_may_see() -> None:
    game = LocalGame(Device(Paper().append, (), config()))
    await game.start("jamaica", seats=2, people=2)
    await game.turn()
    await game.done("resign")
    body = {"key": game.key()}
    path = f"/api/tables/{game.id}/rematch"
    rematch = LocalGame(game.device, msgspec.json.decode((await game.send("POST", path, body)).body)["id"])
    await rematch.done("sit", NAMES[1])
    await rematch.done("start")
    again = await game.send("POST", path, body)
    assert again.body == (await rematch.get()).body
    assert msgspec.json.decode(again.body)["current"]["view"]["hands"] == [None, None]
    await game.close()
