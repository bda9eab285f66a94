"""The training program: the same seed gives the same weights, and seats are compared by the same sailor."""

import re

from cartagena.bots.worth import WEIGHTS
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, TORTUGA
from tools.arena_bars import BARS
from tools.how_strong import PAGE, bars_table, seats_table, with_table
from tools.seat_advantage import Leg, legs_to_play, panels
from tools.seat_plot import draw
from tools.train import COURSES, Course, learn


def test_the_same_seed_gives_the_same_weights() -> None:
    course = Course(ruleset=TORTUGA, seats=2, games=5)
    heard: list[int] = []
    weights = learn(course, 5, heard.append)
    assert weights == learn(course, 5, heard.append)
    assert weights != learn(course, 6, heard.append)
    assert len(weights) == WEIGHTS


def test_there_is_a_course_for_every_family_and_number_of_seats() -> None:
    names = {
        f"{family}-{seats}" for family in ("escape", "nest") for seats in range(FEWEST_SEATS, MOST_SEATS + 1)
    }
    assert {course.name for course in COURSES} == names


def test_no_two_legs_share_their_chance() -> None:
    legs = [*legs_to_play(10000), Leg("tortuga", 2, 0)]
    assert len({leg.seed for leg in legs}) == len(set(legs))


def test_the_picture_shows_every_seat_of_every_panel() -> None:
    picture = draw(panels())
    assert picture.count("<rect") == 1 + sum(panel.seats for panel in panels())


def test_the_page_about_strength_keeps_its_words_around_new_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    filled = with_table(with_table(page, "bars", bars_table()), "seats", seats_table(panels()))
    words = re.compile(r"<!-- (bars|seats) -->.*?<!-- /", re.DOTALL)
    assert words.sub("", filled) == words.sub("", page)
    assert all(f"| {bar.name} " in filled for bar in BARS)
