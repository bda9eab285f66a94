"""The file of steps that CI runs: what each runs, comes after and may take."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


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
