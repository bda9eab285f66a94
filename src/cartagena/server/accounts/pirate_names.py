"""Names for guests who bring none."""

from collections.abc import Callable
from typing import Final

FIRST: Final = """
Barnacle Black-Eyed Brave Briny Bristly Copper Crafty Curly Daring Drowsy Fearless Fiddling Foggy Gentle
Gilded Grinning Gusty Hasty Hungry Iron Jolly Laughing Left-Handed Limping Lucky Merry Moonlit Muddy
Mumbling Old One-Eared Patient Pegleg Quiet Rambling Red Restless Rusty Salty Scarlet Seasick Silent Silver
Singing Sleepless Sly Squinting Stormy Sunburnt Tattooed Thirsty Tidal Wandering Whistling Wily Windy
"""
"""How a pirate is."""

SECOND: Final = """
Agnes Alonso Amparo Anselm Bartolo Beatriz Bess Bram Caspar Cato Cecily Clara Cosmo Delia Diego Dora Edda
Elias Esteban Fergus Finn Florin Greta Gus Hanne Hector Ines Iskra Jago Joost Jory Juana Kees Lars Leonor
Lorcan Lotte Luz Maeve Marisol Mateo Nell Nils Olga Oskar Paloma Pepe Quim Ragna Rosa Rufus Saskia Sigrid
Silvestre Tamsin Thea Tomas Ulla Ursel Vicente Wout Ximena Yara Zacharias
"""
"""What a pirate is called at home."""


def pirate_name(chance: Callable[[int], bytes]) -> str:
    """A friendly name drawn by chance.

    >>> pirate_name(bytes)
    'Barnacle Agnes'
    """
    return f"{_drawn(FIRST, chance)} {_drawn(SECOND, chance)}"


def _drawn(words: str, chance: Callable[[int], bytes]) -> str:
    choices = words.split()
    return choices[int.from_bytes(chance(4)) % len(choices)]
