"""The search for secrets finds nothing in what a faithful service sends, and every leak that is planted."""

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as with_fields

from cartagena.messages import (
    ChairMessage,
    ChatMessage,
    NewsMessage,
    TableMessage,
    Update,
    encode,
    ruleset_message,
    update_for,
)
from cartagena.messages.accounts import MeMessage, SignedInMessage
from cartagena.messages.cards import word_of, words_of
from cartagena.messages.happenings import DrewMessage, TrimmedMessage
from cartagena.messages.memories import log_text
from cartagena.messages.updates import TableAnswer
from cartagena.notation import format_record
from cartagena.rules.happenings import Drew, Trimmed
from cartagena.rules.hidden.view import view
from cartagena.rules.laws import broken_law
from cartagena.rules.position import Position
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, TORTUGA
from harness.play.clients import Exchange
from harness.play.truth import Moment, twin_of
from tests.client.play_story import (
    LINE,
    NEWS,
    TABLE,
    TOKENS,
    Story,
    acted,
    answer,
    refused,
    replace_body,
    story,
    streamed,
)

RULESETS = {
    "tortuga": TORTUGA,
    "jamaica": JAMAICA,
    "nest": PIRATES_NEST,
    "jamaica turned over": JAMAICA.with_options(reshuffle="turn_over"),
    "nest turned over": PIRATES_NEST.with_options(reshuffle="turn_over"),
}


@pytest.fixture(scope="module")
def jamaica() -> Story:
    """A game with hidden hands."""
    return story(JAMAICA, 3, seed=1, actions=150)


@pytest.fixture(scope="module")
def nest() -> Story:
    """A game with hidden hands in which cards were laid face down."""
    tales = (story(PIRATES_NEST, 2, seed, actions=300) for seed in range(100))
    return next(tale for tale in tales if any(map(trims, tale.truth.moments.values())))


def trims(moment: Moment) -> bool:
    """Whether a seat other than 1 has just trimmed."""
    return any(isinstance(one, Trimmed) and one.seat != 1 for one in moment.told)


def table(stage: str = "running", nonce: str | None = None, name: str = "Bart") -> TableMessage:
    """The table around a game."""
    chair = ChairMessage(seat=1, kind="person", name=name, nonce_hash="f" * 64, nonce=nonce)
    return TableMessage(
        id=TABLE[-36:],
        stage=stage,  # type: ignore[arg-type]  # the tests know the words
        ruleset=ruleset_message(JAMAICA),
        chairs=(chair,),
        clock=None,
        listed=True,
        rated=False,
        spectators=True,
        commitment="e" * 64,
        game="a-game.1",
        starts=1,
        called_off=0,
        ending=None,
        winner=None,
        rematch=None,
        rules_version=1,
        created=0,
    )


# --- What a faithful service sends -----------------------------------------------------------------


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_nothing_is_found_in_a_whole_game_that_is_told_as_it_may_be(
    name: str, seats: int, seat: int | None
) -> None:
    tale = story(RULESETS[name], seats, seed=seats, actions=160)
    updates = [("update", tale.update(seq, seat)) for seq in tale.truth.moments]
    search = tale.search(streamed(*updates, ("chat", LINE)), seat=seat)
    assert list(search.leaks()) == []
    assert search.updates == len(tale.truth.moments)


@pytest.mark.parametrize("name", RULESETS)
def test_nor_in_records_errors_and_tables(name: str) -> None:
    tale = story(RULESETS[name], 3, seed=5, actions=80)
    last = max(tale.truth.moments)
    exchanges = [
        *(answer("GET", "/record", tale.record(seq, 1).encode()) for seq in range(3, last, 11)),
        answer("GET", "/record", format_record(tale.truth.record).encode()),
        refused("the table is at 9, not at 8", tale.update(9, 1)),
        refused("another player's request has this key", code="key_reused"),
        answer("GET", "", TableAnswer(id="x", seat=1, invite="c0de", current=Update(seq=2, table=table()))),
        answer("POST", "/sit", Update(seq=1, news=NEWS, table=table("open"))),
        answer("POST", "/resign", tale.update(last, 1, table=table("over", "0" * 64))),
        answer("POST", "/chat", b'{"number":1}', 201),
        replace(answer("POST", "", signed_in(TOKENS[1])), path="/api/guest"),
    ]
    assert tale.leaks(*exchanges) == []


def signed_in(token: str) -> SignedInMessage:
    """The answer to signing in."""
    me: dict[str, Any] = {  # Any: the fields of a message
        "id": TABLE[-36:],
        "name": "Bart",
        "is_guest": True,
        "is_admin": False,
        "created": 0,
        "banned_until": None,
        "settings": {},
        "passkeys": 0,
        "recovery_codes": 0,
        "webhook": False,
    }
    return SignedInMessage(me=msgspec.convert(me, MeMessage, strict=False), token=token)


# --- Planted leaks in updates ----------------------------------------------------------------------


def test_another_seats_hand_in_a_view_is_found(jamaica: Story) -> None:
    update = jamaica.update(9, 1)
    assert update.view is not None
    hand = words_of("escape", jamaica.truth.moments[9].position.crews[0].cards())
    leaky = with_fields(update, view=with_fields(update.view, hands=(hand, *update.view.hands[1:])))
    for exchange in (acted(leaky), refused("no", leaky), streamed(("update", leaky)), whole(leaky)):
        assert any("update 9" in leak for leak in jamaica.leaks(exchange))


def whole(update: Update) -> Exchange:
    """The answer to looking at a table."""
    return answer("GET", "", TableAnswer(id="x", seat=1, invite=None, current=update))


def test_what_another_seat_is_told_is_found(jamaica: Story) -> None:
    assert jamaica.leaks(acted(jamaica.update(9, 0)))
    assert jamaica.leaks(acted(jamaica.update(9, 1)), seat=None)


def test_the_top_of_the_stock_is_found(jamaica: Story) -> None:
    update = jamaica.update(9, 1)
    assert update.view is not None
    top = words_of("escape", jamaica.truth.moments[9].position.stock()[:1])
    assert jamaica.leaks(acted(with_fields(update, view=with_fields(update.view, stock=top))))


def test_a_card_that_another_seat_drew_is_found(jamaica: Story) -> None:
    seq = jamaica.moment(lambda moment: any(isinstance(one, Drew) and one.seat != 1 for one in moment.told))
    update, told = jamaica.update(seq, 1), jamaica.truth.moments[seq].told
    happened = tuple(
        with_fields(message, card=word_of("escape", one.card))
        if isinstance(one, Drew) and isinstance(message, DrewMessage)
        else message
        for one, message in zip(told, update.happened, strict=True)
    )
    assert jamaica.leaks(acted(with_fields(update, happened=happened)))


def test_a_card_that_lies_face_down_is_found(nest: Story) -> None:
    seq = nest.moment(trims)
    update = nest.update(seq, 1)
    happened = tuple(
        with_fields(message, card="map") if isinstance(message, TrimmedMessage) else message
        for message in update.happened
    )
    assert nest.leaks(acted(with_fields(update, happened=happened)))


def test_a_memory_of_what_nobody_saw_is_found(jamaica: Story) -> None:
    seq = max(jamaica.truth.moments) - 1
    update = jamaica.update(seq, 1)
    assert update.view is not None
    log = log_text(tuple(jamaica.truth.moments[seq].position.log))
    memory = with_fields(update.view.memory, log=log)
    assert jamaica.leaks(acted(with_fields(update, view=with_fields(update.view, memory=memory))))


def test_the_wishes_of_another_seat_are_found(jamaica: Story) -> None:
    seq = jamaica.moment(lambda moment: moment.position.to_act == 0)
    wishes = jamaica.update(seq, 0).wishes
    assert wishes is not None
    assert jamaica.leaks(acted(with_fields(jamaica.update(seq, 1), wishes=wishes)))


def test_a_view_before_the_deal_is_found(jamaica: Story) -> None:
    assert jamaica.leaks(acted(with_fields(jamaica.update(9, 1), seq=1)))


def test_a_field_that_no_message_has_is_found(jamaica: Story) -> None:
    body = encode(jamaica.update(9, 1))
    deal = msgspec.json.encode(jamaica.truth.headers.deal)
    assert jamaica.leaks(replace_body(acted(Update(seq=9)), body[:-1] + b',"deal":' + deal + b"}"))


# --- Planted leaks in what makes the updates -------------------------------------------------------


def hand_leaks(seat: int | None, seq: int, told: Any, position: Position, **around: Any) -> Update:
    update = update_for(seat, seq, told, position, **around)
    assert update.view is not None
    hands = tuple(words_of(position.ruleset.family, crew.cards()) for crew in position.crews)
    return with_fields(update, view=with_fields(update.view, hands=hands))


def stock_leaks(seat: int | None, seq: int, told: Any, position: Position, **around: Any) -> Update:
    update = update_for(seat, seq, told, position, **around)
    assert update.view is not None
    return with_fields(update, view=with_fields(update.view, renewals=sum(position.stock()[:1])))


def log_leaks(seat: int | None, seq: int, told: Any, position: Position, **around: Any) -> Update:
    update = update_for(seat, seq, told, position, **around)
    assert update.view is not None
    memory = with_fields(update.view.memory, log=log_text(tuple(position.log)))
    return with_fields(update, view=with_fields(update.view, memory=memory))


def draw_leaks(seat: int | None, seq: int, told: Any, position: Position, **around: Any) -> Update:
    update = update_for(seat, seq, told, position, **around)
    cards = [one.card or 0 for one in told if isinstance(one, Drew)]
    return with_fields(update, happened=update.happened[: sum(cards) % 2 or None])


@pytest.mark.parametrize("leak", [hand_leaks, stock_leaks, log_leaks, draw_leaks])
def test_a_leak_in_the_program_itself_is_found_because_the_twin_differs(jamaica: Story, leak: Any) -> None:
    updates = [("update", jamaica.update(seq, 1, leak)) for seq in jamaica.truth.moments]
    assert jamaica.leaks(streamed(*updates), tell=leak)


# --- Planted leaks elsewhere -----------------------------------------------------------------------


def test_a_record_with_the_deal_is_found(jamaica: Story) -> None:
    moment = jamaica.truth.moments[20]
    open_record = format_record(jamaica.truth.record_at(moment))
    assert jamaica.leaks(answer("GET", "/record", open_record.encode()))
    assert jamaica.leaks(answer("GET", "/record", jamaica.record(20, 0).encode()))
    text = jamaica.record(20, 1)
    assert jamaica.leaks(answer("GET", "/record", text.encode() + b"# the deal is known\n"))
    assert jamaica.leaks(answer("GET", "/record", b"<html>"))


def test_a_record_that_shows_one_card_too_many_is_found(jamaica: Story) -> None:
    shown = jamaica.record(20, 1)
    deal = next(line for line in shown.splitlines() if line.startswith("Deal: "))
    words = deal.split()
    place = next(n for n, word in enumerate(words) if word.startswith("?"))
    hidden = sum(int(word.partition("*")[2] or 1) for word in words[1:place])
    card = jamaica.truth.headers.deal[hidden]
    assert card is not None
    more = int(words[place].partition("*")[2] or 1) - 1
    words[place : place + 1] = [words_of("escape", [card])[0], f"?*{more}"]
    assert jamaica.leaks(answer("GET", "/record", shown.replace(deal, " ".join(words)).encode()))


@pytest.mark.parametrize(
    "message",
    [
        "seat 0 holds a dagger",
        "seat 0 holds the hat",
        "the stock is key key hat map",
        "orders (3, 3, 1, 5)",
        "unexpected [3,3,1,5]",
    ],
)
def test_a_card_in_the_words_of_an_error_is_found(jamaica: Story, message: str) -> None:
    assert jamaica.leaks(refused(message))


def test_secrets_are_found_wherever_they_stand(jamaica: Story) -> None:
    headers = jamaica.truth.headers
    assert headers.secret is not None
    assert headers.nonces is not None
    nonce = headers.nonces[0]
    assert nonce is not None
    for secret in (headers.secret.hex(), nonce.hex(), TOKENS[0]):
        assert jamaica.leaks(refused(f"what is {secret}?"))
        assert jamaica.leaks(streamed(("closed", msgspec.json.encode({"code": secret}))))
        assert jamaica.leaks(replace_body(streamed(), f": {secret}\n\n".encode()))
        assert jamaica.leaks(replace(acted(Update(seq=1)), headers=((b"etag", secret.encode()),)))
        assert jamaica.leaks(acted(Update(seq=1, news=NewsMessage(kind="sat", name=secret))))
        assert jamaica.leaks(acted(Update(seq=1, table=table("open", name=secret))))


def test_a_number_for_the_shuffle_before_the_end_is_found(jamaica: Story) -> None:
    assert jamaica.leaks(acted(Update(seq=1, table=table("starting", "0" * 64))))


def test_a_token_of_another_is_found(jamaica: Story) -> None:
    assert jamaica.leaks(replace(answer("POST", "", signed_in(TOKENS[0])), path="/api/guest"))


def test_a_line_of_chat_that_nobody_said_is_found(jamaica: Story) -> None:
    forged = ChatMessage(number=1, seat=None, name="", text="the stock: ddbf", at=1)
    assert jamaica.leaks(streamed(("chat", forged)))


def test_what_is_not_understood_is_a_finding(jamaica: Story) -> None:
    assert jamaica.leaks(replace(acted(Update(seq=1)), path="/api/debug"))
    assert jamaica.leaks(replace(acted(Update(seq=1)), method="PUT"))
    assert jamaica.leaks(answer("POST", "/actions", b"<html>"))
    assert jamaica.leaks(answer("POST", "/actions", b"<html>", 502))


# --- Twins -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "tortuga"])
@pytest.mark.parametrize("seat", [None, 1])
def test_a_twin_keeps_the_laws_looks_the_same_and_is_another(name: str, seat: int | None) -> None:
    tale = story(RULESETS[name], 3, seed=3, actions=200)
    others = 0
    for moment in list(tale.truth.moments.values())[::7]:
        others += differs(moment, seat)
    assert others > 5


def differs(moment: Moment, seat: int | None) -> bool:
    """Whether the twin of a moment has different hands; it must keep the laws and look the same."""
    twin = twin_of(moment.position, seat, Random(1))
    assert broken_law(twin) is None
    assert view(twin, seat) == view(moment.position, seat)
    pairs = zip(twin.crews, moment.position.crews, strict=True)
    return any(one.cards() != other.cards() for one, other in pairs)
