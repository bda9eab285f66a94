"""The table as text, drawn from what one seat sees."""

import re

import pytest

from cartagena import Game
from cartagena.cli.board_text import PlainBrush, draw_discard, draw_table
from cartagena.cli.prompt import TypedChoices
from cartagena.messages.wishes import wishes_message
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import apply
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA, PRESETS, TORTUGA
from cartagena.words import Words
from cartagena.words.sentences import Names
from tests.tables import nest_table, play, retreat, table

NARROW = 80
WIDE = 140


def position_of(preset: str, seats: int) -> Position:
    return Game.start(preset, seats=seats, seed="draw").position


def choices_at(position: Position) -> TypedChoices:
    names = Names(Words("en"), position.ruleset)
    return TypedChoices(names=names, seats=position.seats, wishes=wishes_message(position))


def drawn(position: Position, seat: int | None, width: int = NARROW) -> list[str]:
    names = Names(Words("en"), position.ruleset)
    return draw_table(PlainBrush(names=names, width=width), view(position, seat))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_the_table_fits_its_width_and_shows_every_space(preset: str, seats: int, width: int) -> None:
    position = position_of(preset, seats)
    lines = drawn(position, 0, width)
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    way = "\n".join(lines[: lines.index("")])
    spaces = 36 if preset != "nest" else 35
    assert set(map(int, re.findall(r"\b\d+\b", way))) == set(range(1, spaces + 1))
    for sign in position.ruleset.signs:
        assert way.count(sign) == len(position.board.signs) // len(position.ruleset.signs)


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_colours_do_not_move_anything(width: int) -> None:
    position = position_of("nest", 4)
    names = Names(Words("en"), position.ruleset)
    seen = view(position, 0)
    painted = draw_table(
        PlainBrush(names=names, width=width, paint=lambda _, text: f"\x1b[1m{text}\x1b[0m"), seen
    )
    assert [re.sub(r"\x1b\[\dm", "", line) for line in painted] == drawn(position, 0, width)
    assert painted != drawn(position, 0, width)


def test_a_tunnel_is_drawn_piece_by_piece() -> None:
    position = table(
        TORTUGA,
        red=[9, 9, 37],
        blue=[9, 36],
        hands=("KKS", ""),
        row="HHB",
        discard="DP",
        actions_used=2,
        turn=8,
    )
    assert (
        "\n".join(drawn(position, 0))
        == """\
fort     RRR BBBB
bottle  dagger  hat     key     pistol  skull
 1       2       3       4       5       6
bottle  dagger  hat     key     pistol  skull
 7       8       9 RRB  10      11      12
bottle  dagger  hat     key     pistol  skull
13      14      15      16      17      18
bottle  dagger  hat     key     pistol  skull
19      20      21      22      23      24
bottle  dagger  hat     key     pistol  skull
25      26      27      28      29      30
bottle  dagger  hat     key     pistol  skull
31      32      33      34      35      36 B
sloop    R

row      hat, hat, bottle
stock    94
discard  2, on top: pistol
Red      3 cards: 2x key, skull
Blue     0 cards

Turn 8: Red has 1 action left."""
    )


def test_the_discard_is_listed_from_the_oldest_card_on() -> None:
    names = Names(Words("en"), TORTUGA)
    seen = view(table(TORTUGA, discard="DPK" * 6), None)
    assert draw_discard(PlainBrush(names=names), seen) == [
        "The discard, oldest card first: dagger, pistol, key, dagger, pistol, key,",
        "dagger, pistol, key, dagger, pistol, key, dagger, pistol, key, dagger, pistol,",
        "key.",
    ]


def test_a_wide_screen_has_each_piece_on_one_line() -> None:
    position = table(TORTUGA, red=[9, 9, 37], blue=[9, 36])
    assert drawn(position, 0, WIDE)[2] == (
        " 7 bottle      8 dagger      9 hat    RRB 10 key        11 pistol     12 skull"
    )


@pytest.mark.parametrize(("dock", "island"), [(1, "small island"), (2, "large island")])
def test_the_sloop_lies_at_its_dock(dock: int, island: str) -> None:
    position = nest_table(red="sloop 3", blue="sloop sloop nest", hands=("map MAP", "pa"), dock=dock)
    lines = drawn(position, 1)
    sloop = f"~~ sloop at the {island}, aboard: R BB ~~"
    sea = lines[lines.index("-- large island --") - 2 : lines.index("-- large island --")]
    assert sea == ([sloop, "~~ ~~ ~~"] if dock == 1 else ["~~ ~~ ~~", sloop])
    assert lines[lines.index("-- large island --") + 7] == "nest     B"
    assert "Red      2 cards" in lines
    assert "Blue     1 card: parrot" in lines


def test_an_empty_sloop_and_an_open_crossing_are_said() -> None:
    empty = drawn(nest_table(), None)
    assert "~~ sloop at the small island, aboard: nobody ~~" in empty
    assert "Red is captain and may cross for free." in drawn(nest_table(red="sloop"), None)


def test_cards_to_trim_are_counted() -> None:
    position = nest_table(hands=("MAP map map map map map map map map map", "pa pa pa pa pa pa pa pa"))
    apply(position, play("MAP", "start"))
    lines = drawn(position, 0)
    assert lines[-2:] == ["Red must discard 2 more cards.", "Blue must discard 1 more card."]


def test_a_turned_over_stock_lies_open() -> None:
    ruleset = JAMAICA.with_options(reshuffle="turn_over")
    position = table(ruleset, red=[5, 5, 9], blue=[1], discard="KSH", rest="blue")
    apply(position, retreat(9))
    assert "stock    hat" in drawn(position, None)
    assert "discard  none" in drawn(position, None)


def test_choices_stand_in_two_columns_if_they_fit() -> None:
    position = table(TORTUGA, red=[5, 9], blue=[1], hands=("K", ""), row="HS")
    assert choices_at(position).menu(WIDE) == [
        "  1  retreat 5: to space 1, takes hat    4  play key 5: to space 10",
        "  2  retreat 9: to space 5, takes hat    5  play key 9: to space 10",
        "  3  play key start: to space 4",
    ]
    assert len(choices_at(position).menu(40)) == 5


def test_a_choice_tells_what_it_brings() -> None:
    position = nest_table(red="nest nest nest nest nest 35", blue="20 20 sloop", hands=("ch", ""), dock=2)
    assert [entry.strip() for entry in choices_at(position).menu(10)] == [
        "1  play chest 35: to the nest, wins",
        "2  push blue sloop: to space 20, draws 2 cards",
        "3  push blue 20: to space 35, draws 1 card",
    ]


def test_a_retreat_cut_short_to_one_letter_is_from_the_sloop() -> None:
    position = table(TORTUGA, red=[9, 37], blue=[1])
    choices = choices_at(position)
    assert (choices.chosen("r s"), choices.refusal_of("r s")) == (retreat(37), None)
    refusal = choices.refusal_of("r st")
    assert refusal is not None
    assert refusal.code == Refusal.NO_RETREAT_FROM_START.code
