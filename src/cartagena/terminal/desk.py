"""What lies before the person at the keyboard: the moment, the wish looked at, and what every panel shows."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from rich.text import Text
from textual.geometry import Size
from textual.widget import Widget

from cartagena.rules.actions import Kind
from cartagena.rules.places import HOME
from cartagena.rules.ruleset import GOLD
from cartagena.terminal.board import BoardDrawing, Drawing
from cartagena.terminal.choices import Choosing, ChosenAction
from cartagena.terminal.glyphs import BOLD, CHOSEN, DIM, Brush, draw_cards, lights_of
from cartagena.terminal.source import Moment, Role, Tip
from cartagena.words.catalogue import in_columns
from cartagena.words.printable import printable
from cartagena.words.sentences import effects, refusal_sentence, result_sentence, tip_words, turn_lines

# What is said beside the board: whose turn it is, what a wish would do, why not, and how it ended.


def head_lines(brush: Brush, moment: Moment) -> Iterator[str]:
    """Whose turn it is and what is left of it; after the end who has won."""
    assert moment.view is not None, "somebody has a turn after the deal"
    if moment.is_over:
        yield result_sentence(brush.names, moment.winner)
    else:
        yield from turn_lines(brush.names, moment.view)


def end_lines(brush: Brush, moment: Moment, keys: Iterable[str]) -> Iterator[Text | str]:
    """Who has won, how many pirates each crew brought home, and what the keys would do now."""
    view = moment.view
    assert view is not None, "a game that has ended was dealt"
    yield from (result_sentence(brush.names, moment.winner), "")
    for seat, places in enumerate(view.pirates):
        line = brush.crew(seat).append(f" {brush.names.crew(seat)}  ")
        yield line.append(brush.say("terminal.end.home", number=places.count(HOME)))
    yield from ("", moment.note) if moment.note else ()
    yield ""
    yield from (Text(brush.say(key)) for key in keys)


def wish_line(brush: Brush, wish: ChosenAction, *, is_chosen: bool) -> Text:
    """A wish in one line of the list: what, and where it leads or that it is refused."""
    line = Text(f"{brush.glyphs.here if is_chosen else ' '}{wish_name(brush, wish)}")
    if wish.explanation is None:
        line.append(f" {brush.glyphs.no}")
        line.stylize(DIM)
    else:
        line.append(_outcome(brush, wish))
    if is_chosen:
        line.stylize(CHOSEN)
    return line


def wish_name(brush: Brush, wish: ChosenAction) -> str:
    """What is wished for, with its key before it."""
    card, names = wish.action.card, brush.names
    match wish.action.kind:
        case Kind.PLAY | Kind.TRIM if card is not None:
            return f"{brush.card(card).plain:<3} {names.card(card)}"
        case Kind.RETREAT:
            return f"R   {brush.say('terminal.wish.retreat')}"
        case Kind.DECLINE:
            return f"N   {brush.say('terminal.wish.decline')}"
        case Kind.PUSH:
            return f"R   {brush.say('terminal.wish.push', crew=names.crew(wish.action.crew or 0))}"
        case Kind.SAIL:
            return f"C   {brush.say('terminal.wish.sail')}"
        case Kind.CAPTAIN_SAIL:
            return f"C   {brush.say('terminal.wish.captain_sail')}"
        case _:
            return f"E   {brush.say('terminal.wish.end_turn')}"


def _outcome(brush: Brush, wish: ChosenAction) -> str:
    assert wish.explanation is not None
    told, target = "", wish.explanation.target
    if target is not None:
        told = f" {brush.glyphs.to} {brush.names.place(target)}"
    return f"{told} +{wish.explanation.gains}" if wish.explanation.gains else told


def pirate_line(brush: Brush, choosing: Choosing) -> Text:
    """Which pirate is looked at, and which of how many that is."""
    pirate = choosing.pirate
    if pirate is None:
        return Text(brush.say("terminal.trim"))
    line = brush.crew(pirate.crew).append(f" {brush.names.place(pirate.place)}", "bold")
    if pirate in choosing.pirates:
        line.append(f" ({choosing.pirates.index(pirate) + 1}/{len(choosing.pirates)})", DIM)
    return line


def wish_lines(brush: Brush, wish: ChosenAction | None) -> Iterator[str]:
    """What a wish would do, or why it is refused."""
    if wish is None:
        return
    if wish.explanation is not None:
        told = ", ".join(effects(brush.names, wish.explanation))
        if told:
            yield f"{told[0].upper()}{told[1:]}."
        if wish.explanation.reveals:
            yield brush.say("terminal.reveals")
    elif wish.refusal is not None:
        yield refusal_sentence(brush.names, wish.refusal.code, wish.action.card)
        yield brush.say("terminal.why_key", rule=wish.refusal.rule)


# A part of the screen that draws itself anew from what is known now.

Draw: TypeAlias = Callable[[int, int], Iterable[Text | str]]
"""Gives the lines of a panel for a width and a height."""


class Panel(Widget):
    """Lines of text, as many as there is room for."""

    def __init__(self, draw: Draw, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._draw = draw
        self._drawn = Text()
        self._drawn_for: Size | None = None

    def render(self) -> Text:
        """The lines as they were last drawn, or drawn anew for another size."""
        if self._drawn_for != self.size:
            self._take(self._lines_now())
        return self._drawn

    def redraw(self) -> None:
        """Draw anew if anything has changed; most keys change little of the screen."""
        lines = self._lines_now()
        if lines != self._drawn:
            self._take(lines)
            self.refresh()

    def _take(self, lines: Text) -> None:
        self._drawn, self._drawn_for = lines, self.size

    def _lines_now(self) -> Text:
        width, height = self.size
        lines = [line if isinstance(line, Text) else Text(line) for line in self._draw(width, height)]
        text = Text("\n").join(lines[:height])
        if self.app.has_class("ascii"):
            # Names of players, and what they write, come in letters of their own.
            text.plain = in_columns(text.plain)
        text.no_wrap, text.overflow = True, "crop"
        return text


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """Sentences broken to a width, an empty one kept as an empty line."""
    return [part for line in lines for part in textwrap.wrap(line, max(1, width)) or [""]]


NOTHING = Moment(view=None)


class Desk:
    """Everything that a screen shows of a table; it has no screen of its own."""

    def __init__(self, brush: Brush, role: Role = Role.PLAYING) -> None:
        self.brush = brush
        self.role = role
        self.moment = NOTHING
        self.choosing: Choosing | None = None
        self.said = ""
        self._tip: Tip | None = None
        """What is left of the last tip."""
        self._done: int | None = None
        """What the player asked to do last."""

    def show(self, moment: Moment) -> None:
        """Take a new moment; what was looked at stays in sight if it can."""
        before = self.moment
        if self.choosing is not None and (moment.view, moment.wishes) == (before.view, before.wishes):
            # Something was said beside the game.
            self.said = self.said if moment.note == before.note else moment.note
            self.moment = moment
            return
        self.said = moment.note
        near = None if self.choosing is None else self.choosing.pirate
        same = moment.view is not None and before.view is not None and moment.view.seat == before.view.seat
        self.moment, self.choosing = moment, None
        if moment.view is not None and moment.wishes is not None:
            self.choosing = Choosing(moment.view, moment.wishes, near if same else None)
        tip, done, self._tip, self._done = self._tip, self._done, None, None
        if tip is not None and tip.codes[0] == done and same:
            self.follow(replace(tip, codes=tip.codes[1:]))

    def follow(self, tip: Tip) -> None:
        """Look at the first action of a tip if it is possible, and say all; the others come in turn."""
        legal = () if self.moment.wishes is None else [each.code for each in self.moment.wishes.legal]
        if self.choosing is not None and tip.codes and tip.codes[0] in legal:
            self._tip = tip
            self.choosing.to_code(tip.codes[0])
            told = tip_words(self.brush.names, tip.codes, tip.chance)
            self.said = "\n".join(filter(None, [self.moment.note, told]))

    def do(self) -> int | None:
        """The code of what is looked at, which is to be done now; None if it is refused."""
        self._done = None if self.wish is None else self.wish.code
        return self._done

    @property
    def wish(self) -> ChosenAction | None:
        """The wish that is looked at."""
        return None if self.choosing is None else self.choosing.wish

    @property
    def is_over(self) -> bool:
        """Whether the game that is played or watched has ended."""
        return self.moment.is_over and self.role is not Role.FOLLOWING

    # Panels.

    def head(self) -> Text:
        """The name of the game, and how far it is."""
        moment, say = self.moment, self.brush.say
        line = Text(f" Cartagena  {say(f'ruleset.{self.brush.names.ruleset.key}')}", BOLD)
        if self.role is Role.FOLLOWING:
            line.append(f"   {say('terminal.step', step=moment.step, steps=moment.steps)}")
        return line

    def board(self, width: int, height: int) -> Drawing:
        """The way, with the light of what is looked at."""
        view = self.moment.view
        if view is None:
            return Drawing(lines=[Text(), *map(Text, [*self._chairs(), *self._invitation(width)])])
        lights = lights_of(self.choosing, self.moment.last)
        return BoardDrawing(brush=self.brush, view=view, lights=lights, wish=self.wish).draw(width, height)

    def _chairs(self) -> list[str]:
        """Who sits where before the deal."""
        open_chair = self.brush.say("terminal.open_chair")
        return [
            f" {self.brush.crew(seat).plain} {self.brush.names.crew(seat)}: {printable(name) or open_chair}"
            for seat, name in enumerate(self.moment.players)
        ]

    def _invitation(self, width: int) -> list[str]:
        """How others come to the table; the link stands at the left margin, so that it is easily copied."""
        link = printable(self.moment.link)
        if not link:
            return []
        parts = [link[first : first + width] for first in range(0, len(link), max(1, width))]
        return ["", *wrapped([self.brush.say("terminal.invite")], width), "", *parts]

    def cards(self, width: int) -> list[Text]:
        """Row, piles and hands."""
        view = self.moment.view
        return [] if view is None else draw_cards(self.brush, view, self.moment.players, self.wish, width)

    def log(self, width: int, height: int) -> list[str]:
        """The newest of what happened."""
        lines = wrapped(self.moment.log[-max(1, height) :], width)
        return lines[-height:] if height else []

    def turn(self, width: int) -> list[str]:
        """Whose turn it is."""
        return [] if self.moment.view is None else wrapped(head_lines(self.brush, self.moment), width)

    def wishes(self, height: int) -> list[Text]:
        """Which pirate, and what can be wished with it, as far as there is room; or who is waited for."""
        if self.choosing is None:
            return [Text(line, DIM) for line in self._waiting()]
        first = self.first_wish(height)
        lines = [
            wish_line(self.brush, wish, is_chosen=at == self.choosing.line)
            for at, wish in enumerate(self.choosing.wishes)
        ]
        return [pirate_line(self.brush, self.choosing), *lines[first : first + height - 1]]

    def first_wish(self, height: int) -> int:
        """The first wish of the list that is shown, so that the one looked at is in sight."""
        return 0 if self.choosing is None else max(0, self.choosing.line + 2 - height)

    def _waiting(self) -> list[str]:
        view, say = self.moment.view, self.brush.say
        is_played = self.role is not Role.FOLLOWING and not self.moment.is_over
        if view is None or not is_played or self.moment.covered is not None:
            return []
        return [say("play.thinking", seat=self.brush.names.crew(view.to_act))] if view.to_act >= 0 else []

    def note(self, width: int) -> list[str]:
        """What was said last, who has to come, or what the wish would do."""
        if self.moment.covered is not None:
            return wrapped(
                [self.brush.say("play.cover", seat=self.brush.names.crew(self.moment.covered))], width
            )
        if self.said:
            return wrapped(self.said.splitlines(), width)
        return wrapped(wish_lines(self.brush, self.wish), width)

    # Keys.

    def keys(self, width: int) -> list[str]:
        """The keys that do something, in one line if it is wide enough."""
        sides, ends = ("←→", "↑↓") if self.brush.glyphs.signs else ("</>", "^/v")
        told = self.brush.say(self._keys(), sides=sides, ends=ends)
        return [f" {line}" for line in wrapped([told], width - 1)]

    def _keys(self) -> str:
        match self.role:
            case Role.FOLLOWING:
                return "terminal.keys.record"
            case Role.WATCHING:
                return "terminal.keys.watch"
            case Role.PLAYING:
                return "terminal.keys.over" if self.is_over else "terminal.keys"

    def help(self) -> str:
        """What the keys do."""
        match self.role:
            case Role.FOLLOWING:
                return self.brush.say("terminal.help.record")
            case Role.WATCHING:
                return self.brush.say("terminal.help.watch")
            case Role.PLAYING:
                return self.brush.say("terminal.help")

    def how_to_play(self) -> str:
        """The game in a few sentences, and where all its rules are told."""
        ruleset, say = self.brush.names.ruleset, self.brush.say
        sight = [say("terminal.play.open" if ruleset.hands_open else "terminal.play.hidden")]
        if ruleset.row_length:
            sight.append(say("terminal.play.row"))
        return "\n".join(
            [say(f"terminal.play.{ruleset.family}"), " ".join(sight), "", say("terminal.play.whole")]
        )

    def cards_with(self, letter: str) -> list[int]:
        """The cards whose sign has a letter: the plain one, and in the Nest the gold one."""
        names = self.brush.names
        signs = [
            sign for sign in range(len(names.ruleset.signs)) if names.letter_of_sign(sign) == letter.upper()
        ]
        return [card for sign in signs for card in (sign, sign + GOLD)]
