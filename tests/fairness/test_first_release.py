"""Games of the first release: their records verify, and one that still runs goes on with the same cards."""

from dataclasses import replace
from pathlib import Path

import pytest

from cartagena import Game
from cartagena.fairness.record import verify_record
from cartagena.notation import Record, parse_record
from cartagena.notation.record import Ending, Result

FOLDER = Path(__file__).parents[1] / "records" / "e4212e1"
"""Random games that the program of e4212e1 played and wrote; each renews its stock."""


@pytest.fixture(params=["tortuga", "jamaica", "nest"])
def record(request: pytest.FixtureRequest) -> Record:
    """A game that was played to its end."""
    return parse_record((FOLDER / f"{request.param}.record").read_text(encoding="utf-8"))


def test_their_records_verify(record: Record) -> None:
    assert any(step.orders for step in record.steps)
    assert verify_record(record).holds


def test_a_running_one_goes_on_with_the_cards_that_it_would_have_had(record: Record) -> None:
    first = next(number for number, step in enumerate(record.steps) if step.orders)
    running = replace(record, steps=record.steps[:first], result=Result(Ending.RUNNING, None))
    game = Game.of_record(running)
    for step in record.steps[first:]:
        assert step.code is not None
        game.push(step.code)
    assert game.record() == record
