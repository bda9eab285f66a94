"""The layout of observations is what the page says, and does not change within a version."""

import hashlib
from itertools import pairwise
from pathlib import Path

import pytest

from cartagena.envs import cartagena_v0
from cartagena.envs.observation import ENCODING_VERSION, Field, decode, fields_of, highest, size_of
from cartagena.notation import parse_record
from cartagena.notation.replay import begin, replay_step
from cartagena.rules.ruleset import PRESETS, Ruleset
from tests.envs.reference import encoder_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/environment.md").read_text(encoding="utf-8")
RECORDS = sorted((ROOT / "tests/records").glob("*.record"))

DIGEST_OF_VERSION = {1: "d70b0dfe791a45c59f607b5ecd60e1975395ff817e332238e9a35df73f4038f5"}


def rows(title: str) -> list[list[str]]:
    """The rows of the table on the page whose first column has this title."""
    lines = PAGE.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip(" `") for cell in line.strip("|").split(" | ")] for line in lines]


def shape_word(field: Field, ruleset: Ruleset, seats: int) -> str:
    """A shape as the page writes it."""
    kinds = 6 if ruleset.family == "escape" else 14
    words = {seats: "seats", 38: "places", kinds: "kinds", kinds + 1: "(kinds + 1)"}
    words[len(ruleset.deck())] = "deck"
    if field.name == "signs":
        words[field.shape[1]] = "signs"
    return " x ".join(words.get(length, str(length)) for length in field.shape)


@pytest.mark.parametrize("key", PRESETS)
def test_the_page_lists_every_field_in_its_order_and_shape(key: str) -> None:
    ruleset = PRESETS[key].with_options(reshuffle="turn_over")
    listed = {name: shape for name, shape, *_ in rows("field")}
    found = {field.name: shape_word(field, ruleset, 4) for field in fields_of(ruleset, 4)}
    assert found.items() <= listed.items()
    assert list(found) == [name for name in listed if name in found]


def test_the_page_lists_no_other_field() -> None:
    listed = {name for name, *_ in rows("field")}
    changed = [ruleset.with_options(reshuffle="turn_over") for ruleset in PRESETS.values()]
    assert listed == {field.name for ruleset in changed for field in fields_of(ruleset, 2)}


def test_the_page_knows_the_sizes() -> None:
    for key, *sizes in rows("ruleset"):
        assert [size_of(fields_of(PRESETS[key], seats)) for seats in range(2, 6)] == [*map(int, sizes)]


def test_the_fields_lie_one_behind_the_other() -> None:
    fields = fields_of(PRESETS["nest"], 3)
    assert fields[0].first == 0
    assert all(one.first + one.size == other.first for one, other in pairwise(fields))
    assert len(highest(fields)) == size_of(fields)


def test_decoded_fields_are_the_whole_observation() -> None:
    env = cartagena_v0.raw_env(ruleset="nest", seats=3)
    env.reset(seed=1)
    seen = env.observe("seat_1")["observation"]
    parts = decode(seen, env.fields)
    assert b"".join(part.tobytes() for part in parts.values()) == seen.tobytes()
    parts["dock"][0] = 2
    assert env.decode(seen)["dock"].tolist() == [2]


def test_a_version_writes_what_it_always_wrote() -> None:
    digest = hashlib.sha256()
    for path in RECORDS:
        record = parse_record(path.read_text(encoding="utf-8"))
        if None in record.headers.deal:
            continue
        game = begin(record.headers)
        encoder = encoder_of(game.position)
        for step in record.steps:
            replay_step(game, step)
            digest.update(encoder.encode(game.position, game.position.seat))
    assert cartagena_v0.raw_env.metadata["encoding_version"] == ENCODING_VERSION
    assert digest.hexdigest() == DIGEST_OF_VERSION[ENCODING_VERSION], "a changed encoding is a new version"
