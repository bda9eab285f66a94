"""Random games that check every law of the rules on their way."""

from mypy_extensions import i64

from cartagena.bots.random_games import Dice
from cartagena.rules.choices import ChoiceLines
from cartagena.rules.codes import codes_of
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.laws import broken_law, same, same_table
from cartagena.rules.legality import advance, apply, legal, list_choices, refusal
from cartagena.rules.position import OVER, Position
from cartagena.rules.refusals import IllegalAction
from cartagena.rules.undoable_game import UndoableGame


class Checked:
    """How far a checked game came, and the law it broke; no words mean that it kept them all."""

    def __init__(self) -> None:
        self.actions: i64 = 0
        self.decisions: i64 = 0
        self.broken = ""


def checked_playout(position: Position, dice: Dice, cap: i64, sample: i64) -> Checked:
    """Play at random to the end or to the cap, and ask every law after every action.

    One decision in `sample` is looked at from all sides (`broken_decision`). The game stops at the first
    broken law.
    """
    checked = Checked()
    choices = ChoiceLines()
    broken = broken_law(position)
    while broken is None and position.phase != OVER and checked.actions < cap:
        choices.clear()
        list_choices(position, choices)
        if not choices.number:
            broken = "a seat is to act and has no choice"
            break
        code = choices.code(dice.below(choices.number))
        if dice.below(sample) == 0:
            checked.decisions += 1
            codes = legal(position)
            broken = (
                broken_choices(choices, codes)
                or broken_decision(position, codes)
                or broken_undo(position, code)
            )
            if broken is not None:
                break
        advance(position, code)
        checked.actions += 1
        broken = broken_law(position) or broken_shuffle(position, dice)
    checked.broken = broken or ""
    return checked


def broken_shuffle(position: Position, dice: Dice) -> str | None:
    """Hand in the order that is due, if one is, and ask the laws again."""
    due = cards_due(position)
    if not due:
        return None
    dice.shuffle(due)
    take_order(position, due)
    if cards_due(position):
        return "an order is due twice in one action"
    return broken_law(position)


def broken_choices(choices: ChoiceLines, codes: list[int]) -> str | None:
    """Choices counted in lines are those of the list, in the same order."""
    if choices.number != len(codes):
        return "lines hold more or fewer choices than the list"
    for number in range(len(codes)):
        if choices.code(number) != codes[number]:
            return "a choice has another number in its lines than in the list"
    return None


def broken_decision(position: Position, codes: list[int]) -> str | None:
    """Legal codes are the codes without a refusal and those that are accepted; the others change nothing."""
    before = position.copy()
    if not same(before, position):
        return "a copy is not equal"
    listed: i64 = 0
    for code in range(codes_of(position.ruleset)):
        if listed < len(codes) and codes[listed] == code:
            listed += 1
            broken = broken_by_accepted(position, code)
        else:
            broken = broken_by_refused(position, code)
        if broken is not None:
            return f"{broken} (code {code})"
    if listed != len(codes):
        return "legal codes are not listed in ascending order"
    if not same(before, position):
        return "a refused action or an action on a copy changed the position"
    return None


def broken_by_accepted(position: Position, code: i64) -> str | None:
    """A listed code is not refused, and told or untold it leads to the same position."""
    if refusal(position, code) is not None:
        return "a legal action has a refusal"
    quiet = position.copy()
    loud = position.copy()
    try:
        advance(quiet, code)
        apply(loud, code)
    except IllegalAction:
        return "a legal action was not accepted"
    if not same(quiet, loud):
        return "an action that is told leads elsewhere than one that is not"
    return broken_law(quiet)


def broken_by_refused(position: Position, code: i64) -> str | None:
    """A code that is not listed has a refusal, and doing it raises that refusal."""
    reason = refusal(position, code)
    if reason is None:
        return "an action without a refusal is not listed"
    try:
        advance(position, code)
    except IllegalAction as illegal:
        return None if illegal.refusal is reason else "an action was refused for another reason"
    return "a refused action was accepted"


def broken_undo(position: Position, code: i64) -> str | None:
    """Undo restores the position exactly, unless the turn is over or something was revealed."""
    game = UndoableGame(position)
    game.act(code, list)
    revealed = game.position.barriers != position.barriers
    allowed = game.position.turn == position.turn and not game.position.over and not revealed
    if (game.refusal_of_undo() is None) != allowed:
        return "undo is allowed where it should not be, or refused where it should not be"
    if allowed:
        game.undo()
        if not same_table(game.position, position):
            return "undo did not restore the position"
    return None
