"""Check the models of the service: docs/model/*.pml, by spin.

Usage: python -m scripts.model_check [MODEL ...]

Every model is searched exhaustively, once for its assertions and end states (`safety`) and once for each of
its formulas. Then with each of its switches: a `plant` is a defect that the service does not have, a `gap`
one that it has and docs/model/README.md names. Spin must find both: the check fails if a planted defect is
not found, or if an unplanted one is.
"""

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

ROOT: Final = Path(__file__).parents[1]
MODELS: Final = ROOT / "docs" / "model"
BUILD: Final = ROOT / "build" / "model"
MISSING: Final = "spin is missing: apt-get install spin (Debian, Ubuntu), brew install spin (macOS)"
SAFETY: Final = "safety"
DEPTH: Final = 1_000_000
SECONDS: Final = 120
"""How many seconds one search may take; each takes about ten."""

_SWITCH: Final = re.compile(r"^ \* (plant|gap) ([A-Z_]+) \((\w+)\): (.+)$", re.MULTILINE)
_FORMULA: Final = re.compile(r"^ltl (\w+)", re.MULTILINE)
_ERRORS: Final = re.compile(r"errors: (\d+)")
_STATES: Final = re.compile(r"^ *([0-9.e+]+) states, stored", re.MULTILINE)
_REASON: Final = re.compile(r"^pan:1: (.+?)(?: \(at depth \d+\))?$", re.MULTILINE)
_CUT_SHORT: Final = ("max search depth too small", "out of memory", "Search not completed")


class CheckError(Exception):
    """A model cannot be checked at all; the text is what spin, the compiler or the search said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A defect that a model can be given; `check` is the property that must find it."""

    kind: str
    name: str
    check: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model, its formulas and its switches, as its own text names them."""

    path: Path
    formulas: tuple[str, ...]
    switches: tuple[Switch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search came to; `reason` is the property that does not hold, None if all of them do."""

    states: int
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A search, what it was for and how long it took."""

    model: str
    check: str
    switch: Switch | None
    search: Search
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether a defect was found exactly where one was planted."""
        return (self.search.reason is None) == (self.switch is None)

    @property
    def outcome(self) -> str:
        """In words."""
        if self.switch is None:
            return "holds" if self.search.reason is None else f"FAILS: {self.search.reason}"
        return f"{self.switch.kind} found" if self.search.reason else f"{self.switch.kind} NOT FOUND"


def model_of(path: Path) -> Model:
    """Read which properties a model has, and which defects it can be given."""
    text = path.read_text(encoding="utf-8")
    switches = tuple(
        Switch(kind=kind, name=name, check=check, sentence=sentence)
        for kind, name, check, sentence in _SWITCH.findall(text)
    )
    return Model(path=path, formulas=tuple(_FORMULA.findall(text)), switches=switches)


def search_of(told: str) -> Search:
    """What the output of a search says; raises CheckError if it was not exhaustive and found nothing."""
    errors, states = _ERRORS.search(told), _STATES.search(told)
    if errors is None or states is None:
        raise CheckError(told)
    found = _REASON.search(told) if int(errors[1]) else None
    if found is None and any(sign in told for sign in _CUT_SHORT):
        raise CheckError(told)
    reason = found[1] if found else "an error without a reason" if int(errors[1]) else None
    return Search(states=int(float(states[1])), reason=reason)


def searches(model: Model) -> Iterator[tuple[str, Switch | None]]:
    """Every search of a model: its properties as they are, then each switch with what must find it."""
    for check in (SAFETY, *model.formulas):
        yield check, None
    for switch in model.switches:
        yield switch.check, switch


def compiler(check: str) -> list[str]:
    """How a search is compiled: assertions and end states, or a formula under weak fairness."""
    flags = ["-DSAFETY", "-DNOCLAIM"] if check == SAFETY else ["-DNFAIR=3"]
    return ["gcc", "-w", "-O1", *flags, "-o", "pan", "pan.c"]


def check(model: Model, name: str, switch: Switch | None) -> Result:
    """Search a model in a folder of its own; raises CheckError."""
    folder = BUILD / model.path.stem / (switch.name if switch else name)
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    # A relative name, because the preprocessor is called through a shell, which breaks on spaces.
    shutil.copy(model.path, folder)
    _run(["spin", *([f"-D{switch.name}"] if switch else []), "-a", model.path.name], folder)
    _run(compiler(name), folder)
    told = _run(["./pan", f"-m{DEPTH}", "-w22", *([] if name == SAFETY else ["-a", "-f"])], folder)
    return Result(
        model=model.path.stem,
        check=name,
        switch=switch,
        search=search_of(told),
        seconds=time.monotonic() - began,
    )


def _run(words: Sequence[str], folder: Path) -> str:
    done = subprocess.run(
        words,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if done.returncode:
        raise CheckError(f"{' '.join(words)}:\n{done.stdout}")
    return done.stdout


def table_of(results: Sequence[Result]) -> Table:
    """The results, one a line."""
    table = Table("model", "property", "with", "outcome", box=None)
    table.add_column("states", justify="right")
    table.add_column("seconds", justify="right")
    for one in results:
        switch = one.switch.name if one.switch else ""
        figures = f"{one.search.states:,}", f"{one.seconds:.1f}"
        table.add_row(one.model, one.check, switch, one.outcome, *figures)
    return table


def main(words: list[str] | None = None) -> int:
    """Check the models; 0 if everything holds, and every defect that was planted is found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = sorted(path.stem for path in MODELS.glob("*.pml"))
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(known))
    asked = parser.parse_args(words).models or known
    if not set(asked) <= set(known):
        parser.error(f"the models are {', '.join(known)}")
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print(MISSING if shutil.which("spin") is None else "gcc is missing, which compiles the searches")
        return 1
    console, results = Console(), []
    try:
        for model in (model_of(MODELS / f"{name}.pml") for name in asked):
            for name, switch in searches(model):
                with console.status(f"{model.path.stem}: {switch.name if switch else name}"):
                    results.append(check(model, name, switch))
    except (CheckError, subprocess.TimeoutExpired) as error:
        print(error)
        return 1
    console.print(table_of(results))
    return 0 if all(one.is_right for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
