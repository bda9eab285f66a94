"""Updates: each audience gets its own, made quickly, and never more than it may know."""

import json
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from cartagena.messages import (
    VERSION,
    ClockMessage,
    MessageError,
    NewsMessage,
    Update,
    decode,
    encode,
    update_for,
    updates_for,
)
from cartagena.messages.updates import decoded
from cartagena.rules.explain import wishes
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import seen
from cartagena.rules.legality import apply
from cartagena.rules.position import Position
from cartagena.rules.refusals import PositionError
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.undoable_game import UndoableGame
from tests.messages.around import CLOCK, NEWS, around
from tests.properties.records import Short
from tests.tables import BLUE, RED, retreat, table
from tests.views.twins import Tale, difference, tales, with_hidden_cards_reshuffled

laws = settings(deadline=None, max_examples=60)
MOST_BYTES = 4000


def as_json(update: Update) -> dict[str, object]:
    """What a program in another language reads."""
    read = json.loads(encode(update))
    assert isinstance(read, dict)
    return read


def long_tale(ruleset: Ruleset, seats: int, stock: int = 30) -> Tale:
    """A tale of two hundred actions with a taste for cards."""
    return Tale(Short(ruleset=ruleset, seats=seats, seed=seats, taste="cards", actions=200), stock)


def test_news_of_a_later_release_are_left_out() -> None:
    update = update_for(RED, 7, [], table(), news=NEWS)
    told = as_json(update) | {"news": {"kind": "sang_a_song", "seat": 1, "verse": 3}}
    assert decode(json.dumps(told)) == decoded(told) == structs.replace(update, news=None)
    with pytest.raises(MessageError):
        decode(json.dumps(told | {"version": VERSION + 1}))


# To each its own.


def test_the_version_is_told_and_so_is_that_nothing_happened() -> None:
    assert as_json(Update(seq=3)) == {"version": VERSION, "seq": 3, "happened": []}
    assert update_for(None, 1, [], table()).version == VERSION == 1


def test_only_the_seat_to_act_gets_the_wish_table() -> None:
    position = table(hands=("B", "D"))
    found = update_for(RED, 7, [], position).wishes
    assert found is not None
    assert [choice.code for choice in found.legal] == [
        wish.explanation.code for wish in wishes(position) if wish.explanation is not None
    ]
    for seat in (BLUE, None):
        update = as_json(update_for(seat, 7, [], position))
        assert set(update) == {"version", "seq", "happened", "view"}
        assert (update["version"], update["seq"]) == (1, 7)


def test_only_the_seat_to_act_is_told_that_it_may_undo() -> None:
    position = table(hands=("B", "D"))
    many = updates_for(position, 7, [], [RED, BLUE, None], undo=True)
    assert [seat for seat, frame in many.items() if decode(frame).undo] == [RED]
    for seat, frame in many.items():
        assert frame == encode(update_for(seat, 7, [], position, undo=True))


def test_nobody_wishes_at_a_table_that_is_over() -> None:
    position = table(hands=("B", "D"))
    for stage, expected in (("running", True), ("over", False)):
        update = update_for(RED, 7, [], position, table=around(stage=stage))
        assert (update.wishes is not None) is expected
        assert updates_for(position, 7, [], [RED], table=around(stage=stage)) == {RED: encode(update)}


def test_an_update_tells_each_audience_its_own_words() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HKP"), stock="SH")
    told = apply(position, retreat(4))
    drawn = {seat: as_json(update_for(seat, 1, told, position))["happened"] for seat in (RED, BLUE)}
    assert [happened.get("card") for happened in drawn[RED]] == [None, "skull", "hat"]  # type: ignore[attr-defined]
    assert [happened.get("card") for happened in drawn[BLUE]] == [None, None, None]  # type: ignore[attr-defined]


# All at once.


@laws
@example(long_tale(TORTUGA, 2))
@example(long_tale(TORTUGA.with_options(row_refill="on_demand"), 4))
@example(long_tale(TORTUGA.with_options(reshuffle="turn_over"), 3))
@example(long_tale(JAMAICA, 2))
@example(long_tale(PIRATES_NEST, 3))
@given(tales())
def test_updates_for_many_are_byte_for_byte_those_for_each(story: Tale) -> None:
    for seq, (position, told) in enumerate(story.moments()):
        if seq % 3 == 0 or position.over:
            audiences = [None, *range(position.seats)]
            alone = {seat: encode(update_for(seat, seq, told, position)) for seat in audiences}
            assert updates_for(position, seq, told, audiences) == alone


def test_what_lies_around_the_game_is_told_to_all() -> None:
    position = table(TORTUGA, hands=("B", "D"), row="KS")
    many = updates_for(position, 5, [], [None, RED], news=NEWS, table=around())
    for seat, frame in many.items():
        update = decode(frame)
        assert (update.news, update.table) == (NEWS, around())
        assert update == update_for(seat, 5, [], position, news=NEWS, table=around())


def test_before_the_deal_all_are_sent_the_same() -> None:
    many = updates_for(None, 2, [], [None, 0, 1, 2], news=NEWS, table=around(stage="open"))
    assert list(many) == [None, 0, 1, 2]
    assert set(many.values()) == {encode(Update(seq=2, news=NEWS, table=around(stage="open")))}
    assert set(json.loads(many[None])) == {"version", "seq", "news", "happened", "table"}


def test_only_those_are_told_who_were_asked_for() -> None:
    position = table(TORTUGA, hands=("B", "D"), row="KS")
    assert list(updates_for(position, 1, [], [BLUE])) == [BLUE]
    assert updates_for(position, 1, [], []) == {}


@pytest.mark.parametrize("ruleset", [TORTUGA, JAMAICA, PIRATES_NEST], ids=["tortuga", "jamaica", "nest"])
@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_looks_from_a_seat_that_is_not_there(ruleset: Ruleset, seat: int) -> None:
    position = Short(ruleset=ruleset, seats=2, seed=1, taste="any", actions=3).end().position
    with pytest.raises(PositionError, match="there is no seat"):
        updates_for(position, 1, [], [None, seat])


# Secrets.


@laws
@given(tales(), st.sampled_from([None, 0, 1]))
def test_no_byte_depends_on_what_its_audience_cannot_see(story: Tale, audience: int | None) -> None:
    game = story.game()
    twin = with_hidden_cards_reshuffled(game, audience, Random(story.record.seed))
    if twin is not None:
        assert difference(game, twin, audience, alone, seen) is None


@pytest.mark.parametrize("ruleset", [TORTUGA, JAMAICA, PIRATES_NEST], ids=["tortuga", "jamaica", "nest"])
def test_the_law_of_secrets_meets_games_that_differ(ruleset: Ruleset) -> None:
    game = Tale(Short(ruleset=ruleset, seats=2, seed=1, taste="cards", actions=40), 60).game()
    found = [with_hidden_cards_reshuffled(game, None, Random(seed)) for seed in range(30)]
    twins = [twin for twin in found if twin is not None]
    assert all(difference(game, twin, None, alone, seen) is None for twin in twins)
    assert any(difference(game, twin, None, the_truth, seen) is not None for twin in twins)


def alone(position: Position, seat: int | None) -> bytes:
    """The bytes that one audience is sent."""
    return updates_for(position, 1, [], [seat])[seat]


def the_truth(position: Position, _: int | None) -> object:
    """All hands and the order of the cards, which nobody is sent."""
    return [crew.cards() for crew in position.crews], position.order


def frames(game: UndoableGame, told: list[Happening]) -> dict[int | None, bytes]:
    """What every audience is sent about a moment."""
    return updates_for(game.position, 999, told, [None, *range(game.position.seats)])


def test_a_drawn_card_is_in_its_drawers_update_alone() -> None:
    position = table(red="...1", blue="2", yellow="", hands=("BD", "HKP", "B"), stock="SH")
    told = apply(position, retreat(4))
    many = updates_for(position, 1, told, [None, 0, 1, 2])
    drew = b'"happening":"drew","seat":0,"card":"skull"'
    assert [seat for seat, frame in many.items() if drew in frame] == [RED]


# What lies around the game.


@pytest.mark.parametrize("stage", ["open", "running"])
def test_news_table_and_clock_are_byte_for_byte_in_their_places(stage: str) -> None:
    position = None if stage == "open" else table(hands=("B", "D"))
    around_it = {"news": NEWS, "table": around(stage=stage), "clock": CLOCK}
    for seat, frame in updates_for(position, 4, [], [None, RED], **around_it).items():  # type: ignore[arg-type]
        update = decode(frame)
        assert (update.news, update.table, update.clock) == (NEWS, around(stage=stage), CLOCK)
        assert frame == encode(update)
        if position is not None:
            assert update == update_for(seat, 4, [], position, **around_it)  # type: ignore[arg-type]


def test_a_clock_may_have_stopped() -> None:
    stopped = ClockMessage(banks=(1, 2), running=None, deadline=None, now=3)
    read = json.loads(updates_for(table(hands=("B", "D")), 1, [], [None], clock=stopped)[None])
    assert read["clock"] == {"banks": [1, 2], "running": None, "deadline": None, "now": 3}


def test_a_name_is_written_as_it_is_whatever_is_in_it() -> None:
    tricky = NewsMessage(kind="sat", seat=0, name='"clock":{"banks":[]}}\n Ł{}')
    frame = updates_for(table(hands=("B", "D")), 1, [], [None], news=tricky)[None]
    assert decode(frame).news == tricky


# Size.


def biggest(ruleset: Ruleset, seats: int, seed: int) -> int:
    """The biggest update of a long game for anybody who is not to act."""
    record = Short(ruleset=ruleset, seats=seats, seed=seed, taste="any", actions=1000)
    most = 0
    for number, (game, told) in enumerate(record.moments()):
        if number % 25 == 0 or game.position.over:
            others = [len(data) for seat, data in frames(game, told).items() if seat != game.position.to_act]
            most = max(most, *others)
    return most


@pytest.mark.parametrize("ruleset", [TORTUGA, JAMAICA, PIRATES_NEST])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_an_update_without_wishes_stays_small_in_a_long_game(ruleset: Ruleset, seats: int) -> None:
    assert biggest(ruleset.with_options(quiet_rounds=0), seats, 1) <= MOST_BYTES
