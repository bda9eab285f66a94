"""Every happening has its sentence, and says no more than its audience may know."""

import dataclasses
import re
from typing import get_args

import pytest

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
from cartagena.rules.refusals import Refusal
from cartagena.rules.ruleset import PIRATES_NEST, TORTUGA
from cartagena.words import Words, languages
from cartagena.words.sentences import Names, refusal_sentence, tell

NEST = Names(Words("en"), PIRATES_NEST)
ESCAPE = Names(Words("en"), TORTUGA)

SENTENCES: list[tuple[Happening, str]] = [
    (Played(0, 12), "Red plays the gold parrot."),
    (Moved(1, 1, 0, 15), "A pirate of Blue goes from the landing to the sloop."),
    (Moved(2, 4, 16, 37), "Yellow pushes a pirate of Violet from space 15 to the nest."),
    (Moved(0, 0, 9, 3), "A pirate of Red goes back from space 9 to space 3."),
    (Drew(3, 0, from_row=False), "Green draws the cannon."),
    (Drew(3, 0, from_row=True), "Green takes the cannon from the row."),
    (Drew(3, None, from_row=False), "Green draws a card."),
    (RowLaid((1, 2)), "A new row is laid: chest, compass."),
    (Renewed(9, None), "The discard, 9 cards, is shuffled into a new stock."),
    (Renewed(1, None), "The discard, 1 card, becomes the new stock."),
    (Renewed(2, (1, 9)), "The discard is turned over and becomes the new stock: chest, gold compass."),
    (Sailed(0, 2, free=False), "Red sails the sloop to the large island."),
    (Sailed(0, 1, free=True), "Red is captain and sails the sloop to the small island for free."),
    (TrimDue((1, 0, 3)), "The freebooter comes: Red must discard 1 card, Yellow must discard 3 cards."),
    (Trimmed(0, 6), "Red lays the telescope face down."),
    (Trimmed(0, None), "Red lays a card face down."),
    (TrimShown(((0, 6), (2, 4))), "The discarded cards are turned up: telescope of Red, map of Yellow."),
    (Passed(0, forced=False), "Red passes."),
    (Passed(0, forced=True), "Red can do nothing and passes."),
    (TurnEnded(1, 2), "The turn goes from Blue to Yellow."),
    (Won(0), "Red has the whole crew in the nest and wins."),
    (Dead(None), "Nobody can ever move a pirate again: the game ends without a winner."),
    (Dead(1), "Nobody can ever move a pirate again: Blue has the most pirates home and wins."),
    (Quiet(40), "40 rounds went by without progress: the game ends without a winner."),
]


@pytest.mark.parametrize(("happening", "sentence"), SENTENCES)
def test_a_happening_is_one_sentence(happening: Happening, sentence: str) -> None:
    assert tell(NEST, happening) == sentence


def test_every_happening_is_tried() -> None:
    assert {type(happening) for happening, _ in SENTENCES} == set(get_args(Happening))


def test_every_field_that_can_be_hidden_is_tried_hidden() -> None:
    hideable = {
        (kind, field.name)
        for kind in get_args(Happening)
        for field in dataclasses.fields(kind)
        if "None" in str(field.type)
    }
    tried = {
        (type(happening), field.name)
        for happening, _ in SENTENCES
        for field in dataclasses.fields(happening)
        if getattr(happening, field.name) is None
    }
    assert tried == hideable


def test_the_tunnel_has_its_own_names() -> None:
    assert tell(ESCAPE, Moved(0, 0, 0, 37)) == "A pirate of Red goes from the fort to the sloop."
    assert tell(ESCAPE, Won(0)) == "Red has the whole crew aboard and wins."
    assert (ESCAPE.place(15), ESCAPE.place(36), NEST.place(36)) == ("space 15", "space 36", "space 35")


def test_equal_cards_of_a_hand_are_counted() -> None:
    assert ESCAPE.hand((3, 5, 3, 3)) == "3x key, skull"
    assert ESCAPE.hand(()) == "none"
    assert ESCAPE.cards((3, 5, 3)) == "key, skull, key"


def test_a_card_has_the_article_of_its_language() -> None:
    german, dutch = Names(Words("de"), PIRATES_NEST), Names(Words("nl"), PIRATES_NEST)
    cards = (0, 2, 3, 6, 9)
    assert [german.card_with_article(card) for card in cards] == [
        "eine Kanone",
        "einen Kompass",
        "Dukaten",
        "ein Fernrohr",
        "einen Gold-Kompass",
    ]
    assert [dutch.no_card(card) for card in cards[-3:]] == [
        "geen dukaten",
        "geen verrekijker",
        "geen gouden kompas",
    ]
    assert tell(german, Played(0, 9)) == "Rot spielt einen Gold-Kompass."


def test_a_way_has_the_prepositions_of_its_language() -> None:
    german = Names(Words("de"), PIRATES_NEST)
    assert tell(german, Moved(1, 1, 0, 15)) == "Ein Pirat von Blau zieht vom Strand in die Schaluppe."
    assert tell(german, Moved(1, 1, 16, 37)) == "Ein Pirat von Blau zieht von Feld 15 ins Nest."
    fleeing = Names(Words("de"), TORTUGA)
    assert tell(fleeing, Moved(0, 0, 0, 6)) == "Ein Pirat von Rot zieht aus der Festung auf Feld 6."


def test_a_card_that_is_not_held_is_named_where_it_is_known() -> None:
    code = Refusal.CARD_NOT_HELD.code
    assert refusal_sentence(ESCAPE, code, 2) == "You hold no hat."
    assert refusal_sentence(ESCAPE, code) == "You do not hold that card."
    assert refusal_sentence(ESCAPE, Refusal.OWN_PIRATE.code, 2) == "You cannot push your own crew."


@pytest.mark.parametrize("language", languages())
def test_no_island_has_a_number(language: str) -> None:
    words = Words(language)
    told = [
        words._text(key, None) for key in words.keys("rule.", "refusal.", "option.", "place.dock", "table.")
    ]
    assert [
        text
        for text in told
        if re.search(r"(?i)(island|insel|eiland|ö|dock|anleger|steiger|brygga) [12]\b", text)
    ] == []
