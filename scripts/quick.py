"""The quick loop: lint, types and the nearest tests of what changed: `make quick`.

Usage: python -m scripts.quick [--since REV] [--seconds 12] [--list]

What changed is what differs from HEAD, untracked files included; in a clean tree, the last commit. Lint and
types check the changed files. The tests are those of rules and notation, then the test files that import a
changed module, nearest first, as long as their measured seconds fit. tests/durations.json decides
which files fit, not the clock, and what is left to `make test` is named.
"""

import argparse
import ast
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.durations import Durations, read_durations, seconds_of

ROOT: Final = Path(__file__).parents[1]
BIN: Final = Path(sys.executable).parent
ALWAYS: Final = ("tests/rules", "tests/notation")
BESIDE: Final = ("tests", "examples", "harness", "research", "scripts", "benchmarks")
ROOMS: Final = {"src": ROOT / "src", **dict.fromkeys(BESIDE, ROOT)}
"""The folders that hold Python, and the folder where the names of their modules begin."""
WORKERS: Final = 2


@dataclass(frozen=True, slots=True)
class Selection:
    """Which test files run, and which also import a changed module but are left to `make test`."""

    run: list[str]
    left: list[str]


def changed_files(since: str | None) -> list[str]:
    """The files that differ from a commit; of a clean tree, those of the last commit."""
    if since is None:
        untracked = _git("ls-files", "--others", "--exclude-standard")
        changed = sorted({*_git("diff", "--name-only", "HEAD"), *untracked})
        return changed or changed_files("HEAD~1")
    return [name for name in _git("diff", "--name-only", since) if (ROOT / name).exists()]


def _git(*words: str) -> list[str]:
    told = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S607
    return [name for name in told.stdout.splitlines() if name]


def modules() -> dict[str, str]:
    """Every module of the checkout by its dotted name: the path of its file."""
    named = {}
    for room, base in ROOMS.items():
        for path in (ROOT / room).rglob("*.py"):
            parts = path.relative_to(base).with_suffix("").parts
            named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = str(path.relative_to(ROOT))
    return named


def importers(named: dict[str, str]) -> dict[str, set[str]]:
    """For each file, the files that import it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in named.values():
        for name in imported_names((ROOT / path).read_text(encoding="utf-8")):
            if name in named:
                found[named[name]].add(path)
    return found


def imported_names(source: str) -> Iterator[str]:
    """Every dotted name that a source imports, `from a import b` as both `a` and `a.b`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def distances(changed: Iterable[str], importing: dict[str, set[str]]) -> dict[str, int]:
    """How many imports lie between each file and the nearest changed one."""
    reached = dict.fromkeys(changed, 0)
    edge = list(reached)
    while edge:
        further = []
        for path in edge:
            for importer in importing.get(path, set()) - reached.keys():
                reached[importer] = reached[path] + 1
                further.append(importer)
        edge = further
    return reached


def select(reached: dict[str, int], durations: Durations, seconds: float) -> Selection:
    """The nearest test files that fit into `seconds` together with those that always run."""
    room = seconds * WORKERS - sum(
        seconds_of(file, durations) for file in durations if file.startswith(ALWAYS)
    )
    selection = Selection(list(ALWAYS), [])
    tests = [name for name in reached if Path(name).name.startswith("test_") and not name.startswith(ALWAYS)]
    for name in sorted(tests, key=lambda name: (reached[name], seconds_of(name, durations))):
        # A changed test file always runs, however long it takes.
        if reached[name] and seconds_of(name, durations) > room:
            selection.left.append(name)
        else:
            selection.run.append(name)
            room -= seconds_of(name, durations)
    return selection


def commands(changed: list[str], selection: Selection) -> Iterator[tuple[str, list[str]]]:
    """What is run for a change, side by side: a name and a command."""
    python = [name for name in changed if name.endswith(".py")]
    if python:
        yield "format", [f"{BIN}/ruff", "format", "--check", *python]
        yield "lint", [f"{BIN}/ruff", "check", *python]
        yield "types", [f"{BIN}/mypy", *python]
    pages = [name for name in changed if name.startswith("web/") and name.endswith((".ts", ".svelte", ".js"))]
    if pages and (ROOT / "web" / "node_modules").exists():
        inside = " ".join(name.removeprefix("web/") for name in pages)
        yield "lint of web/", ["sh", "-c", f"cd web && npx prettier --check {inside} && npx eslint {inside}"]
        yield "types of web/", ["sh", "-c", "cd web && npm run --silent check"]
        yield "tests of web/", ["sh", "-c", f"cd web && npx vitest related --run {inside}"]
    yield "tests", [f"{BIN}/pytest", "-q", "-n", str(WORKERS), *selection.run]


def run(wanted: list[tuple[str, list[str]]]) -> int:
    """Run commands side by side and print what failed, each as it ends; 1 if one failed."""
    began = time.monotonic()
    running = [
        (
            name,
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True),
        )
        for name, command in wanted
    ]
    failed = False
    for name, process in running:
        output, _ = process.communicate()
        failed |= process.returncode != 0
        closing = output.strip().splitlines()[-1:] or [""]
        print(
            f"{name:<16} {time.monotonic() - began:4.0f} s  {'FAILED' if process.returncode else closing[0]}"
        )
        if process.returncode:
            print(output)
    return int(failed)


def main(words: list[str] | None = None) -> int:
    """Check what changed; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--since", metavar="REV", help="what changed is all since this commit")
    parser.add_argument("--seconds", type=float, default=12.0, help="seconds of tests, as measured (12)")
    parser.add_argument("--list", action="store_true", help="only say what would be run")
    asked = parser.parse_args(words)
    changed = changed_files(asked.since)
    named = modules()
    selection = select(distances(changed, importers(named)), read_durations(), asked.seconds)
    print(f"changed: {', '.join(changed[:8])}{f' and {len(changed) - 8} more' if len(changed) > 8 else ''}")  # noqa: PLR2004
    wanted = list(commands(changed, selection))
    status = 0
    if asked.list:
        print(*(f"{name}: {' '.join(command)}" for name, command in wanted), sep="\n")
    else:
        status = run(wanted)
    if selection.left:
        print(f"left to make test: {len(selection.left)} files, such as {', '.join(selection.left[:3])}")
    return status


if __name__ == "__main__":
    sys.exit(main())
