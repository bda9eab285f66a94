"""Whose turn it is and how a game ended, in sentences that prompt and screen share."""

from collections.abc import Iterator

from cartagena.rules.ruleset import ACTIONS_PER_TURN
from cartagena.rules.view import View
from cartagena.words.naming import Names


def turn_lines(names: Names, view: View) -> Iterator[str]:
    """Whose turn it is and what is left of it; nothing when the game is over."""
    if view.over:
        return
    words, left = names.words, ACTIONS_PER_TURN - view.actions_used
    yield words.count("table.turn", left, turn=view.turn, seat=names.crew(view.turn_seat))
    if view.crossing_open:
        yield words.say("table.crossing_open", seat=names.crew(view.turn_seat))
    for seat, owed in enumerate(view.surplus):
        if owed:
            yield words.count("table.surplus", owed, seat=names.crew(seat))


def result_sentence(names: Names, winner: int | None) -> str:
    """Who has won a game that is over; None if it ended without a winner."""
    if winner is None:
        return names.words.say("terminal.end.nobody")
    return names.words.say("terminal.end.winner", seat=names.crew(winner))
