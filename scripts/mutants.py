"""Break the code in many small ways, one at a time, and see whether the tests notice.

    python -m scripts.mutants rules --sample 300
    python -m scripts.mutants server --sample 200

Each mutant is one change: a comparison turned, a number moved by one, an operator swapped, a condition
negated, a statement dropped. A mutant that no test notices is a survivor: either a hole in the tests or a
change that makes no difference. Survivors are listed; the exit code is 0 when as many died as the field asks
for. `rules` are all rules, and all their tests; `server` are tables, store and the guards of http, each with
the tests that import it, nearest first, for at most a minute.
"""

import argparse
import ast
import functools
import os
import queue
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from scripts.durations import read_durations, seconds_of
from scripts.quick import distances, importers, modules

ROOT = Path(__file__).parents[1]
MEMORY = 4 * 2**30
ALL_TESTS = 1200
"""How many seconds all tests together may take before anything is broken."""
WAITING = 3
"""Service tests wait for others, so by the clock they may take this many times their processor time."""
NEAREST = 60.0
"""How many seconds of tests are run for a module of the server."""

Stages = tuple[tuple[int, tuple[str, ...]], ...]
"""Tests in the order in which they are tried, and the seconds of processor time they get."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What is broken, with which tests, and how many of a hundred mutants must die."""

    patterns: tuple[str, ...]
    stages: Callable[[Path], Stages]
    goal: float

    def files(self) -> list[Path]:
        """The modules."""
        found = {path for pattern in self.patterns for path in (ROOT / "src/cartagena").glob(pattern)}
        return sorted(path.relative_to(ROOT) for path in found)


def of_rules(_: Path) -> Stages:
    """All tests of the rules, the quick ones first."""
    return (
        (30, ("tests/rules", "tests/examples")),
        (120, ("tests/properties", "tests/notation", "tests/views")),
    )


def nearest(path: Path) -> Stages:
    """The tests of the service that import a module, nearest first, up to `NEAREST` seconds of them."""
    durations, room, chosen = read_durations(), NEAREST, list[str]()
    reached = distances([str(path)], _importing())
    tests = [name for name in reached if name.startswith(("tests/server/test_", "tests/attacks/test_"))]
    for name in sorted(tests, key=lambda name: (reached[name], seconds_of(name, durations))):
        room -= seconds_of(name, durations)
        if room < 0 and chosen:
            break
        chosen.append(name)
    return ((round(NEAREST) * 2, tuple(chosen)),)


@functools.cache
def _importing() -> dict[str, set[str]]:
    return importers(modules())


FIELDS = {
    "rules": Field(patterns=("rules/**/*.py",), stages=of_rules, goal=0.9),
    "server": Field(
        patterns=(
            "tables/*.py",
            "server/store/*.py",
            *(f"server/http/{guard}.py" for guard in ("authorization", "rate_limits", "client_address")),
        ),
        stages=nearest,
        goal=0.85,
    ),
}

TURNED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the file, the line, what is done, and to which node of its tree."""

    path: Path
    line: int
    change: str
    node: int

    def source(self) -> str:
        """The whole file after it."""
        tree = ast.parse((ROOT / self.path).read_text())
        node = next(found for number, found in enumerate(ast.walk(tree)) if number == self.node)
        next(change for words, change in changes_of(node) if words == self.change)(node)
        return ast.unparse(ast.fix_missing_locations(tree))


Body = ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.While | ast.For
Change = tuple[str, Callable[[Any], None]]
"""What is done, in words, and how to do it to a node; Any because each kind of node has its own fields."""


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    tree = ast.parse((ROOT / path).read_text())
    for number, node in enumerate(ast.walk(tree)):
        for words, _ in changes_of(node):
            yield Mutant(path, getattr(node, "lineno", 0), words, number)


def changes_of(node: ast.AST) -> Iterator[Change]:
    """The changes that can be made to one node of the tree."""
    match node:
        case ast.Compare(ops=[operator, *_]):
            yield from turned(operator, lambda twin, other: twin.ops.__setitem__(0, other))
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            yield from turned(operator, lambda twin, other: setattr(twin, "op", other))
        case ast.Constant(value=bool(value)):
            yield f"{value} -> {not value}", lambda twin: setattr(twin, "value", not value)
        case ast.Constant(value=int(value)):
            yield f"{value} -> {value + 1}", lambda twin: setattr(twin, "value", value + 1)
        case ast.UnaryOp(op=ast.Not()):
            yield "drop a not", lambda twin: setattr(twin, "op", ast.UAdd())
    if isinstance(node, Body):
        yield from dropped(node)


def turned(operator: ast.AST, put: Callable[[Any, ast.AST], None]) -> Iterator[Change]:
    """Replace this operator with another one."""
    other = TURNED.get(type(operator))
    if other is not None:
        words = f"{type(operator).__name__} -> {other.__name__}"
        yield words, lambda twin: put(twin, other())


def dropped(node: Body) -> Iterator[Change]:
    """Drop each statement of a body in turn, except docstrings."""
    for place, statement in enumerate(node.body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, ast.AnnAssign | ast.Pass):
            continue
        words = f"drop `{ast.unparse(statement).splitlines()[0][:60]}`"
        yield words, functools.partial(drop, place=place)


def drop(node: Any, place: int) -> None:
    """Replace a statement with nothing."""
    node.body[place] = ast.Pass()


class Bench:
    """A copy of the sources in which mutants are tried one after the other."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        shutil.copytree(
            ROOT / "src", self.folder / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__")
        )

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass with the mutant in place."""
        target = self.folder / mutant.path
        original = target.read_text()
        target.write_text(mutant.source())
        try:
            return run_tests(self.folder / "src", self.field.stages(mutant.path))
        finally:
            target.write_text(original)


def run_tests(source: Path, stages: Stages) -> bool:
    """Run tests against other sources; tests that exceed their time or memory count as failed."""
    return all(passes(source, seconds, tests) for seconds, tests in stages)


def passes(source: Path, seconds: int, tests: tuple[str, ...], *options: str) -> bool:
    """Whether these tests pass within their time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    # Python's cached bytecode would confuse two mutants of the same second and the same length.
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, *options, *tests],
            cwd=ROOT,
            env=environment,
            check=False,
            capture_output=True,
            preexec_fn=limit,
            timeout=WAITING * seconds,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def try_all(field: Field, mutants: list[Mutant], workers: int) -> list[Mutant]:
    """The survivors among the mutants."""
    benches: queue.SimpleQueue[Bench] = queue.SimpleQueue()
    for _ in range(workers):
        benches.put(Bench(field))

    def survives(mutant: Mutant) -> bool:
        bench = benches.get()
        try:
            return bench.survives(mutant)
        finally:
            benches.put(bench)

    survivors: list[Mutant] = []
    with ThreadPoolExecutor(workers) as pool:
        verdicts = track(
            pool.map(survives, mutants), "mutants", total=len(mutants), console=Console(stderr=True)
        )
        for number, (mutant, alive) in enumerate(zip(mutants, verdicts, strict=True), start=1):
            if number % 50 == 0:
                print(f"{number} of {len(mutants)} tried, {len(survivors) + alive} survived", flush=True)
            if alive:
                survivors.append(mutant)
                print(f"survived: {mutant.path}:{mutant.line} {mutant.change}", flush=True)
    while not benches.empty():
        shutil.rmtree(benches.get().folder)
    return survivors


def main() -> int:
    """Sample, try, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("field", choices=FIELDS, help="what is broken")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants to try")
    parser.add_argument("--seed", type=int, default=1672, help="which ones")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    wish = parser.parse_args()
    field = FIELDS[wish.field]
    every = [mutant for path in field.files() for mutant in mutants_of(path)]
    chosen = random.Random(wish.seed).sample(every, min(wish.sample, len(every)))
    stages = [stage for mutant in chosen for stage in field.stages(mutant.path)]
    tests = sorted({name for _, names in stages for name in names})
    if not passes(ROOT / "src", ALL_TESTS, tuple(tests), "-n", str(2 * wish.workers)):
        print("the tests fail before anything is broken: mend them first")
        return 2
    survivors = try_all(field, chosen, wish.workers)
    killed = len(chosen) - len(survivors)
    print(
        f"{killed} of {len(chosen)} mutants killed ({killed / len(chosen):.1%}) of {len(every)} possible ones"
    )
    return 0 if killed >= field.goal * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
