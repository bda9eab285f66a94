"""Rulesets and their options."""

from dataclasses import FrozenInstanceError

import pytest

from cartagena.rules.ruleset import (
    ACTIONS_PER_TURN,
    CREW_SIZE,
    EDITIONS,
    ESCAPE,
    GOLD,
    JAMAICA,
    NEST,
    OPTIONS,
    OPTIONS_BY_NAME,
    PIRATES_NEST,
    PRESETS,
    SPACE_LIMIT,
    TORTUGA,
    OptionError,
    Ruleset,
)

COMMON = {
    "pass_allowed": (False, True),
    "reshuffle": ("shuffle", "turn_over"),
    "stalemate": ("draw", "most_home"),
}
ESCAPE_ONLY = {
    "retreat_from_sloop": (True, False),
    "row_refill": ("immediate", "on_demand"),
    "short_row": ("top_up", "short"),
}
NEST_ONLY = {
    "start_is_island1": (True, False),
    "captain_needs_aboard": (True, False),
    "captain_needs_precondition": (True, False),
}


def test_the_presets() -> None:
    assert PRESETS == {"tortuga": TORTUGA, "jamaica": JAMAICA, "nest": PIRATES_NEST}
    own = [
        (preset.family, preset.hands_open, preset.row_length, preset.hand_size) for preset in PRESETS.values()
    ]
    assert own == [(ESCAPE, True, 12, 6), (ESCAPE, False, 0, 6), (NEST, False, 0, 7)]
    assert [preset.key for preset in PRESETS.values()] == list(PRESETS)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_the_defaults_of_every_preset(preset: Ruleset) -> None:
    for name, values in (COMMON | ESCAPE_ONLY | NEST_ONLY).items():
        assert getattr(preset, name) == values[0]
    assert preset.quiet_rounds == 40


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_option_of_a_game_may_be_changed_and_no_other(preset: Ruleset) -> None:
    own, foreign = (ESCAPE_ONLY, NEST_ONLY) if preset.family == ESCAPE else (NEST_ONLY, ESCAPE_ONLY)
    for name, (default, other) in (COMMON | own).items():
        changed = preset.with_options(**{name: other})
        assert getattr(changed, name) == other
        assert changed != preset
        assert changed.with_options(**{name: default}) == preset
    for name, (default, other) in foreign.items():
        assert preset.with_options(**{name: default}) == preset
        with pytest.raises(OptionError, match=f"{name} of the family {preset.family} is one of {default}"):
            preset.with_options(**{name: other})


@pytest.mark.parametrize("rounds", [0, 1, 39, 40, 41, 1000])
def test_quiet_rounds_may_be_any_number_up_to_a_thousand(rounds: int) -> None:
    assert JAMAICA.with_options(quiet_rounds=rounds).quiet_rounds == rounds
    assert PIRATES_NEST.with_options(quiet_rounds=rounds).quiet_rounds == rounds


@pytest.mark.parametrize("rounds", [-1, 1001, False, True])
def test_but_no_other(rounds: int) -> None:
    with pytest.raises(OptionError, match="quiet_rounds of the family escape is one of 40, 0, 1, 2, 3, not"):
        JAMAICA.with_options(quiet_rounds=rounds)


def test_a_switch_is_no_number() -> None:
    with pytest.raises(OptionError):
        JAMAICA.with_options(pass_allowed=1)


@pytest.mark.parametrize("name", ["family", "self", "changes"])
def test_an_unknown_option_is_refused_and_the_known_ones_are_named(name: str) -> None:
    with pytest.raises(OptionError, match=f"no option is called '{name}'; the options are hands_open, "):
        JAMAICA.with_options(**{name: NEST})


@pytest.mark.rule("R1.13")
def test_hands_are_open_exactly_when_there_is_a_row() -> None:
    assert JAMAICA.with_options(hands_open=True, row_length=12).row_length == 12
    for changes in ({"hands_open": True}, {"row_length": 12}):
        with pytest.raises(OptionError, match="change both or neither"):
            JAMAICA.with_options(**changes)
    with pytest.raises(OptionError):
        TORTUGA.with_options(row_length=6)
    with pytest.raises(OptionError):
        PIRATES_NEST.with_options(hands_open=True, row_length=12)


@pytest.mark.rule("R1.12")
def test_each_game_has_its_own_hand_size() -> None:
    assert OPTIONS_BY_NAME["hand_size"].values_in(ESCAPE) == (6,)
    assert OPTIONS_BY_NAME["hand_size"].values_in(NEST) == (7,)
    with pytest.raises(OptionError):
        JAMAICA.with_options(hand_size=7)
    with pytest.raises(OptionError):
        PIRATES_NEST.with_options(hand_size=6)


def test_every_option_names_a_rule_and_begins_with_its_default() -> None:
    assert list(OPTIONS_BY_NAME) == [option.name for option in OPTIONS]
    assert len(OPTIONS_BY_NAME) == len(OPTIONS) == 15
    rules = {option.name: option.rule for option in OPTIONS}
    assert rules == {
        "hands_open": "R7.3",
        "row_length": "R1.13",
        "hand_size": "R1.12",
        "pass_allowed": "R2.8",
        "retreat_from_sloop": "R4.8",
        "reshuffle": "R5.13",
        "row_refill": "R5.8",
        "short_row": "R5.15",
        "start_is_island1": "R12.4",
        "captain_needs_aboard": "R12.8",
        "captain_needs_precondition": "R12.11",
        "stalemate": "R6.11",
        "quiet_rounds": "R6.14",
        "renewal": "R5.19",
        "may_decline": "R4.10",
    }
    for option in OPTIONS:
        assert option.values[0] == getattr(JAMAICA, option.name)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_what_came_after_the_first_version_is_written_only_where_it_differs(preset: Ruleset) -> None:
    before = [option.name for option in OPTIONS if preset.family in option.families][
        : -2 if preset.family == ESCAPE else -1
    ]
    assert list(preset.written_options()) == before
    renewed = preset.with_options(renewal="when_empty")
    assert renewed.written_options() == {**preset.written_options(), "renewal": "when_empty"}


def test_editions_are_presets_of_options() -> None:
    assert set(EDITIONS) == {"en", "nl", "de", "sv"}
    german = JAMAICA.with_options(**EDITIONS["de"])
    assert german == JAMAICA.with_options(pass_allowed=True, renewal="when_empty")
    assert TORTUGA.with_options(**EDITIONS["nl"]) == TORTUGA.with_options(renewal="when_empty")
    for edition in ("en", "sv"):
        assert TORTUGA.with_options(**EDITIONS[edition]) == TORTUGA


def test_a_ruleset_is_a_value() -> None:
    assert JAMAICA.with_options() == JAMAICA
    with pytest.raises(FrozenInstanceError):
        JAMAICA.key = "other"  # type: ignore[misc]  # the test is that this cannot be done


def test_a_deck_is_handed_out_as_a_fresh_list() -> None:
    JAMAICA.deck().clear()
    assert len(JAMAICA.deck()) == 102


def test_the_numbers_that_no_option_changes() -> None:
    assert (CREW_SIZE, ACTIONS_PER_TURN, SPACE_LIMIT, GOLD) == (6, 3, 3, 7)
    assert [len(preset.signs) for preset in PRESETS.values()] == [6, 6, 7]
