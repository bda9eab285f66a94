"""Compact updates: expanded they are the whole ones byte for byte, the same in every language."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cartagena.messages.cards import MessageError
from cartagena.messages.compact import Compact, compact, expanded
from cartagena.messages.patches import patch, patched
from cartagena.messages.updates import Update, decode, decoded, encode
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, PRESETS
from tests.marks import NO_NODE
from tests.messages.test_patches import check_in_node, pairs

HERE = Path(__file__).parent
_KEPT: dict[str, Any] = json.loads((HERE / "compact_vectors.json").read_text(encoding="utf-8"))
CATALOGUE: dict[str, Any] = _KEPT["catalogue"]
VECTORS: list[dict[str, Any]] = _KEPT["vectors"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["what"])
def test_the_vectors_are_expanded(vector: dict[str, Any]) -> None:
    told = {**vector["compact"], "catalogue": CATALOGUE}
    before = json.dumps(told)
    assert json.dumps(expanded(told)) == json.dumps(vector["whole"])
    assert json.dumps(told) == before


@pytest.mark.parametrize("told", [{"seq": 3, "happened": [["won", 1]]}, None, [], "catalogue"])
def test_what_has_no_catalogue_is_left_as_it_is(told: object) -> None:
    assert expanded(told) is told


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"happened": 7},
        {"happened": [["sang"]]},
        {"happened": [["drew", 1]]},
        {"happened": [], "wishes": {"lines": [0]}},
        {"happened": [], "wishes": {"lines": [1], "fates": [[1, 1]], "legal": [[]]}},
        {"happened": [], "wishes": {"lines": [0], "fates": [[1]], "legal": [[]]}},
        {"happened": [], "wishes": {"lines": [0], "fates": [[1, 10**12]], "legal": [[]]}},
        {"happened": [], "wishes": {"lines": [0], "fates": [[9, 1]], "legal": []}},
        {"happened": [], "wishes": {"lines": [0], "fates": [["x", 1]], "legal": []}},
    ],
)
def test_an_update_that_does_not_fit_its_catalogue_is_refused(told: dict[str, Any]) -> None:
    with pytest.raises(MessageError, match="does not fit"):
        expanded({**told, "catalogue": CATALOGUE})


@pytest.mark.parametrize("seats", range(FEWEST_SEATS, MOST_SEATS + 1))
@pytest.mark.parametrize("preset", PRESETS)
def test_compact_updates_tell_byte_for_byte_what_whole_updates_tell(preset: str, seats: int) -> None:
    compare(preset, seats, games=1)


@pytest.mark.long  # ten thousand games
def test_compact_updates_tell_it_in_many_games() -> None:
    for preset in PRESETS:
        for seats in range(FEWEST_SEATS, MOST_SEATS + 1):
            compare(preset, seats, games=834)


def compare(preset: str, seats: int, games: int) -> None:
    """Compare each update of random games with its compact form, and with what patches make of that."""
    for before, after in pairs(preset, seats, games):
        was, now = compact(before), compact(after)
        assert msgspec.json.encode(expanded(msgspec.json.decode(now.whole))) == after
        assert b'"wishes":{"legal"' not in now.told
        assert was.catalogue == now.catalogue
        made = patched(msgspec.json.decode(was.whole), msgspec.json.decode(patch(was.told, now.told)))
        assert encode(decoded(expanded(made))) == encode(decode(after))


def test_a_spectator_is_told_no_catalogue_of_wishes() -> None:
    catalogues = {
        b'"seat":null' in after: compact(after).catalogue for _, after in pairs("tortuga", 2, games=1)
    }
    assert {is_public: set(json.loads(told)) for is_public, told in catalogues.items()} == {
        True: {"happened"},
        False: {"happened", "choice", "actions", "refusals"},
    }


def test_before_the_deal_there_is_nothing_to_make_compact() -> None:
    opened = encode(Update(seq=1))
    assert compact(opened) == Compact(opened)
    assert compact(opened).whole is opened


def an_update(**more: object) -> dict[str, Any]:
    """An update of a seat that is to act, with more than this release knows."""
    whole: dict[str, Any] = next(
        told for _, after in pairs("jamaica", 2, games=1) if "wishes" in (told := json.loads(after))
    )
    return whole | more


def test_a_happening_of_a_later_release_stays_as_it_is() -> None:
    sang = {"happening": "sang", "song": "shanty"}
    richer = {"happening": "won", "seat": 1, "prize": 3}
    won = {"happening": "won", "seat": 1}
    made = json.loads(compact(msgspec.json.encode(an_update(happened=[sang, richer, won]))).told)
    assert made["happened"] == [sang, richer, ["won", 1]]


@pytest.mark.parametrize(
    "wishes",
    [
        {"legal": [{"code": 0, "kind": "end_turn", "costs": 3}], "refused": []},
        {"legal": [{"code": 1000, "kind": "end_turn"}], "refused": []},
        {"legal": [], "refused": [{"code": "too_wet", "rule": "R99.1", "actions": [[0, 1]]}]},
        {"legal": [], "refused": [{"code": "must_act", "rule": "R2.8", "actions": [[0, 1000]]}]},
        {"legal": [], "refused": [], "note": "dry"},
    ],
)
def test_a_wish_table_of_a_later_release_stays_as_it_is(wishes: dict[str, Any]) -> None:
    update = an_update(wishes=wishes)
    made = compact(msgspec.json.encode(update))
    assert json.loads(made.told)["wishes"] == wishes
    assert expanded(json.loads(made.whole)) == update


def test_a_game_of_a_later_release_stays_as_it_is() -> None:
    update = an_update()
    update["view"]["ruleset"]["family"] = "regatta"
    encoded = msgspec.json.encode(update)
    assert compact(encoded) == Compact(encoded)


def test_codes_that_are_not_those_of_the_wish_table_are_told() -> None:
    update = an_update()
    update["view"]["legal"] = [1, 2, 3]
    made = compact(msgspec.json.encode(update))
    assert json.loads(made.told)["view"]["legal"] == [1, 2, 3]
    assert expanded(json.loads(made.whole)) == update


@NO_NODE
def test_the_client_of_the_docs_expands_the_vectors() -> None:
    told = [({**one["compact"], "catalogue": CATALOGUE}, one["whole"]) for one in VECTORS]
    check_in_node(
        f"deepStrictEqual(expanded({json.dumps(compact)}), {json.dumps(whole)});"
        for compact, whole in [*told, ({"seq": 1}, {"seq": 1})]
    )
