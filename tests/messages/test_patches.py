"""Patches: edits that make one update of the next, the same in every language."""

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartagena.messages.cards import MessageError
from cartagena.messages.patches import patch, patched
from cartagena.messages.updates import decode, decoded, encode, updates_for
from cartagena.notation.record import Record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from harness.bot_games import played
from tests.marks import NO_NODE

HERE = Path(__file__).parent
VECTORS: list[dict[str, Any]] = json.loads((HERE / "patch_vectors.json").read_text(encoding="utf-8"))
PROTOCOL = HERE.parents[1] / "docs" / "protocol.md"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=4)
    ),
    max_leaves=25,
)
OBJECTS = st.dictionaries(st.sampled_from(["view", "seq", "wishes", "news"]), JSON, max_size=4)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["what"])
def test_the_vectors_are_applied(vector: dict[str, Any]) -> None:
    before = json.dumps(vector["before"])
    assert patched(vector["before"], vector["edit"]) == vector["after"]
    assert json.dumps(vector["before"]) == before


@given(before=OBJECTS, after=OBJECTS)
def test_a_patch_makes_any_object_of_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    edit = patch(msgspec.json.encode(before), msgspec.json.encode(after))
    # As JSON, because to Python 1 is true.
    made = patched(before, msgspec.json.decode(edit))
    assert json.dumps(made, sort_keys=True) == json.dumps(after, sort_keys=True)


@pytest.mark.parametrize(
    ("before", "edit"),
    [
        (None, {"turn": 0}),
        ({"turn": 1}, {"row": 0}),
        ({"row": [1]}, {"row": [1, 1, []]}),
        ({"row": [1]}, {"row": {"4": [1]}}),
        ({"row": [1]}, {"row": [0, 1, 7]}),
        ({"row": 1}, {"row": [0, 1, []]}),
        ({"row": []}, {"row": [1, 2, 3, 4]}),
        ({"row": []}, {"row": "x"}),
        ({"row": []}, {"row": [["a"], 7]}),
        ({}, 7),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(before: object, edit: object) -> None:
    with pytest.raises(MessageError, match="does not fit"):
        patched(before, edit)


@pytest.mark.parametrize("seats", range(FEWEST_SEATS, MOST_SEATS + 1))
@pytest.mark.parametrize("preset", PRESETS)
def test_patches_tell_byte_for_byte_what_whole_updates_tell(preset: str, seats: int) -> None:
    whole = told = 0
    for before, after in pairs(preset, seats, games=1):
        edit = patch(before, after)
        made = decoded(patched(msgspec.json.decode(before), msgspec.json.decode(edit)))
        assert encode(made) == encode(decode(after))
        whole, told = whole + len(after), told + len(edit)
    assert 3 * told < whole


@pytest.mark.long  # ten thousand games
def test_patches_tell_it_in_many_games() -> None:
    for preset in PRESETS:
        for seats in range(FEWEST_SEATS, MOST_SEATS + 1):
            for before, after in pairs(preset, seats, games=834):
                made = patched(msgspec.json.decode(before), msgspec.json.decode(patch(before, after)))
                assert encode(decoded(made)) == encode(decode(after))


def pairs(preset: str, seats: int, games: int) -> Iterator[tuple[bytes, bytes]]:
    """Each update of random games with the one before it, of every seat and of spectators."""
    for number in range(games):
        yield from updates_of(played("random", preset, seats, number, "patches"))


def updates_of(record: Record) -> Iterator[tuple[bytes, bytes]]:
    """Each update of one game with the one before it; now and then a client misses a few."""
    game, chance = begin(record.headers), Random(record.headers.seats)
    audiences = [*range(record.headers.seats), None]
    before = updates_for(game.position, 0, (), audiences)
    for number, step in enumerate(record.steps, 1):
        told = replay_step(game, step)
        after = updates_for(game.position, number, told, audiences, undo=game.refusal_of_undo() is None)
        if chance.random() < 0.1:
            continue
        yield from ((before[audience], after[audience]) for audience in audiences)
        before = after


@NO_NODE
def test_the_client_of_the_docs_applies_the_vectors() -> None:
    check_in_node(
        f"deepStrictEqual(patched({json.dumps(one['before'])}, {json.dumps(one['edit'])}), "
        f"{json.dumps(one['after'])});"
        for one in VECTORS
    )


def check_in_node(checks: Iterable[str]) -> None:
    """Run checks of the JavaScript client in docs/protocol.md."""
    scripts = re.findall(r"```js\n(.*?)```", PROTOCOL.read_text(encoding="utf-8"), re.DOTALL)
    run = subprocess.run(
        ["node", "--input-type=module"],  # noqa: S607
        input="\n".join(['import { deepStrictEqual } from "node:assert";', *scripts, *checks]),
        text=True,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
