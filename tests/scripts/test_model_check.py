"""What spin said is read as it was meant: what holds, what does not, what was not searched to its end."""

import re
from pathlib import Path

import pytest

from scripts import model_check
from scripts.model_check import (
    MODELS,
    SAFETY,
    CheckError,
    Result,
    Search,
    Switch,
    model_of,
    search_of,
    searches,
)

SAID = Path(__file__).with_name("spin")
PLANT = Switch(kind="plant", name="NO_LEASE", check=SAFETY, sentence="a claim is for ever")


def said(name: str) -> str:
    return (SAID / f"{name}.txt").read_text(encoding="utf-8")


def test_a_model_whose_properties_hold() -> None:
    assert search_of(said("holds")) == Search(states=221_156, reason=None)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("assertion", "assertion violated  !((games[0]&&games[1]))"),
        ("cycle", "acceptance cycle"),
        ("end-state", "invalid end state"),
    ],
)
def test_what_does_not_hold_is_named(name: str, reason: str) -> None:
    assert search_of(said(name)).reason == reason


@pytest.mark.parametrize("told", [said("too-deep"), "", "pan: out of memory"])
def test_a_search_that_did_not_reach_its_end_proves_nothing(told: str) -> None:
    with pytest.raises(CheckError):
        search_of(told)


@pytest.mark.parametrize(
    ("switch", "reason", "is_right", "outcome"),
    [
        (None, None, True, "holds"),
        (None, "invalid end state", False, "FAILS: invalid end state"),
        (PLANT, "acceptance cycle", True, "plant found"),
        (PLANT, None, False, "plant NOT FOUND"),
    ],
)
def test_a_planted_defect_must_be_found_and_no_other(
    switch: Switch | None, reason: str | None, *, is_right: bool, outcome: str
) -> None:
    search = Search(states=1, reason=reason)
    result = Result(model="timers", check=SAFETY, switch=switch, search=search, seconds=0.1)
    assert (result.is_right, result.outcome) == (is_right, outcome)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.pml")), ids=lambda path: path.stem)
def test_every_model_has_plants_and_each_of_its_switches_is_used(path: Path) -> None:
    model, text = model_of(path), path.read_text(encoding="utf-8")
    assert any(switch.kind == "plant" for switch in model.switches)
    used = set(re.findall(r"^#(?:ifdef|ifndef) (\w+)|defined\((\w+)\)", text, re.MULTILINE))
    for switch in model.switches:
        assert any(switch.name in names for names in used)
        assert switch.check in {SAFETY, *model.formulas}
    assert len(list(searches(model))) == 1 + len(model.formulas) + len(model.switches)


def test_who_has_no_spin_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scripts.model_check.shutil.which", lambda _: None)
    assert model_check.main([]) == 1
    assert "apt-get install spin" in capsys.readouterr().out


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit):
        model_check.main(["chess"])
