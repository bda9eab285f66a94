"""Positions in the middle of random games, for every test of bots."""

from cartagena.bots.random_games import Dice, playout, random_opening
from cartagena.rules.position import Position
from cartagena.rules.ruleset import Ruleset


def midgame(ruleset: Ruleset, seats: int, seed: int, choices: int = 40) -> Position:
    """The position after `choices` random choices; fewer if the game would be over."""
    while True:
        dice = Dice(seed)
        position = random_opening(ruleset, seats, dice)
        playout(position, dice, choices)
        if not position.over:
            return position
        choices //= 2
