"""What is found in a record: one list, and one file of vectors for every client."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cartagena.cli.main import entrance
from cartagena.client import BrokenPromise
from cartagena.client.fairness import check_record
from cartagena.fairness import Claim, Failure, FairnessError, Finding, Kept
from cartagena.fairness.record import verify_record
from cartagena.fairness.witness import start_of
from cartagena.messages import encode
from cartagena.messages.views import ruleset_message
from cartagena.notation import format_ruleset, parse_record
from cartagena.rules.ruleset import PRESETS, Ruleset
from cartagena.words import Words, languages
from scripts.fairness_vectors import FILE, HONEST, KEPT, NEVER_ASKED, OTHER, text

# Any: the vectors are plain JSON, and other programs read them without our types.
Vector = dict[str, Any]

VECTORS: list[Vector] = json.loads(FILE.read_text(encoding="ascii"))["vectors"]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])


def kept_of(vector: Vector) -> Kept | None:
    return None if vector["kept"] is None else Kept.of_json(json.dumps(vector["kept"]))


def told(findings: tuple[Finding, ...]) -> list[dict[str, object]]:
    return [{"claim": one.claim, "number": one.number, "failure": one.failure} for one in findings]


def test_the_file_is_what_its_program_writes() -> None:
    assert FILE.read_text(encoding="ascii") == text()


def test_every_failure_but_that_of_the_rules_has_a_vector() -> None:
    found = {failed["failure"] for vector in VECTORS for failed in vector["failed"]}
    # A browser does not play the game again.
    assert found == set(Failure) - {Failure.PLAY_BROKEN}


@each_vector
def test_a_record_is_checked(vector: Vector) -> None:
    report = verify_record(parse_record(vector["record"]), kept_of(vector))
    assert told(report.failed) == vector["failed"]
    assert list(report.unchecked) == vector["unchecked"]
    assert report.starts == vector["starts"]
    assert report.holds is (not vector["failed"])
    checked = {finding.claim for finding in report.findings}
    assert checked | set(report.unchecked) == set(Claim) - ({Claim.RENEWAL} - checked)


@each_vector
def test_the_client_raises_what_is_found(vector: Vector) -> None:
    record = parse_record(vector["record"])
    if not vector["failed"]:
        assert check_record(record, kept_of(vector)).starts == vector["starts"]
        return
    with pytest.raises(BrokenPromise) as broken:
        check_record(record, kept_of(vector))
    assert told(broken.value.findings) == vector["failed"]


@each_vector
def test_the_command_says_what_is_found(vector: Vector, tmp_path: Path) -> None:
    record, kept = tmp_path / "game.txt", tmp_path / "kept.json"
    record.write_text(vector["record"], encoding="utf-8")
    kept.write_text(json.dumps(vector["kept"] or {}), encoding="utf-8")
    arguments = ["verify", str(record), "--kept", str(kept)]
    result = CliRunner().invoke(entrance, [*arguments, "--json"])
    answer = json.loads(result.output)
    wrong = [finding["failure"] for finding in answer["findings"] if not finding["holds"]]
    assert wrong == [failed["failure"] for failed in vector["failed"]]
    assert result.exit_code == bool(wrong)
    assert answer["unchecked"] == [claim.replace("_", " ") for claim in vector["unchecked"]]
    lines = CliRunner().invoke(entrance, arguments).output
    assert all(Words("en").say(f"failure.{failure}") in lines for failure in wrong)
    assert lines.count(": not checked, nothing was kept of it\n") == len(vector["unchecked"])
    assert ("before this one was called off" in lines) is (vector["starts"] > 1)


def test_a_number_that_was_left_out_is_found_by_the_command(tmp_path: Path) -> None:
    vector = next(vector for vector in VECTORS if vector["name"] == "our number was left out")
    file = tmp_path / "game.txt"
    file.write_text(vector["record"], encoding="utf-8")
    silent = CliRunner().invoke(entrance, ["verify", str(file)])
    assert (silent.exit_code, "Your own number took part in the shuffle: not checked" in silent.output) == (
        0,
        True,
    )
    found = CliRunner().invoke(entrance, ["verify", str(file), "--nonce", HONEST.hex()])
    assert found.exit_code == 1
    assert "Your own number took part in the shuffle: false, the number that you promised" in found.output


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        '{"starts": 0}',
        '{"nonce": "00"}',
        '{"nonce_hashes": "x"}',
        '{"game": 7}',
        '{"seat": 5}',
        '{"shown": {}}',
        '{"shown": {"board": [7], "first_seat": 0, "hands": [], "row": []}}',
        '{"shown": {"board": [], "first_seat": "red", "hands": [], "row": []}}',
        '{"moves": [7]}',
        '{"moves": [[1, -1]]}',
    ],
)
def test_a_file_that_keeps_nothing_is_unreadable(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(FairnessError):
        Kept.of_json(wrong)
    record, kept = tmp_path / "game.txt", tmp_path / "kept.json"
    record.write_text(VECTORS[0]["record"], encoding="utf-8")
    kept.write_text(wrong, encoding="utf-8")
    result = CliRunner().invoke(entrance, ["verify", str(record), "--kept", str(kept)])
    assert (result.exit_code, "does not hold what a client keeps" in result.output) == (3, True)


@pytest.mark.parametrize("kept", [KEPT, NEVER_ASKED, Kept()])
def test_what_was_kept_is_written_and_read(kept: Kept) -> None:
    assert Kept.of_json(kept.json) == kept
    assert HONEST.hex() not in repr(kept)


@pytest.mark.parametrize(("nonce", "failure"), [(HONEST, None), (OTHER, Failure.NONCE_LEFT_OUT)])
def test_in_a_running_game_the_hash_of_our_number_is_looked_for(
    nonce: bytes, failure: Failure | None
) -> None:
    record = parse_record(VECTORS[0]["record"])
    running = replace(record, headers=replace(record.headers, nonces=None, secret=None))
    (finding,) = verify_record(running, Kept(nonce=nonce)).kept
    assert (finding.claim, finding.failure) == (Claim.OWN_NONCE, failure)


def test_a_game_id_ends_in_the_number_of_its_start() -> None:
    ids = ("a-table.3", "42", "table-1", "a.b", "a.1234567890", None)
    assert [start_of(game_id) for game_id in ids] == [3, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_the_browser_reads_the_line_of_a_ruleset_from_its_message(ruleset: Ruleset) -> None:
    """It puts the options together as they come, so they must come in the order of the line."""
    message = json.loads(encode(ruleset_message(ruleset)))
    options = [f"{name}={json.dumps(value).strip(chr(34))}" for name, value in message["options"].items()]
    assert " ".join([message["preset"], *options]) == format_ruleset(ruleset)


@pytest.mark.parametrize("language", languages())
def test_every_finding_has_words(language: str) -> None:
    words = Words(language)
    sentences = [words.say(f"claim.{claim}", number=1, name="Anne") for claim in Claim]
    sentences += [words.say(f"failure.{failure}") for failure in Failure]
    assert len(set(sentences)) == len(Claim) + len(Failure)


@pytest.mark.native("is too much for the stack of a browser")
def test_a_kept_file_that_nests_without_end_is_refused() -> None:
    with pytest.raises(FairnessError, match="not what a client keeps"):
        Kept.of_json("[" * 100_000)
