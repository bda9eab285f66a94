"""People who share a screen: a hand is covered until its owner comes, and nothing tells of it meanwhile."""

import asyncio
from dataclasses import replace

from cartagena.messages.wishes import RefusalMessage
from cartagena.terminal.cover_guard import PAUSE
from cartagena.terminal.setting_screen import Page
from cartagena.terminal.source import Declined
from cartagena.terminal.table_screen import TableScreen
from tests.terminal.keyboard import (
    app_of,
    awaited,
    brush_for,
    do,
    furthest,
    match_of,
    press,
    settled,
    shows,
    table_of,
    text_of,
    until,
)

SIZE = (80, 24)


async def test_a_hidden_hand_is_covered_until_its_owner_comes() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        first = match.position.to_act
        await shows(app, "come to the keyboard")
        await until(lambda: text_of(app).count("6 cards") == 2)
        await press(pilot, "t", "z", "down", "e")
        assert screen.desk.moment.covered == first
        await press(pilot, "enter")
        await settled(pilot)
        await until(lambda: text_of(app).count("6 cards") == 1)
        while match.position.to_act == first:
            await do(pilot, screen, furthest(screen.desk))
        assert screen.desk.moment.covered == match.position.to_act
        assert screen.desk.moment.view is not None
        assert screen.desk.moment.view.hands == (None, None)
        assert not any("draws the" in line for line in screen.desk.moment.log)


async def test_enter_pressed_twice_at_the_end_of_a_turn_does_not_uncover_the_next_hand() -> None:
    match, moment = match_of("jamaica", 2, 0), [0.0]
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush, clock=lambda: moment[0])
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        first = match.position.to_act
        moment[0] += PAUSE
        await press(pilot, "enter")
        await until(lambda: screen.desk.choosing is not None)
        while match.position.to_act == first:
            await do(pilot, screen, furthest(screen.desk))
        await until(lambda: screen.desk.moment.covered == 1 - first)
        # The same press again, and a key that is held down.
        for _ in range(10):
            moment[0] += 0.15
            await press(pilot, "enter")
            assert screen.desk.moment.covered == 1 - first
            assert not screen._is_busy
        moment[0] += PAUSE
        await press(pilot, "enter")
        await until(lambda: screen.desk.choosing is not None)


async def test_a_page_with_private_cards_is_closed_before_the_next_person_comes() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        public = screen.desk.moment
        await press(pilot, "enter")
        await until(lambda: screen.desk.choosing is not None)
        drawn = "You draw the skull."
        private = replace(screen.desk.moment, log=(*screen.desk.moment.log, drawn))
        covered = replace(public, covered=1 - (public.covered or 0))
        for key in ("l", "w", "question_mark"):
            screen.show(private)
            await press(pilot, key)
            await until(lambda: isinstance(app.screen, Page))
            screen.show(covered)
            assert app.screen is screen
            await settled(pilot)
            assert drawn not in text_of(app)
        # One that was asked for, but is not there yet, does not come any more.
        screen.show(private)
        screen._open_log()
        screen.show(covered)
        await settled(pilot)
        assert app.screen is screen
        # A moment of who has opened it leaves a page as it is.
        screen.show(private)
        await press(pilot, "l")
        await until(lambda: isinstance(app.screen, Page))
        screen.show(replace(private, note="Saved."))
        await settled(pilot)
        await shows(app, drawn)


async def test_a_refusal_is_not_told_to_the_next_person() -> None:
    match = match_of("jamaica", 2, 0)
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=SIZE) as pilot:
        screen = await awaited(app)
        public = screen.desk.moment
        await press(pilot, "enter")
        await until(lambda: screen.desk.choosing is not None)
        mine, came = screen.desk.moment, asyncio.Event()

        async def late() -> None:
            await came.wait()
            raise Declined(refusal=RefusalMessage(code="card_not_held", rule="R3.1"))

        for next_moment, page in ((public, TableScreen), (mine, Page)):
            came.clear()
            screen.show(mine)
            screen.ask(late())
            screen.show(next_moment)
            came.set()
            await until(lambda: not screen._is_busy)
            await settled(pilot)
            assert isinstance(app.screen, page)
