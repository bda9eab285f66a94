"""Snapshots bring back every attribute of a position."""

import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from cartagena.fairness.shuffle import lone_shuffle, opening, shuffler
from cartagena.rules.legality import legal
from cartagena.rules.pickling import parts_of
from cartagena.rules.ruleset import PRESETS
from cartagena.rules.undoable_game import UndoableGame
from cartagena.server.store.snapshot import CREW, CROWD, LISTS, NUMBERS, SnapshotError, pack, unpack


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_of_a_game_comes_back_as_it_was(preset: str, seats: int) -> None:
    ruleset = PRESETS[preset]
    shuffle = lone_shuffle("test", bytes(range(32)), ruleset, seats)
    game, chance, draw = UndoableGame(opening(shuffle, ruleset, seats)), Random(seats), shuffler(shuffle)
    for _ in range(400):
        if game.position.over:
            break
        game.act(chance.choice(legal(game.position)), draw)
        again = unpack(ruleset, pack(game.position))
        assert pickle.dumps(again) == pickle.dumps(game.position)
        assert legal(again) == legal(game.position)


def test_a_snapshot_names_every_attribute_there_is() -> None:
    ruleset = PRESETS["nest"]
    position = opening(lone_shuffle("test", bytes(32), ruleset, 2), ruleset, 2)
    kept = {*NUMBERS, *LISTS, "order", "board", "crews", "crowd", "ruleset"}
    derived = {"facts", "mover", "told"}
    assert set(parts_of(position)) == kept | derived
    assert set(parts_of(position.crews[0])) == set(CREW)
    assert set(parts_of(position.crowd)) == set(CROWD)


@pytest.mark.parametrize("data", [b"", b"\x93\x01\x02\x03", b"not a snapshot"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        unpack(PRESETS["tortuga"], data)


# Any: the arrays of a snapshot, before anybody says what they hold.
Breaking = Callable[[list[Any]], object]
BOARD, ORDER, CREWS, NUMBERS_AT, LISTS_AT = 1, 2, 4, 5, 6


@pytest.mark.parametrize(
    ("breaking", "said"),
    [
        (lambda packed: packed.append(0), "length"),
        (lambda packed: packed[CREWS].pop(), "length"),
        (lambda packed: packed[CREWS].clear(), "length"),
        (lambda packed: packed[CREWS][0].append(0), "length"),
        (lambda packed: packed[NUMBERS_AT].pop(), "length"),
        (lambda packed: packed[LISTS_AT].pop(), "length"),
        (lambda packed: packed.__setitem__(BOARD, bytes(35)), "every sign"),
        (lambda packed: packed.__setitem__(ORDER, bytes([200])), "a card is named"),
        (lambda packed: packed[LISTS_AT][0].append(14), "a card is named"),
        (lambda packed: packed[LISTS_AT][2].append(16 * 2), "a card is named"),
        (lambda packed: packed[LISTS_AT][0].append(3), "a card was lost or made"),
        (lambda packed: packed[NUMBERS_AT].__setitem__(NUMBERS.index("seat"), 2), "a seat is named"),
        (lambda packed: packed[NUMBERS_AT].__setitem__(NUMBERS.index("dock"), 7), "at no dock"),
        (lambda packed: packed[NUMBERS_AT].__setitem__(NUMBERS.index("turn"), 1 << 63), "Expected `int`"),
        (lambda packed: packed[CREWS][0].__setitem__(CREW.index("home"), 1 << 40), "Expected `int`"),
        (lambda packed: packed[NUMBERS_AT].__setitem__(NUMBERS.index("laying"), 1), "Expected `bool`"),
    ],
)
def test_a_snapshot_of_which_something_is_wrong_is_refused(breaking: Breaking, said: str) -> None:
    ruleset = PRESETS["nest"]
    packed = msgspec.msgpack.decode(pack(opening(lone_shuffle("test", bytes(32), ruleset, 2), ruleset, 2)))
    breaking(packed)
    with pytest.raises(SnapshotError, match=said):
        unpack(ruleset, msgspec.msgpack.encode(packed))


def test_a_snapshot_of_a_newer_format_is_refused() -> None:
    ruleset = PRESETS["tortuga"]
    data = bytearray(pack(opening(lone_shuffle("test", bytes(32), ruleset, 2), ruleset, 2)))
    data[1] = 2
    with pytest.raises(SnapshotError, match="format 2"):
        unpack(ruleset, bytes(data))
