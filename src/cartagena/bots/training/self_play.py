"""Whole games played by plans: what learning learns from and what seats are compared by."""

import math
from typing import Final

from cartagena.bots.random_games import Dice, deal_again
from cartagena.bots.search.turn_candidates import Plan, Survey
from cartagena.rules.play import advance
from cartagena.rules.position import OVER, Position

FINE: Final = 1048576
"""How finely chance is cut when shares are drawn."""


def pick(plans: list[Plan], temperature: float, dice: Dice) -> Plan:
    """One of the plans, the better the likelier; at temperature 0 one of the best."""
    best = plans[0].rank
    shares: list[float] = []
    total = 0.0
    for plan in plans:
        below = best - plan.rank
        share = math.exp(-below / temperature) if temperature else float(below < 1e-6)  # noqa: PLR2004 - rounding
        total += share
        shares.append(share)
    left = total * float(dice.below(FINE)) / float(FINE)
    for number in range(len(shares)):
        left -= shares[number]
        if left < 0:
            return plans[number]
    return plans[0]


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
