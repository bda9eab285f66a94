"""The worked examples of the five rulebooks, step by step; the id of a test is the id of its example."""

import pytest

from cartagena.rules.actions import Kind, action_of
from cartagena.rules.board import SEGMENTS, Board, BoardError
from cartagena.rules.codes import CAPTAIN_SAIL, FIRST_PUSH
from cartagena.rules.explain import explain
from cartagena.rules.happenings import Sailed
from cartagena.rules.legality import apply, legal, refusal
from cartagena.rules.places import HOME, SLOOP, bit
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ESCAPE, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.setup import Layout, arrange
from harness.rulebook_examples import (
    COMMENTARY,
    EXAMPLES,
    NAMES,
    Step,
    cards_drawn,
    cards_of,
    docked,
    opening_of,
    other_readings,
    pirates_of,
    played,
    printed,
    reach,
    read,
    ruleset_of,
    seat_of,
    seats_of,
    source,
    steps_of,
    walk,
    ways_of,
)

READINGS = [
    pytest.param(example, reading, id=f"{example}-{name}".removesuffix("-as printed"))
    for example in NAMES
    for name, reading in other_readings(ruleset_of(example)).items()
]


def places(position: Position) -> list[list[int]]:
    """The places of every crew, clockwise."""
    return [crew.places(SLOOP) for crew in position.crews]


def crowd_on(position: Position, space: int) -> list[str]:
    """The crews of the pirates on a space of the tunnel or of island one."""
    crews = zip(seats_of(position.ruleset), position.crews, strict=True)
    return sorted(name for name, crew in crews for _ in range(crew.count(bit(space))))


# Step by step, under every option.


@pytest.mark.parametrize(("example", "reading"), READINGS)
def test_every_step_does_what_the_rulebook_says(example: str, reading: Ruleset) -> None:
    position = opening_of(example, reading)
    for step in steps_of(example):
        assert step.code in legal(position)
        check_foretold(position, step)
        told = apply(position, step.code)
        assert walk(told) == (None if step.target is None else (step.start, step.target))
        assert len(cards_drawn(told)) == step.drawn
        assert step.cards is None or cards_drawn(told) == list(step.cards)
        assert docked(told) == ([] if step.dock is None else [step.dock])
    check_end(example, position)


def check_foretold(position: Position, step: Step) -> None:
    """The explanation of a step agrees with the rulebook before the step is made."""
    foretold = explain(position, step.code)
    assert (foretold.start, foretold.target) == (step.start, step.target)
    assert foretold.gains == step.drawn
    assert foretold.dock == step.dock
    assert step.jumped is None or foretold.jumped == step.jumped
    assert step.cards is None or foretold.cards == step.cards


def check_end(example: str, position: Position) -> None:
    """Pirates, dock, row and hands lie as the example leaves them."""
    ruleset = position.ruleset
    if position.facts.has_crossing:
        end = COMMENTARY["ends"][example]
        assert (places(position), position.dock) == (pirates_of(ruleset, end), end["dock"])
        return
    end = source(example)["after"]
    assert places(position) == pirates_of(ruleset, end)
    assert position.row() == cards_of(ruleset, end["row"])
    hands = {crew: position.crews[seat_of(ruleset, crew)].cards() for crew in end["hands"]}
    assert hands == {crew: sorted(cards_of(ruleset, held)) for crew, held in end["hands"].items()}


@pytest.mark.parametrize("example", list(COMMENTARY["ways"]))
def test_a_way_is_open_or_closed_as_the_rulebook_remarks(example: str) -> None:
    for way in ways_of(example):
        foretold = reach(played(way.example, way.steps), way.crew, way.code)
        assert (foretold.target, foretold.jumped) == (way.target, way.jumped)


# The tunnel of the colour sheet.


def test_the_printed_tunnel_is_laid_from_the_real_segments() -> None:
    data = read("segments.json")
    assert [tuple(segment) for segment in data["segments"].values()] == list(SEGMENTS)
    keys = list(data["segments"])
    order = [keys.index(key) for key, _ in data["printed_board"]]
    turned = [way == "reversed" for _, way in data["printed_board"]]
    assert Board.of_segments(order, turned) == printed(TORTUGA, "blue").board


@pytest.mark.parametrize("example", ["T-R"])
def test_red_makes_a_full_space_of_two_blue_pirates(example: str) -> None:
    assert crowd_on(played(example), 6) == ["blue", "blue", "red"]


@pytest.mark.parametrize("example", ["T-1"])
def test_three_daggers_leave_space_6_empty(example: str) -> None:
    assert crowd_on(played(example), 6) == []


@pytest.mark.parametrize("example", ["T-2"])
def test_three_retreats_bring_the_most_cards_a_turn_can_bring_here(example: str) -> None:
    after = played(example)
    assert [crowd_on(after, space) for space in (12, 17, 18)] == [
        ["blue", "blue", "green"],
        ["red", "red"],
        [],
    ]
    opening = opening_of(example, TORTUGA)
    gained = after.crews[after.seat].hand_size() - opening.crews[opening.seat].hand_size()
    assert gained == most_cards(opening, 3) == 5


def most_cards(position: Position, actions: int) -> int:
    """The most cards that a seat can draw with `actions` actions."""
    if not actions:
        return 0
    most = 0
    for code in legal(position):
        if action_of(ESCAPE, code).kind is not Kind.END_TURN:
            after = position.copy()
            drawn = len(cards_drawn(apply(after, code)))
            most = max(most, drawn + most_cards(after, actions - 1))
    return most


@pytest.mark.parametrize("example", ["T-3"])
def test_the_balanced_turn_fills_17_again_and_clears_18(example: str) -> None:
    after = played(example)
    assert [crowd_on(after, space) for space in (17, 18)] == [["blue", "red", "red"], []]


# The two pictures of the Nest.


@pytest.mark.parametrize("example", ["N1.1"])
def test_a_captain_by_a_tie_crosses_for_free(example: str) -> None:
    position = opening_of(example, PIRATES_NEST)
    assert [crew.aboard for crew in position.crews] == [2, 1, 2, 0]
    assert apply(position, CAPTAIN_SAIL) == [Sailed(0, 2, free=True)]
    assert position.actions_used == 0


@pytest.mark.parametrize("example", ["N1.2"])
def test_three_pushes_bring_six_cards_and_fill_three_spaces(example: str) -> None:
    position = played(example)
    assert position.crews[position.seat].hand_size() == 10
    assert [position.crowd.count(bit(space)) for space in (3, 5, 14)] == [3, 3, 3]


@pytest.mark.parametrize("example", ["N1.3"])
def test_picture_two_is_picture_one_after_the_third_choice(example: str) -> None:
    picture = EXAMPLES["nest"]["picture2"]
    position = played(example)
    assert (places(position), position.dock) == (pirates_of(PIRATES_NEST, picture), picture["dock"])
    assert position.crowd.count(bit(26)) == 0
    assert position.crowd.count(bit(29)) == 3


@pytest.mark.parametrize("reading", other_readings(PIRATES_NEST).values(), ids=lambda _: "N2.0")
def test_blue_with_one_pirate_aboard_is_not_captain(reading: Ruleset) -> None:
    position = opening_of("N2.1", reading)
    assert position.seat == seat_of(reading, "blue")
    assert [crew.aboard for crew in position.crews] == [0, 1, 2, 0]
    assert refusal(position, CAPTAIN_SAIL) is Refusal.NOT_CAPTAIN


@pytest.mark.parametrize("example", ["N2.1"])
def test_the_sloop_takes_three_of_a_crew_beside_two_of_another(example: str) -> None:
    assert [crew.aboard for crew in played(example).crews] == [0, 2, 3, 0]


@pytest.mark.parametrize("example", ["N2.2"])
def test_blue_sails_back_with_nobody_of_its_own_aboard(example: str) -> None:
    before = played(example, 1)
    assert before.crews[before.seat].aboard == 0
    assert played(example, 2).dock == 1


@pytest.mark.parametrize("example", ["N2.3"])
def test_a_pirate_enters_the_nest_because_the_last_compass_is_taken(example: str) -> None:
    position = played(example)
    assert position.crowd.count(bit(34)) == 1
    assert position.crews[position.seat].home == 1


# The two misprints (docs/rules/rulings.md).


@pytest.mark.parametrize("misprint", ["T-1"])
def test_the_english_thirteen_is_not_where_the_second_dagger_goes(misprint: str) -> None:
    position = played(misprint, 1)
    target = explain(position, steps_of(misprint)[1].code).target
    assert target == 15
    assert target != 13


def test_the_english_thirteen_needs_another_tunnel_and_no_tunnel_has_both() -> None:
    signs = list(printed(TORTUGA, "blue").board.signs)
    swapped = [*signs[:12], signs[14], signs[13], signs[12], *signs[15:]]
    position = relaid(played("T-1", 1), Board(ESCAPE, swapped))
    assert explain(position, steps_of("T-1")[1].code).target == 13
    both = [*signs[:12], signs[14], *signs[13:]]
    with pytest.raises(BoardError, match="13 to 18"):
        Board(ESCAPE, both)


def relaid(position: Position, board: Board) -> Position:
    """Return `position` with its pirates and cards on another board."""
    return arrange(
        Layout(
            ruleset=position.ruleset,
            board=board,
            pirates=tuple(tuple(crew.places(HOME)) for crew in position.crews),
            hands=tuple(tuple(crew.cards()) for crew in position.crews),
            stock=position.stock(),
            row=position.row(),
            discard=tuple(position.discard),
            seat=position.seat,
            actions_used=position.actions_used,
        )
    )


@pytest.mark.parametrize("misprint", ["N1.2"])
def test_the_dutch_five_is_not_what_the_second_push_brings(misprint: str) -> None:
    position = opening_of(misprint, PIRATES_NEST)
    drawn = [len(cards_drawn(apply(position, step.code))) for step in steps_of(misprint)]
    assert drawn == [2, 2, 2]
    assert drawn != [2, 5, 2]


@pytest.mark.parametrize("picture", ["N1.1", "N2.1"])
def test_no_push_of_either_picture_brings_more_than_two_cards(picture: str) -> None:
    position = opening_of(picture, PIRATES_NEST)
    assert {explain(position, code).gains for code in legal(position) if code >= FIRST_PUSH} == {1, 2}
