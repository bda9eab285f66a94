"""What lies before the person at the keyboard: the moment, the wish looked at, and what every panel shows."""

from rich.text import Text

from cartagena.rules.ruleset import GOLD
from cartagena.terminal.board import BoardDrawing, Drawing
from cartagena.terminal.captions import head_lines, pirate_line, wish_line, wish_lines
from cartagena.terminal.choices import Choosing, ChosenAction
from cartagena.terminal.drawing import BOLD, DIM, Brush, draw_cards, lights_of
from cartagena.terminal.panel import wrapped
from cartagena.terminal.source import Moment, Role, printable

NOTHING = Moment(view=None)


class Desk:
    """Everything that a screen shows of a table; it has no screen of its own."""

    def __init__(self, brush: Brush, role: Role = Role.PLAYING) -> None:
        self.brush = brush
        self.role = role
        self.moment = NOTHING
        self.choosing: Choosing | None = None
        self.said = ""

    def show(self, moment: Moment) -> None:
        """Take a new moment; the pirate that was looked at stays in sight if it can."""
        near = None if self.choosing is None else self.choosing.pirate
        same = (
            moment.view is not None
            and self.moment.view is not None
            and moment.view.seat == self.moment.view.seat
        )
        self.moment, self.choosing = moment, None
        if moment.view is not None and moment.wishes is not None:
            self.choosing = Choosing(moment.view, moment.wishes, near if same else None)
        self.said = moment.note

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

    def cards_with(self, letter: str) -> list[int]:
        """The cards whose sign has a letter: the plain one, and in the Nest the gold one."""
        names = self.brush.names
        signs = [
            sign for sign in range(len(names.ruleset.signs)) if names.letter_of_sign(sign) == letter.upper()
        ]
        return [card for sign in signs for card in (sign, sign + GOLD)]
