"""Two tables that tests sit at: the printed position of Tortuga, and one of the Nest."""

from cartagena.notation import format_position, parse_sight

TORTUGA_TABLE = """\
# The colour sheet of the rulebook: blue has the turn.
Ruleset: tortuga
Board: bottle pistol hat skull dagger key | dagger bottle key pistol hat skull | \
pistol key dagger hat skull bottle | hat key pistol bottle skull dagger | \
pistol hat dagger skull bottle key | skull pistol bottle key dagger hat
red: 5 8 17*2 22 26 / bottle skull pistol*3
blue: start 6*2 9 17 18 / dagger*4 skull*2 bottle pistol hat
yellow: start 9 21 30 33 sloop / bottle key skull
green: start 11 12 19*2 29 / key skull*2 hat pistol*2 bottle
Row: bottle dagger*2 hat pistol bottle dagger skull*2
Stock: bottle*4 dagger*4 hat*4 key*5 pistol*4 skull*4
Discard: bottle*7 dagger*6 hat*10 key*10 pistol*6 skull*5
Turn: 30 blue
Used: 1
Progress: 20
"""

NEST_TABLE = """\
Ruleset: nest
Board: parrot map cannon chest compass ducats telescope | chest telescope compass cannon parrot map ducats | \
cannon compass map chest telescope parrot ducats | ducats parrot map compass cannon telescope chest | \
parrot chest telescope ducats compass map cannon
red: start*2 5 16 20 28 / parrot chest map telescope
blue: start 5 13 18 25 sloop / chest parrot cannon compass ducats
yellow: start 3*2 28 sloop*2 / compass*3 map
green: 3 9 14*2 sloop*2 / map telescope ducats
Stock: cannon*6 chest*6 compass*4 ducats*6 map*6 parrot*6 telescope*6 gold_cannon gold_map
Discard: cannon*7 chest*6 compass*6 ducats*6 map*5 parrot*6 telescope*6 \
gold_chest gold_compass gold_ducats gold_parrot gold_telescope
Turn: 11 yellow
"""


def canonical(text: str) -> str:
    """Return the table as the notation itself writes it."""
    return format_position(parse_sight(text))
