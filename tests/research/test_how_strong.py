"""The page about strength says what the committed results say."""

from research.how_strong import PAGE, filled, pictures
from research.seat_advantage import draw, panels


def test_the_tables_of_the_page_are_those_of_the_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page, "run `make how-strong`"


def test_the_pictures_are_those_of_the_results() -> None:
    for name, picture in pictures().items():
        assert PAGE.with_name(name).read_text(encoding="utf-8") == picture, "run `make how-strong`"


def test_the_picture_shows_every_seat_of_every_panel() -> None:
    assert draw(panels()).count("<rect") == 1 + sum(panel.seats for panel in panels())
