"""Messages: what is sent says the same as what was meant, and no more."""

import json
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from cartagena.messages import (
    MessageError,
    Update,
    decode,
    encode,
    happening_message,
    happening_of,
    update_for,
    view_message,
    view_of,
)
from cartagena.messages.happenings import MESSAGES, HappeningMessage
from cartagena.messages.memories import log_of, log_text
from cartagena.rules.happenings import (
    Dead,
    Drew,
    Happening,
    Moved,
    Passed,
    Played,
    Quiet,
    Renewed,
    RowLaid,
    Sailed,
    TrimDue,
    Trimmed,
    TrimShown,
    TurnEnded,
    Won,
)
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import apply, legal
from cartagena.rules.places import HOME
from cartagena.rules.position import LOG_LAID, LOG_RENEWED, LOG_TAKEN_BACK
from cartagena.rules.ruleset import ESCAPE, JAMAICA, NEST
from tests.properties.records import Short
from tests.tables import BLUE, RED, nest_table, play, retreat, table, trim
from tests.views.twins import Tale, tales

laws = settings(deadline=None, max_examples=60)


def sent(sight: View) -> View:
    """A view that went over the wire."""
    position = table()
    update = decode(encode(replace_view(update_for(None, 1, [], position), sight)))
    assert update.view is not None
    return view_of(update.view)


def replace_view(update: Update, sight: View) -> Update:
    """Return `update` with another view."""
    return msgspec.structs.replace(update, view=view_message(sight))


def as_json(update: Update) -> dict[str, object]:
    """What a program in another language reads."""
    read = json.loads(encode(update))
    assert isinstance(read, dict)
    return read


# There and back.


@laws
@given(tales())
def test_a_view_survives_the_wire(story: Tale) -> None:
    position = story.game().position
    for seat in (None, *range(position.seats)):
        sight = view(position, seat)
        assert sent(sight) == sight


@laws
@given(tales())
def test_happenings_survive_the_wire(story: Tale) -> None:
    family = story.record.ruleset.family
    for _, told in story.moments():
        for happening in told:
            for seat in (None, 0, 1):
                heard = seen(happening, seat)
                text = msgspec.json.encode(happening_message(heard, family))
                message: HappeningMessage = msgspec.json.decode(text, type=HappeningMessage)
                assert happening_of(message) == heard


EVERY: list[tuple[Happening, str, dict[str, object]]] = [
    (Played(0, 3), ESCAPE, {"happening": "played", "seat": 0, "card": "key"}),
    (Moved(0, 1, 2, 37), NEST, {"happening": "moved", "seat": 0, "crew": 1, "start": 2, "target": 37}),
    (
        Drew(1, 11, from_row=False),
        NEST,
        {"happening": "drew", "seat": 1, "card": "gold_map", "from_row": False, "turned_over": False},
    ),
    (
        Drew(1, None, from_row=False, turned_over=True),
        NEST,
        {"happening": "drew", "seat": 1, "card": None, "from_row": False, "turned_over": True},
    ),
    (RowLaid((5, 0)), ESCAPE, {"happening": "row_laid", "cards": ["skull", "bottle"]}),
    (Renewed(2, None), ESCAPE, {"happening": "renewed", "size": 2, "order": None}),
    (Renewed(2, (1, 2)), ESCAPE, {"happening": "renewed", "size": 2, "order": ["dagger", "hat"]}),
    (Sailed(4, 2, free=True), NEST, {"happening": "sailed", "seat": 4, "dock": 2, "free": True}),
    (TrimDue((0, 3)), NEST, {"happening": "trim_due", "surplus": [0, 3]}),
    (Trimmed(1, None), NEST, {"happening": "trimmed", "seat": 1, "card": None}),
    (Trimmed(1, 5), NEST, {"happening": "trimmed", "seat": 1, "card": "parrot"}),
    (
        TrimShown(((1, 0), (0, 7))),
        NEST,
        {
            "happening": "trim_shown",
            "cards": [{"seat": 1, "card": "cannon"}, {"seat": 0, "card": "gold_cannon"}],
        },
    ),
    (Passed(2, forced=True), ESCAPE, {"happening": "passed", "seat": 2, "forced": True}),
    (TurnEnded(1, 0), ESCAPE, {"happening": "turn_ended", "seat": 1, "next_seat": 0}),
    (Won(3), ESCAPE, {"happening": "won", "seat": 3}),
    (Dead(None), ESCAPE, {"happening": "dead", "winner": None}),
    (Quiet(40), ESCAPE, {"happening": "quiet", "rounds": 40}),
]


@pytest.mark.parametrize(("happening", "family", "message"), EVERY)
def test_every_happening_has_its_words(happening: Happening, family: str, message: dict[str, object]) -> None:
    written = happening_message(happening, family)
    assert json.loads(msgspec.json.encode(written)) == message
    assert happening_of(written) == happening


def test_no_happening_is_forgotten() -> None:
    assert set(MESSAGES) == set(get_args(Happening)) == {type(happening) for happening, _, _ in EVERY}
    assert set(MESSAGES.values()) == set(get_args(HappeningMessage))


# What a client reads.


def test_the_board_says_what_is_at_each_place() -> None:
    tunnel = view_message(view(table(signs="SBDHKP"), None)).board
    assert (len(tunnel), tunnel[0], tunnel[1], tunnel[2], tunnel[37]) == (
        38,
        "start",
        "skull",
        "bottle",
        "sloop",
    )
    islands = view_message(view(nest_table(), None)).board
    assert (len(islands), islands[0], islands[15], islands[37]) == (38, "start", "sloop", "nest")
    assert islands[14:17] == ("telescope", "sloop", "cannon")


def test_a_view_in_words() -> None:
    position = nest_table(red="3 sloop", hands=("map MAP", "pa"), discard="ca", dock=2, turn=4)
    message = view_message(view(position, RED))
    assert message.ruleset.preset == "nest"
    assert message.ruleset.options["captain_needs_aboard"] is True
    assert "row_length" not in message.ruleset.options
    assert message.pirates[RED] == (0, 0, 0, 0, 3, 15)
    assert message.hands == (("map", "gold_map"), None)
    assert (message.discard, message.dock, message.to_act) == (("cannon",), 2, RED)
    assert (message.legal, message.quiet_turns, message.stock) == (tuple(legal(position)), 3, None)
    assert view_message(view(table(), None)).dock is None


def test_chance_and_nobody_are_words_too() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HKP"), stock="S", rest="discard")
    apply(position, retreat(4))
    assert view_message(view(position, RED)).to_act == "chance"
    won = table(red=[36, *[HOME] * 5], hands=("B", ""))
    apply(won, play("B", 36))
    message = view_message(view(won, RED))
    assert (message.to_act, message.ending, message.winner) == (None, "won", RED)
    assert [sent(view(end, None)) for end in (position, won)] == [view(end, None) for end in (position, won)]


def test_a_face_down_trim_is_null() -> None:
    position = nest_table(hands=("MAP " + "ca " * 9, ""))
    apply(position, play("MAP", "start"))
    apply(position, trim("ca"))
    own, other = (msgspec.to_builtins(view_message(view(position, seat)).trimmed) for seat in (RED, BLUE))
    assert (own, other) == (({"seat": 0, "card": "cannon"},), ({"seat": 0, "card": None},))


def test_a_world_can_be_drawn_from_a_view_that_was_sent() -> None:
    position = table(red="...1", blue="2", hands=("BD", "HKP"), stock="SH")
    apply(position, retreat(4))
    sight = sent(view(position, BLUE))
    one, two = (world(from_, Random(1)) for from_ in (sight, view(position, BLUE)))
    assert [crew.cards() for crew in one.crews] == [crew.cards() for crew in two.crews]
    assert one.order == two.order


# Memory.


def test_a_log_is_short_text() -> None:
    log = (15, 3, LOG_LAID + 3, LOG_RENEWED, 15, 16 + 15, LOG_LAID + 16 + 13)
    assert log_text(log) == "0.+dd|.1.n"
    assert log_of("0.+dd|.1.n") == log
    assert (log_text(()), log_of("")) == ("", ())
    assert log_of("|") == (LOG_RENEWED,)
    taken_back = (LOG_LAID + 18, LOG_TAKEN_BACK + 18, LOG_LAID + 18)
    assert log_text(taken_back) == "1c-cc"
    assert log_of("1c-cc") == taken_back


@pytest.mark.parametrize("text", ["a", "5a", "0", "0o", "0+", "0+.", "0 a", "+a", ".", "0a1"])
def test_a_log_that_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(MessageError, match="a log is digits"):
        log_of(text)


# Messages that cannot be read.


def changed(**changes: object) -> bytes:
    """An update whose view was changed on the way."""
    position = table(hands=("B", "D"), discard="K")
    update = as_json(update_for(None, 1, [], position))
    sight = update["view"]
    assert isinstance(sight, dict)
    sight.update(changes)
    return json.dumps(update).encode()


BROKEN: list[tuple[dict[str, object], str]] = [
    ({"discard": ["coconut"]}, "no card is called 'coconut'"),
    ({"ruleset": {"preset": "bermuda", "family": "escape", "options": {}}}, "is called 'bermuda'"),
    ({"ruleset": {"preset": "nest", "family": "escape", "options": {}}}, "of the family 'escape'"),
    (
        {"ruleset": {"preset": "jamaica", "family": "escape", "options": {"tide": 1}}},
        "no option is called 'tide'",
    ),
    ({"board": ["start", "key", "sloop"]}, "36 spaces, not 1"),
    (
        {"board": ["sloop", *["bottle", "dagger", "hat", "key", "pistol", "skull"] * 6, "start"]},
        "do not lie where",
    ),
    ({"memory": {"discard": "z", "hands": [None, None], "log": ""}}, "cards are letters from a to n"),
]


@pytest.mark.parametrize(("changes", "sentence"), BROKEN)
def test_words_without_sense_are_refused(changes: dict[str, object], sentence: str) -> None:
    sight = decode(changed(**changes)).view
    assert sight is not None
    with pytest.raises(MessageError, match=sentence):
        view_of(sight)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{", "truncated"),
        (b"{}", "missing required field `version`"),
        (b'{"version": 2}', "a message of version 2; version 1 is understood"),
        (b'{"version": 1}', "missing required field"),
        (changed(turn="three"), r"Expected `int`, got `str` - at `\$.view.turn`"),
        (changed(to_act="dice"), "Invalid enum value 'dice'"),
        (changed(discard=["skull"]).replace(b"skull", b"\xff"), "utf-8"),
        (b'{"later": ' + b"[" * 100_000, "recursion"),
    ],
)
def test_a_text_that_is_no_update_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(MessageError, match=sentence):
        decode(data)


def test_memory_is_a_small_part_of_it() -> None:
    sight = view(
        Tale(Short(ruleset=JAMAICA, seats=3, seed=1, taste="any", actions=300), 100).game().position, 0
    )
    full = len(encode(replace_view(update_for(None, 1, [], table()), sight)))
    empty = sight._replace(memory=sight.memory._replace(log=()))
    assert full - len(encode(replace_view(update_for(None, 1, [], table()), empty))) < 2 * len(
        sight.memory.log
    )
