"""A table on the screen: keys, clicks, undo, tips, reasons, records."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from cartagena import Game
from cartagena.notation.record_reader import parse_record
from cartagena.rules.legality import legal
from cartagena.terminal.glyphs import ASCII, UNICODE, glyphs_for
from cartagena.terminal.recorded import RecordedTable
from cartagena.terminal.setting_screen import Page
from cartagena.terminal.source import Tip
from cartagena.terminal.table_screen import TableScreen
from cartagena.words.sentences import advice
from tests.terminal.keyboard import (
    app_of,
    awaited,
    brush_for,
    click,
    do,
    match_of,
    press,
    screen_of,
    settled,
    shows,
    table_of,
    text_of,
    until,
)

RECORDS = Path(__file__).parents[1] / "records"
SIZE = (80, 24)


async def test_undo_takes_back_and_what_was_revealed_stays() -> None:
    match = match_of("jamaica", 2, 1)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        events, log = len(match.events), screen.desk.moment.log
        await do(pilot, screen, legal(match.position)[0])
        assert len(match.events) == events + 1
        await until(lambda: screen.desk.moment.log != log)
        await press(pilot, "z")
        await until(lambda: len(match.events) == events)
        undone = brush.say("terminal.news.undone", name=brush.names.crew(match.position.to_act))
        await until(lambda: screen.desk.moment.log[-1] == undone)
        await press(pilot, "z")
        await until(lambda: isinstance(app.screen, Page))
        await shows(app, brush.say("refusal.nothing_to_undo"))
        await shows(app, "R8.2:")


async def test_why_not_quotes_the_rule_and_its_number() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await awaited(app)
        await press(pilot, "r")
        await shows(app, "A pirate in the fort has")
        await shows(app, "W shows rule R4.7.")
        await press(pilot, "w")
        await settled(pilot)
        await shows(app, "R4.7: A pirate at the start cannot retreat")
        await shows(app, "Enter or Esc closes")
        await press(pilot, "escape")
        await until(lambda: isinstance(app.screen, TableScreen))
        # Enter tells why an action is refused, and closes that page.
        await press(pilot, "enter")
        await until(lambda: isinstance(app.screen, Page))
        await press(pilot, "enter")
        await until(lambda: isinstance(app.screen, TableScreen))
        assert match.events == ()


@pytest.mark.parametrize("preset", ["tortuga", "jamaica", "nest"])
async def test_help_tells_how_to_play_and_every_key(preset: str) -> None:
    match = match_of(preset, 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await awaited(app)
        await press(pilot, "question_mark")
        await shows(
            app, "How to play", "Bring your six pirates", "The whole rulebook: cartagena rules", "? keys"
        )
        await press(pilot, "question_mark")
        await shows(app, "another pirate", "once more to do it.", "? how to play", "Enter or Esc closes")
        await press(pilot, "enter")
        await until(lambda: isinstance(app.screen, TableScreen))
        assert match.events == ()


async def test_a_tip_is_looked_at_and_can_be_done() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        await press(pilot, "t")
        await until(lambda: "Tip: " in text_of(app))
        assert "Chance to win:" in screen.desk.said
        assert "from the fort" in screen.desk.said
        wish = screen.desk.wish
        assert wish is not None
        await press(pilot, "enter")
        await until(lambda: len(match.events) == 1)
        assert match.events[0].code == wish.code


async def test_a_tip_is_followed_to_its_end_unless_something_else_is_done() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        await press(pilot, "t")
        await until(lambda: "Tip: " in text_of(app))
        plan = screen.desk.said.removeprefix("Tip: ").partition(". ")[0].split(", ")
        assert len(plan) > 2
        for done in range(1, len(plan) - 1):
            await press(pilot, "enter")
            rest = f"Tip: {', '.join(plan[done:])}. Chance"
            await until(partial(says, screen, rest))
            assert len(match.events) == done
            assert screen.desk.wish is not None
            code = screen.desk.wish.code
            assert code is not None
            assert advice(brush.names, code) == plan[done]
        await press(pilot, "z")
        await until(lambda: len(match.events) == len(plan) - 3)
        await until(lambda: screen.desk.choosing is not None)
        await settled(pilot)
        assert screen.desk.said == ""


def says(screen: TableScreen, text: str) -> bool:
    return screen.desk.said.startswith(text)


async def test_one_may_act_while_a_tip_is_sought_and_an_old_tip_is_not_told() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    table = table_of(match, brush)
    found = asyncio.Event()
    sought = []

    async def slowly() -> Tip:
        sought.append(match.position.seat)
        await found.wait()
        return Tip(codes=(legal(match.position)[0],), chance=0.5)

    table.tip = slowly  # type: ignore[method-assign] # this tip waits for the test
    app = app_of(table, brush)
    async with app.run_test(size=SIZE) as pilot:
        await awaited(app)
        await press(pilot, "t", "t", "t", "enter")
        await until(lambda: len(match.events) == 1)
        found.set()
        await settled(pilot)
        assert screen_of(app).desk.said == ""
        assert len(sought) == 1


async def test_a_mouse_does_the_same() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        await settled(pilot)
        choosing = screen.desk.choosing
        assert choosing is not None
        await click(pilot, "#wishes", (4, 2))
        assert choosing.line == 1
        target = next(wish.explanation.target for wish in choosing.wishes[2:] if wish.explanation)
        spot = next(spot for spot in screen._drawing.spots if spot.place == target)
        await click(pilot, "#board", (spot.left + 3, spot.top))
        assert choosing.wish is not None
        assert choosing.wish.explanation is not None
        assert choosing.wish.explanation.target == target
        assert match.events == ()
        await click(pilot, "#board", (spot.left + 3, spot.top + 1))
        await until(lambda: len(match.events) == 1)
        assert target in match.position.crews[match.position.seat].places(15)


async def test_a_record_is_followed_step_by_step() -> None:
    record = parse_record((RECORDS / "jamaica-3.record").read_text(encoding="utf-8"))
    brush = brush_for(match_of("jamaica", 3, 0))
    app = app_of(RecordedTable(record=record, names=brush.names), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        last = len(record.steps)
        await shows(app, f"step 0 of {last}")
        assert " cards" not in text_of(app)
        await press(pilot, "right", "right", "left")
        await shows(app, f"step 1 of {last}")
        await press(pilot, "end", "right")
        await shows(app, f"step {last} of {last}")
        await press(pilot, "enter", "home", "left")
        await shows(app, f"step 0 of {last}")


def test_a_record_calls_a_bot_as_the_list_of_games_does() -> None:
    record = Game.start("tortuga", seats=2, seed=1, names=("Ada", "bot:random")).record()
    names = brush_for(match_of("tortuga", 2, 0)).names
    assert RecordedTable(record=record, names=names).moment().players == ("Ada", "random")


def test_a_record_told_to_a_seat_hides_the_other_hands() -> None:
    record = parse_record((RECORDS / "jamaica-3.record").read_text(encoding="utf-8"))
    table = RecordedTable(record=record, names=brush_for(match_of("jamaica", 3, 0)).names, seat=1)
    table.go(len(record.steps) - 1)
    moment = table.moment()
    assert moment.view is not None
    assert [hand is None for hand in moment.view.hands] == [True, False, True]
    assert any(line.endswith("draws a card.") for line in moment.log)


async def test_leaving_a_running_game_is_asked_twice() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, "q")
        await settled(pilot)
        await shows(app, "Leave the game?")
        await press(pilot, "escape")
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        await press(pilot, "q")
        await until(lambda: isinstance(app.screen, Page))
        await press(pilot, "y")
        await until(lambda: not app.is_running)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (200, 60), (50, 44)])
async def test_nothing_is_drawn_beyond_the_screen(size: tuple[int, int]) -> None:
    match = match_of("nest", 5, 0)
    brush = brush_for(match, "de")
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=size) as pilot:
        screen = await awaited(app)
        await press(pilot, "enter")
        await until(lambda: screen.desk.choosing is not None)
        shown = text_of(app)
        assert len(shown.splitlines()) == size[1]
        for seat in range(5):
            assert brush.names.crew(seat) in shown
        assert brush.say("table.home.nest") in shown


async def test_a_screen_that_is_too_small_says_what_it_needs_and_a_larger_one_shows_the_table() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(60, 20)) as pilot:
        await until(lambda: "60 columns and 20 lines" in text_of(app))
        await shows(app, "needs 73 columns and 21 lines, or 42 and ")
        for size in ((73, 21), (60, 36)):
            await pilot.resize_terminal(*size)
            await until(lambda: "end the turn" in text_of(app))
            await shows(app, "sloop")
            await shows(app, brush.names.crew(1))


async def test_words_stand_near_the_board_on_a_wide_screen() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(200, 50)):
        await until(lambda: "end the turn" in text_of(app))
        line = next(line for line in text_of(app).splitlines() if "Turn 1:" in line)
        assert line.index("Turn 1:") - screen_of(app)._drawing.width < 6


async def test_another_size_is_another_layout() -> None:
    match = match_of("tortuga", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await shows(app, " 2 ⚷K")
        await pilot.resize_terminal(140, 40)
        await settled(pilot)
        await shows(app, " 2 ⚷K key")


def test_letters_of_this_screen_decide_what_is_drawn() -> None:
    assert glyphs_for("utf-8", ascii_only=False) is UNICODE
    assert glyphs_for("UTF8", ascii_only=True) is ASCII
    assert glyphs_for("iso-8859-1", ascii_only=False) is ASCII


async def test_a_record_that_was_only_dealt_is_followed_with_its_own_keys() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(RecordedTable(record=match.record, names=brush.names), brush)
    async with app.run_test(size=SIZE) as pilot:
        await shows(app, "step 0 of 0", "Page ten steps")
        assert "undo" not in text_of(app)
        await press(pilot, "question_mark")
        await shows(app, "one step back, one step on")
        await press(pilot, "escape", "q")
        await until(lambda: not app.is_running)
