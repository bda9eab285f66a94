"""Simulations: one seed is one run, no law is broken, and a planted defect is found by its seed."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from rich.console import Console

from harness.simulation.against_postgresql import compare
from harness.simulation.planted_defects import PLANTS, planted
from harness.simulation.run import be_quiet, run_seed

ROOT = Path(__file__).parents[2]

FOUND_BY = {
    "a move is guarded by its table": (47, "a seat on turn was held up 3 times"),
    "a commit is acknowledged without its standby": (16, "an acknowledged action is lost"),
    "a request that is found counts as acknowledged": (89, "an acknowledged action is lost"),
    "a bucket moves on without its standby": (1206, "a table is in 2 databases"),
    "a failover goes unnoticed": (551, "somebody still looks at what never came to be"),
    "a session is not asked after": (252, "a session is told more long after its end"),
    "a line of chat has no unique key": (3, "a line of chat was said twice"),
    "a claim has no end": (0, "something is due and nobody comes for long"),
    "a clock runs backwards after a failover": (30, "a clock ran backwards"),
}
"""For each planted defect the seed that found it last, and the law that it breaks."""
MOST_SEEDS = 600
"""How many seeds are tried: a change of the service changes their runs, and another seed finds it then."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Log nothing here, and everything again in the tests that follow in this process."""
    before = structlog.get_config()
    be_quiet()
    yield
    structlog.configure(**before)
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", range(10))
def test_no_law_is_broken(seed: int) -> None:
    assert run_seed(seed).violations == ()


def test_a_seed_is_one_run_in_every_process() -> None:
    here = run_seed(3).digest
    there = subprocess.run(
        [sys.executable, "-c", "from harness.simulation.run import *; be_quiet(); print(run_seed(3).digest)"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert there.stdout.strip() == here
    assert run_seed(4).digest != here


def test_every_planted_defect_has_its_seed() -> None:
    assert FOUND_BY.keys() == PLANTS.keys()


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_defect_is_found(plant: str) -> None:
    first, law = FOUND_BY[plant]
    with planted(plant):
        found = next((seed for seed in (first, *range(MOST_SEEDS)) if law in run_seed(seed).violations), None)
    assert found is not None
    assert run_seed(found).violations == ()


def test_the_simulated_database_answers_as_postgresql_does() -> None:
    assert asyncio.run(compare(range(5), Console(quiet=True))) == 0
