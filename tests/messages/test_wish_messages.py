"""The wish table on the wire: short, and still an answer to every click."""

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import example, given, settings

from cartagena.messages import (
    LegalMessage,
    RefusalMessage,
    RefusedMessage,
    WishesMessage,
    answer_to,
    encode,
    read,
    updates_for,
    wishes_message,
)
from cartagena.messages.cards import word_of, words_of
from cartagena.rules.actions import ACTIONS, code_of
from cartagena.rules.codes import CAPTAIN_SAIL, CODES, END_TURN, SAIL, codes_of
from cartagena.rules.explain import Explanation, Wish, wishes
from cartagena.rules.legality import apply
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from tests.properties.records import Short
from tests.tables import BLUE, nest_table, play, push, retreat, table, trim
from tests.views.twins import Tale, tales

laws = settings(deadline=None, max_examples=40)
SEVEN = "ca ca ch ch co co du"


def sent(position: Position) -> WishesMessage:
    """A wish table that went over the wire."""
    return read(WishesMessage, encode(wishes_message(position)))


# Every line of the table is there.


def legal_message(wish: Wish, explanation: Explanation, family: str) -> LegalMessage:
    """What must be said of a legal choice, put together from the long table."""
    action = wish.action
    return LegalMessage(
        code=explanation.code,
        kind=action.kind,
        card=word_of(family, action.card),
        crew=action.crew,
        place=action.place,
        start=explanation.start,
        target=explanation.target,
        jumped=explanation.jumped,
        gains=explanation.gains,
        cards=words_of(family, explanation.cards),
        reveals=explanation.reveals,
        dock=explanation.dock,
        wins=explanation.wins,
    )


def assert_same(message: WishesMessage, position: Position) -> None:
    """Compare a message with the long table, line by line."""
    family = position.ruleset.family
    for wish in wishes(position):
        code = code_of(wish.action)
        answer = message.retreat_from_start if code is None else answer_to(message, code)
        if wish.explanation is not None:
            assert answer == legal_message(wish, wish.explanation, family)
        else:
            assert isinstance(answer, RefusedMessage | RefusalMessage)
            assert wish.refusal is not None
            assert (answer.code, answer.rule) == (wish.refusal.code, wish.refusal.rule)


def codes_told(message: WishesMessage) -> list[int]:
    """Every code of a message, as often as it is there."""
    runs = [run for group in message.refused for run in group.actions]
    return [choice.code for choice in message.legal] + [
        code for first, last in runs for code in range(first, last + 1)
    ]


def codes_that_say_something(position: Position) -> list[int]:
    """Every code of the game that names no crew, or one that plays."""
    return [
        code
        for code, action in ACTIONS[position.ruleset.family].items()
        if code < codes_of(position.ruleset) and (action.crew is None or action.crew < position.seats)
    ]


def long_tale(ruleset: Ruleset, seats: int, stock: int = 100) -> Tale:
    """A tale of three hundred actions with a taste for cards."""
    return Tale(Short(ruleset=ruleset, seats=seats, seed=seats, taste="cards", actions=300), stock)


@laws
@example(long_tale(TORTUGA, 2))
@example(long_tale(JAMAICA, 4))
@example(long_tale(PIRATES_NEST, 5))
@given(tales())
def test_the_short_table_says_of_every_choice_what_the_long_one_says(story: Tale) -> None:
    for number, (position, _) in enumerate(story.moments()):
        if number % 5 == 0 and position.to_act >= 0:
            assert_same(sent(position), position)


@laws
@example(long_tale(PIRATES_NEST, 3))
@given(tales())
def test_every_code_is_in_exactly_one_place(story: Tale) -> None:
    for position, _ in story.moments():
        if position.to_act >= 0:
            assert sorted(codes_told(wishes_message(position))) == codes_that_say_something(position)


def test_a_number_that_says_nothing_has_no_answer() -> None:
    message = sent(nest_table())
    unsaid = [code for code in range(-1, CODES["nest"] + 1) if answer_to(message, code) is None]
    assert unsaid == [-1, *range(17, 38), *range(push(2, 0), CODES["nest"] + 1)]


# What a client reads.


def as_json(position: Position) -> dict[str, object]:
    """What a program in another language reads."""
    read_back = msgspec.json.decode(encode(wishes_message(position)))
    assert isinstance(read_back, dict)
    return read_back


def test_a_wish_table_in_words() -> None:
    position = table(red="...1", blue="2", hands=("B", ""))
    assert as_json(position) == {
        "legal": [
            {
                "code": 4,
                "kind": "retreat",
                "place": 4,
                "start": 4,
                "target": 1,
                "gains": 2,
                "reveals": True,
            },
            {
                "code": 38,
                "kind": "play",
                "card": "bottle",
                "place": 0,
                "start": 0,
                "target": 7,
                "jumped": [1],
            },
            {"code": 42, "kind": "play", "card": "bottle", "place": 4, "start": 4, "target": 7},
        ],
        "refused": [
            {"code": "must_act", "rule": "R2.8", "actions": [[0, 0]]},
            {
                "code": "no_pirate_there",
                "rule": "R4.1",
                "actions": [[1, 3], [5, 37]],
            },
            {
                "code": "no_pirate_there",
                "rule": "R3.1",
                "actions": [[39, 41], [43, 74]],
            },
            {
                "code": "pirate_is_home",
                "rule": "R3.1",
                "actions": [[line + 37, line + 37] for line in range(38, 266, 38)],
            },
            {
                "code": "card_not_held",
                "rule": "R3.1",
                "actions": [[line, line + 36] for line in range(76, 266, 38)],
            },
        ],
        "retreat_from_start": {"code": "no_retreat_from_start", "rule": "R4.7"},
    }


def test_an_answer_is_the_choice_itself_or_all_that_is_refused_alike() -> None:
    message = sent(table(red="...1", blue="2", hands=("B", "")))
    assert answer_to(message, retreat(4)) is message.legal[0]
    assert answer_to(message, END_TURN) is message.refused[0]
    assert answer_to(message, play("D", 4)) is message.refused[-1]


def test_a_wish_names_the_cards_of_the_row() -> None:
    message = sent(table(TORTUGA, red="...1", blue="2", row="SHK"))
    assert [choice.cards for choice in message.legal] == [("skull", "hat")]


def test_a_crossing_names_the_dock_and_a_push_the_crew() -> None:
    message = sent(nest_table(red="sloop 2", blue="1"))
    docks = {choice.code: choice.dock for choice in message.legal if choice.dock}
    assert docks == {SAIL: 2, CAPTAIN_SAIL: 2}
    pushed = answer_to(message, push(BLUE, "1"))
    assert isinstance(pushed, LegalMessage)
    assert (pushed.crew, pushed.place, pushed.target, pushed.gains) == (BLUE, 1, 2, 1)
    assert message.retreat_from_start is None


def test_while_cards_are_trimmed_there_is_one_reason_for_all_else() -> None:
    position = nest_table(hands=("MAP", f"{SEVEN} te"))
    apply(position, play("MAP", "start"))
    message = sent(position)
    assert {choice.code for choice in message.legal} == {
        trim(card) for card in ("ca", "ch", "co", "du", "te")
    }
    runs = {group.code: group.actions for group in message.refused}
    assert runs["trim_first"] == ((0, 2), (38, push(BLUE, 0) + 37))


# Size.


def biggest(ruleset: Ruleset, seats: int, taste: str) -> int:
    """The biggest update of a long game for the seat to act."""
    record = Short(ruleset=ruleset, seats=seats, seed=1, taste=taste, actions=1000)
    return max(
        len(updates_for(game.position, 999, told, (game.position.to_act,))[game.position.to_act])
        for number, (game, told) in enumerate(record.moments())
        if number % 10 == 0 and not game.position.over
    )


SIZES: Iterable[tuple[Ruleset, int]] = [(TORTUGA, 8_000), (JAMAICA, 8_000), (PIRATES_NEST, 12_000)]


@pytest.mark.parametrize("taste", ["any", "cards"])
@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(("ruleset", "most"), SIZES, ids=["tortuga", "jamaica", "nest"])
def test_an_update_with_wishes_stays_small(ruleset: Ruleset, most: int, seats: int, taste: str) -> None:
    assert biggest(ruleset.with_options(quiet_rounds=0), seats, taste) <= most
