"""The lessons of the browser's course: positions, and what the learner is to do in them.

Most positions are the pictures of the printed rulebooks, read from tests/examples. Crews sit by their
colours, as everywhere in this project, so that blue is the crew that a rulebook calls blue.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cartagena.notation.names import CARD_BY_WORD
from cartagena.rules.actions import Kind
from cartagena.rules.board import Board
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.ruleset import ESCAPE, JAMAICA, NEST, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.setup import Layout
from harness.rulebook_examples import EXAMPLES, Json, cards_of, place_of

CREWS: Final = ("red", "blue", "yellow", "green")
"""The crews of a picture by their seats."""

SEED: Final = 1672
"""Orders the cards that no picture shows; any number would do, but it must stay the same."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """What a task asks for; a field that is None may be anything."""

    kind: Kind
    card: str | None = None
    crew: int | None = None
    place: int | None = None
    target: int | None = None


@dataclass(frozen=True)
class Task:
    """One thing to do: its name among the words, the sentence of the rulebook behind it, and the deed."""

    name: str
    rule: str
    deed: Deed


@dataclass(frozen=True)
class Scene:
    """A position and the tasks that follow each other from it; the seat to act is the learner's."""

    layout: Layout
    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Lesson:
    """Some scenes under one name."""

    name: str
    scenes: tuple[Scene, ...]


# Positions.


def crew(colour: str) -> int:
    """The seat of a crew."""
    return CREWS.index(colour)


def laid_out(ruleset: Ruleset, picture: Json, colour: str) -> Layout:
    """A picture of a rulebook, with one crew to act; cards that it does not show lie in stock and discard."""
    signs = EXAMPLES["nest"]["motifs"] if ruleset.family == NEST else EXAMPLES["tortuga"]["signs"]
    pirates = {name: [place_of(ruleset, space) for space in picture["pirates"][name]] for name in CREWS}
    return with_cards(
        Layout(
            ruleset=ruleset,
            board=Board(ruleset.family, cards_of(ruleset, signs)),
            pirates=tuple(tuple(sorted(pirates[name])) for name in CREWS),
            hands=(),
            stock=(),
            seat=crew(colour),
            dock=picture.get("dock", 1),
        ),
        hands=[picture["hands"][name] for name in CREWS],
        row=picture.get("row", ()) if ruleset.row_length else (),
        discarded=picture.get("discard_size", 0),
    )


def with_cards(
    layout: Layout, *, hands: Sequence[Sequence[str]], row: Sequence[str] = (), discarded: int = 0
) -> Layout:
    """A layout with these hands and this row; the other cards are the discard and the stock."""
    numbers = CARD_BY_WORD[layout.ruleset.family]
    held = tuple(tuple(numbers[word] for word in hand) for hand in hands)
    laid = tuple(numbers[word] for word in row)
    shown = Counter(laid) + Counter(card for hand in held for card in hand)
    others = list((Counter(layout.ruleset.deck()) - shown).elements())
    random.Random(SEED).shuffle(others)
    return replace(
        layout, hands=held, row=laid, discard=tuple(others[:discarded]), stock=tuple(others[discarded:])
    )


def race(pirates: Mapping[str, Sequence[int]], hands: Mapping[str, Sequence[str]]) -> Layout:
    """Red and Blue alone in the printed tunnel, with a full row and Red to act."""
    signs = cards_of(TORTUGA, EXAMPLES["tortuga"]["signs"])
    layout = Layout(
        ruleset=TORTUGA,
        board=Board(ESCAPE, signs),
        pirates=tuple(tuple(pirates[name]) for name in CREWS[:2]),
        hands=(),
        stock=(),
    )
    return with_cards(layout, hands=[hands[name] for name in CREWS[:2]], row=[*TORTUGA.signs, *TORTUGA.signs])


def printed(colour: str, ruleset: Ruleset = TORTUGA) -> Layout:
    """The picture of Tortuga's colour sheet."""
    return laid_out(ruleset, EXAMPLES["tortuga"], colour)


def islands(colour: str) -> Layout:
    """The first picture of the Nest."""
    return laid_out(PIRATES_NEST, EXAMPLES["nest"]["picture1"], colour)


def islands_later(colour: str) -> Layout:
    """The second picture of the Nest, with the hands of the first; of yellow's it shows two cards."""
    first, second = EXAMPLES["nest"]["picture1"], EXAMPLES["nest"]["picture2"]
    hands = {**first["hands"], "yellow": ["compass", "map", "cannon", "parrot"]}
    discarded = first["discard_size"] + 2
    return laid_out(PIRATES_NEST, {**second, "hands": hands, "discard_size": discarded}, colour)


def full_hands() -> Layout:
    """The first picture of the Nest, but Yellow and Blue hold more than seven cards, one of them gold."""
    hands = {
        **EXAMPLES["nest"]["picture1"]["hands"],
        "yellow": [
            *("gold_compass", "compass", "compass", "map", "map"),
            *("ducats", "chest", "telescope", "parrot"),
        ],
        "blue": ["chest", "chest", "parrot", "parrot", "cannon", "cannon", "compass", "ducats", "map"],
    }
    return laid_out(PIRATES_NEST, {**EXAMPLES["nest"]["picture1"], "hands": hands}, "yellow")


# The course.


def play(card: str | None = None, place: int | None = None, target: int | None = None) -> Deed:
    """Play a card."""
    return Deed(kind=Kind.PLAY, card=card, place=place, target=target)


def retreat(place: int) -> Deed:
    """Move back to company."""
    return Deed(kind=Kind.RETREAT, place=place)


def push(colour: str, place: int) -> Deed:
    """Move a pirate of another crew on."""
    return Deed(kind=Kind.PUSH, crew=crew(colour), place=place)


SAIL: Final = Deed(kind=Kind.SAIL)
CAPTAIN_SAIL: Final = Deed(kind=Kind.CAPTAIN_SAIL)
END_TURN: Final = Deed(kind=Kind.END_TURN)
TRIM: Final = Deed(kind=Kind.TRIM)

SIX_SIGNS: Final = tuple(TORTUGA.signs)
AT_START: Final = (START,) * 6


def course() -> list[Lesson]:
    """All lessons, in the order in which they are taken."""
    return [*first_lessons(), *turn_lessons(), *nest_lessons()]


def scene(layout: Layout, *tasks: Task) -> Scene:
    """A position and its tasks."""
    return Scene(layout, tasks)


def lesson(name: str, *scenes: Scene) -> Lesson:
    """A name and its scenes."""
    return Lesson(name, scenes)


def first_lessons() -> list[Lesson]:
    """Cartagena: the way out, playing cards and retreating."""
    fort = race({"red": AT_START, "blue": AT_START}, {"red": SIX_SIGNS, "blue": SIX_SIGNS})
    quay = race(
        {"red": (*AT_START[:5], 35), "blue": (START, START, START, 4, 12, 20)},
        {"red": SIX_SIGNS, "blue": SIX_SIGNS},
    )
    return [
        lesson(
            "goal",
            scene(fort, Task("fort", "R1.1", play(place=START))),
            scene(quay, Task("sloop", "R3.5", play(place=35, target=HOME))),
        ),
        lesson(
            "card",
            scene(
                printed("blue"),
                Task("next", "R3.3", play("pistol", 9)),
                Task("space", "R3.1", play("skull", 18, 23)),
            ),
        ),
        lesson(
            "jump",
            scene(printed("yellow"), Task("taken", "R3.4", play("skull", 9))),
            scene(printed("blue"), Task("far", "R3.4", play(target=36))),
        ),
        lesson(
            "retreat",
            scene(printed("blue"), Task("one", "R4.2", retreat(18))),
            scene(printed("red"), Task("two", "R4.5", retreat(8))),
        ),
    ]


def turn_lessons() -> list[Lesson]:
    """Cartagena: whole turns, winning, and what Tortuga shows and Jamaica hides."""
    last = race(
        {"red": (30, HOME, HOME, HOME, HOME, HOME), "blue": (12, 20, 33, 34, HOME, HOME)},
        {"red": ("dagger", "hat", "key"), "blue": ("key", "pistol", "skull", "skull")},
    )
    three_daggers = scene(
        printed("blue"),
        Task("first", "R2.3", play("dagger", START)),
        Task("second", "R2.5", play("dagger", 6)),
        Task("third", "R2.5", play("dagger", 6)),
        Task("end", "R2.11", END_TURN),
    )
    balanced = scene(
        printed("blue"),
        Task("aboard", "R3.5", play("bottle", 17)),
        Task("fetch", "R4.5", retreat(18)),
        Task("out", "R2.6", play("dagger", START)),
    )
    five_cards = scene(
        printed("blue"),
        Task("first", "R5.4", retreat(17)),
        Task("second", "R5.5", retreat(18)),
        Task("third", "R4.3", retreat(17)),
    )
    unseen = scene(printed("red", JAMAICA), Task("draw", "R5.3", retreat(8)), Task("end", "R7.6", END_TURN))
    return [
        lesson("turn", three_daggers),
        lesson("boarding", balanced, scene(last, Task("win", "R6.2", play("key", 30)))),
        lesson("row", five_cards),
        lesson("hidden", unseen),
    ]


def nest_lessons() -> list[Lesson]:
    """The Pirate's Nest: the sloop, pushing, the captain and the freebooter."""
    ferry = scene(
        islands_later("blue"),
        Task("call", "R12.3", SAIL),
        Task("board", "R10.5", play("chest", 13)),
        Task("cross", "R12.2", SAIL),
    )
    six_cards = scene(
        islands("yellow"),
        Task("first", "R11.1", push("blue", 13)),
        Task("second", "R11.3", push("green", 3)),
        Task("third", "R11.3", push("red", START)),
    )
    free_crossing = scene(
        islands("yellow"),
        Task("cross", "R12.9", CAPTAIN_SAIL),
        Task("ashore", "R10.7", play("compass", SLOOP)),
        Task("home", "R10.8", play("compass", SLOOP)),
        Task("last", "R2.5", play("compass", place_of(PIRATES_NEST, 33))),
    )
    gold = scene(full_hands(), Task("gold", "R13.2", play("gold_compass", 3)), Task("trim", "R13.5", TRIM))
    return [
        lesson("sloop", ferry),
        lesson("push", six_cards),
        lesson("captain", free_crossing),
        lesson("freebooter", gold),
    ]
