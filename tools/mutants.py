"""Break the rules in many small ways, one at a time, and see whether the tests notice.

    python tools/mutants.py --sample 300

Each mutant is one change of src/cartagena/rules: a comparison turned, a number moved by one, an operator
swapped, a condition negated, a statement dropped. A mutant that no test notices is a survivor: either a
hole in the tests or a change that makes no difference. Survivors are listed; the exit code is 0 when at
least nine of ten mutants died.
"""

import argparse
import ast
import copy
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

ROOT = Path(__file__).parents[1]
RULES = Path("src/cartagena/rules")
STAGES = (
    (30, ("tests/rules", "tests/examples")),
    (120, ("tests/properties", "tests/notation", "tests/views")),
)
"""The tests in the order in which they are tried, and the seconds of processor time they get."""
MEMORY = 4 * 2**30
GOAL = 0.9

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
    """One change: the file, the line, what was done, and the whole file after it."""

    path: Path
    line: int
    change: str
    source: str


Change = tuple[str, Callable[[Any], None]]
"""What is done, in words, and how to do it to a node; Any because each kind of node has its own fields."""


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module."""
    tree = ast.parse((ROOT / path).read_text())
    for number, node in enumerate(ast.walk(tree)):
        for words, change in changes_of(node):
            twin = copy.deepcopy(tree)
            change(next(found for place, found in enumerate(ast.walk(twin)) if place == number))
            source = ast.unparse(ast.fix_missing_locations(twin))
            yield Mutant(path, getattr(node, "lineno", 0), words, source)


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
    if isinstance(node, ast.FunctionDef | ast.If | ast.While | ast.For):
        yield from dropped(node)


def turned(operator: ast.AST, put: Callable[[Any, ast.AST], None]) -> Iterator[Change]:
    """Another operator in the place of this one."""
    other = TURNED.get(type(operator))
    if other is not None:
        words = f"{type(operator).__name__} -> {other.__name__}"
        yield words, lambda twin: put(twin, other())


def dropped(node: ast.FunctionDef | ast.If | ast.While | ast.For) -> Iterator[Change]:
    """Each statement of a body left out, docstrings apart."""
    for place, statement in enumerate(node.body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, ast.AnnAssign | ast.Pass):
            continue
        words = f"drop `{ast.unparse(statement).splitlines()[0][:60]}`"
        yield words, functools.partial(drop, place=place)


def drop(node: Any, place: int) -> None:
    """Put nothing in the place of a statement."""
    node.body[place] = ast.Pass()


class Bench:
    """A copy of the sources in which one mutant after the other is tried."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        shutil.copytree(ROOT / "src", self.folder / "src", ignore=shutil.ignore_patterns("*.so"))

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass with the mutant in place."""
        target = self.folder / mutant.path
        original = target.read_text()
        target.write_text(mutant.source)
        try:
            return run_tests(self.folder / "src")
        finally:
            target.write_text(original)


def run_tests(source: Path) -> bool:
    """Run the tests against other sources; endless and bottomless ones count as failed."""
    return all(passes(source, seconds, tests) for seconds, tests in STAGES)


def passes(source: Path, seconds: int, tests: tuple[str, ...]) -> bool:
    """Whether these tests pass within their time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=True, preexec_fn=limit
    )
    return done.returncode == 0


def try_all(mutants: list[Mutant], workers: int) -> list[Mutant]:
    """The survivors among the mutants."""
    benches: queue.SimpleQueue[Bench] = queue.SimpleQueue()
    for _ in range(workers):
        benches.put(Bench())

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
    parser.add_argument("--sample", type=int, default=300, help="how many mutants to try")
    parser.add_argument("--seed", type=int, default=1672, help="which ones")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    wish = parser.parse_args()
    if not run_tests(ROOT / "src"):
        print("the tests fail before anything is broken: mend them first")
        return 2
    every = [
        mutant
        for path in sorted((ROOT / RULES).glob("*.py"))
        for mutant in mutants_of(path.relative_to(ROOT))
    ]
    chosen = random.Random(wish.seed).sample(every, min(wish.sample, len(every)))
    survivors = try_all(chosen, wish.workers)
    killed = len(chosen) - len(survivors)
    print(
        f"{killed} of {len(chosen)} mutants killed ({killed / len(chosen):.1%}) of {len(every)} possible ones"
    )
    return 0 if killed >= GOAL * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
