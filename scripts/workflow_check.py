"""Check .github/ before GitHub does: `make workflows`.

Usage: python -m scripts.workflow_check [--all]

zizmor looks for holes in the workflows, check-jsonschema for keys that GitHub does not know, actionlint for
wrong expressions and scripts. One that is not installed is named and left out; with --all that is an error.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scripts.external_checkers import Check, Trouble, run_all, told

ROOT: Final = Path(__file__).parents[1]
FORMS: Final = "ISSUE_TEMPLATE"
MAKE: Final = re.compile(r"\bmake((?: [\w./=-]+)+)")
"""A call of make in a workflow; its words are targets and variables."""
TARGET: Final = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
HOME: Final = re.compile(r"https://github\.com/[\w.-]+/cartagena\b")


def checks(root: Path = ROOT) -> tuple[Check, ...]:
    """All of them; those of our own need no program."""
    github = root / ".github"
    return (
        Check(what="security of the workflows", program="zizmor", run=lambda path, _: _audit(path, github)),
        Check(what="keys and values", program="check-jsonschema", run=lambda path, _: _shapes(path, github)),
        Check(
            what="expressions and scripts",
            program="actionlint",
            run=lambda path, _: told(path, *_workflows(github)),
        ),
        Check(what="targets of make that are called", program="", run=lambda _, __: unknown_targets(root)),
        Check(what="address of the repository", program="", run=lambda _, __: other_homes(root)),
    )


def main(words: list[str] | None = None) -> int:
    """Check all; 1 if anything is wrong."""
    return run_all(__doc__ or "", checks(), words)


def _workflows(github: Path) -> list[Path]:
    return sorted((github / "workflows").glob("*.yml"))


def _audit(zizmor: str, github: Path) -> Iterator[Trouble]:
    # Offline: what it would ask GitHub for needs a token.
    yield from told(zizmor, "--offline", "--no-progress", "--quiet", "--persona=pedantic", github)


def _shapes(program: str, github: Path) -> Iterator[Trouble]:
    chooser = github / FORMS / "config.yml"
    forms = [file for file in sorted((github / FORMS).glob("*.yml")) if file != chooser]
    for schema, files in (
        ("github-workflows", _workflows(github)),
        ("dependabot", [github / "dependabot.yml"]),
        ("github-issue-forms", forms),
        ("github-issue-config", [chooser]),
    ):
        yield from told(program, "--builtin-schema", f"vendor.{schema}", *files)


def unknown_targets(root: Path) -> Iterator[Trouble]:
    """Targets that a workflow calls but the Makefile does not have."""
    known = set(TARGET.findall((root / "Makefile").read_text(encoding="utf-8")))
    for workflow in _workflows(root / ".github"):
        lines = re.findall(
            r"^\s*- run: (.*)|^\s+(make .*)", workflow.read_text(encoding="utf-8"), re.MULTILINE
        )
        for words in MAKE.findall("\n".join(map("".join, lines))):
            # A word with a slash is a file, one with an equals sign a variable.
            called = [word for word in words.split() if not re.search(r"[/=]", word)]
            yield from (f"{workflow.name}: no target {word}" for word in called if word not in known)


def other_homes(root: Path) -> Iterator[Trouble]:
    """Repository addresses in .github/ that differ from the one in pyproject.toml."""
    home = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"][
        "Repository"
    ]
    for file in sorted((root / ".github").rglob("*.*")):
        for found in HOME.findall(file.read_text(encoding="utf-8") if file.is_file() else ""):
            if found != home:
                yield f"{file.relative_to(root)}: {found} is not {home}"


if __name__ == "__main__":
    sys.exit(main())
