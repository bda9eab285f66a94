"""The page about growth says what the ledger knows."""

import re

from benchmarks.cost_model import CostModel, Size
from benchmarks.scale_page import PAGE, PLOT, draw, tables


def test_the_tables_of_the_page_are_those_of_the_ledger() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        (found,) = re.findall(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", page, re.DOTALL)
        assert found == table, f"run `python -m benchmarks.scale_page`: {name} is old"
    assert PLOT.read_text(encoding="utf-8") == draw()


def test_twice_the_moves_take_twice_the_processor_time_and_no_fewer_machines() -> None:
    model = CostModel(
        web_us=400,
        streams_us=17,
        postgresql_us=70,
        nats_us=15,
        stream_kib=14,
        table_kib=11,
        event_bytes=170,
        folded_bytes=1250,
        events_a_game=100,
    )
    assert model.cpu_seconds(2_000, 2) == 2 * model.cpu_seconds(1_000, 2)
    one, two = (model.machines(Size(games=100_000, moves=moves)) for moves in (50_000, 100_000))
    assert (one.web, one.log_gb_a_day) < (two.web, two.log_gb_a_day)
    assert two.primaries == two.standbys >= 16
    assert model.machines(Size(games=10, moves=1)).all <= 4
