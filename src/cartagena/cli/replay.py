"""`cartagena replay`: a recorded game told step by step."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from cartagena.cli.files import FILE, broken, read_record
from cartagena.cli.style import JSON, Command, Flag, words
from cartagena.messages.happenings import happening_message
from cartagena.notation.action_text import format_action
from cartagena.notation.names import COLOURS, SEAT_BY_COLOUR, UNKNOWN
from cartagena.notation.position_text import format_ruleset
from cartagena.notation.record import Record, Result, Step, format_record, format_result
from cartagena.notation.replay import begin, check_result, record_of_view, replay_step, result_of
from cartagena.notation.tokens import ReplayError
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen
from cartagena.rules.undoable_game import UndoableGame
from cartagena.words.sentences import Names, tell

SPECTATOR = "spectator"


@click.command("replay", cls=Command)
@FILE
@click.option("--until", type=click.IntRange(min=0), metavar="N", cls=Flag)
@click.option("--seat", type=click.Choice([*COLOURS, SPECTATOR]), cls=Flag)
@click.option("--record", "as_record", is_flag=True, cls=Flag)
@JSON
def command(file: Path, until: int | None, seat: str | None, *, as_record: bool, as_json: bool) -> None:
    """Tell a game in words, as JSON, or as the record of a view."""
    try:
        told = _told(file, seat, until)
        if as_record:
            click.echo(format_record(told.record()), nl=False)
        elif as_json:
            click.echo(json.dumps(told.as_json(), ensure_ascii=False, indent=2))
        else:
            _print(told)
    except ReplayError as error:
        raise broken(file, error) from error


def tell_record(file: Path, seat: str | None = None) -> None:
    """Tell the whole game of a file in words, or what one seat could see of it."""
    try:
        _print(_told(file, seat, None))
    except ReplayError as error:
        raise broken(file, error) from error


def _told(file: Path, seat: str | None, until: int | None) -> "_Told":
    record = read_record(file)
    if seat in COLOURS[record.headers.seats :]:
        raise click.BadOptionUsage("seat", words().say("refusal.no_such_crew"))
    return _Told(record, seat, until)


def _print(told: "_Told") -> None:
    for line in told.lines():
        click.echo(line)


class _Told:
    """A record as it is told to one audience, or in full if no audience is named, up to some action."""

    def __init__(self, record: Record, audience: str | None, until: int | None) -> None:
        self.whole = record
        self.everything = audience is None
        self.seat = SEAT_BY_COLOUR.get(audience) if audience else None
        self.steps = record.steps[:until]
        self.complete = len(self.steps) == len(record.steps)
        self.names = Names(words(), record.headers.ruleset)
        self.game: UndoableGame = begin(record.headers)

    def _sees(self, happening: Happening) -> Happening:
        return happening if self.everything else seen(happening, self.seat)

    def _stepwise(self) -> Iterator[tuple[int, Step, list[Happening]]]:
        """Number, action and happenings of each step; the result is checked at the record's end."""
        for number, step in enumerate(self.steps, start=1):
            yield number, step, [self._sees(happening) for happening in replay_step(self.game, step)]
        if self.complete:
            check_result(self.game.position, self.whole.result)

    def _result(self) -> Result:
        """The result that was told: that of the record only if its end was reached."""
        return self.whole.result if self.complete else result_of(self.game.position)

    def _action(self, step: Step) -> str:
        assert step.code is not None
        text = format_action(self.whole.headers.ruleset.family, step.code)
        hidden = text.startswith("trim ") and not self.everything and step.seat != self.seat
        return f"trim {UNKNOWN}" if hidden else text

    def lines(self) -> Iterator[str]:
        """The game in words."""
        say = self.names.words.say
        yield say("replay.game", ruleset=say(f"ruleset.{self.whole.headers.ruleset.key}"))
        yield say("replay.seats", seats=", ".join(map(self._seat, range(self.whole.headers.seats))))
        for number, step, happenings in self._stepwise():
            seat = self.names.crew(step.seat)
            yield ""
            yield say("replay.step", number=number, turn=step.turn, seat=seat, action=self._action(step))
            yield from (f"  {tell(self.names, happening)}" for happening in happenings)
        yield ""
        if self.complete:
            yield say("replay.result", result=format_result(self._result()))
        else:
            yield say("replay.stopped", number=len(self.steps), steps=len(self.whole.steps))

    def _seat(self, seat: int) -> str:
        name = self.whole.headers.names[seat]
        return f"{self.names.crew(seat)} ({name})" if name else self.names.crew(seat)

    def as_json(self) -> dict[str, object]:
        """The game for programs."""
        steps = [
            {
                "seq": number,
                "turn": step.turn,
                "seat": COLOURS[step.seat],
                "action": self._action(step),
                "happenings": [self._happening(happening) for happening in happenings],
            }
            for number, step, happenings in self._stepwise()
        ]
        headers = self.whole.headers
        return {
            "game": headers.game_id,
            "ruleset": format_ruleset(headers.ruleset),
            "seats": headers.names,
            "first_seat": COLOURS[headers.first_seat],
            "steps": steps,
            "result": format_result(self._result()),
        }

    def _happening(self, happening: Happening) -> dict[str, object]:
        message = happening_message(happening, self.whole.headers.ruleset.family)
        return {**msgspec.to_builtins(message), "text": tell(self.names, happening)}

    def record(self) -> Record:
        """The record itself, or that of a view."""
        for _ in self._stepwise():
            pass
        told = replace(self.whole, steps=self.steps, result=self._result())
        return told if self.everything else record_of_view(told, self.seat)
