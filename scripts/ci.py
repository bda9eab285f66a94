"""Run the steps of CI side by side, each within its budget: `.ci/run`, `make nightly`.

Usage: python -m scripts.ci [--steps .ci/steps.toml] [--only NAME ...] [--list] [--keep-going] [--ledger NAME]

A file of steps names each step's command, the seconds it may take and what it comes after. Steps that need
one core run in pairs. What a step prints goes to .ci/logs; its last page is shown when it fails. The run ends
with a table of seconds beside budgets and with every test that needed its second try. A machine that shares
its processors may get little of them: the table says how much others took, where the system tells. Nothing is
left out: either all steps ran, or the run is red.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final


class StepsError(Exception):
    """A file of steps cannot be used; the sentence says what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of CI.

    `seconds` is its budget on two quiet cores, `cores` how many it keeps busy. `retry` is for commands that
    drive several processes and have no retry of their own: after a failure they run a second time, and are
    named.
    """

    name: str
    run: str
    seconds: int
    after: tuple[str, ...] = ()
    cores: int = 2
    retry: bool = False


def read_steps(path: Path, only: Iterable[str] | None = None) -> list[Step]:
    """The steps of a file in their order, or those named in `only`; raises StepsError."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    steps = [_step(entry) for entry in told["step"]]
    _check(path, steps, told["seconds"])
    if only is None:
        return steps
    chosen = set(only)
    if unknown := chosen.difference(step.name for step in steps):
        raise StepsError(f"{path} has no step {', '.join(sorted(unknown))}; --list shows them all")
    # A step that runs alone waits only for those that run at all.
    return [
        replace(step, after=tuple(name for name in step.after if name in chosen))
        for step in steps
        if step.name in chosen
    ]


def _step(entry: dict[str, Any]) -> Step:
    return Step(**entry | {"after": tuple(entry.get("after", ()))})


def _check(path: Path, steps: list[Step], allowed: int) -> None:
    """Names are unique, a step comes after earlier ones only, and the budgets fit."""
    earlier = set[str]()
    for step in steps:
        if step.name in earlier:
            raise StepsError(f"{path}: two steps are called {step.name!r}")
        if missing := set(step.after) - earlier:
            raise StepsError(
                f"{path}: {step.name!r} comes after {', '.join(missing)}, which no earlier step is"
            )
        earlier.add(step.name)
    if (total := seconds_in_all(steps)) > allowed:
        raise StepsError(f"{path}: the steps take {total} s, {allowed} are allowed; move one to make nightly")


def seconds_in_all(steps: Iterable[Step]) -> int:
    """What steps may take together on two cores, side by side where one core is enough."""
    return sum(step.seconds * step.cores for step in steps) // 2


ROOT: Final = Path(__file__).parents[1]
LOGS: Final = ROOT / ".ci" / "logs"
CORES: Final = 2
TAIL: Final = 150
"""How many lines of a failed step's output are shown."""
SECOND_TRY: Final = re.compile(r"^SECOND TRY .*", re.MULTILINE)
"""What the tests print about each test that failed first and then passed."""
FAILS: Final = re.compile(r"FAIL|E  +\w|.*\b(?:Error|Refused)\b")
"""How the lines begin that say why a step failed."""
COUNTED: Final = re.compile(
    r"^=+ .*\b(?:passed|failed)\b.* =+$|^ +\d+ (?:passed|flaky|failed).*", re.MULTILINE
)
"""The closing lines of pytest and Playwright."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """What the processors of this machine have counted: in all, and what was stolen by others on its host."""

    all: int
    stolen: int

    @classmethod
    def now(cls) -> "Ticks":
        """The count since the machine was started; nothing where the system does not tell."""
        try:
            counted = [int(word) for word in Path("/proc/stat").read_text().split(maxsplit=9)[1:9]]
        except OSError:
            return cls(0, 0)
        return cls(sum(counted), counted[-1])

    def stolen_since(self, before: "Ticks") -> float:
        """The share that others took since then."""
        return (self.stolen - before.stolen) / max(1, self.all - before.all)


@dataclass(slots=True)
class Running:
    """A step under way: its process, its log, and whether this is its second try."""

    step: Step
    process: subprocess.Popen[bytes]
    log: Path
    started: float
    ticks: Ticks
    first_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a step ended; `second_tries` are the lines about it that the run ends with."""

    step: Step
    seconds: float
    status: int
    stolen: float = 0
    second_tries: tuple[str, ...] = ()


def run_steps(
    steps: list[Step], logs: Path, tell: Callable[[str], None], *, keep_going: bool
) -> list[Result]:
    """Run each step once what it comes after has passed and its cores are free.

    After a failure no step is started; with `keep_going`, only those after the failed one are left out.
    """
    waiting, running, results = list(steps), list[Running](), list[Result]()
    while True:
        if keep_going or not any(result.status for result in results):
            for step in startable(waiting, running, results):
                waiting.remove(step)
                running.append(start(step, logs))
        if not running:
            return results
        ended = wait_for_one(running)
        running.remove(ended)
        if ended.process.returncode and ended.step.retry and ended.first_reason is None:
            running.append(start_again(ended, logs))
            continue
        results.append(result := finished(ended))
        tell(told(result, ended.log))


def startable(waiting: list[Step], running: list[Running], results: list[Result]) -> list[Step]:
    """The waiting steps that may start now, in the order of the file."""
    passed = {result.step.name for result in results if not result.status}
    free = CORES - sum(one.step.cores for one in running)
    chosen = []
    for step in waiting:
        if step.cores <= free and passed.issuperset(step.after):
            free -= step.cores
            chosen.append(step)
    return chosen


def start(step: Step, logs: Path) -> Running:
    """Start a step's command with its output in a log of its own."""
    log = logs / f"{re.sub('[^a-z0-9]+', '-', step.name.lower()).strip('-')}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", step.run],  # noqa: S607
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    return Running(step, process, log, time.monotonic(), Ticks.now())


def start_again(failed: Running, logs: Path) -> Running:
    """Start a failed step once more; the first log is kept beside the second."""
    kept = failed.log.rename(failed.log.with_suffix(".first.log"))
    again = start(failed.step, logs)
    again.started, again.ticks = failed.started, failed.ticks
    again.first_reason = reason_in(kept)
    return again


def wait_for_one(running: list[Running]) -> Running:
    """The first step under way that has ended."""
    while True:
        for one in running:
            if one.process.poll() is not None:
                return one
        time.sleep(0.1)


def finished(ended: Running) -> Result:
    """The result of a step that has ended for good."""
    text = ended.log.read_text(errors="replace")
    tries = [line.removeprefix("SECOND TRY ") for line in SECOND_TRY.findall(text)]
    if ended.first_reason is not None:
        tries.insert(0, f"{ended.step.name}: {ended.first_reason}")
    return Result(
        ended.step,
        time.monotonic() - ended.started,
        ended.process.returncode,
        Ticks.now().stolen_since(ended.ticks),
        tuple(tries),
    )


def reason_in(log: Path) -> str:
    """The first line that says that something fails; else the last one that is not make's own complaint."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    said = [line for line in lines if line and not line.startswith("make")]
    return next(filter(FAILS.match, said), said[-1] if said else "no output")


def told(result: Result, log: Path) -> str:
    """A line about a step, what its tests counted, and the end of its output if it failed."""
    text = log.read_text(errors="replace")
    lines = [f"{result.step.name:<56} {result.seconds:5.0f} s of {result.step.seconds:4d}"]
    lines += [f"    {line.strip(' =')}" for line in COUNTED.findall(text)]
    if result.status:
        lines[0] += f"  FAILED ({result.status})"
        lines.append(f"--- the end of {log.relative_to(ROOT)}")
        lines += [line[:400] for line in text.splitlines()[-TAIL:]]
    return "\n".join(lines)


def table(results: list[Result], steps: list[Step], seconds: float, stolen: float) -> str:
    """The closing table: seconds beside budgets, steps over budget, second tries, steps that never ran."""
    lines = ["", f"{'step':<56} {'seconds':>7} {'budget':>7} {'stolen':>7}"]
    for result in sorted(results, key=lambda result: -result.seconds):
        over = "  over budget" if result.seconds > result.step.seconds else ""
        figures = f"{result.seconds:7.0f} {result.step.seconds:7d} {result.stolen:7.0%}"
        lines.append(f"{result.step.name:<56} {figures}{over}")
    lines.append(f"{'all, side by side':<56} {seconds:7.0f} {seconds_in_all(steps):7d} {stolen:7.0%}")
    tries = [line for result in results for line in result.second_tries]
    lines += ["", "Needed a second try:" if tries else "Nothing needed a second try.", *tries]
    ran = {result.step.name for result in results}
    lines += [f"NOT RUN: {step.name}" for step in steps if step.name not in ran]
    return "\n".join(lines)


def record(name: str, results: list[Result]) -> None:
    """Add each step's outcome, with today's date, to a ledger."""
    # Imported here: the steps of CI need no git.
    from harness import ledger  # noqa: PLC0415

    today = datetime.now(UTC).date().isoformat()
    for result in results:
        outcome = "passed" if not result.status else f"failed ({result.status})"
        ledger.append(name, step=result.step.name, date=today, seconds=round(result.seconds), outcome=outcome)


def main(words: list[str] | None = None) -> int:
    """Run the steps; 1 if one failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=Path, default=ROOT / ".ci" / "steps.toml", help="the file of steps")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="run this step alone; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="print the steps and their budgets, run nothing")
    parser.add_argument("--keep-going", action="store_true", help="run what can be run after a failure too")
    parser.add_argument("--ledger", metavar="NAME", help="add outcomes to benchmarks/results/NAME.jsonl")
    asked = parser.parse_args(words)
    try:
        steps = read_steps(asked.steps, asked.only)
    except StepsError as trouble:
        print(trouble, file=sys.stderr)
        return 2
    if asked.list:
        print(*(f"{step.seconds:5d} s  {step.name}: {step.run}" for step in steps), sep="\n")
        return 0
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    os.environ["CI"] = "true"
    began, ticks = time.monotonic(), Ticks.now()
    results = run_steps(steps, LOGS, lambda text: print(text, flush=True), keep_going=asked.keep_going)
    closing = table(results, steps, time.monotonic() - began, Ticks.now().stolen_since(ticks))
    (LOGS / "table.txt").write_text(closing + "\n")
    print(closing)
    if asked.ledger:
        record(asked.ledger, results)
    return int(any(result.status for result in results) or len(results) < len(steps))


if __name__ == "__main__":
    sys.exit(main())
