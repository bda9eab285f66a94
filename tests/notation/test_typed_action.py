"""Typing an action: words may be cut short, and what is legal is preferred."""

import pytest

from cartagena.notation import AmbiguousAction, NotationError, find_action, format_action, parse_position
from cartagena.notation.action_text import every_action, every_move
from cartagena.rules.legality import legal, refusal
from cartagena.rules.position import Position
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import JAMAICA
from tests.notation.tables import NEST_TABLE, TORTUGA_TABLE
from tests.tables import nest_table, table


@pytest.fixture
def tortuga() -> Position:
    return parse_position(TORTUGA_TABLE)


@pytest.fixture
def nest() -> Position:
    return parse_position(NEST_TABLE)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("play dagger 6", "play dagger 6"),
        ("p d 6", "play dagger 6"),
        ("P D 6", "play dagger 6"),
        ("p sk st", "play skull start"),
        ("r 17", "retreat 17"),
        ("r 1", "retreat 1"),
        ("end", "end_turn"),
        ("e", "end_turn"),
        ("end turn", "end_turn"),
    ],
)
def test_words_may_be_cut_short(tortuga: Position, typed: str, meant: str) -> None:
    assert format_action("escape", find_action(tortuga, typed)) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cap", "captain_sail"),
        ("captain sail", "captain_sail"),
        ("s", "sail"),
        ("push red st", "push red start"),
        ("p co 28", "play compass 28"),
        ("play gold compass 3", "play gold_compass 3"),
        ("t gold-m", "trim gold_map"),
    ],
)
def test_words_may_be_parted(nest: Position, typed: str, meant: str) -> None:
    assert format_action("nest", find_action(nest, typed)) == meant


def test_the_only_legal_one_is_meant(tortuga: Position) -> None:
    """`r` fits 37 retreats, `s` two places; a legal choice settles both."""
    assert [code for code in legal(tortuga) if 0 < code < 38] == [6, 9, 17, 18]
    with pytest.raises(AmbiguousAction) as caught:
        find_action(tortuga, "r")
    assert caught.value.candidates == (6, 9, 17, 18)
    assert caught.value.expected == "one of retreat 6, retreat 9, retreat 17, retreat 18"
    assert format_action("escape", find_action(tortuga, "p b s")) == "play bottle start"


def test_many_are_not_all_listed(tortuga: Position) -> None:
    with pytest.raises(AmbiguousAction, match=r"one of play .*, play .* or \d+ others, found 'p'"):
        find_action(tortuga, "p")


def test_a_refused_action_is_found_if_it_is_the_only_one(tortuga: Position) -> None:
    code = find_action(tortuga, "r 36")
    assert refusal(tortuga, code) is Refusal.RETREAT_NO_PIRATE_THERE


@pytest.mark.parametrize("typed", ["", "  ", "walk", "²", "walk 9"])
def test_what_begins_no_action_is_told(tortuga: Position, nest: Position, typed: str) -> None:
    for position in (tortuga, nest):
        with pytest.raises(NotationError, match="column 1: expected an action"):
            find_action(position, typed)


@pytest.mark.parametrize(
    ("typed", "word", "column", "nearest"),
    [
        ("plaj skull 9", "plaj", 1, "play"),
        ("play skill 9", "skill", 6, "skull"),
        ("  p\tBotle st", "Botle", 5, "bottle"),
        ("play skull 99", "99", 12, ""),
        ("play skull slop", "slop", 12, "sloop"),
        ("retreat 17 17", "17", 12, ""),
        ("retreat start", "start", 9, ""),
        (f"play {'z' * 5000}", "z" * 5000, 6, ""),
    ],
)
def test_the_word_that_is_wrong_is_pointed_at(
    tortuga: Position, typed: str, word: str, column: int, nearest: str
) -> None:
    with pytest.raises(NotationError) as raised:
        find_action(tortuga, typed)
    assert (raised.value.text, raised.value.column, raised.value.nearest) == (word, column, nearest)
    assert str(raised.value).endswith(f"; did you mean {nearest!r}?") is bool(nearest)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("push vio 3", "column 6: expected red, blue, yellow, found 'vio'"),
        ("play gold  compss 3", "column 6: .*, found 'gold  compss'; did you mean 'gold_compass'?"),
        ("sail 3", "column 6: expected the end of the action, found '3'"),
        ("push red 36", "column 10: expected start, 1 to 35, sloop, nest, found '36'"),
    ],
)
def test_only_what_the_table_has_is_expected(typed: str, told: str) -> None:
    with pytest.raises(NotationError, match=told.replace("?", r"\?")):
        find_action(nest_table(seats=3), typed)


def test_what_is_wrong_does_not_depend_on_the_cards() -> None:
    tables = [
        table(JAMAICA, red="1.1", blue="1", hands=(cards, "B"), stock="KS") for cards in ("", "SS", "DHK")
    ]
    for typed in ("play skill 1", "retreat sloup", "decline 3", "play hat 3 3"):
        told = set()
        for position in tables:
            with pytest.raises(NotationError) as raised:
                find_action(position, typed)
            told.add(str(raised.value))
        assert len(told) == 1


def test_what_a_game_does_not_have_cannot_be_meant(tortuga: Position) -> None:
    with pytest.raises(NotationError) as raised:
        find_action(tortuga, "decline 17")
    assert raised.value.expected == "an action (play, retreat, end_turn)"


def test_where_cards_may_be_declined_that_is_an_action() -> None:
    position = table(JAMAICA.with_options(may_decline=True), red="1.1", hands=("B",))
    assert find_action(position, "d") == find_action(position, "decline 3") == 269
    assert find_action(position, "r") == 3
    with pytest.raises(NotationError) as raised:
        find_action(position, "dance")
    assert raised.value.expected == "an action (play, retreat, decline, end_turn)"


def test_a_move_stands_for_its_text_wherever_words_are_kept() -> None:
    code, move = next(iter(every_move(JAMAICA, 2).items()))
    assert str(move) == every_action(JAMAICA, 2)[code]
    assert {move: "kept"}[move] == "kept"
    assert hash(move) == hash(str(move))
