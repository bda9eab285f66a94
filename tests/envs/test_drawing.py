"""The table as plain text shows what a view shows."""

from cartagena.envs.common import draw
from cartagena.rules.hidden.view import view
from cartagena.rules.position import TRIM, WON
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from tests.properties.records import Short
from tests.tables import BLUE, RED, nest_table, table
from tests.views.test_view_law import LONG

TUNNEL = """\
tortuga, turn 4, red: actions left 2
start: RR BBBBB
 1 bot RB   2 dag      3 hat RR   4 key      5 pis      6 sku
 7 bot      8 dag      9 hat     10 key     11 pis     12 sku
13 bot     14 dag     15 hat     16 key     17 pis     18 sku
19 bot     20 dag     21 hat     22 key     23 pis     24 sku
25 bot     26 dag     27 hat     28 key     29 pis     30 sku
31 bot     32 dag     33 hat     34 key     35 pis     36 sku
sloop: R
row: bottle dagger hat key
stock: 92
discard: bottle skull
red: key*2 skull
blue: bottle
"""

ISLANDS = """\
nest, turn 1, red: actions left 3, crossing open
start: R BBBBB
 1 can      2 che      3 com RR   4 duc      5 map      6 par      7 tel
 8 can      9 che     10 com     11 duc     12 map     13 par     14 tel B
sloop (dock 1): R
15 can     16 che     17 com     18 duc     19 map     20 par R   21 tel
22 can     23 che     24 com     25 duc     26 map     27 par     28 tel
29 can     30 che     31 com     32 duc     33 map     34 par     35 tel
nest: R
stock: 102
discard: none
red: ?*2
blue: parrot
"""


def first_line(drawing: str) -> str:
    return drawing.partition("\n")[0]


def test_the_tunnel_with_open_hands() -> None:
    position = table(
        TORTUGA, red="1 2 >1", blue="1", hands=("KKS", "B"), row="BDHK", discard="SB", actions_used=1, turn=4
    )
    assert draw(view(position, RED)) == TUNNEL


def test_the_islands_with_the_other_hand_hidden() -> None:
    position = nest_table(red="3 3 sloop 20 nest", blue="14", hands=("map MAP", "pa"))
    assert draw(view(position, BLUE)) == ISLANDS


def test_a_trim() -> None:
    position = LONG[-1].game().position
    assert position.phase == TRIM
    assert first_line(draw(view(position, RED))) == "nest, turn 21, blue: cards to trim 23"


def test_the_end() -> None:
    won = Short(ruleset=TORTUGA, seats=2, seed=1, taste="any", actions=3000).end().position
    assert won.ending == WON
    winner = ("red", "blue")[won.winner]
    assert first_line(draw(view(won, RED))) == f"tortuga, turn {won.turn}, won: the winner is {winner}"
    hurried = JAMAICA.with_options(quiet_rounds=1)
    quiet = Short(ruleset=hurried, seats=2, seed=1, taste="cards", actions=90).end().position
    assert first_line(draw(view(quiet, RED))) == "jamaica, turn 2, quiet: no winner"
