"""Logs are searched for cards and secrets in every form in which the program could write them."""

import base64
import json
from collections.abc import Callable
from random import Random
from uuid import uuid4

import msgspec
import pytest

from cartagena.messages.cards import letters_of, words_of
from cartagena.notation.names import format_cards
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST
from cartagena.server.store.rows import encode_orders
from cartagena.server.store.snapshot import pack
from harness.play.traces import Secrets
from tests.client.play_story import TOKENS, Story, story

SECRET = bytes(range(100, 132))


@pytest.fixture(scope="module", params=["escape", "nest"])
def tale(request: pytest.FixtureRequest) -> Story:
    """A game with hidden hands."""
    return story(JAMAICA if request.param == "escape" else PIRATES_NEST, 3, seed=4, actions=60)


def order_of(tale: Story) -> tuple[int, ...]:
    return tuple(card for card in tale.truth.headers.deal[20:40] if card is not None)


def hand_of(tale: Story) -> list[int]:
    moments = tale.truth.moments.values()
    return max((crew.cards() for moment in moments for crew in moment.position.crews), key=len)


FORMS: dict[str, Callable[[str, list[int]], object]] = {
    "words": lambda family, cards: " ".join(words_of(family, cards)),
    "a list of words": lambda family, cards: list(words_of(family, cards)),
    "notation": format_cards,
    "a tuple": lambda _, cards: repr(tuple(cards)),
    "a list": lambda _, cards: cards,
    "numbers": lambda _, cards: " ".join(map(str, cards)),
    "letters": lambda _, cards: letters_of(cards),
    "bytes": lambda _, cards: repr(bytes(cards)),
    "hexadecimal digits": lambda _, cards: bytes(cards).hex(),
    "base64": lambda _, cards: base64.b64encode(bytes(cards)).decode(),
    "a row of the store": lambda _, cards: msgspec.json.encode(encode_orders((tuple(cards),))).decode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_order_of_cards_is_found_in_every_form(tale: Story, form: str) -> None:
    told = FORMS[form](tale.truth.headers.ruleset.family, list(order_of(tale)))
    assert tale.secrets.found_in_line(json.dumps({"event": "shuffled", "orders": told}))
    assert tale.secrets.found_in_line(f"2026-11-15 [info] shuffled orders={told}")


@pytest.mark.parametrize("form", FORMS)
def test_a_hand_is_found_in_every_form(tale: Story, form: str) -> None:
    told = FORMS[form](tale.truth.headers.ruleset.family, hand_of(tale))
    assert tale.secrets.found_in_line(json.dumps({"event": "acted", "view": {"hand": told}}))


def test_a_snapshot_is_found(tale: Story) -> None:
    position = list(tale.truth.moments.values())[10].position
    assert tale.secrets.found_in_line(json.dumps({"snapshot": repr(pack(position))}))
    assert tale.secrets.found_in_line(json.dumps({"snapshot": base64.b64encode(pack(position)).decode()}))


@pytest.mark.parametrize("card", ["dagger", "key", "gold_map", "Parrot"])
def test_a_single_card_is_found(card: str) -> None:
    assert Secrets().found_in_line(json.dumps({"event": "drew", "card": card}))


@pytest.mark.parametrize(
    "write",
    [
        bytes.hex,
        repr,
        lambda secret: base64.b64encode(secret).decode(),
        lambda secret: base64.urlsafe_b64encode(secret).decode().rstrip("="),
    ],
)
def test_a_secret_is_found_in_every_form(write: Callable[[bytes], str]) -> None:
    secrets = Secrets()
    secrets.add_bytes("the secret", SECRET)
    assert list(secrets.found_in(f"table {uuid4()} opened with {write(SECRET)}, seats=3")) == ["the secret"]


def test_a_token_is_found_even_within_a_header(tale: Story) -> None:
    assert "a token" in list(tale.secrets.found_in(f"authorization=Bearer {TOKENS[0]};"))


def test_an_ordinary_log_gives_nothing_away(tale: Story) -> None:
    chance = Random(1)
    for number in range(5_000):
        line = {
            "request_id": chance.randbytes(8).hex(),
            "method": "POST",
            "route": "/api/tables/{table_id}/actions",
            "status": 200,
            "code": "key_reused",
            "ms": round(chance.random() * 50, 2),
            "player": str(uuid4()),
            "event": "request",
            "level": "info",
            "at": f"2026-11-15T09:{number % 60:02}:33.{number:06}Z",
            "where": ["/srv/cartagena/server/store/games.py:41 commit", "handled, enabled, called"],
            "shards": "0-511, 512-1023",
        }
        assert tale.secrets.found_in_line(json.dumps(line)) == []


def test_an_id_that_looks_like_cards_gives_nothing_away() -> None:
    secrets = Secrets()
    secrets.add_cards([0, 1, 2, 3, 4, 5])
    assert secrets.found_in_line('{"hand":"abcdef"}')
    assert not secrets.found_in_line('{"player":"01a1de9f-b28e-7042-a73e-abcdefabcdef"}')


def test_what_is_no_json_is_searched_as_well() -> None:
    assert Secrets().found_in_line("Traceback: cards (1, 2, 3, 4, 5)")
    assert not Secrets().found_in_line("Traceback (most recent call last):")


def test_every_hand_of_a_game_is_among_the_secrets() -> None:
    tale = story(JAMAICA, 2, seed=9, actions=30)
    assert tuple(tale.truth.moments[3].position.crews[0].cards()) in tale.secrets.runs
