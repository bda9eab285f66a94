"""Rulesets as one line."""

from dataclasses import replace

import pytest
from hypothesis import given

from cartagena.notation import NotationError, format_ruleset, parse_ruleset
from cartagena.rules.ruleset import JAMAICA, OPTIONS, OPTIONS_BY_NAME, PIRATES_NEST, PRESETS, TORTUGA, Ruleset
from tests.properties.records import rulesets


@given(rulesets())
def test_every_ruleset_reads_back(ruleset: Ruleset) -> None:
    assert parse_ruleset(format_ruleset(ruleset)) == ruleset


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_a_preset_is_written_with_every_option_of_its_game(ruleset: Ruleset) -> None:
    names = [word.partition("=")[0] for word in format_ruleset(ruleset).split()]
    options = [option.name for option in OPTIONS if ruleset.family in option.families]
    assert names == [ruleset.key, *(name for name in options if not OPTIONS_BY_NAME[name].added_later)]
    assert parse_ruleset(ruleset.key) == ruleset


def test_the_line_of_tortuga() -> None:
    """The fair shuffle hashes this line, so it never changes."""
    assert format_ruleset(TORTUGA) == (
        "tortuga hands_open=true row_length=12 hand_size=6 pass_allowed=false retreat_from_sloop=true "
        "reshuffle=shuffle row_refill=immediate short_row=top_up stalemate=draw quiet_rounds=40"
    )


def test_the_line_of_the_nest() -> None:
    assert format_ruleset(PIRATES_NEST) == (
        "nest hand_size=7 pass_allowed=false reshuffle=shuffle start_is_island1=true "
        "captain_needs_aboard=true captain_needs_precondition=true stalemate=draw quiet_rounds=40"
    )


OF_0_1_0 = {
    "escape": "hands_open row_length hand_size pass_allowed retreat_from_sloop "
    "reshuffle row_refill short_row stalemate quiet_rounds",
    "nest": "hand_size pass_allowed reshuffle start_is_island1 "
    "captain_needs_aboard captain_needs_precondition stalemate quiet_rounds",
}
"""The options that the first version wrote, in its order."""


@given(rulesets())
def test_a_ruleset_of_the_first_version_keeps_its_line_and_so_the_key_of_its_shuffle(
    ruleset: Ruleset,
) -> None:
    older = replace(ruleset, renewal="when_needed", may_decline=False)
    options = [f"{name}={getattr(older, name)}".lower() for name in OF_0_1_0[older.family].split()]
    assert format_ruleset(older) == " ".join([older.key, *options])


def test_what_came_later_stands_at_the_end_of_the_line_where_it_differs() -> None:
    ruleset = TORTUGA.with_options(renewal="when_empty", may_decline=True)
    assert format_ruleset(ruleset) == f"{format_ruleset(TORTUGA)} renewal=when_empty may_decline=true"
    assert parse_ruleset(f"{format_ruleset(TORTUGA)} renewal=when_needed may_decline=false") == TORTUGA


def test_options_left_out_keep_their_value() -> None:
    assert parse_ruleset(" tortuga  pass_allowed=true") == TORTUGA.with_options(pass_allowed=True)
    assert parse_ruleset("tortuga row_length=0 hands_open=false").row_length == 0


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a ruleset (tortuga, jamaica, nest)"),
        ("Tortuga", 1, "a ruleset (tortuga, jamaica, nest)"),
        ("tortuga fast", 9, "an option as name=value (hands_open,"),
        ("tortuga captain_needs_aboard=true", 9, "an option as name=value (hands_open,"),
        ("nest row_length=12", 6, "an option as name=value (hand_size,"),
        ("jamaica pass_allowed=true pass_allowed=true", 27, "pass_allowed only once"),
        ("jamaica pass_allowed=1", 9, "pass_allowed=false or true"),
        ("jamaica hand_size=7", 9, "hand_size=6"),
        ("jamaica reshuffle=", 9, "reshuffle=shuffle or turn_over"),
        ("jamaica quiet_rounds=1001", 9, "quiet_rounds=0 to 1000"),
        ("jamaica quiet_rounds=true", 9, "quiet_rounds=0 to 1000"),
        ("jamaica row_length=12", 1, "a ruleset in which hands are open exactly when"),
    ],
)
def test_what_is_no_ruleset_is_pointed_at(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_ruleset(text)
    assert caught.value.column == column
    assert caught.value.expected.startswith(expected)


def test_a_ruleset_of_another_name_cannot_be_written() -> None:
    house = Ruleset(key="house", family=JAMAICA.family)
    with pytest.raises(ValueError, match="'house' is none"):
        format_ruleset(house)
    with pytest.raises(ValueError, match="'nest' is none"):
        format_ruleset(Ruleset(key="nest", family=JAMAICA.family))
