"""Snapshots bring back every attribute of a position."""

import pickle
from random import Random

import pytest

from cartagena.fairness.opening import lone_shuffle, opening, shuffler
from cartagena.rules.game import Game
from cartagena.rules.parts import parts_of
from cartagena.rules.play import legal
from cartagena.rules.ruleset import PRESETS
from cartagena.server.tables.snapshot import CREW, CROWD, LISTS, NUMBERS, SnapshotError, pack, unpack


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_of_a_game_comes_back_as_it_was(preset: str, seats: int) -> None:
    ruleset = PRESETS[preset]
    shuffle = lone_shuffle("test", bytes(range(32)), ruleset, seats)
    game, chance, draw = Game(opening(shuffle, ruleset, seats)), Random(seats), shuffler(shuffle)
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
    derived = {"in_nest", "mover", "told"}
    assert set(parts_of(position)) == kept | derived
    assert set(parts_of(position.crews[0])) == set(CREW)
    assert set(parts_of(position.crowd)) == set(CROWD)


@pytest.mark.parametrize("data", [b"", b"\x93\x01\x02\x03", b"not a snapshot"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        unpack(PRESETS["tortuga"], data)


def test_a_snapshot_of_a_newer_format_is_refused() -> None:
    ruleset = PRESETS["tortuga"]
    data = bytearray(pack(opening(lone_shuffle("test", bytes(32), ruleset, 2), ruleset, 2)))
    data[1] = 2
    with pytest.raises(SnapshotError, match="format 2"):
        unpack(ruleset, bytes(data))
