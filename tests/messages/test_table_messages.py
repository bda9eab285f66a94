"""The table around the game: what is sent says what was meant, and leaves out what is not there."""

import json

import msgspec
import pytest

from cartagena.messages import (
    ChairMessage,
    ChatMessage,
    ClockMessage,
    ClockSettings,
    ErrorMessage,
    MessageError,
    NewsMessage,
    ProblemMessage,
    TableMessage,
    Update,
    encode,
    error_body,
    read,
    update_for,
    updates_for,
)
from tests.messages.around import BOT, CLOCK, HOST, NEWS, PLAYER, around
from tests.tables import RED, table

EVERY: list[msgspec.Struct] = [
    CLOCK,
    NEWS,
    HOST,
    BOT,
    around(),
    around(stage="over"),
    ClockSettings(kind="correspondence", days=3),
    ChatMessage(number=7, seat=None, name="Ada", text="ahoy ⚓", at=1_790_000_000_000),
    ChatMessage(number=8, seat=1, name="Bosun", text="", at=1_790_000_000_001),
    ChatMessage(number=9, seat=1, name="Bosun", text="", at=0, player=PLAYER, removed=True),
    ChatMessage(number=10, seat=1, name="Bosun", text="", at=0, player=PLAYER, removes=9),
    ProblemMessage(code="stale", message="the table went on"),
    Update(seq=1, news=NEWS, table=around(), clock=CLOCK),
]


@pytest.mark.parametrize("message", EVERY, ids=lambda message: type(message).__name__)
def test_a_message_survives_the_wire(message: msgspec.Struct) -> None:
    assert read(type(message), encode(message)) == message


def as_json(message: msgspec.Struct) -> object:
    """What a program in another language reads."""
    return json.loads(encode(message))


def test_an_open_chair_is_short() -> None:
    assert as_json(ChairMessage(seat=2, kind="open")) == {"seat": 2, "kind": "open"}


def test_a_chair_tells_who_sits_there_and_who_plays_for_him() -> None:
    chair = ChairMessage(
        seat=0, kind="person", name="Ada", player=PLAYER, minder="bosun", lost=True, agrees=True, is_host=True
    )
    assert as_json(chair) == {
        "seat": 0,
        "kind": "person",
        "name": "Ada",
        "player": PLAYER,
        "minder": "bosun",
        "lost": True,
        "agrees": True,
        "is_host": True,
    }


def test_news_name_what_they_are_about_and_no_more() -> None:
    assert as_json(NewsMessage(kind="began")) == {"kind": "began"}
    assert as_json(NewsMessage(kind="undone", seat=1)) == {"kind": "undone", "seat": 1}


def test_a_clock_is_set_in_seconds_or_in_days() -> None:
    live = ClockSettings(kind="live", bank=60, increment=5)
    assert as_json(live) == {"kind": "live", "bank": 60, "increment": 5}
    assert as_json(ClockSettings(kind="correspondence", days=3)) == {"kind": "correspondence", "days": 3}


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        (NewsMessage, '{"kind": "sneezed"}', "Invalid enum value 'sneezed'"),
        (TableMessage, encode(around()).replace(b'"running"', b'"asleep"'), "Invalid enum value 'asleep'"),
        (ChairMessage, '{"seat": 0}', "missing required field `kind`"),
        (ClockMessage, '{"banks": [1.5]}', "Expected `int`, got `float`"),
        (ChatMessage, "ahoy", "malformed"),
    ],
)
def test_what_makes_no_sense_is_refused(kind: type[msgspec.Struct], text: bytes | str, sentence: str) -> None:
    with pytest.raises(MessageError, match=sentence):
        read(kind, text)


# Refusals.


def test_an_error_says_why_and_cites_the_rule() -> None:
    problem = ProblemMessage(code="must_act", message="act once first", rule="R2.8")
    assert as_json(ErrorMessage(error=problem)) == {
        "error": {"code": "must_act", "message": "act once first", "rule": "R2.8"}
    }
    busy = ProblemMessage(code="too_many", message="wait a little", retry_after=3)
    assert as_json(ErrorMessage(error=busy)) == {
        "error": {"code": "too_many", "message": "wait a little", "retry_after": 3}
    }


def test_an_error_brings_the_update_that_is_already_written() -> None:
    position = table(hands=("B", "D"))
    frame = updates_for(position, 9, [], [RED])[RED]
    problem = ProblemMessage(code="stale", message="the table went on")
    body = error_body(problem, frame)
    assert read(ErrorMessage, body) == ErrorMessage(error=problem, current=update_for(RED, 9, [], position))
    assert frame in body
    assert error_body(problem) == encode(ErrorMessage(error=problem))


# For the generated types of other languages.


def test_every_message_has_a_schema() -> None:
    kinds = (Update, ErrorMessage, ChatMessage, ClockMessage)
    _, components = msgspec.json.schema_components(kinds, ref_template="#/{name}")
    assert {
        "Update",
        "ViewMessage",
        "WishesMessage",
        "LegalMessage",
        "RefusedMessage",
        "TableMessage",
        "ChairMessage",
        "NewsMessage",
        "MovedMessage",
    } <= set(components)
    assert components["LegalMessage"]["properties"]["kind"] == {"$ref": "#/Kind"}
    assert components["Update"]["required"] == ["seq"]
