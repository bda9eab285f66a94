"""The registry of bots: our levels, installed packages, and errors that say what to do."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from cartagena.arena.contest import Contest, contestant
from cartagena.bots.players.interface import UNHURRIED, Budget
from cartagena.bots.players.registry import LEVELS, BotError, make, names
from cartagena.fairness.shuffle import opening
from cartagena.rules.hidden.view import View, view
from cartagena.rules.ruleset import PRESETS
from tests.bots.packages import install


def first_view(preset: str, seats: int) -> View:
    """What the seat to act sees after a deal."""
    contest = Contest(ruleset=PRESETS[preset], line_up=(contestant("random"),) * seats, seed="registry")
    position = opening(contest.shuffle(0), contest.ruleset, seats)
    return view(position, position.to_act)


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_level_is_made_and_chooses_what_is_legal(name: str, preset: str) -> None:
    seen = first_view(preset, 3)
    assert make(name).choose(seen, Random(1), Budget(seconds=0.01)) in seen.legal


def test_a_bot_chooses_only_when_it_is_to_act() -> None:
    contest = Contest(ruleset=PRESETS["nest"], line_up=(contestant("random"),) * 3, seed="registry")
    position = opening(contest.shuffle(0), contest.ruleset, 3)
    waiting = view(position, (position.to_act + 1) % 3)
    with pytest.raises(AssertionError, match="to act"):
        make("random").choose(waiting, Random(1), UNHURRIED)


def test_every_bot_that_is_made_is_a_fresh_one() -> None:
    assert make("random") is not make("random")


def test_our_levels_come_first_in_the_list() -> None:
    assert names()[: len(LEVELS)] == list(LEVELS)


@pytest.mark.native("starts a process")
def test_importing_one_bot_imports_no_other() -> None:
    program = (
        "import sys; from cartagena.bots.players.registry import LEVELS, make; make('random');"
        "print([name for name, place in LEVELS.items() if place.partition(':')[0] in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - our own
    assert done.stdout == "['random']\n"


def test_an_installed_package_adds_a_bot_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "jumper_package", "jumper = jumper_package:LongestJump")
    monkeypatch.syspath_prepend(tmp_path)
    assert "jumper" in names()
    assert type(make("jumper")).__name__ == "LongestJump"


def test_our_names_cannot_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "greedy_package", "random = greedy_package:LongestJump")
    monkeypatch.syspath_prepend(tmp_path)
    assert names().count("random") == 1
    assert type(make("random")).__name__ == "RandomBot"


def test_two_packages_with_one_name_are_an_error_that_names_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "north_package", "twice = north_package:LongestJump")
    install(tmp_path, "south_package", "twice = south_package:LongestJump")
    monkeypatch.syspath_prepend(tmp_path)
    assert names().count("twice") == 1
    with pytest.raises(BotError, match="'twice' is in north_package and south_package; uninstall all"):
        make("twice")


def test_a_package_that_cannot_be_imported_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "needy_package", "needy = needy_package:Bot", "import no_such_library_at_all\n")
    install(tmp_path, "empty_package", "empty = empty_package:Bot", "")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        BotError, match=r"No module named 'no_such_library_at_all'.*reinstall.* needy_package"
    ):
        make("needy")
    with pytest.raises(BotError, match=r"has no attribute 'Bot'.*reinstall the package empty_package"):
        make("empty")


def test_a_class_can_be_named_without_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "drafts.py").write_text(
        "class Draft:\n    def choose(self, view, chance, budget):\n        return view.legal[0]\n"
        "class Needy(Draft):\n    def __init__(self, weights):\n        pass\n"
        "class Idle:\n    pass\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert type(make("drafts:Draft")).__name__ == "Draft"
    assert "drafts:Draft" not in names()
    with pytest.raises(BotError, match=r"cannot be made.*weights"):
        make("drafts:Needy")
    with pytest.raises(BotError, match=r"no method `choose`.* as `cartagena\.bots\.Bot` describes"):
        make("drafts:Idle")
    with pytest.raises(BotError, match=r"No module named 'no_drafts'.*PYTHONPATH"):
        make("no_drafts:Draft")
    with pytest.raises(BotError, match=r"write drafts:Draft, without \.py"):
        make("drafts.py:Draft")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(BotError, match=r"no bot 'admiral'; choose one of random,"):
        make("admiral")
    with pytest.raises(BotError, match=r"no bot 'captian'; did you mean captain\? Or choose one of random,"):
        make("captian")
