"""The pictures of the rulebooks as positions and their examples as steps, read from JSON."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cartagena.rules.actions import Action, Kind, code_of
from cartagena.rules.board import Board, place_of_space
from cartagena.rules.codes import END_TURN, line_of
from cartagena.rules.explain import Explanation, explain
from cartagena.rules.happenings import Drew, Happening, Moved, Sailed
from cartagena.rules.legality import apply
from cartagena.rules.places import HOME, SLOOP, START
from cartagena.rules.position import Position
from cartagena.rules.ruleset import OPTIONS, PIRATES_NEST, TORTUGA, Ruleset
from cartagena.rules.setup import Layout, arrange

# What JSON holds has no type of its own; it is read here and nowhere else.
Json = dict[str, Any]

PLAYED_ON = 2
"""The picture of the Nest that is played out of another one."""
EXAMPLES_FOLDER = Path(__file__).parents[1] / "tests" / "examples"


def read(name: str) -> Json:
    """One of the files of data of the tests."""
    data: Json = json.loads((EXAMPLES_FOLDER / name).read_text(encoding="utf-8"))
    return data


EXAMPLES = read("examples.json")
COMMENTARY = read("commentary.json")
NAMES = (*EXAMPLES["tortuga"]["examples"], *EXAMPLES["nest"]["examples"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action of an example and what the rulebook says comes of it; None where it says nothing."""

    code: int
    start: int | None
    target: int | None
    jumped: tuple[int, ...] | None
    drawn: int
    cards: tuple[int, ...] | None
    dock: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Where a card would take a pirate after some steps of an example."""

    example: str
    steps: int | None
    crew: str
    code: int
    target: int
    jumped: tuple[int, ...]


def other_readings(ruleset: Ruleset) -> dict[str, Ruleset]:
    """The ruleset, every ruleset that differs from it in one option, and one that differs in all."""
    readings = {"as printed": ruleset}
    changes: dict[str, object] = {}
    for option in OPTIONS:
        if option.name in {"hands_open", "row_length"}:
            continue  # these two make the version itself
        for value in option.values_in(ruleset.family)[1:2]:
            changes[option.name] = value
            readings[f"{option.name}={value}"] = ruleset.with_options(**{option.name: value})
    return readings | {"all at once": ruleset.with_options(**changes)}


def ruleset_of(example: str) -> Ruleset:
    """The game that an example is about."""
    return TORTUGA if example in EXAMPLES["tortuga"]["examples"] else PIRATES_NEST


def source(example: str) -> Json:
    """An example as it stands in the data."""
    family = "tortuga" if ruleset_of(example) is TORTUGA else "nest"
    entry: Json = EXAMPLES[family]["examples"][example]
    return entry


def steps_of(example: str) -> list[Step]:
    """The steps of an example, in order."""
    ruleset = ruleset_of(example)
    return [step_of(ruleset, entry) for entry in source(example)["steps"]]


def step_of(ruleset: Ruleset, entry: Json) -> Step:
    """One step, with signs, crews and places as the engine numbers them."""
    draws = entry.get("draws", 0)
    named = isinstance(draws, list)
    return Step(
        code=code_in(ruleset, entry),
        start=place_of(ruleset, entry["from"]) if "from" in entry else None,
        target=place_of(ruleset, entry["to"]) if "to" in entry else None,
        jumped=tuple(entry["jumps_occupied"]) if "jumps_occupied" in entry else None,
        drawn=len(draws) if named else draws,
        cards=cards_of(ruleset, draws) if named else None,
        dock=entry.get("dock_after"),
    )


def code_in(ruleset: Ruleset, entry: Json) -> int:
    """The code of the action that an entry names."""
    kind = Kind(entry["action"])
    sign = entry.get("sign", entry.get("motif"))
    code = code_of(
        Action(
            kind=kind,
            card=None if sign is None else ruleset.signs.index(sign),
            crew=seat_of(ruleset, entry["crew"]) if kind is Kind.PUSH else None,
            place=place_of(ruleset, entry["from"]) if "from" in entry else None,
        )
    )
    assert code is not None
    return code


def ways_of(example: str) -> list[Way]:
    """What the commentary says about ways that are open or closed."""
    return [
        Way(
            example=entry["of"],
            steps=entry["steps"],
            crew=entry["crew"],
            code=code_in(ruleset_of(entry["of"]), {"action": "play", **entry}),
            target=place_of(ruleset_of(entry["of"]), entry["to"]),
            jumped=tuple(place_of(ruleset_of(entry["of"]), space) for space in entry["jumps_occupied"]),
        )
        for entry in COMMENTARY["ways"][example]
    ]


# Names and numbers.


def seats_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The crews of a picture, clockwise."""
    return ("blue", "red", "green", "yellow") if ruleset.row_length else ("yellow", "blue", "green", "red")


def seat_of(ruleset: Ruleset, crew: str) -> int:
    """The seat of a crew in the pictures of a game."""
    return seats_of(ruleset).index(crew)


def place_of(ruleset: Ruleset, space: int | str) -> int:
    """The place of a space by its printed number or its word."""
    if isinstance(space, str):
        return {"start": START, "sloop": SLOOP, "nest": HOME}[space]
    return place_of_space(ruleset.family, space)


def cards_of(ruleset: Ruleset, words: Sequence[str]) -> tuple[int, ...]:
    """The numbers of plain cards."""
    return tuple(ruleset.signs.index(word) for word in words)


def pirates_of(ruleset: Ruleset, picture: Json) -> list[list[int]]:
    """The places of every crew of a picture, clockwise, each in travel order."""
    crews = picture["pirates"]
    return [sorted(place_of(ruleset, space) for space in crews[crew]) for crew in seats_of(ruleset)]


# Positions.


def printed(ruleset: Ruleset, crew: str) -> Position:
    """The printed picture (the first of the Nest), with one crew to act."""
    if ruleset.row_length:
        return laid_out(ruleset, EXAMPLES["tortuga"], EXAMPLES["tortuga"]["signs"], crew)
    return laid_out(ruleset, EXAMPLES["nest"]["picture1"], EXAMPLES["nest"]["motifs"], crew)


def laid_out(ruleset: Ruleset, picture: Json, signs: Sequence[str], crew: str) -> Position:
    """A picture as a position; cards that it does not show lie in stock and discard."""
    hands = tuple(cards_of(ruleset, picture["hands"][name]) for name in seats_of(ruleset))
    row = cards_of(ruleset, picture.get("row", ()))
    shown = Counter(row) + Counter(card for hand in hands for card in hand)
    others = tuple((Counter(ruleset.deck()) - shown).elements())
    assert len(others) == picture["stock_size"] + picture["discard_size"]
    return arrange(
        Layout(
            ruleset=ruleset,
            board=Board(ruleset.family, cards_of(ruleset, signs)),
            pirates=tuple(map(tuple, pirates_of(ruleset, picture))),
            hands=hands,
            stock=others[: picture["stock_size"]],
            row=row,
            discard=others[picture["stock_size"] :],
            seat=seat_of(ruleset, crew),
            dock=picture.get("dock", 1),
        )
    )


def opening_of(example: str, ruleset: Ruleset) -> Position:
    """The position in which an example begins; picture 2 of the Nest is played out of picture 1."""
    entry = source(example)
    if entry.get("picture") == PLAYED_ON:
        position = printed(ruleset, "yellow")
        for step in steps_of("N1.3"):
            apply(position, step.code)
        apply(position, END_TURN)
        return position
    first = entry["steps"][0]
    return printed(ruleset, first.get("by", first["crew"]))


def played(example: str, steps: int | None = None, ruleset: Ruleset | None = None) -> Position:
    """The position after the first steps of an example, or after all of them."""
    position = opening_of(example, ruleset or ruleset_of(example))
    for step in steps_of(example)[:steps]:
        apply(position, step.code)
    return position


def reach(position: Position, crew: str, code: int) -> Explanation:
    """What a play would do if this crew were to act and held the card."""
    twin = position.copy()
    twin.seat = seat_of(position.ruleset, crew)
    twin.mover = twin.crews[twin.seat]
    twin.actions_used = 0
    twin.mover.take(line_of(code) - 1)
    return explain(twin, code)


def walk(told: Sequence[Happening]) -> tuple[int, int] | None:
    """From where to where a pirate went."""
    moves = [(happening.start, happening.target) for happening in told if isinstance(happening, Moved)]
    return moves[0] if moves else None


def cards_drawn(told: Sequence[Happening]) -> list[int | None]:
    """The cards drawn, in order."""
    return [happening.card for happening in told if isinstance(happening, Drew)]


def docked(told: Sequence[Happening]) -> list[int]:
    """The docks the sloop came to."""
    return [happening.dock for happening in told if isinstance(happening, Sailed)]
