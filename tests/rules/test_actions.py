"""Actions as values, and the codes that name them."""

import pytest

from cartagena.rules.actions import ACTIONS, Action, Kind, action_of, code_of
from cartagena.rules.codes import (
    CAPTAIN_SAIL,
    CODES,
    END_TURN,
    EVERY_CODE,
    FIRST_DECLINE,
    FIRST_PLAY,
    FIRST_PUSH,
    FIRST_TRIM,
    SAIL,
    codes_of,
    decline_code,
    line_of,
    place_in,
    play_code,
    push_code,
    retreat_code,
    trim_code,
)
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import ESCAPE, JAMAICA, NEST, PIRATES_NEST


@pytest.mark.parametrize("family", [ESCAPE, NEST])
def test_every_code_comes_back_from_its_action(family: str) -> None:
    named = ACTIONS[family]
    assert {code: code_of(action) for code, action in named.items()} == {code: code for code in named}
    assert len(set(named.values())) == len(named)
    silent = [code for code in EVERY_CODE[family] if code not in named]
    assert silent == ([] if family == ESCAPE else list(range(17, 38)))
    for code in (*silent, -1, len(EVERY_CODE[family])):
        with pytest.raises(ValueError, match=f"no action of the family {family} has the code {code}"):
            action_of(family, code)


@pytest.mark.parametrize(
    ("code", "action"),
    [
        (0, Action(kind=Kind.END_TURN)),
        (1, Action(kind=Kind.RETREAT, place=1)),
        (37, Action(kind=Kind.RETREAT, place=37)),
        (38, Action(kind=Kind.PLAY, card=0, place=0)),
        (75, Action(kind=Kind.PLAY, card=0, place=37)),
        (76, Action(kind=Kind.PLAY, card=1, place=0)),
        (265, Action(kind=Kind.PLAY, card=5, place=37)),
        (266, Action(kind=Kind.DECLINE, place=0)),
        (303, Action(kind=Kind.DECLINE, place=37)),
    ],
)
def test_the_codes_of_cartagena(code: int, action: Action) -> None:
    assert action_of(ESCAPE, code) == action


@pytest.mark.parametrize(
    ("code", "action"),
    [
        (0, Action(kind=Kind.END_TURN)),
        (1, Action(kind=Kind.SAIL)),
        (2, Action(kind=Kind.CAPTAIN_SAIL)),
        (3, Action(kind=Kind.TRIM, card=0)),
        (16, Action(kind=Kind.TRIM, card=13)),
        (38, Action(kind=Kind.PLAY, card=0, place=0)),
        (569, Action(kind=Kind.PLAY, card=13, place=37)),
        (570, Action(kind=Kind.PUSH, crew=0, place=0)),
        (759, Action(kind=Kind.PUSH, crew=4, place=37)),
    ],
)
def test_the_codes_of_the_nest(code: int, action: Action) -> None:
    assert action_of(NEST, code) == action


def test_codes_are_public_and_never_change() -> None:
    assert (END_TURN, SAIL, CAPTAIN_SAIL, FIRST_TRIM, FIRST_PLAY, FIRST_PUSH) == (0, 1, 2, 3, 38, 570)
    assert CODES == {ESCAPE: 266, NEST: 760}
    assert [play_code(2, 9), retreat_code(9), push_code(2, 9), trim_code(9)] == [123, 9, 655, 12]
    assert (FIRST_DECLINE, decline_code(9), codes_of(JAMAICA)) == (266, 275, 266)
    assert codes_of(JAMAICA.with_options(may_decline=True)) == 304
    assert codes_of(PIRATES_NEST) == 760
    assert (line_of(123), place_in(123)) == (3, 9)


def test_a_retreat_from_the_start_has_no_code() -> None:
    assert code_of(Action(kind=Kind.RETREAT, place=0)) is None


@pytest.mark.parametrize(
    "action",
    [
        Action(kind=Kind.PLAY, place=3),
        Action(kind=Kind.PLAY, card=3),
        Action(kind=Kind.RETREAT),
        Action(kind=Kind.DECLINE),
        Action(kind=Kind.PUSH, crew=1),
        Action(kind=Kind.PUSH, place=1),
        Action(kind=Kind.TRIM),
    ],
)
def test_an_action_that_does_not_name_what_it_needs_has_no_code(action: Action) -> None:
    with pytest.raises(ValueError, match=f"an action of the kind {action.kind.value} does not name"):
        code_of(action)


def test_the_words_of_the_kinds() -> None:
    words = ["play", "retreat", "decline", "push", "sail", "captain_sail", "trim", "end_turn"]
    assert [kind.value for kind in Kind] == words


def test_every_refusal_is_one_code_by_one_sentence() -> None:
    reasons = [(refusal.code, refusal.rule) for refusal in Refusal]
    assert len(set(reasons)) == len(reasons)
    assert all(refusal.name.lower().endswith(refusal.code) for refusal in Refusal)
