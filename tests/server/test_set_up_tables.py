"""Tables that go on from a record, over HTTP: private, casual, and proved by replaying it."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from cartagena import Game
from cartagena.fairness.record import verify_record
from cartagena.messages.requests import LONGEST_RECORD
from cartagena.notation import (
    Record,
    format_position,
    format_record,
    parse_record,
    record_of_view,
)
from cartagena.notation.names import in_hand
from cartagena.rules.refusals import PositionError
from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from tests.server.service_nodes import Json, Node, Person, guest, running_node

FROM_RECORD = "/api/tables/from-record"
WHOLE = Path("tests/records/jamaica-2.record").read_text()
STEP = 30
NONCE_HASH = "0" * 64


@pytest.fixture
async def node(settings: Settings, databases: Databases) -> AsyncIterator[Node]:
    del databases  # emptied, that is all
    async with running_node(settings) as running:
        yield running


@pytest.fixture
async def people(node: Node) -> AsyncIterator[list[Person]]:
    async with AsyncExitStack() as opened:
        yield [await opened.enter_async_context(guest(node, name)) for name in ("Anne", "Bart")]


def so_far(record: Record, step: int) -> Game:
    return Game.of_record(replace(record, steps=record.steps[:step], result=parse_record(RUNNING).result))


def set_up(ruleset: str = "nest", seats: int = 3) -> Game:
    """A game that begins with a position, not with a deal."""
    played = Game.start(ruleset, seats=seats, seed=4)
    while played.turn < 4 or len(played.events) < 12:
        played.push(Random(len(played.events)).choice(played.moves()))
    while True:
        try:
            return Game.of_position(format_position(played.position))
        except PositionError:  # An action goes on.
            played.push(played.moves()[0])


RUNNING = format_record(Game.start("tortuga", seed=1).record())


async def opened(host: Person, text: str = WHOLE, **body: object) -> Json:
    return await host.post(FROM_RECORD, status=201, record=text, **body)


async def together(anne: Person, bart: Person, text: str, **body: object) -> str:
    """A started table of two people; its path."""
    told = await opened(anne, text, **body)
    path = f"/api/tables/{told['id']}"
    await bart.post(f"{path}/sit", invite=told["invite"], nonce_hash=NONCE_HASH)
    await anne.post(f"{path}/start")
    return path


async def test_against_bots_it_begins_at_once_where_the_record_stands(people: list[Person]) -> None:
    anne, _ = people
    game = so_far(parse_record(WHOLE), STEP)
    levels: list[str | None] = ["deckhand"] * 2
    levels[game.to_act] = None
    key = str(uuid4())
    told = await opened(anne, step=STEP, levels=levels, key=key)
    assert told["seat"] == game.to_act
    table, view = told["current"]["table"], told["current"]["view"]
    assert table["stage"] == "running"
    assert table["set_up"]
    assert not any(table[word] for word in ("listed", "rated", "spectators"))
    assert view["turn"] == game.turn
    assert view["stock_size"] == game.position.stock_size
    assert view["legal"] == [move.code for move in game.moves()]
    assert (await opened(anne, step=STEP, levels=levels, key=key))["id"] == told["id"]


async def test_people_are_invited_and_told_that_its_host_knows_the_cards(people: list[Person]) -> None:
    anne, bart = people
    game = so_far(parse_record(WHOLE), STEP)
    told = await opened(anne, step=STEP, levels=[None, None])
    path = f"/api/tables/{told['id']}"
    assert (told["seat"], told["current"]["table"]["stage"]) == (game.to_act, "open")
    await bart.get(path, status=404)
    shown = await bart.get(f"{path}?invite={told['invite']}")
    assert shown["current"]["table"]["set_up"]
    assert shown["current"].get("view") is None
    sat = await bart.post(f"{path}/sit", invite=told["invite"], nonce_hash=NONCE_HASH)
    # No cards are dealt, so no number is promised or waited for.
    assert [chair.get("nonce_hash") for chair in sat["table"]["chairs"]] == [None, None]
    began = await anne.post(f"{path}/start")
    assert began["table"]["stage"] == "running"
    assert began["view"]["turn"] == game.turn


async def test_each_learns_only_what_their_seat_may_know(people: list[Person]) -> None:
    anne, bart = people
    game = so_far(parse_record(WHOLE), STEP)
    path = await together(anne, bart, WHOLE, step=STEP, levels=[None, None])
    for person, seat in ((anne, game.to_act), (bart, 1 - game.to_act)):
        view = (await person.get(path))["current"]["view"]
        assert [hand is not None for hand in view["hands"]] == [number == seat for number in range(2)]
        answer = await person.client.get(f"{path}/record", headers=person.headers)
        theirs, mine = parse_record(answer.text), record_of_view(game.record(), seat)
        assert theirs.steps == mine.steps
        assert theirs.headers.deal == mine.headers.deal
        assert theirs.headers.secret is None
        replayed = await person.get(f"{path}/replay")
        assert [hand is not None for hand in replayed["first"]["hands"]] == [
            number == seat for number in range(2)
        ]


async def test_a_position_is_played_on_and_proves_no_shuffle(people: list[Person]) -> None:
    anne, bart = people
    game = set_up(seats=2)
    path = await together(anne, bart, format_record(game.record()), levels=[None, None])
    view = (await anne.get(path))["current"]["view"]
    mover = anne if (await anne.get(path))["seat"] == view["to_act"] else bart
    current = (await mover.get(path))["current"]
    acted = await mover.post(f"{path}/actions", seq=current["seq"], code=current["view"]["legal"][0])
    assert acted["seq"] > current["seq"]
    hidden = (await bart.client.get(f"{path}/record", headers=bart.headers)).text
    assert "?" in hidden
    for person in people:
        await person.post(f"{path}/abandon")
    over = parse_record((await bart.client.get(f"{path}/record", headers=bart.headers)).text)
    assert over.headers.opening == game.record().headers.opening
    assert [step.code for step in over.steps] == [current["view"]["legal"][0]]
    assert "Deal" in verify_record(over).missing
    assert len((await bart.get(f"{path}/replay"))["steps"]) == 1


def other_cards(text: str, seat: int) -> str:
    """A record that begins with another order of the cards which a seat cannot see."""
    record = parse_record(text)
    opening = record.headers.opening
    assert opening is not None
    other = 1 - seat
    hidden = [*opening.hands[other], *opening.stock]
    Random(1).shuffle(hidden)
    size = len(opening.hands[other])
    hands = tuple(
        in_hand(hidden[:size]) if each == other else hand for each, hand in enumerate(opening.hands)
    )
    changed = replace(opening, hands=hands, stock=tuple(hidden[size:]))
    return format_record(replace(record, headers=replace(record.headers, opening=changed)))


async def test_cards_that_a_seat_may_not_know_change_nothing_that_it_is_told(people: list[Person]) -> None:
    anne, bart = people
    game = set_up("jamaica", seats=2)
    text = format_record(game.record())
    theirs = 1 - game.to_act
    told: list[list[str]] = []
    for each in (text, other_cards(text, theirs)):
        path = await together(anne, bart, each, levels=[None, None])
        answers = [
            (await bart.client.get(f"{path}{rest}", headers=bart.headers)).text
            for rest in ("", "/record", "/replay")
        ]
        answers[0] = json.dumps(json.loads(answers[0])["current"]["view"])
        replayed = json.loads(answers[2])
        answers[2] = json.dumps([replayed["first"], replayed["steps"]])
        told.append(answers)
    assert text != other_cards(text, theirs)
    assert told[0] == told[1]


async def test_what_a_record_says_of_its_shuffle_is_not_told_as_ours(people: list[Person]) -> None:
    anne, bart = people
    secret = parse_record(WHOLE).headers.secret
    assert secret is not None
    path = await together(anne, bart, WHOLE, step=STEP, levels=[None, None])
    for person in people:
        await person.post(f"{path}/abandon")
    over = parse_record((await bart.client.get(f"{path}/record", headers=bart.headers)).text)
    headers = over.headers
    assert (headers.game_id, headers.commitment, headers.nonces, headers.secret) == (None,) * 4
    assert sorted(headers.names) == ["Anne", "Bart"]


async def test_later_shuffles_do_not_follow_from_the_record(people: list[Person]) -> None:
    anne, _ = people
    told = [await opened(anne, step=STEP, levels=[None, None]) for _ in range(2)]
    promised = {table["current"]["table"]["commitment"] for table in told}
    assert len(promised) == 2
    assert parse_record(WHOLE).headers.commitment not in promised


async def test_rules_seats_and_privacy_stay(people: list[Person]) -> None:
    anne, _ = people
    told = await opened(anne, step=STEP, levels=[None, None])
    path = f"/api/tables/{told['id']}/terms"
    ruleset = told["current"]["table"]["ruleset"]
    same = {"ruleset": ruleset["preset"], "options": ruleset["options"], "seats": 2, "listed": False}
    for other in (
        {"listed": True},
        {"rated": True, "clock": {"kind": "live", "bank": 600, "increment": 5}},
        {"seats": 3},
        {"ruleset": "nest", "options": {}},
    ):
        assert await anne.status_of(path, terms=same | other) in {403, 422}, other
    changed = await anne.post(path, terms=same | {"clock": {"kind": "correspondence", "days": 3}})
    assert changed["table"]["clock"]["days"] == 3


def _wrong() -> dict[str, tuple[int, dict[str, object]]]:
    game = so_far(parse_record(WHOLE), STEP).record()
    view = format_record(record_of_view(game, 0))
    position = format_record(set_up().record())
    people = [None, None]
    return {
        "of a view": (422, {"record": view, "levels": people}),
        "over": (422, {"record": WHOLE, "levels": people}),
        "against the rules": (
            422,
            {"record": WHOLE.replace("1 red: play dagger start", "1 red: retreat 7"), "levels": people},
        ),
        "no record": (400, {"record": "Ahoy", "levels": people}),
        "no possible position": (
            400,
            {"record": position.replace("Stock: ", "Stock: parrot ", 1), "levels": [None] * 3},
        ),
        "too few seats": (422, {"record": WHOLE, "step": STEP, "levels": [None]}),
        "bots alone": (422, {"record": WHOLE, "step": STEP, "levels": ["deckhand"] * 2}),
        "no such bot": (422, {"record": WHOLE, "step": STEP, "levels": [None, "os:system"]}),
        "too long a text": (400, {"record": "#" * (LONGEST_RECORD + 1), "levels": people}),
        "too large a body": (413, {"record": "#" * 2 * LONGEST_RECORD, "levels": people}),
        "with names": (400, {"record": WHOLE, "names": ["a", "b"]}),
    }


@pytest.mark.parametrize("what", sorted(_wrong()))
async def test_what_cannot_be_played_on_opens_nothing(
    what: str, people: list[Person], databases: Databases
) -> None:
    status, body = _wrong()[what]
    assert await people[0].status_of(FROM_RECORD, **body) == status
    assert await databases.directory.fetchval("SELECT count(*) FROM directory.seatings") == 0


def test_every_record_that_is_kept_here_fits() -> None:
    texts = [path.read_text() for path in Path("tests/records").glob("*.record")]
    assert texts
    assert max(map(len, texts)) * 2 <= LONGEST_RECORD
