"""The page about growth says what the ledger knows."""

import re
from dataclasses import replace

from benchmarks.bill import MIXES, Figures, Mix, Prices, Thinking, Wire, bill, game_bill
from benchmarks.bill_tables import draw_bill
from benchmarks.cost_model import CostModel, Size
from benchmarks.scale_page import BILL, PAGE, PLOT, draw, tables

MODEL = CostModel(
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
FIGURES = Figures(
    costs=MODEL,
    wire=Wire(answer=2500, seat=2300, watcher=1600),
    thinking=Thinking(move={"sailor": 0.01, "bosun": 0.05, "captain": 0.3}, hint=0.2, analysis=5),
)
LARGE = Size(games=1_000_000, moves=100_000)


def test_the_tables_of_the_page_are_those_of_the_ledger() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, table in tables().items():
        (found,) = re.findall(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", page, re.DOTALL)
        assert found == table, f"run `python -m benchmarks.scale_page`: {name} is old"
    assert PLOT.read_text(encoding="utf-8") == draw()
    assert BILL.read_text(encoding="utf-8") == draw_bill()


def test_twice_the_moves_take_twice_the_processor_time_and_no_fewer_machines() -> None:
    assert MODEL.cpu_seconds(2_000, 2) == 2 * MODEL.cpu_seconds(1_000, 2)
    one, two = (MODEL.machines(Size(games=100_000, moves=moves)) for moves in (50_000, 100_000))
    assert (one.web, one.log_gb_a_day) < (two.web, two.log_gb_a_day)
    assert two.primaries == two.standbys >= 16
    assert MODEL.machines(Size(games=10, moves=1)).all <= 4


def test_each_price_is_paid_for_its_own_items() -> None:
    usual = bill(FIGURES, LARGE, MIXES["captains"], Prices())
    for price, items in {
        "core_hour": {"moves", "bots", "hints, analyses"},
        "egress_gb": {"egress"},
        "disk_gb": {"storage"},
        "backup_gb": {"backups"},
    }.items():
        double = replace(Prices(), **{price: 2 * getattr(Prices(), price)})
        dearer = bill(FIGURES, LARGE, MIXES["captains"], double)
        assert {item for item in usual if dearer[item] != usual[item]} == items
        assert all(round(dearer[item] / usual[item], 9) == 2 for item in items)


def test_who_plays_decides_what_thinking_costs() -> None:
    people, one_in_ten = (
        bill(FIGURES, LARGE, mix, Prices()) for mix in (MIXES["people"], Mix(bots={"captain": 0.1}))
    )
    assert people["bots"] == 0
    # Three hundredths of a second for each move, on cores that are busy for six tenths of their time.
    cores = 100_000 * 0.03 / 0.6
    assert round(one_in_ten["bots"] / (cores * 24 * 30.4 * Prices().core_hour), 9) == 1


def test_a_game_sends_and_thinks_by_the_move() -> None:
    free = Prices(core_hour=0, egress_gb=1)
    assert round(game_bill(FIGURES, free, None) * 1e9) == 100 * (2500 + 2 * 2300)
    assert round(game_bill(FIGURES, free, "captain") * 1e9) == 100 * (2500 + 2300)
    work = Prices(core_hour=3600, egress_gb=0)
    thought = game_bill(FIGURES, work, "captain") - game_bill(FIGURES, work, "sailor")
    assert round(thought, 6) == round(50 * 0.29 / 0.6, 6)
