"""The training program: the same seed gives the same weights, and seats are compared by the same sailor."""

import re
from collections.abc import Callable

import pytest

from cartagena.bots.evaluation.linear import WEIGHTS
from cartagena.bots.evaluation.network import INSIGHTS
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, TORTUGA
from research.arena_bars import BARS
from research.how_strong import PAGE, bars_table, seats_table, with_table
from research.legs import Leg, legs_to_play
from research.seat_advantage import SEATS, draw, panels, seed_of
from research.train import COURSES, STUDIES, Course, learn, study


@pytest.mark.parametrize(("lesson", "number"), [(learn, WEIGHTS), (study, INSIGHTS)])
def test_the_same_seed_gives_the_same_weights(lesson: Callable[..., list[float]], number: int) -> None:
    course = Course(ruleset=TORTUGA, seats=2, games=5)
    heard: list[int] = []
    weights = lesson(course, 5, heard.append)
    assert weights == lesson(course, 5, heard.append)
    assert weights != lesson(course, 6, heard.append)
    assert len(weights) == number


def test_there_is_a_course_for_every_family_and_number_of_seats() -> None:
    names = {
        f"{family}-{seats}" for family in ("escape", "nest") for seats in range(FEWEST_SEATS, MOST_SEATS + 1)
    }
    assert {course.name for course in COURSES} == names == {course.name for course in STUDIES}


def test_no_two_legs_share_their_chance() -> None:
    legs = legs_to_play([], seats=SEATS, games=10_000, of_a_leg=500)
    assert len({seed_of(leg) for leg in legs}) == len(set(legs)) == 3 * len(SEATS) * 20


def test_only_what_a_ledger_lacks_is_played_and_all_tables_grow_together() -> None:
    there = [{"ruleset": "jamaica", "seats": 2, "leg": 0}, {"ruleset": "nest", "seats": 5, "leg": 1}]
    legs = legs_to_play(there, seats=(2, 4), games=250, of_a_leg=200)
    assert legs == [
        *(
            Leg("tortuga", 2, 0),
            Leg("tortuga", 4, 0),
            Leg("jamaica", 4, 0),
            Leg("nest", 2, 0),
            Leg("nest", 4, 0),
        ),
        *(Leg(ruleset, seats, 1) for ruleset in ("tortuga", "jamaica", "nest") for seats in (2, 4)),
    ]


def test_the_picture_shows_every_seat_of_every_panel() -> None:
    picture = draw(panels())
    assert picture.count("<rect") == 1 + sum(panel.seats for panel in panels())


def test_the_page_about_strength_keeps_its_words_around_new_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    filled = with_table(with_table(page, "bars", bars_table()), "seats", seats_table(panels()))
    words = re.compile(r"<!-- (bars|seats) -->.*?<!-- /", re.DOTALL)
    assert words.sub("", filled) == words.sub("", page)
    rows = [row for row in bars_table().splitlines() if not row.startswith(("| bar ", "|-"))]
    assert all(row in filled for row in rows)
    # Bars that this version of the bots has not played yet are left out; the rows keep the order of the bars.
    names = [row.split("|")[1].strip() for row in rows]
    assert names == [bar.name for bar in BARS if bar.name in names]
