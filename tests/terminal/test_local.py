"""People who take turns at one keyboard: each is told what their seat may know, once, and nobody else is."""

import asyncio
import re
import threading
from collections.abc import Callable
from random import Random

import pytest

from cartagena.bots.players.interface import Budget
from cartagena.notation.replay import replay
from cartagena.rules.hidden.view import View, view
from cartagena.terminal.setting_screen import Page
from cartagena.terminal.source import Declined, Moment
from tests.cli.scripts import Typist, by_number
from tests.terminal.keyboard import Match, app_of, brush_for, match_of, press, settled, table_of, until


async def played(preset: str, seats: int, bots: int) -> tuple[Match, Typist]:
    """A game from its deal to its end, in which some choices are taken back."""
    match = match_of(preset, seats, bots, level="random")
    people = Typist(match, by_number, undoing=0.2)
    await people.play()
    assert match.is_over
    return match, people


@pytest.mark.parametrize("preset", ["jamaica", "nest"])
@pytest.mark.parametrize(("seats", "bots"), [(2, 0), (4, 1)])
async def test_a_hand_is_shown_to_its_owner_alone(preset: str, seats: int, bots: int) -> None:
    match, people = await played(preset, seats, bots)
    names = brush_for(match).names
    for moment, _ in people.shown:
        assert moment.view is not None
        if moment.is_over:
            break
        others = [hand for seat, hand in enumerate(moment.view.hands) if seat != moment.view.seat]
        assert others == [None] * len(others)
        drawn = {found[1] for line in moment.log if (found := re.match(r"(\w+) draws the", line))}
        own = set() if moment.audience is None else {names.crew(moment.audience)}
        assert drawn <= own
        assert moment.audience == moment.view.seat
        if moment.covered is not None:
            assert (moment.view.seat, moment.wishes) == (None, None)
            assert moment.view.hands == (None,) * seats


@pytest.mark.parametrize(("preset", "seats", "bots"), [("jamaica", 3, 1), ("tortuga", 3, 1), ("nest", 2, 1)])
async def test_everybody_is_told_everything_once(preset: str, seats: int, bots: int) -> None:
    match, people = await played(preset, seats, bots)
    before: dict[int | None, Moment] = {}
    for moment, _ in people.shown:
        known = before.get(moment.audience)
        assert known is None or moment.log[: len(known.log)] == known.log
        before[moment.audience] = moment
    end, _ = people.shown[-1]
    turns = [line for line in end.log if line.startswith("The turn goes")]
    assert end.is_over
    assert len(turns) == match.turn - 1
    assert len(before) == (1 if preset == "tortuga" or seats - bots == 1 else 1 + seats - bots)


@pytest.mark.parametrize("preset", ["jamaica", "tortuga"])
async def test_what_is_shown_is_kept_before(preset: str) -> None:
    _, people = await played(preset, 2, 1)
    for moment, record in people.shown:
        assert moment.view is not None
        position = replay(record).position
        # What is kept may be ahead of what is shown, never behind.
        assert position.turn >= moment.view.turn
        if position.turn == moment.view.turn and not position.over:
            seen = view(position, moment.view.seat)
            assert seen.actions_used >= moment.view.actions_used or moment.log[-1].endswith("back.")


async def test_a_game_that_is_killed_goes_on_where_it_was_and_can_still_be_taken_back() -> None:
    match = match_of("tortuga", 2, 0)
    first, shown = table_of(match, brush_for(match)), list[Moment]()
    playing = asyncio.create_task(first.run(shown.append))
    await until(lambda: bool(shown))
    view_at_first = shown[-1].view
    assert view_at_first is not None
    await first.act(view_at_first.legal[0])
    playing.cancel()
    again, resumed = Match(match.record, None), list[Moment]()
    table = table_of(again, brush_for(again))
    playing = asyncio.create_task(table.run(resumed.append))
    await until(lambda: bool(resumed))
    assert len(again.record.steps) == 1
    await table.undo()
    await until(lambda: again.record.steps == ())
    await until(lambda: resumed[-1].view is not None and resumed[-1].view.legal == view_at_first.legal)
    playing.cancel()


@pytest.mark.parametrize("preset", ["tortuga", "jamaica"])
async def test_a_game_that_goes_on_has_the_log_of_what_was_played(preset: str) -> None:
    match = match_of(preset, 2, 1, level="random")
    people = Typist(match, by_number)
    playing = asyncio.create_task(people.play())
    await until(lambda: len(match.record.steps) > 12)
    playing.cancel()
    kept, log = match.record, people.shown[-1][0].log
    again, resumed = Match(kept, None), list[Moment]()
    going_on = asyncio.create_task(table_of(again, brush_for(again)).run(resumed.append))
    await until(lambda: bool(resumed) and resumed[-1].wishes is not None)
    told = resumed[-1].log
    shorter = min(len(told), len(log))
    assert shorter > 12
    assert told[:shorter] == log[:shorter]
    assert resumed[-1].recalled <= len(told)
    assert resumed[-1].last is not None
    going_on.cancel()


async def test_who_is_not_asked_is_told_so() -> None:
    match = match_of("jamaica", 2, 0)
    table, shown = table_of(match, brush_for(match)), list[Moment]()
    asked: tuple[Callable[[], object], ...] = (table.undo, table.tip, lambda: table.act(0))
    playing = asyncio.create_task(table.run(shown.append))
    await until(lambda: bool(shown) and shown[-1].covered is not None)
    for ask in asked:
        with pytest.raises(Declined, match="not your turn"):
            await ask()  # type: ignore[misc]  # each is a coroutine
    playing.cancel()


async def test_people_among_themselves_may_ask_for_a_tip() -> None:
    match = match_of("tortuga", 2, 0)
    table, shown = table_of(match, brush_for(match)), list[Moment]()
    playing = asyncio.create_task(table.run(shown.append))
    await until(lambda: bool(shown))
    tip = await table.tip()
    assert shown[-1].view is not None
    assert tip.codes[0] in shown[-1].view.legal
    assert 0 < tip.chance < 1
    playing.cancel()


class Ponderer:
    """A bot that thinks until the test lets it choose."""

    thinking = threading.Event()
    done = threading.Event()

    def choose(self, view: View, chance: Random, budget: Budget) -> int:  # noqa: ARG002 - what a bot is given
        """The first choice, in the end."""
        self.thinking.set()
        self.done.wait()
        return view.legal[0]


async def test_the_screen_lives_while_a_bot_thinks() -> None:
    match = match_of("tortuga", 2, 2, level=f"{__name__}:Ponderer")
    brush = brush_for(match)
    app = app_of(table_of(match, brush), brush)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(Ponderer.thinking.is_set)
        await press(pilot, "question_mark")
        await settled(pilot)
        assert isinstance(app.screen, Page)
        assert match.events == ()
        Ponderer.done.set()
        await until(lambda: len(match.events) > 3)
