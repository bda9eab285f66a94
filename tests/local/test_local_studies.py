"""A device looks into records and positions that belong to no table, and keeps nothing of them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from cartagena import Game
from cartagena.local import Device, DeviceAnswer
from cartagena.local.study import study_of
from cartagena.messages.studies import (
    MOST_ACTIONS,
    ArrangedMessage,
    DraftMessage,
    OpenedStudy,
    StudyLineMessage,
    StudyMessage,
    StudyText,
    TextTrouble,
)
from cartagena.notation import (
    Ending,
    Record,
    Result,
    format_position,
    format_record,
    parse_position,
    parse_record,
)
from cartagena.notation.replay import record_of_view
from cartagena.rules.actions import Kind
from cartagena.rules.ruleset import PRESETS, RULES_VERSION
from tests.local.local_table import FEW, Paper, config
from tests.local.test_local_records import RECORDS, WHOLE


@pytest.fixture
async def device() -> AsyncIterator[Device]:
    paper = Paper()
    device = Device(paper.append, (), config())
    yield device
    await device.close()
    assert paper.lines == []


async def sent(device: Device, path: str, **body: Any) -> DeviceAnswer:
    """What a device answers to a question about a text."""
    return await device.answer("POST", f"/api/studies{path}", msgspec.json.encode(body))


async def opened(device: Device, text: str) -> OpenedStudy:
    answer = await sent(device, "", text=text)
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body, type=OpenedStudy)


async def study(device: Device, text: str) -> StudyMessage:
    """A text that can be looked into."""
    told = await opened(device, text)
    assert told.trouble is None
    assert told.study is not None
    return told.study


async def trouble(device: Device, text: str) -> TextTrouble:
    """Why a text cannot be looked into."""
    told = await opened(device, text)
    assert told.study is None
    assert told.trouble is not None
    return told.trouble


async def line(device: Device, text: str, step: int, *codes: int) -> StudyLineMessage:
    answer = await sent(device, "/line", text=text, step=step, codes=codes)
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body, type=StudyLineMessage)


def middle(ruleset: str = "tortuga", seats: int = 3, moves: int = 25) -> Game:
    """A game in its middle."""
    game, chance = Game.start(ruleset, seats=seats, seed=4, names=("Anne", "Bart")), Random(4)
    for _ in range(moves):
        game.push(chance.choice(game.moves()))
    return game


@pytest.mark.parametrize("name", WHOLE)
async def test_a_record_opens_with_all_its_steps(name: str, device: Device) -> None:
    record = RECORDS[name]
    told = await study(device, format_record(record))
    assert parse_record(told.text) == record
    assert told.is_dealt
    assert told.names == record.headers.names
    assert [step.code for step in told.steps] == [step.code for step in record.steps]
    assert None not in told.first.hands
    over = record.result.ending is not Ending.RUNNING
    assert told.ending == (record.result.ending.value if over else None)
    assert told.winner == record.result.winner


async def test_what_surrounds_a_text_does_not_matter(device: Device) -> None:
    text = format_record(middle().record())
    assert (await study(device, f"\ufeff# a comment\n{text}# line 3 14\n")).text == text


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_position_opens_and_its_lines_are_always_the_same(ruleset: str, device: Device) -> None:
    text = format_position(middle(ruleset).position)
    told = await study(device, text)
    assert not told.is_dealt
    assert (told.text, told.steps, told.ending) == (text, (), None)
    chance = Random(1)
    codes: list[int] = []
    while len(codes) < 80:
        now = await line(device, text, 0, *codes)
        if now.wishes is None:
            break
        codes.append(chance.choice([choice.code for choice in now.wishes.legal]))
    told_line = await line(device, text, 0, *codes)
    assert len(told_line.steps) == len(codes)
    study_of.cache_clear()
    assert await line(device, text, 0, *codes) == told_line


async def test_a_line_branches_off_a_record_and_can_be_written(device: Device) -> None:
    record = middle().record()
    text = format_record(record)
    before = await line(device, text, 10)
    assert before.first == before.now
    assert before.wishes is not None
    code = before.wishes.legal[-1].code
    after = await line(device, text, 10, code)
    assert [step.code for step in after.steps] == [code]
    answer = await sent(device, "/text", text=text, step=10, codes=[code])
    written = msgspec.json.decode(answer.body, type=StudyText)
    assert parse_record(written.record).steps[:10] == record.steps[:10]
    assert parse_record(written.record).steps[10].code == code
    assert (await study(device, written.record)).steps[-1] == after.steps[-1]
    assert written.position is not None
    assert (await study(device, written.position)).first.pirates == after.now.pirates


async def test_the_shuffle_that_a_record_proves_goes_on(device: Device) -> None:
    game = Game.start("jamaica", seats=2, seed=9)
    game.play_out("random")
    record = game.record()
    renewed = [number for number, step in enumerate(record.steps) if step.orders]
    assert renewed
    codes = [step.code for step in record.steps[renewed[0] : renewed[0] + 3]]
    assert None not in codes
    answer = await sent(device, "/text", text=format_record(record), step=renewed[0], codes=codes)
    written = msgspec.json.decode(answer.body, type=StudyText)
    assert parse_record(written.record).steps == record.steps[: renewed[0] + 3]


async def test_the_end_of_a_game_leaves_nothing_to_choose(device: Device) -> None:
    game = Game.start("tortuga", seed=1)
    game.play_out("sailor")
    text, last = format_record(game.record()), len(game.events)
    assert (await line(device, text, last)).wishes is None
    written = msgspec.json.decode((await sent(device, "/text", text=text, step=last)).body, type=StudyText)
    assert written == StudyText(record=text, position=None)
    assert (await sent(device, "/hint", text=text, step=last, simulations=FEW)).status == 422
    assert (await sent(device, "/line", text=text, step=last + 1)).status == 422


async def test_a_fresh_deal_has_records(device: Device) -> None:
    text = format_position(Game.start("tortuga", seed=1).position)
    told = await study(device, text)
    assert told.is_dealt
    first, *_ = Game.of_position(text).moves()
    answer = await sent(device, "/text", text=text, codes=[first.code])
    written = msgspec.json.decode(answer.body, type=StudyText)
    assert len(parse_record(written.record).steps) == 1


async def test_what_the_rules_refuse_in_a_line_is_refused(device: Device) -> None:
    answer = await sent(device, "/line", text=format_record(middle().record()), step=0, codes=[37])
    assert answer.status == 422
    assert msgspec.json.decode(answer.body)["error"]["code"] == "no_pirate_there"
    broken = format_record(middle().record()).replace("Result: running", "Result: red wins")
    assert (await sent(device, "/line", text=broken)).status == 422


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_hint_says_what_its_seat_might_do(ruleset: str, device: Device) -> None:
    text = format_position(middle(ruleset).position)
    first, again = [await sent(device, "/hint", text=text, simulations=FEW) for _ in range(2)]
    assert first.status == 200
    assert first.body == again.body
    found = msgspec.json.decode(first.body)
    assert sum(found["best"]["chances"]) == pytest.approx(1, abs=0.001)
    assert (await line(device, text, 0, *found["best"]["codes"])).steps


def told_to_end(record: Record, ending: Ending, winner: int | None = None) -> str:
    return format_record(replace(record, result=Result(ending, winner)))


async def test_a_game_that_players_ended_can_be_looked_into(device: Device) -> None:
    text = told_to_end(middle(seats=2).record(), Ending.RESIGNED, 1)
    told = await study(device, text)
    assert (told.ending, told.winner) == ("resigned", 1)
    written = msgspec.json.decode(
        (await sent(device, "/text", text=text, step=len(told.steps))).body, type=StudyText
    )
    assert written.record == text


async def test_a_text_that_cannot_be_read_says_where(device: Device) -> None:
    text = format_record(middle().record())
    told = await trouble(device, text.replace("Ruleset: tortuga", "Ruleset: tortuag"))
    assert (told.code, told.found, told.meant) == ("unreadable", "tortuag", "tortuga")
    assert (told.line, told.column) == (4, 10)
    told = await trouble(device, "")
    assert (told.code, told.found) == ("unreadable", "")


async def test_records_that_cannot_be_played_say_why(device: Device) -> None:
    record = middle("jamaica").record()
    assert (await trouble(device, format_record(record_of_view(record, 0)))).code == "of_view"
    newer = replace(record, headers=replace(record.headers, rules_version=RULES_VERSION + 1))
    assert (await trouble(device, format_record(newer))).code == "newer"
    assert (await trouble(device, told_to_end(record, Ending.WON, 0))).code == "impossible"
    first = replace(record.steps[0], code=37)
    told = await trouble(device, format_record(replace(record, steps=(first, *record.steps[1:]))))
    assert told.code == "refused"
    assert told.refusal is not None
    assert (told.refusal.code, told.line > 0) == ("no_pirate_there", True)


async def test_a_wrong_position_says_what_cannot_be(device: Device) -> None:
    lines = format_position(middle("nest").position).splitlines()
    crowded = [
        "red: 3*4 sloop nest / " + each.partition("/")[2] if each.startswith("red") else each
        for each in lines
    ]
    told = await trouble(device, "\n".join(crowded))
    assert told.code == "arrangement"
    assert told.fault is not None
    assert (told.fault.code, told.fault.place, told.fault.values["most"]) == ("crowded", "3", 3)
    fewer = [each.replace("Stock: ", "Stock: map ") for each in lines]
    told = await trouble(device, "\n".join(fewer))
    assert told.fault is not None
    assert (told.fault.code, told.fault.card) == ("deck", "map")


def game_of(actions: int) -> Game:
    """A game in which two crews go back and forth."""
    chance, game = Random(1), Game.start("tortuga pass_allowed=true quiet_rounds=0", seats=2, seed=1)
    for _ in range(actions):
        backwards = [move for move in game.moves() if move.kind is Kind.RETREAT]
        game.push(chance.choice(backwards or game.moves()))
    return game


async def test_a_game_that_is_too_long_is_not_looked_into(device: Device) -> None:
    game = game_of(MOST_ACTIONS)
    longest = format_record(game.record())
    told = await study(device, longest)
    assert len(told.steps) == MOST_ACTIONS
    last = await sent(device, "/text", text=longest, step=MOST_ACTIONS)
    assert msgspec.json.decode(last.body, type=StudyText).record == longest
    game.push(game.moves()[0])
    longer = format_record(game.record())
    assert (await trouble(device, longer)).code == "too_long"
    refused = await sent(device, "/line", text=longer)
    assert (refused.status, msgspec.json.decode(refused.body)["error"]["code"]) == (422, "unfit")
    assert (await sent(device, "", text=longest + " " * 100_000)).status == 400


def test_the_steps_of_a_study_share_their_events() -> None:
    record = middle().record()
    made = study_of(format_record(record))
    assert [game.events for game in made._games] == [[]] * (len(record.steps) + 1)
    begun = made.written(7, ()).record
    assert parse_record(begun).steps == record.steps[:7]


@pytest.mark.parametrize("written", ["Ruleset:{}", "  Ruleset :  {}  # nest", "\ufeffRuleset: {}"])
async def test_a_wrong_position_is_told_in_the_words_of_its_ruleset(written: str, device: Device) -> None:
    ruleset, *lines = format_position(middle("tortuga").position).splitlines()
    fewer = [each.replace("Stock: ", "Stock: hat ") for each in lines]
    told = await trouble(device, "\n".join([written.format(ruleset.removeprefix("Ruleset: ")), *fewer]))
    assert (told.code, told.fault and told.fault.card) == ("arrangement", "hat")


async def test_a_new_game_can_be_looked_into(device: Device) -> None:
    answer = await sent(device, "/deal", ruleset="nest", seats=4)
    told = msgspec.json.decode(answer.body, type=StudyMessage)
    assert (len(told.first.pirates), told.steps) == (4, ())
    assert (await line(device, told.text, 0)).wishes is not None
    assert (await sent(device, "/deal", ruleset="chess", seats=4)).status == 400


async def arranged(device: Device, draft: DraftMessage) -> ArrangedMessage:
    answer = await device.answer("POST", "/api/studies/arrange", msgspec.json.encode(draft))
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body, type=ArrangedMessage)


async def draft_of(device: Device, text: str, step: int = 0) -> DraftMessage:
    answer = await sent(device, "/draft", text=text, step=step)
    assert answer.status == 200, answer.body
    return msgspec.json.decode(answer.body, type=DraftMessage)


@pytest.mark.parametrize("ruleset", sorted(PRESETS))
async def test_a_draft_that_nobody_changes_is_the_position(ruleset: str, device: Device) -> None:
    text = format_position(middle(ruleset).position)
    draft = await draft_of(device, text)
    assert await arranged(device, draft) == ArrangedMessage(draft=draft, text=text, fault=None)


async def test_the_stock_takes_every_card_that_lies_nowhere_else(device: Device) -> None:
    draft = await draft_of(device, format_position(middle().position))
    moved = msgspec.structs.replace(draft, hands=(draft.stock[:3], *draft.hands[1:]))
    told = await arranged(device, moved)
    assert told.text is not None
    assert sorted(told.draft.stock) == sorted((*draft.stock[3:], *draft.hands[0]))
    first = parse_position(told.text)
    assert [crew.cards() for crew in first.crews][1:] == [crew.cards() for crew in middle().position.crews][
        1:
    ]


async def test_a_draft_that_cannot_be_says_why(device: Device) -> None:
    draft = await draft_of(device, format_position(middle().position))
    crowded = msgspec.structs.replace(draft, pirates=((5,) * 6, *draft.pirates[1:]))
    told = await arranged(device, crowded)
    assert told.text is None
    assert told.fault is not None
    assert (told.fault.code, told.fault.place) == ("crowded", "5")
    many = msgspec.structs.replace(draft, hands=(("hat",) * 20, *draft.hands[1:]))
    told = await arranged(device, many)
    assert told.fault is not None
    assert (told.fault.code, told.fault.card) == ("deck", "hat")
    strange = msgspec.structs.replace(draft, hands=(("map",), *draft.hands[1:]))
    answer = await device.answer("POST", "/api/studies/arrange", msgspec.json.encode(strange))
    assert answer.status == 400


async def test_after_the_end_there_is_no_draft(device: Device) -> None:
    game = Game.start("tortuga", seed=1)
    game.play_out("sailor")
    answer = await sent(device, "/draft", text=format_record(game.record()), step=len(game.events))
    assert answer.status == 422
