"""R8 Undo, in both games."""

from collections.abc import Sequence

import pytest

from cartagena.rules.codes import CAPTAIN_SAIL, END_TURN, SAIL
from cartagena.rules.happenings import Drew, Renewed, Sailed
from cartagena.rules.legality import apply
from cartagena.rules.places import HOME
from cartagena.rules.position import CHANCE, Position
from cartagena.rules.refusals import IllegalAction, PositionError, Refusal
from cartagena.rules.ruleset import JAMAICA, TORTUGA
from cartagena.rules.undoable_game import UNDOS_PER_TURN, Event, UndoableGame
from tests.tables import BLUE, RED, cards, hand, nest_table, places, play, push, retreat, table, trim, truth

ON_DEMAND = TORTUGA.with_options(row_refill="on_demand")
SEVEN = "ca ca ch ch co co du"


def backwards(due: Sequence[int]) -> list[int]:
    """An order that differs from the sorted one."""
    return sorted(due, reverse=True)


def played(position: Position, *codes: int) -> UndoableGame:
    """A game in which these choices were made."""
    game = UndoableGame(position)
    for code in codes:
        game.act(code, backwards)
    return game


def standing(position: Position) -> dict[str, object]:
    """Everything a position knows except what was seen on the way, which stays seen (R8.10)."""
    known = truth(position)
    del known["log"]
    return known


def assert_undo_restores(position: Position, *codes: int) -> None:
    """Each choice, taken back, leaves the position as it was before it."""
    game = UndoableGame(position)
    for code in codes:
        before = standing(game.position)
        events = list(game.events)
        game.act(code, backwards)
        assert standing(game.position) != before
        game.undo()
        assert standing(game.position) == before
        assert game.events == events
        game.act(code, backwards)


def assert_refused(game: UndoableGame, refusal: Refusal) -> None:
    """Undo is refused for this reason and changes nothing."""
    before = truth(game.position)
    events = list(game.events)
    assert game.refusal_of_undo() is refusal
    with pytest.raises(IllegalAction) as caught:
        game.undo()
    assert caught.value.refusal is refusal
    assert truth(game.position) == before
    assert game.events == events


# What undo restores.


@pytest.mark.rule("R8.2")
def test_undo_restores_the_position_before_the_last_choice() -> None:
    assert_undo_restores(
        table(red="1....1", blue="..1", hands=("BBS", "D"), discard="KK"),
        play("B", 0),
        play("S", 1),
        play("B", 6),
    )


@pytest.mark.rule("R8.2")
def test_a_draw_from_the_row_can_be_taken_back() -> None:
    assert_undo_restores(
        table(TORTUGA, red="1....11", row="KSHBD", hands=("", "D")), retreat(6), retreat(7), play("K", 0)
    )


@pytest.mark.rule("R8.2")
def test_a_pirate_that_boarded_can_be_taken_back() -> None:
    assert_undo_restores(table(red=[31, 1], hands=("BB", "B"), turn=4), play("B", 31), play("B", 1))


@pytest.mark.rule("R8.2")
def test_actions_used_are_restored() -> None:
    game = played(table(hands=("BBB",)), play("B", 0), play("B", 0), play("B", 0))
    used = [game.position.actions_used]
    for _ in range(3):
        game.undo()
        used.append(game.position.actions_used)
    assert used == [3, 2, 1, 0]


@pytest.mark.rule("R8.2")
def test_the_free_crossing_is_restored() -> None:
    game = played(nest_table(red="sloop 1", hands=("map", "map")), CAPTAIN_SAIL)
    assert (game.position.dock, game.position.crossing_open) == (2, False)
    game.undo()
    assert (game.position.dock, game.position.crossing_open) == (1, True)
    game.act(play("map", "1"), backwards)
    assert not game.position.crossing_open
    game.undo()
    assert game.position.crossing_open


@pytest.mark.rule("R8.2")
def test_with_nothing_done_there_is_nothing_to_undo() -> None:
    assert_refused(UndoableGame(table(hands=("B",))), Refusal.NOTHING_TO_UNDO)


@pytest.mark.rule("R8.2")
@pytest.mark.rule("R8.3")
def test_undo_goes_back_to_the_beginning_of_the_turn_and_no_further() -> None:
    opening = table(hands=("BBB", "B"))
    game = played(opening, play("B", 0), play("B", 0), play("B", 0))
    for _ in range(3):
        game.undo()
    assert standing(game.position) == standing(opening)
    assert game.events == []
    assert_refused(game, Refusal.NOTHING_TO_UNDO)


@pytest.mark.rule("R8.3")
def test_undo_goes_back_to_the_last_barrier_and_no_further() -> None:
    game = played(table(red="11", hands=("BD", "B"), stock="K"), play("B", 0), retreat(2))
    before = standing(game.position)
    game.act(play("D", 0), backwards)
    game.undo()
    assert standing(game.position) == before
    assert_refused(game, Refusal.REVEALED)


@pytest.mark.rule("R8.3")
def test_the_choices_before_the_last_barrier_stay_made() -> None:
    game = played(table(red="11", hands=("DH",), discard="BS", rest="blue"), retreat(2), play("D", 0))
    assert hand(game.position, RED) == "HS"
    game.act(play("H", 0), backwards)
    game.undo()
    game.undo()
    assert (hand(game.position, RED), places(game.position, RED)) == ("DHS", [0, 0, 0, 0, 1, 1])
    assert game.position.stock() == cards("B")
    assert_refused(game, Refusal.REVEALED)


# Barriers.


@pytest.mark.rule("R8.4")
@pytest.mark.parametrize(
    ("position", "code"),
    [
        (table(red="11"), retreat(2)),
        (nest_table(blue="1 2"), push(BLUE, "1")),
        (table(TORTUGA, red="11", row="K"), retreat(2)),
        (table(TORTUGA, red="21", row="KS"), retreat(2)),
        (table(TORTUGA, red="11"), retreat(2)),
        (table(ON_DEMAND, red="21", row="K"), retreat(2)),
    ],
    ids=["from the stock", "in the nest", "last of the row", "last two", "no row", "next row on demand"],
)
def test_a_choice_during_which_a_card_left_the_stock_is_a_barrier(position: Position, code: int) -> None:
    assert_refused(played(position, code), Refusal.REVEALED)


@pytest.mark.rule("R8.5")
@pytest.mark.parametrize("reshuffle", ["shuffle", "turn_over"])
def test_a_choice_during_which_the_discard_was_renewed_is_a_barrier(reshuffle: str) -> None:
    ruleset = JAMAICA.with_options(reshuffle=reshuffle)
    game = played(table(ruleset, red="11", hands=("B",), discard="SS", rest="blue"), retreat(2))
    assert game.position.renewals == 1
    assert_refused(game, Refusal.REVEALED)


@pytest.mark.rule("R8.5")
def test_it_is_one_from_the_moment_the_order_is_due() -> None:
    position = table(red="11", discard="SS", rest="blue")
    apply(position, retreat(2))
    assert (position.to_act, position.barriers) == (CHANCE, 1)


@pytest.mark.rule("R8.6")
def test_a_gold_play_that_makes_somebody_discard_is_a_barrier() -> None:
    game = played(nest_table(hands=("MAP", f"{SEVEN} te")), play("MAP", "start"))
    assert_refused(game, Refusal.REVEALED)


@pytest.mark.rule("R8.6")
def test_so_is_every_trim() -> None:
    game = played(
        nest_table(hands=("MAP ma", f"{SEVEN} te te")), play("MAP", "start"), trim("te"), trim("ca")
    )
    assert (game.position.seat, game.position.to_act) == (RED, RED)
    assert_refused(game, Refusal.REVEALED)
    game.act(play("ma", "start"), backwards)
    game.undo()
    assert_refused(game, Refusal.REVEALED)


@pytest.mark.rule("R8.6")
def test_between_two_trims_too() -> None:
    game = played(nest_table(hands=("MAP", f"{SEVEN} te te")), play("MAP", "start"), trim("te"))
    assert game.position.to_act == BLUE
    assert_refused(game, Refusal.REVEALED)


@pytest.mark.rule("R8.7")
@pytest.mark.parametrize(
    ("position", "code"),
    [
        (table(hands=("B",)), play("B", 0)),
        (table(TORTUGA, red="11", row="KS"), retreat(2)),
        (table(TORTUGA, red="21", row="KSH"), retreat(2)),
        (table(ON_DEMAND, red="11", row="K"), retreat(2)),
        (table(red="11", rest="blue"), retreat(2)),
        (table(TORTUGA, red="11", rest="blue"), retreat(2)),
        (table(TORTUGA, red="11", row="K", rest="blue"), retreat(2)),
        (nest_table(red="sloop"), SAIL),
        (nest_table(red="sloop"), CAPTAIN_SAIL),
        (nest_table(hands=("MAP", SEVEN)), play("MAP", "start")),
        (nest_table(blue="1 2", rest="blue"), push(BLUE, "1")),
    ],
    ids=[
        "card from a hidden hand",
        "one from the row",
        "two from the row",
        "last of the row, on demand",
        "no card",
        "no card and no row",
        "last card of all",
        "crossing",
        "free crossing",
        "gold without surplus",
        "push without a card",
    ],
)
def test_nothing_else_is_a_barrier(position: Position, code: int) -> None:
    assert_undo_restores(position, code)


# The end of a turn and of the game.


@pytest.mark.rule("R8.8")
def test_the_end_of_a_turn_cannot_be_undone() -> None:
    game = played(table(hands=("BB", "BB")), play("B", 0), END_TURN)
    assert_refused(game, Refusal.NOTHING_TO_UNDO)
    game.act(play("B", 0), backwards)
    game.undo()
    assert game.position.to_act == BLUE
    assert_refused(game, Refusal.NOTHING_TO_UNDO)
    assert [event.code for event in game.events] == [play("B", 0), END_TURN]


@pytest.mark.rule("R8.8")
def test_nor_can_a_win() -> None:
    assert_refused(played(table(red=[31, *[HOME] * 5], hands=("B",)), play("B", 31)), Refusal.GAME_OVER)


@pytest.mark.rule("R8.8")
@pytest.mark.parametrize("turn", [1, 80], ids=["dead", "quiet"])
def test_nor_any_other_end_of_the_game(turn: int) -> None:
    blue = "B" if turn == 80 else ""
    game = played(table(hands=("B", blue), turn=turn), play("B", 0), END_TURN)
    assert game.position.over
    assert_refused(game, Refusal.GAME_OVER)


# How often.


@pytest.mark.rule("R8.9")
def test_a_seat_undoes_at_most_ten_times_in_a_turn() -> None:
    game = UndoableGame(table(hands=("BB", "B")))
    for _ in range(10):
        game.act(play("B", 0), backwards)
        game.undo()
    game.act(play("B", 0), backwards)
    assert (game.undos_used, UNDOS_PER_TURN) == (10, 10)
    assert_refused(game, Refusal.TOO_MANY_UNDOS)


@pytest.mark.rule("R8.9")
def test_the_next_turn_has_ten_of_its_own() -> None:
    game = UndoableGame(table(hands=("BB", "BB")))
    for _ in range(10):
        game.act(play("B", 0), backwards)
        game.undo()
    game.act(play("B", 0), backwards)
    game.act(END_TURN, backwards)
    assert game.undos_used == 0
    game.act(play("B", 0), backwards)
    game.undo()
    assert game.undos_used == 1


# The game keeps its events.


def test_a_game_keeps_its_opening_and_every_event() -> None:
    opening = table(red="11", hands=("B", "B"), discard="SK", rest="blue")
    game = UndoableGame(opening)
    before = truth(opening)
    assert game.act(play("B", 0), backwards)
    told = game.act(retreat(2), backwards)
    assert told[1:] == [Renewed(3, None), Drew(RED, 5, from_row=False)]
    assert game.events == [Event(play("B", 0)), Event(retreat(2), (cards("SKB"),))]
    assert truth(opening) == truth(game.opening) == before


def test_a_game_is_replayed_from_its_events() -> None:
    game = played(
        table(red="11", hands=("B",), discard="SK", rest="blue"), play("B", 0), retreat(2), END_TURN
    )
    again, live = UndoableGame(game.opening), UndoableGame(game.opening)
    for event in game.events:
        assert again.replay(event) == live.act(event.code, backwards) != []
    assert truth(again.position) == truth(game.position)
    assert again.events == game.events


@pytest.mark.parametrize("orders", [(), (cards("S"),), (cards("SS"),), (cards("SK"), cards("SK"))])
def test_a_replay_refuses_orders_that_do_not_fit(orders: tuple[tuple[int, ...], ...]) -> None:
    game = UndoableGame(table(red="11", discard="SK", rest="blue"))
    with pytest.raises(PositionError):
        game.replay(Event(retreat(2), orders))


def test_a_refused_choice_is_no_event() -> None:
    game = UndoableGame(table(hands=("B",)))
    with pytest.raises(IllegalAction):
        game.act(END_TURN, backwards)
    assert game.events == []
    assert_refused(game, Refusal.NOTHING_TO_UNDO)


def test_a_game_of_the_nest_tells_its_happenings() -> None:
    assert UndoableGame(nest_table(red="sloop")).act(SAIL, backwards) == [Sailed(RED, 2, free=False)]


@pytest.mark.rule("R2.16")
@pytest.mark.parametrize("wrong", [[], [0, 0, 0]])
def test_an_order_that_does_not_fit_leaves_the_game_as_it_was(wrong: list[int]) -> None:
    game = UndoableGame(table(JAMAICA, red=[9], blue=[4], hands=("B", "D"), rest="discard"))
    before = truth(game.position)
    with pytest.raises(PositionError):
        game.act(retreat(9), lambda _due: wrong)
    assert truth(game.position) == before
    assert game.events == []
    game.act(retreat(9), backwards)
    assert game.position.renewals == 1


def test_a_fork_goes_on_without_the_game_it_comes_from() -> None:
    game = UndoableGame(table(hands=("BDH", "D")))
    game.act(play("B", 0), backwards)
    before, events = truth(game.position), list(game.events)
    fork = game.fork()
    fork.act(play("D", 0), backwards)
    fork.undo()
    fork.undo()
    assert truth(game.position) == before
    assert game.events == events
    assert (fork.undos_used, game.undos_used) == (2, 0)
    game.undo()
    assert hand(game.position, RED) == hand(fork.position, RED)
