"""Actions as text: every code has one, and it reads back."""

import pytest

from cartagena.notation import NotationError, card_word, format_action, parse_action, place_word
from cartagena.rules.actions import ACTIONS, Action, Kind, action_of
from cartagena.rules.ruleset import ESCAPE, NEST, TORTUGA

NAMED = [(family, code) for family in (ESCAPE, NEST) for code in ACTIONS[family]]


def test_every_action_reads_back() -> None:
    texts = {(family, code): format_action(family, code) for family, code in NAMED}
    assert all(parse_action(family, text) == code for (family, code), text in texts.items())
    assert len({(family, text) for (family, _), text in texts.items()}) == len(NAMED) == 304 + 739


@pytest.mark.parametrize(
    ("family", "text", "code"),
    [
        (ESCAPE, "end_turn", 0),
        (ESCAPE, "retreat 17", 17),
        (ESCAPE, "retreat sloop", 37),
        (ESCAPE, "decline 17", 266 + 17),
        (ESCAPE, "play bottle start", 38),
        (ESCAPE, "play skull 9", 38 * 6 + 9),
        (ESCAPE, "  play\tskull  9 ", 38 * 6 + 9),
        (NEST, "sail", 1),
        (NEST, "captain_sail", 2),
        (NEST, "trim map", 3 + 4),
        (NEST, "trim gold_map", 3 + 11),
        (NEST, "play gold_compass sloop", 38 * 10 + 15),
        (NEST, "play compass 14", 38 * 3 + 14),
        (NEST, "play compass 15", 38 * 3 + 16),
        (NEST, "push blue 13", 38 * 16 + 13),
        (NEST, "push violet nest", 38 * 19 + 37),
    ],
)
def test_an_action_is_written_in_words(family: str, text: str, code: int) -> None:
    assert parse_action(family, text) == code
    assert format_action(family, code) == " ".join(text.split())


@pytest.mark.parametrize(
    ("family", "text", "column", "expected"),
    [
        (ESCAPE, "", 1, "an action (play, retreat, decline, end_turn)"),
        (ESCAPE, "walk 9", 1, "an action (play, retreat, decline, end_turn)"),
        (ESCAPE, "sail", 1, "an action (play, retreat, decline, end_turn)"),
        (ESCAPE, "Play skull 9", 1, "an action (play, retreat, decline, end_turn)"),
        (ESCAPE, "play compass 9", 6, "a card (bottle, dagger, hat, key, pistol, skull)"),
        (ESCAPE, "play skull", 11, "a place (start, 1 to 36, sloop)"),
        (ESCAPE, "play skull 37", 12, "a place (start, 1 to 36, sloop)"),
        (ESCAPE, "play skull 09", 12, "a place (start, 1 to 36, sloop)"),
        (ESCAPE, "play skull 9 9", 14, "the end of the action"),
        (ESCAPE, "retreat start", 9, "1 to 36 or sloop, for nobody retreats from the start (R4.7)"),
        (NEST, "retreat 9", 1, "an action (play, push, sail, captain_sail, trim, end_turn)"),
        (NEST, "push purple 9", 6, "a crew (red, blue, yellow, green, violet)"),
        (NEST, "play map 36", 10, "a place (start, 1 to 35, sloop, nest)"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(family: str, text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(family, text)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.expected.startswith(expected)


def test_an_error_says_where_what_and_instead_of_what() -> None:
    with pytest.raises(NotationError, match=r"^line 1, column 9: expected .*, found 'start'$"):
        parse_action(ESCAPE, "retreat start")
    with pytest.raises(NotationError, match=r"^line 1, column 11: expected .*, found nothing$"):
        parse_action(ESCAPE, "play skull")


def test_a_game_is_meant_by_its_ruleset_its_key_or_its_family() -> None:
    for game in (TORTUGA, "tortuga", "jamaica", ESCAPE):
        assert parse_action(game, "play skull 9") == 38 * 6 + 9
        assert format_action(game, 37) == "retreat sloop"
        assert action_of(game, 37) == Action(kind=Kind.RETREAT, place=37)
        assert (card_word(game, 5), place_word(game, 37)) == ("skull", "sloop")
    for ask in (format_action, action_of, card_word, place_word):
        with pytest.raises(ValueError, match="'chess'; choose one of tortuga, jamaica, nest"):
            ask("chess", 1)


def test_a_number_that_says_nothing_has_no_text() -> None:
    with pytest.raises(ValueError, match="no action of the family nest has the code 20"):
        format_action(NEST, 20)
