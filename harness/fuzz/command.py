"""Feed every reader of foreign bytes and texts with coverage-guided fuzzing (atheris).

Usage: python -m harness.fuzz.command [TARGET ...] [--seconds 60] [--corpus build/fuzz/corpus] [--ledger NAME]
       python -m harness.fuzz.command TARGET --replay FILE      one input again, without atheris

It begins with the inputs of tests/fuzz/corpus, and keeps those that reach new code in --corpus, where the
next run begins. A fault, or an input that takes more than five seconds, ends its target: the input is
written into build/fuzz/faults, with the command that replays it, and the program fails.

The targets take turns of ten minutes. With a ledger each turn without a fault is written to
benchmarks/results/ with its seed, and counts towards the seconds of the next run.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from harness import ledger
from harness.fuzz.targets import TARGETS

ROOT: Final = Path(__file__).parents[2]
SEEDS: Final = ROOT / "tests" / "fuzz" / "corpus"
BUILD: Final = ROOT / "build" / "fuzz"
LONGEST_SECONDS: Final = 5
LONGEST_INPUT: Final = 4096
TURN_SECONDS: Final = 600
_COUNT: Final = re.compile(r"^(?:#|stat::number_of_executed_units: )([0-9]+)")
_LINES_SHOWN: Final = 40
"""How much of atheris's output about a fault is shown: the traceback comes last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a target: how many inputs it was fed, how many of them were kept, which are faults."""

    target: str
    executions: int
    kept: int
    faults: tuple[Path, ...]
    status: int

    def lines(self) -> Iterator[str]:
        """The summary, then for each fault the command that shows it again."""
        found = f"{self.kept} new in the corpus, {len(self.faults)} faults"
        yield f"{self.target}: {self.executions} executions, {found}"
        for fault in self.faults:
            yield f"  python -m harness.fuzz.command {self.target} --replay {fault}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A target is fed for some seconds, in an order of inputs that the seed decides."""

    target: str
    seconds: int
    seed: int


def turns(targets: Sequence[str], seconds: int, name: str | None) -> Iterator[Turn]:
    """What is left to do until each target has had its seconds: one turn of each, then the next of each."""
    entries = ledger.entries(name) if name else []
    done = Counter[str]()
    for entry in entries:
        done[entry["target"]] += entry["seconds"]
    seed = len(entries)
    while left := {target: seconds - done[target] for target in targets if done[target] < seconds}:
        for target, remaining in left.items():
            seed += 1
            yield Turn(target, min(TURN_SECONDS, remaining), seed)
            done[target] += TURN_SECONDS


def fuzz(turn: Turn, corpus: Path, console: Console) -> Outcome:
    """Feed a target for its turn, or until its first fault."""
    target = turn.target
    own, faults = corpus / target, BUILD / "faults" / target
    own.mkdir(parents=True, exist_ok=True)
    faults.mkdir(parents=True, exist_ok=True)
    before, old = len(list(own.iterdir())), set(faults.iterdir())
    said, status = _run(command(turn, own, faults), f"{target}, {turn.seconds} s", console)
    if status:
        print(*said[-_LINES_SHOWN:], sep="\n")
    return Outcome(
        target=target,
        executions=max(map(executions, said), default=0),
        kept=len(list(own.iterdir())) - before,
        faults=tuple(sorted(set(faults.iterdir()) - old)),
        status=status,
    )


def command(turn: Turn, own: Path, faults: Path) -> list[str]:
    """The process that feeds a target; libFuzzer writes into the first folder it is given."""
    return [
        *(sys.executable, "-m", "harness.fuzz.loop", turn.target),
        f"-max_total_time={turn.seconds}",
        f"-seed={turn.seed}",
        f"-timeout={LONGEST_SECONDS}",
        f"-max_len={LONGEST_INPUT}",
        f"-artifact_prefix={faults}/",
        "-print_final_stats=1",
        str(own),
        str(SEEDS / turn.target),
    ]


def executions(line: str) -> int:
    """How many inputs had been fed, by a line of libFuzzer's output; 0 if it does not say."""
    found = _COUNT.match(line)
    return int(found[1]) if found else 0


def _run(words: list[str], title: str, console: Console) -> tuple[list[str], int]:
    said: list[str] = []
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    with process, console.status(title) as shown:
        began = time.monotonic()
        for line in process.stdout:
            said.append(line.rstrip())
            if count := executions(line):
                shown.update(f"{title}: {time.monotonic() - began:.0f} s, {count} executions")
    return said, process.returncode


def main(words: list[str] | None = None) -> int:
    """Feed the targets in turn; 1 if any of them has a fault, which ends its turns."""
    parser = _parser()
    asked = parser.parse_args(words)
    targets = asked.targets or list(TARGETS)
    if not TARGETS.keys() >= set(targets):
        parser.error(f"the targets are {', '.join(TARGETS)}")
    if asked.replay:
        TARGETS[targets[0]](asked.replay.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        print("atheris is missing (Linux only): pip install --group fuzz")
        return 1
    console = Console()
    failed = set[str]()
    for turn in turns(targets, asked.seconds, asked.ledger):
        if turn.target in failed:
            continue
        outcome = fuzz(turn, asked.corpus, console)
        print(*outcome.lines(), sep="\n", flush=True)
        if outcome.status or outcome.faults:
            failed.add(turn.target)
        elif asked.ledger:
            figures = {"executions": outcome.executions, "kept": outcome.kept}
            ledger.append(asked.ledger, **asdict(turn), **figures)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--corpus", type=Path, default=BUILD / "corpus", help="where inputs are kept")
    parser.add_argument("--ledger", metavar="NAME", help="go on after the seconds of this ledger")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="feed the one target this input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
