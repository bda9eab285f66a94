"""Old games still end as they ended: the records of tests/records, made once by scripts/make_records.py."""

from pathlib import Path

import pytest

from cartagena.fairness.record import verify_record
from cartagena.notation import Ending, ReplayError, format_record, parse_record, replay
from scripts.make_records import PLANS, Plan, play

FOLDER = Path(__file__).parents[1] / "records"
FILES = sorted(FOLDER.glob("*.record"))
VIEWS = {plan.name for plan in PLANS if plan.reader is not None}


def test_the_corpus_has_every_preset_with_every_number_of_seats() -> None:
    records = [parse_record(path.read_text(encoding="utf-8")) for path in FILES]
    tables = {(record.headers.ruleset.key, record.headers.seats) for record in records}
    assert tables == {(key, seats) for key in ("tortuga", "jamaica", "nest") for seats in range(2, 6)}
    assert {record.result.ending for record in records} == {Ending.RUNNING, Ending.WON, Ending.QUIET}
    assert {path.stem for path in FILES} == {plan.name for plan in PLANS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_game_ends_as_it_ended(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert format_record(record) == text
    if path.stem in VIEWS:
        with pytest.raises(ReplayError, match="this is the record of a view"):
            replay(record)
        return
    assert len(replay(record).events) == len(record.steps)
    running = record.result.ending is Ending.RUNNING
    assert verify_record(record).holds is not running


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_planned_game_is_played_the_same_way_again(plan: Plan) -> None:
    assert format_record(play(plan)) == (FOLDER / f"{plan.name}.record").read_text(encoding="utf-8")
