"""Whole games played by plans: what training learns from and what seats are compared by."""

from cartagena.bots.random_games import Dice, deal_again
from cartagena.bots.search.turn_candidates import Plan, Survey, pick
from cartagena.rules.legality import advance
from cartagena.rules.position import OVER, Position


def follow(position: Position, plan: Plan, dice: Dice) -> None:
    """Do what a plan says, up to the first choice that reveals something."""
    barriers = position.barriers
    for code in plan.codes():
        advance(position, code)
        if position.order_due:
            deal_again(position, dice)
        if position.barriers != barriers:
            return


def play_out(position: Position, survey: Survey, temperature: float, dice: Dice) -> None:
    """Play a game to its end, every seat by the same survey."""
    while position.phase != OVER:
        follow(position, pick(survey.look(position), temperature, dice), dice)
