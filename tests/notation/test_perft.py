"""The tree of play has as many lines as ever."""

from pathlib import Path

import pytest

from cartagena.notation import NotationError, check_perft, parse_perft, read_perft
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.legality import advance, legal
from cartagena.rules.perft import after, perft
from cartagena.rules.position import TRIM, Position
from tests.notation.tables import NEST_TABLE, TORTUGA_TABLE

FILES = sorted((Path(__file__).parents[1] / "perft").glob("*.perft"))
CI_DEPTH = 5


@pytest.mark.sampled
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_number_of_ways_is_unchanged(path: Path) -> None:
    (case,) = read_perft(path)
    assert case.name == path.stem
    assert [depth for depth, _ in case.counts] == list(range(1, len(case.counts) + 1))
    counts = list(check_perft(case, CI_DEPTH))
    assert len(counts) >= 4
    assert [count for count in counts if not count.agrees] == []


def test_the_positions_cover_both_games_and_all_numbers_of_seats() -> None:
    positions = [read_perft(path)[0].position for path in FILES]
    assert len(positions) >= 10
    for family in ("escape", "nest"):
        assert {one.seats for one in positions if one.ruleset.family == family} == {2, 3, 4, 5}
    assert {one.ruleset.hands_open for one in positions if not one.facts.has_crossing} == {False, True}
    assert {one.facts.has_crossing for one in positions if one.crowd.third} == {False, True}


def ways_met(position: Position, depth: int) -> set[str]:
    """What a tree of play passes through: a renewal in the middle of a draw, a trim."""
    met: set[str] = set()
    for code in legal(position) if depth else []:
        twin = position.copy()
        advance(twin, code)
        if twin.order_due:
            met.add("in mid-row" if twin.laying else "in mid-draw")
            take_order(twin, cards_due(twin))
        if twin.phase == TRIM:
            met.add("trim")
        met |= ways_met(twin, depth - 1)
    return met


@pytest.mark.parametrize(
    ("name", "met"),
    [
        ("jamaica-2-renewal-in-mid-draw", "in mid-draw"),
        ("nest-4-renewal-in-mid-draw", "in mid-draw"),
        ("tortuga-3-row-renewed", "in mid-row"),
        ("nest-3-freebooter", "trim"),
    ],
)
def test_the_trees_pass_through_what_they_are_named_after(name: str, met: str) -> None:
    (case,) = read_perft(next(path for path in FILES if path.stem == name))
    assert met in ways_met(case.position, 2)


def test_every_order_of_a_renewal_is_one_way() -> None:
    (case,) = read_perft(next(path for path in FILES if path.stem == "jamaica-2-renewal-in-mid-draw"))
    assert all(count.agrees for count in check_perft(case, 2))


def test_the_ways_are_those_after_each_first_choice() -> None:
    (case,) = parse_perft(f"id one\n{TORTUGA_TABLE}")
    before = legal(case.position)
    assert sum(perft(after(case.position, code), 2) for code in before) == perft(case.position, 3)
    assert legal(case.position) == before
    assert perft(case.position, 1) == len(before)
    assert perft(case.position, 0) == 1


def test_a_wrong_number_is_found() -> None:
    (case,) = parse_perft(f"id one\n{TORTUGA_TABLE}perft 1 1\nperft 9 1\n")
    (count,) = check_perft(case, 1)
    assert (count.name, count.depth, count.expected) == ("one", 1, 1)
    assert count.found == len(legal(case.position))
    assert not count.agrees


def test_a_file_may_hold_several_positions() -> None:
    cases = parse_perft(
        f"# two\nid one\n{TORTUGA_TABLE}perft 1 5\n\nid two\n{NEST_TABLE}\nperft 2 7\nperft 3 9\n"
    )
    assert [(case.name, case.counts) for case in cases] == [("one", ((1, 5),)), ("two", ((2, 7), (3, 9)))]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("", 1, "'id NAME' at the beginning"),
        (TORTUGA_TABLE, 1, "'id NAME' at the beginning"),
        (f"perft 1 1\nid one\n{TORTUGA_TABLE}", 1, "'id NAME' at the beginning"),
        (f"id one\n{TORTUGA_TABLE}perft 0 1", 15, "a depth from 1 on"),
        (f"id one\n{TORTUGA_TABLE}perft 1 many", 15, "how many ways there are"),
        (f"id one\n{TORTUGA_TABLE}perft 1 1 1", 15, "the end of the line"),
        (f"\nid one\n{TORTUGA_TABLE.replace('Turn: 30', 'Turn: x')}", 13, "the number of the turn"),
    ],
)
def test_what_is_no_perft_file_is_pointed_at(text: str, line: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_perft(text)
    assert caught.value.line == line
    assert caught.value.expected.startswith(expected)
