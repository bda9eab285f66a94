"""The page about training says what the evaluations say."""

from research.how_strong import with_table
from research.ppo_page import CURVE, PAGE, draw, last_table, lines


def test_the_table_and_the_curve_of_the_page_are_those_of_the_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page, "last", last_table(lines())) == page, "run `python -m research.ppo_page`"
    assert CURVE.read_text(encoding="utf-8") == draw(lines()), "run `python -m research.ppo_page`"
    assert CURVE.name in page
