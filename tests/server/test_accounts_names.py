"""Names of players: what is allowed, and when two are one."""

import secrets
from dataclasses import replace

import pytest
from asyncpg import Pool

from cartagena.notation.record import is_name
from cartagena.server.accounts.directory import Chance
from cartagena.server.accounts.players import become_guest
from cartagena.tables.errors import Problem, ServiceError
from cartagena.tables.names import (
    FIRST,
    LONGEST_NAME,
    SECOND,
    clean_name,
    long_text,
    name_key,
    new_name,
    pirate_name,
    short_text,
)
from harness.authenticator import Authenticator
from tests.server.accounts_ceremonies import ORIGIN, registered
from tests.server.accounts_world import BROWSER, world


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anne", "Anne"),
        ("  Anne Bonny\t", "Anne Bonny"),
        ("Zoe\u0308", "Zo\xeb"),
        ("海賊王", "海賊王"),
        ("Чёрная Борода", "Чёрная Борода"),
        ("🏴", "🏴"),
        ("x" * 24, "x" * 24),
    ],
)
def test_a_name_is_kept_trimmed_and_composed(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert is_name(name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 25,
        "Anne#1",
        "Anne\nBonny",
        "Anne\x00",
        "Anne\u202eynnoB",  # turns the direction of writing
        "An\u200bne",  # zero width
        "An\u2066ne",
        "An\u00adne",  # soft hyphen
        "\u3164",  # a letter that shows nothing
        "Anne\ufe0f",
        "\u0301Anne",  # begins with an accent
        "A\u0335\u0336\u0337\u0338",  # climbs over other lines
        "Deleted  Pirate",
        "deleted pirate",
        "Anne\ud800",
    ],
)
def test_a_name_that_could_deceive_is_refused(text: str) -> None:
    with pytest.raises(ServiceError) as refused:
        clean_name(text)
    assert refused.value.problem is Problem.UNFIT


@pytest.mark.parametrize(
    "text",
    [
        "Anne\U0001d159",  # a note without a head
        "Anne\U00016fe4",  # fills a line of Khitan
        "\u0410nne",  # a Cyrillic A
        "\u0391nne",  # a Greek one
        "Jolly B\u043eb",
        "Captain",
        "  ADMINISTRATOR ",
        "Kapit\xe4n",
    ],
)
async def test_a_name_that_passes_for_another_is_not_taken(directory: Pool, text: str) -> None:
    with pytest.raises(ServiceError) as refused:
        await become_guest(world(directory).directory, text, BROWSER)
    assert refused.value.problem is Problem.UNFIT


@pytest.mark.parametrize(
    "text", ["Captain Kidd", "Чёрная Борода", "Anne Анна", "Ωμέγα 3", "海賊王 Anne", "M8"]
)
def test_words_of_several_scripts_may_stand_side_by_side(text: str) -> None:
    assert new_name(text) == text


@pytest.mark.parametrize("other", ["ANNE BONNY", "anne  bonny", "\uff21nne Bonny", "Anne Bonny"])
def test_names_that_look_alike_are_one(other: str) -> None:
    assert name_key("Anne Bonny") == name_key(other)


def test_names_that_differ_are_two() -> None:
    assert name_key("Anne Bonny") != name_key("Anne Bonney")
    assert name_key("Straße") == name_key("STRASSE")


def test_every_pirate_has_a_name_that_fits() -> None:
    names = {f"{first} {second}" for first in FIRST.split() for second in SECOND.split()}
    assert len(names) == len(FIRST.split()) * len(SECOND.split()) > 3_000
    assert all(clean_name(name) == name and len(name) <= LONGEST_NAME for name in names)


def test_pirates_are_drawn_by_chance() -> None:
    assert len({pirate_name(secrets.token_bytes) for _ in range(100)}) > 50


def test_a_label_is_one_short_line() -> None:
    assert short_text("a\x00b\u202ec" + "d" * 100, 10) == "a b cddddd"
    assert short_text("\n\t", 10) == ""


def test_a_text_keeps_its_lines_and_nothing_unseen() -> None:
    assert long_text(" one\r\ntwo\x00\u202e \n", 1_000) == "one\ntwo"
    for text in ("", " \n ", "x" * 1_001):
        with pytest.raises(ServiceError):
            long_text(text, 1_000)


async def test_no_guest_is_given_the_name_that_a_player_keeps(directory: Pool) -> None:
    here = world(directory)
    await registered(here, await here.guest(), Authenticator(ORIGIN), "Barnacle Agnes")
    drawn = replace(here.directory, chance=_always_the_first(here.directory.chance))
    guest = await become_guest(drawn, None, BROWSER)
    assert guest.session.name == "Barnacle Agnes 2"


def _always_the_first(chance: Chance) -> Chance:
    """Chance that draws the first of every list, but is as good as ever for tokens and ids."""
    return lambda number: bytes(number) if number == 4 else chance(number)
