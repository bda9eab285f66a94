"""People at a keyboard: they look at the screen, and find the keys for what they want."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from textual.events import Key
from textual.pilot import Pilot

from cartagena.cli.deal import fresh, names_of_seats
from cartagena.cli.kept_games import Sitting
from cartagena.client.sample_bot import worth
from cartagena.messages.wishes import LegalMessage
from cartagena.notation.record import Ending, Record, Result, Step
from cartagena.notation.record_reader import parse_record
from cartagena.notation.replay import replay
from cartagena.rules.actions import Kind, action_of
from cartagena.rules.position import Position
from cartagena.rules.ruleset import PRESETS, Ruleset
from cartagena.terminal.app import TerminalApp
from cartagena.terminal.choices import Pirate
from cartagena.terminal.desk import Desk
from cartagena.terminal.glyphs import ASCII, UNICODE, Brush, Glyphs
from cartagena.terminal.local import LocalTable
from cartagena.terminal.setting_screen import Opened, Page
from cartagena.terminal.source import Source
from cartagena.terminal.table_screen import TableScreen
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests import waiting
from tests.waiting import PATIENCE, What

BREATH = 0.002
"""Seconds between two checks of a condition that is waited for."""


class Match(Sitting):
    """A game at this keyboard as it was last kept, which is before it is shown."""

    @property
    def ruleset(self) -> Ruleset:
        """By which rules it is played."""
        return self.record.headers.ruleset

    @property
    def events(self) -> tuple[Step, ...]:
        """What was done so far."""
        return self.record.steps

    @property
    def position(self) -> Position:
        """How it stands."""
        return replay(self.record).position


def match_of(preset: str, seats: int, bots: int, seed: str = "1672", level: str = "sailor") -> Match:
    """A new game, the same one for the same seed."""
    return Match(fresh(PRESETS[preset], names_of_seats(seats, bots, level), seed), None, seed)


def before_the_end() -> tuple[Record, int]:
    """A game of people before its last choice, and that choice, which wins."""
    file = Path(__file__).parents[1] / "records" / "tortuga-2.record"
    record = parse_record(file.read_text(encoding="utf-8"))
    [*steps, last] = record.steps
    assert last.code is not None
    headers = replace(record.headers, names=("",) * record.headers.seats)
    running = Result(Ending.RUNNING)
    return replace(record, headers=headers, steps=tuple(steps), result=running), last.code


class HasRuleset(Protocol):
    """A game, whatever keeps it."""

    @property
    def ruleset(self) -> Ruleset:
        """By which rules it is played."""


def brush_for(match: HasRuleset, language: str = "en", glyphs: Glyphs = UNICODE) -> Brush:
    """What its table is drawn with."""
    words = Words(language, ascii_only=glyphs is ASCII)
    return Brush(names=Names(words, match.ruleset), glyphs=glyphs)


def table_of(match: Sitting, brush: Brush) -> LocalTable:
    """A game at this keyboard; bots keep nobody waiting."""
    return LocalTable(
        match.record, brush.names, levels=match.levels, keep=match.keep, seed=match.seed, pace=0
    )


def app_of(source: Source, brush: Brush, clock: Callable[[], float] | None = None) -> TerminalApp:
    """The program that shows a table; without a clock each look at the time is a second after the last."""
    opened = Opened(source=source, brush=brush)
    return TerminalApp(
        brush.names.words, brush.glyphs, opened=opened, clock=clock or itertools.count().__next__
    )


def screen_of(app: TerminalApp) -> TableScreen:
    """The table, perhaps under a page."""
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


async def awaited(app: TerminalApp) -> TableScreen:
    """The table, once it waits for somebody: keys that come before it is shown find nothing to do."""
    await until(lambda: is_waiting(screen_of(app)))
    return screen_of(app)


def text_of(app: TerminalApp) -> str:
    """Everything that can be read on the screen now, drawn without waiting for the timer."""
    app.screen._on_timer_update()
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def keys_for(desk: Desk, code: int) -> Iterator[str]:
    """The keys that lead from the current selection to a choice."""
    choosing, view = desk.choosing, desk.moment.view
    assert choosing is not None
    assert view is not None
    assert view.seat is not None
    action = action_of(view.ruleset.family, code)
    if action.place is not None:
        pirate = Pirate(view.seat if action.crew is None else action.crew, action.place)
        assert choosing.pirate is not None
        steps = choosing.pirates.index(pirate) - choosing.pirates.index(choosing.pirate)
        yield from ["right" if steps > 0 else "left"] * abs(steps)
    if action.card is not None:
        yield desk.brush.names.letter_of_sign(action.card % 7).lower()
    else:
        letters = {Kind.RETREAT: "r", Kind.PUSH: "r", Kind.SAIL: "c", Kind.CAPTAIN_SAIL: "c"}
        yield letters.get(action.kind, "e")


def furthest(desk: Desk) -> int:
    """The choice of a player who wants to get ahead."""
    moment = desk.moment
    assert moment.wishes is not None
    assert moment.view is not None
    held = moment.view.hand_sizes[moment.view.seat or 0]

    def liking(choice: LegalMessage) -> float:
        return worth(choice, held)

    return max(moment.wishes.legal, key=liking).code


async def until(holds: Callable[[], bool], patience: float = PATIENCE, what: What = "a screen") -> None:
    """Wait until something holds, and look often: a game is hundreds of such waits."""
    __tracebackhide__ = True
    await waiting.until(holds, seconds=patience, what=what, pause=BREATH)


async def shows(app: TerminalApp, *texts: str) -> None:
    """Wait until `texts` are on the screen, whatever breaks their lines: a busy machine may be late."""

    def missing() -> list[str]:
        shown = text_of(app)
        unbroken = " ".join(shown.split())
        return [text for text in texts if text not in shown and text not in unbroken]

    await until(lambda: not missing(), what=lambda: f"{missing()} on this screen:\n{text_of(app)}")


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, and go on as soon as they have done what they do.

    The pilot's own way sleeps after each key until the processor is idle, at least 40 milliseconds, and a
    second if a bot or a service works in this process; and it draws everything after each.
    """
    for key in keys:
        pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await settled(pilot)


async def click(pilot: Pilot[None], selector: str, offset: tuple[int, int]) -> None:
    """Click into a part of the screen, once it is laid out: until then something else lies there."""
    part = pilot.app.screen.query_one(selector)
    await until(lambda: part.region.size.contains(*offset), what=f"room for {offset} in {selector}")
    await pilot.click(selector, offset=offset)


async def settled(pilot: Pilot[None]) -> None:
    """Wait until everything is handled: what the program passes to a screen, and the screen to its parts."""
    for _ in range(3):
        await pilot._wait_for_screen()


async def do(pilot: Pilot[None], screen: TableScreen, code: int) -> None:
    """Choose something by keys alone, and check that it is selected before Enter is pressed."""
    await press(pilot, *keys_for(screen.desk, code))
    for _ in range(len(screen.desk.choosing.wishes) if screen.desk.choosing else 0):
        if screen.desk.wish is not None and screen.desk.wish.code == code:
            break
        await press(pilot, "down")
    assert screen.desk.wish is not None
    assert screen.desk.wish.code == code
    before = screen.desk.moment
    await press(pilot, "enter")
    await until(lambda: screen.desk.moment is not before)


async def play_to_the_end(
    pilot: Pilot[None], app: TerminalApp, choose: Callable[[Desk], int] = furthest
) -> TableScreen:
    """Play with keys until the final page is there."""
    screen = screen_of(app)
    while not isinstance(app.screen, Page):
        await until(lambda: is_waiting(screen) or isinstance(app.screen, Page))
        if screen.desk.moment.covered is not None:
            await press(pilot, "enter")
        elif screen.desk.choosing is not None:
            await do(pilot, screen, choose(screen.desk))
        await settled(pilot)
    return screen


def is_waiting(screen: TableScreen) -> bool:
    """Whether the screen waits for a person."""
    return screen.desk.choosing is not None or screen.desk.moment.covered is not None
