"""Explanations and the wish table: what each choice would do, or why it is refused."""

from collections.abc import Iterator, Sequence

import pytest

from cartagena.rules.actions import ACTIONS, Action, Kind, action_of, code_of
from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL, codes_of
from cartagena.rules.explain import Explanation, explain, explanations, refused, wishes
from cartagena.rules.happenings import Drew
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME, START
from cartagena.rules.position import Position
from cartagena.rules.refusals import IllegalAction, Refusal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from tests.properties.records import Short
from tests.tables import BLUE, RED, cards, nest_table, play, push, retreat, table, trim, truth

ON_DEMAND = TORTUGA.with_options(row_refill="on_demand")
MAY_DECLINE = JAMAICA.with_options(may_decline=True)
STAYS_ABOARD = JAMAICA.with_options(retreat_from_sloop=False)
SEVEN = "ca ca ch ch co co du"


# What a choice would do.


def test_a_play_tells_from_where_to_where() -> None:
    position = table(red="..1", hands=("P",))
    assert explain(position, play("P", 3)) == Explanation(code=play("P", 3), start=3, target=5)


def test_a_play_tells_which_spaces_of_its_sign_it_jumps() -> None:
    position = table(red="1.1", blue="......2.1...3", hands=("B",))
    explanation = explain(position, play("B", 1))
    assert (explanation.start, explanation.target, explanation.jumped) == (1, 19, (7, 13))


def test_a_play_that_boards_jumps_all_that_is_ahead() -> None:
    position = table(red=[19, 20], blue=[25, 31], hands=("B",))
    explanation = explain(position, play("B", 19))
    assert (explanation.target, explanation.jumped, explanation.wins) == (HOME, (25, 31), False)


def test_a_play_that_wins_says_so() -> None:
    position = table(red=[31, *[HOME] * 5], hands=("B",))
    assert explain(position, play("B", 31)) == Explanation(
        code=play("B", 31), start=31, target=HOME, wins=True
    )


def test_a_retreat_tells_which_full_spaces_it_jumps_and_how_many_cards_it_gains() -> None:
    position = table(red="......1", blue="2.3..1", yellow="...3.1", violet=".....1", hands=("B",))
    assert explain(position, retreat(7)) == Explanation(
        code=retreat(7), start=7, target=1, jumped=(3, 4, 6), gains=2, reveals=True
    )


def test_ones_own_full_space_is_not_jumped() -> None:
    position = table(red="...3", blue="1")
    assert explain(position, retreat(4)).jumped == ()


def test_cards_that_lie_open_are_named() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="KSH")
    assert explain(position, retreat(2)) == Explanation(
        code=retreat(2), start=2, target=1, gains=2, cards=cards("KS")
    )


def test_of_two_cards_only_the_one_in_the_row_is_named() -> None:
    position = table(TORTUGA, red=".1", blue="2", row="K")
    explanation = explain(position, retreat(2))
    assert (explanation.gains, explanation.cards, explanation.reveals) == (2, cards("K"), True)


def test_a_card_of_the_stock_is_never_named() -> None:
    explanation = explain(table(red=".1", blue="2", stock="KS"), retreat(2))
    assert (explanation.gains, explanation.cards, explanation.reveals) == (2, (), True)


def test_taking_the_last_card_of_the_row_reveals_the_next_row() -> None:
    assert explain(table(TORTUGA, red="11", row="K"), retreat(2)).reveals
    assert not explain(table(TORTUGA, red="11", row="KS"), retreat(2)).reveals
    assert not explain(table(ON_DEMAND, red="11", row="K"), retreat(2)).reveals


@pytest.mark.rule("R8.5")
def test_renewing_the_discard_reveals_something() -> None:
    explanation = explain(table(red="11", discard="K", rest="blue"), retreat(2))
    assert (explanation.gains, explanation.reveals) == (1, True)


@pytest.mark.parametrize("ruleset", [JAMAICA, TORTUGA, ON_DEMAND], ids=["jamaica", "immediate", "on demand"])
@pytest.mark.parametrize("stock", ["", "K", "KS", "KSH"])
@pytest.mark.parametrize("discard", ["", "B", "BD", "BDH"])
@pytest.mark.parametrize("row", ["", "P", "PP"])
def test_the_gain_is_what_will_be_drawn(ruleset: object, stock: str, discard: str, row: str) -> None:
    if ruleset is JAMAICA and row:
        stock = row + stock
        row = ""
    position = table(
        ruleset,  # type: ignore[arg-type]  # pytest reads the ids of rulesets
        red=".1",
        blue="2",
        row=row,
        stock=stock,
        discard=discard,
        rest="blue",
    )
    told = UndoableGame(position).act(retreat(2), sorted)
    assert explain(position, retreat(2)).gains == sum(isinstance(happening, Drew) for happening in told)


def test_the_end_of_a_turn_moves_nobody() -> None:
    position = table(hands=("B", "B"), actions_used=1)
    assert explain(position, END_TURN) == Explanation(code=END_TURN)


def test_a_crossing_tells_the_dock_it_goes_to() -> None:
    position = nest_table(red="sloop 1")
    assert explain(position, SAIL) == Explanation(code=SAIL, dock=2)
    assert explain(position, CAPTAIN_SAIL) == Explanation(code=CAPTAIN_SAIL, dock=2)


def test_a_gold_card_jumps_the_spaces_of_its_sign() -> None:
    position = nest_table(red="1", blue="5 6", hands=("MAP",))
    explanation = explain(position, play("MAP", "1"))
    assert (explanation.target, explanation.jumped, explanation.reveals) == (12, (5,), False)


def test_a_gold_card_that_makes_somebody_discard_reveals_something() -> None:
    position = nest_table(hands=("MAP", f"{SEVEN} te"))
    assert explain(position, play("MAP", "start")).reveals


def test_a_push_jumps_full_spaces() -> None:
    position = nest_table(red="1 3 3 3", blue="2 9")
    assert explain(position, push(BLUE, "2")) == Explanation(
        code=push(BLUE, "2"), start=2, target=9, jumped=(3,), gains=1, reveals=True
    )


def test_a_trim_moves_nobody_and_cannot_be_undone() -> None:
    position = nest_table(hands=("MAP", f"{SEVEN} te"))
    apply(position, play("MAP", "start"))
    assert explain(position, trim("te")) == Explanation(code=trim("te"), reveals=True)


def test_to_explain_changes_nothing() -> None:
    position = table(red="11", hands=("B",), discard="K", rest="blue")
    before = truth(position)
    explain(position, retreat(2))
    wishes(position)
    assert truth(position) == before


def test_what_is_refused_cannot_be_explained() -> None:
    position = table(hands=("B",))
    with pytest.raises(IllegalAction) as caught:
        explain(position, END_TURN)
    assert caught.value.refusal is Refusal.MUST_ACT
    with pytest.raises(IllegalAction):
        explanations(position, [play("B", 0), END_TURN])


def game_of(ruleset: Ruleset, seats: int, taste: str) -> Iterator[Position]:
    """The positions of a long random game in which a seat is to act."""
    record = Short(ruleset=ruleset, seats=seats, seed=seats, taste=taste, actions=400)
    for game, _ in record.moments():
        if game.position.to_act >= 0:
            yield game.position


LONG_GAMES = pytest.mark.parametrize(
    ("ruleset", "seats", "taste"),
    [
        (JAMAICA, 2, "cards"),
        (STAYS_ABOARD, 3, "walks"),
        (JAMAICA.with_options(reshuffle="turn_over", pass_allowed=True), 4, "cards"),
        (TORTUGA, 2, "any"),
        (ON_DEMAND, 5, "cards"),
        (MAY_DECLINE, 3, "any"),
        (PIRATES_NEST, 2, "cards"),
        (PIRATES_NEST.with_options(reshuffle="turn_over"), 3, "any"),
        (PIRATES_NEST.with_options(captain_needs_aboard=False, pass_allowed=True), 5, "walks"),
    ],
)


@pytest.mark.sampled
@LONG_GAMES
def test_many_choices_are_explained_as_each_is_alone(ruleset: Ruleset, seats: int, taste: str) -> None:
    for position in game_of(ruleset, seats, taste):
        before = truth(position)
        assert explanations(position, legal(position)) == [
            explain(position, code) for code in legal(position)
        ]
        assert truth(position) == before


# The wish table.

POSITIONS = {
    "a fresh turn": table(red="1.2 > 1", blue="..1..1", hands=("BKK", "S")),
    "an action done": table(red="1.2 > 1", blue="..1", hands=("B", "S"), actions_used=1),
    "three actions done": table(red="1.2", blue="..1", hands=("B", "S"), actions_used=3),
    "stays aboard": table(STAYS_ABOARD, red="> 2", blue="1", hands=("D", "S")),
    "cards may be declined": table(MAY_DECLINE, red="1.2 > 1", blue="..1", hands=("B", "S")),
    "an open row": table(TORTUGA, red="1.2 > 1", blue="..1", hands=("B", "S"), row="KS"),
    "the nest": nest_table(red="1 sloop", blue="3 20 nest", yellow="3 sloop", hands=("map MAP", "pa")),
    "the other dock": nest_table(red="1 sloop", blue="3 20 nest", hands=("map MAP",), dock=2, actions_used=1),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_choices_are_explained_together_as_each_is_alone(position: Position) -> None:
    assert explanations(position, legal(position)) == [explain(position, code) for code in legal(position)]


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_every_wish_has_an_explanation_or_a_refusal_and_never_both(position: Position) -> None:
    for wish in wishes(position):
        code = code_of(wish.action)
        assert (wish.explanation is None) != (wish.refusal is None)
        if code is None:
            assert (wish.action.place, wish.refusal) == (START, Refusal.NO_RETREAT_FROM_START)
        else:
            assert wish.refusal is refusal(position, code)
            assert wish.explanation == (explain(position, code) if wish.refusal is None else None)


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_the_wishes_that_can_come_true_are_the_legal_actions(position: Position) -> None:
    possible = [wish.explanation.code for wish in wishes(position) if wish.explanation is not None]
    assert possible == legal(position)


def reasons(position: Position) -> dict[int, Refusal]:
    """Why each code that has a meaning at this table is refused, asked one by one."""
    asked = {
        code: refusal(position, code)
        for code, action in ACTIONS[position.ruleset.family].items()
        if code < codes_of(position.ruleset) and (action.crew is None or action.crew < position.seats)
    }
    return {code: reason for code, reason in asked.items() if reason is not None}


def told_in_runs(position: Position) -> dict[int, Refusal]:
    """Why each code is refused, from the runs of codes; a code may be in only one of them."""
    told: dict[int, Refusal] = {}
    for reason, runs in refused(position):
        for first, last in runs:
            codes = range(first, last + 1)
            assert codes
            assert not told.keys() & codes
            told |= dict.fromkeys(codes, reason)
    return told


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_runs_of_codes_say_why_each_choice_is_refused(position: Position) -> None:
    assert told_in_runs(position) == reasons(position)


@pytest.mark.sampled
@LONG_GAMES
def test_they_do_so_in_every_moment_of_a_game(ruleset: Ruleset, seats: int, taste: str) -> None:
    for position in game_of(ruleset, seats, taste):
        assert told_in_runs(position) == reasons(position)


def test_choices_that_are_refused_alike_are_told_together() -> None:
    position = table(red=[31, *[HOME] * 5], blue="3", hands=("B",), actions_used=3)
    assert refused(position) == [(Refusal.NO_ACTIONS_LEFT, [(1, 265)])]


def count(position: Position, kind: Kind) -> int:
    """How many wishes of one kind the table holds."""
    return sum(wish.action.kind is kind for wish in wishes(position))


def test_cartagena_has_a_wish_for_every_card_and_place() -> None:
    position = POSITIONS["a fresh turn"]
    counted = [count(position, kind) for kind in (Kind.PLAY, Kind.RETREAT, Kind.END_TURN)]
    assert counted == [6 * 38, 38, 1]
    assert len(wishes(position)) == 6 * 38 + 38 + 1


def test_the_nest_has_a_wish_for_every_crew_that_plays() -> None:
    position = POSITIONS["the nest"]
    kinds: Sequence[Kind] = (Kind.PLAY, Kind.PUSH, Kind.SAIL, Kind.CAPTAIN_SAIL, Kind.TRIM, Kind.END_TURN)
    assert [count(position, kind) for kind in kinds] == [14 * 38, 3 * 38, 1, 1, 14, 1]
    assert count(position, Kind.RETREAT) == 0


def test_no_wish_comes_twice() -> None:
    for position in POSITIONS.values():
        actions = [wish.action for wish in wishes(position)]
        assert len(set(actions)) == len(actions)


def test_nobody_wishes_while_chance_acts_or_when_the_game_is_over() -> None:
    due = table(red="11", hands=("B",), discard="K", rest="blue")
    apply(due, retreat(2))
    over = table(red=[31, *[HOME] * 5], hands=("B",))
    apply(over, play("B", 31))
    assert wishes(due) == wishes(over) == []
    assert refused(due) == refused(over) == []


def test_the_first_seat_wishes_too() -> None:
    assert wishes(table(hands=("B",), seat=RED))[0].action == Action(kind=Kind.END_TURN)
    assert action_of("escape", 0) == Action(kind=Kind.END_TURN)
