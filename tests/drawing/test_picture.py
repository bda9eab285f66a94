"""Pictures: every ruleset and number of seats is drawn whole, and a hidden card is a back."""

import re
from collections import Counter
from random import Random
from xml.etree import ElementTree as ET

import pytest

from cartagena import PRESETS, Game, svg, view, world
from cartagena.drawing import LETTER, MARGIN, NAME_WIDTH
from cartagena.rules.places import HOME, SLOOP
from cartagena.words.catalogue import DOMAIN, WEB, Words

SVG = "{http://www.w3.org/2000/svg}"
EVERY_TABLE = pytest.mark.parametrize(
    ("ruleset", "seats"), [(key, seats) for key in PRESETS for seats in range(2, 6)]
)


def moments(ruleset: str, seats: int) -> list[Game]:
    """The deal, a moment under way, and the end."""
    game = Game.start(ruleset, seats=seats, seed=4, names=("Anne & Bo", "<b>"))
    found = [game.copy()]
    while game.turn < 15:
        game.push(game.choice_of("random"))
    found.append(game.copy())
    game.play_out("random")
    return [*found, game]


def figures(picture: str, kind: str = "pawn") -> Counter[int]:
    """How many pawns, or tokens, of each crew a picture shows."""
    return Counter(int(crew) for crew in re.findall(rf'href="#{kind}-(\d)"', picture))


@EVERY_TABLE
def test_each_pirate_is_drawn_once_and_once_beside_its_hand(ruleset: str, seats: int) -> None:
    for game in moments(ruleset, seats):
        picture = game.to_svg()
        assert figures(picture) == dict.fromkeys(range(seats), 7)
        waiting = figures(picture, "token")
        # The sail of the Nest has three seats for each crew, beside the six in the nest.
        seated = [
            [*crew.places(SLOOP)].count(HOME) + (crew.places(SLOOP).count(SLOOP) if ruleset == "nest" else 0)
            for crew in game.position.crews
        ]
        seats_of_crew = 9 if ruleset == "nest" else 6
        assert [waiting[seat] for seat in range(seats)] == [seats_of_crew - there for there in seated]


@EVERY_TABLE
def test_a_picture_is_whole_xml_and_points_at_nothing_that_it_lacks(ruleset: str, seats: int) -> None:
    for game in moments(ruleset, seats):
        picture = game.to_svg()
        assert "{{" not in picture
        assert "var(" not in picture
        root = ET.fromstring(picture)  # noqa: S314 - our own picture
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        assert {str(use.get("href"))[1:] for use in root.iter(f"{SVG}use")} <= ids
        title = root.find(f"{SVG}title")
        assert title is not None
        assert "Anne & Bo, <b>" in (title.text or "")


def test_a_view_shows_the_backs_of_hidden_hands() -> None:
    game = Game.start("jamaica", seats=3, seed=4)
    whole, seen, watched = game.to_svg(), game.to_svg(seat=0), game.to_svg(hidden=True)
    assert (whole.count("6 cards"), seen.count("6 cards"), watched.count("6 cards")) == (0, 2, 3)


def test_pictures_of_views_do_not_tell_hidden_cards() -> None:
    game = Game.start("jamaica", seats=2, seed=4)
    while game.turn < 8:
        game.push(game.choice_of("random"))
    seen = game.view(0)
    twin = world(seen, Random(1))
    assert twin != game.position
    assert svg(view(twin, 0)) == svg(seen)


def test_the_picture_of_a_record_is_that_of_its_end() -> None:
    game = Game.start("nest", seats=2, seed=4, names=("Anne", "Bart"))
    game.play_out("random")
    assert svg(game.record()) == game.to_svg()


def test_a_spectator_of_the_nest_sees_where_the_sloop_lies() -> None:
    game = Game.start("nest", seats=2, seed=4)
    first = svg(game.position)
    while game.position.dock == 1:
        game.push(next((move for move in game.moves() if "sail" in str(move)), game.moves()[0]))
    assert "small island" in first
    assert "large island" in svg(game.position)


def test_the_words_are_those_of_a_language() -> None:
    position = Game.start("tortuga", seats=2, seed=4).position
    assert "The fort" in svg(position)
    german = svg(position, words=Words("de", domains=(DOMAIN, WEB)))
    assert "The fort" not in german
    assert "Rot" in german


def test_the_board_may_stand_alone() -> None:
    position = Game.start("tortuga", seats=2, seed=4).position
    alone = svg(position, board_only=True)
    assert 'viewBox="0 0 1048 552"' in alone
    assert figures(alone) == {0: 6, 1: 6}


@pytest.mark.parametrize("name", ["Eve", "Old One-Eared Wanderer", "W" * 60])
def test_a_name_of_any_length_stays_before_the_cards(name: str) -> None:
    picture = Game.start("tortuga", seats=2, seed=4, names=(name, "Bart")).to_svg()
    shown = re.search(rf'<text x="(\d+)"[^>]* font-size="([\d.]+)"[^>]*>{name}</text>', picture)
    assert shown is not None
    left, size = float(shown[1]), float(shown[2])
    assert left + size * LETTER * len(name) < MARGIN + NAME_WIDTH
    assert size <= 20
    assert ("textLength" in shown[0]) is (size < 20), "a wider font is held to the room"
