"""The check of .github/ notices a hole, an unknown key, a target that is gone and another address."""

import os
import shutil
from pathlib import Path

import pytest

from scripts import workflow_check
from scripts.external_checkers import BIN, Check, run_all

FORM = "name: Bug\ndescription: It broke.\nbody:\n  - type: input\n    attributes:\n      label: What?\n"
CHOOSER = """\
contact_links:
  - name: Leak
    url: https://github.com/pirates/cartagena/security
    about: Tell us.
"""
UPDATES = """\
version: 2
updates:
  - package-ecosystem: pip
    directory: /
    schedule: {interval: weekly}
    cooldown: {default-days: 7}
"""
WORKFLOW = """\
# Two targets and a file.
name: Check
on: {push: {branches: [main]}}
permissions: {}
concurrency: {group: check, cancel-in-progress: true}
jobs:
  test:
    name: test
    runs-on: ubuntu-24.04
    steps:
      - run: make setup web/node_modules/.ready WORKERS=2
      - run: |
          make test
"""
GREET = '      - run: echo "${{ github.event.head_commit.message }}"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small repository in which nothing is wrong."""
    for name, text in {
        "Makefile": "setup: ## build\ntest: setup ## test\n",
        "pyproject.toml": '[project.urls]\nRepository = "https://github.com/pirates/cartagena"\n',
        ".github/dependabot.yml": UPDATES,
        ".github/ISSUE_TEMPLATE/bug.yml": FORM,
        ".github/ISSUE_TEMPLATE/config.yml": CHOOSER,
        ".github/workflows/check.yml": WORKFLOW,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def change(root: Path, file: str, old: str, new: str) -> None:
    """Replace `old`, which must be there, by `new`."""
    changed = root / ".github" / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new), encoding="utf-8")


def said_by(program: str, root: Path) -> str:
    """What the check with a program says; empty if it finds nothing."""
    (check,) = (check for check in workflow_check.checks(root) if check.program == program)
    found = shutil.which(program, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    assert found, f"{program} is not installed: make setup"
    return "\n".join(check.run(found, root))


def test_zizmor_finds_a_hole(root: Path) -> None:
    assert said_by("zizmor", root) == ""
    change(root, "workflows/check.yml", "      - run: |\n", GREET + "      - run: |\n")
    change(root, "workflows/check.yml", "permissions: {}\n", "")
    said = said_by("zizmor", root)
    assert "template-injection" in said
    assert "excessive-permissions" in said


def test_the_schemas_find_what_github_does_not_know(root: Path) -> None:
    change(root, "workflows/check.yml", "runs-on", "runs-in")
    change(root, "dependabot.yml", "weekly", "often")
    change(root, "ISSUE_TEMPLATE/bug.yml", "type: input", "type: riddle")
    change(root, "ISSUE_TEMPLATE/config.yml", "about", "abuot")
    said = said_by("check-jsonschema", root)
    assert all(word in said for word in ("runs-on", "often", "riddle", "abuot"))


def test_a_target_that_is_gone_is_named(root: Path) -> None:
    assert list(workflow_check.unknown_targets(root)) == []
    change(root, "workflows/check.yml", "make test", "make tset")
    change(root, "workflows/check.yml", "make setup", "make up")
    assert list(workflow_check.unknown_targets(root)) == [
        "check.yml: no target up",
        "check.yml: no target tset",
    ]


def test_another_address_is_named(root: Path) -> None:
    assert list(workflow_check.other_homes(root)) == []
    change(root, "ISSUE_TEMPLATE/config.yml", "pirates", "corsairs")
    (trouble,) = workflow_check.other_homes(root)
    assert "https://github.com/corsairs/cartagena is not https://github.com/pirates/cartagena" in trouble


def test_the_forms_of_the_project_name_its_own_address() -> None:
    assert list(workflow_check.other_homes(workflow_check.ROOT)) == []


def test_a_program_that_is_not_installed_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    missing = Check(what="riddles", program="no-such-program", run=lambda _, __: iter(["never"]))
    assert shutil.which(missing.program) is None
    assert run_all("", [missing], []) == 0
    assert run_all("", [missing], ["--all"]) == 1
    assert capsys.readouterr().out == "NOT RUN  riddles: no-such-program is not installed\n" * 2
