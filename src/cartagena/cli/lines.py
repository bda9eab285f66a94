"""What is said at the prompt: words, tables, and answers to what was typed."""

import click

from cartagena.cli.drawing import Brush, draw_table
from cartagena.cli.menu import Choices, NoSuchChoice
from cartagena.notation.errors import NotationError
from cartagena.rules.hidden.view import View
from cartagena.words.sentences import Reason, refusal_lines


class Lines:
    """Prints lines in the words of one game."""

    def __init__(self, brush: Brush) -> None:
        self.brush = brush

    def say(self, key: str, **values: object) -> None:
        """Print the words of a key."""
        click.echo(self.brush.say(key, **values))

    def show(self, lines: list[str]) -> None:
        """Print some lines, set apart from those before."""
        click.echo("\n".join(["", *lines]))

    def show_table(self, view: View, choices: Choices | None) -> None:
        """Draw a view, and list what can be chosen."""
        self.show(draw_table(self.brush, view))
        if choices is not None:
            self.show(choices.menu(self.brush.width))

    def refuse(self, reason: Reason, card: int | None = None) -> None:
        """Say why something is refused, with the sentence of the rulebook; `card` is the one wished for."""
        click.echo("\n".join(refusal_lines(self.brush.names, reason, card)))

    def chosen(self, choices: Choices, text: str) -> int | None:
        """The code that was typed; None, after saying so, if it is refused or means nothing."""
        try:
            reason = choices.refusal_of(text)
            if reason is None:
                return choices.chosen(text)
            self.refuse(reason, choices.card_in(text))
        except (NoSuchChoice, NotationError) as error:
            self._not_understood(error)
        return None

    def say_why(self, choices: Choices, text: str) -> None:
        """Say what a choice would do, or why it is not possible."""
        try:
            reason = choices.refusal_of(text)
            if reason is None:
                effect = choices.effect_of(text)
                self.say("play.possible.effect" if effect else "play.possible", effect=effect)
            else:
                self.refuse(reason, choices.card_in(text))
        except (NoSuchChoice, NotationError) as error:
            self._not_understood(error)

    def _not_understood(self, error: NoSuchChoice | NotationError) -> None:
        if isinstance(error, NoSuchChoice):
            self.say("play.no_such_choice", last=error.last)
        else:
            self.say("play.not_understood", expected=error.expected)
