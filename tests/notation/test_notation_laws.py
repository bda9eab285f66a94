"""Laws of the notation, over short games: what is written reads back, and nonsense is refused politely."""

from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cartagena.notation import (
    NotationError,
    find_action,
    format_action,
    format_position,
    format_record,
    parse_action,
    parse_perft,
    parse_position,
    parse_record,
    parse_records,
    parse_ruleset,
    parse_sight,
    record_of,
    replay,
    sight_of,
    sight_of_view,
)
from cartagena.rules.hidden.view import view
from cartagena.rules.legality import legal
from cartagena.rules.position import ACT
from tests.notation.tables import NEST_TABLE, TORTUGA_TABLE
from tests.notation.test_record_text import TEXT
from tests.properties.records import Short, shorts
from tests.tables import truth

PERFT = (Path(__file__).parents[1] / "perft" / "nest-3-freebooter.perft").read_text(encoding="utf-8")


LAW = settings(deadline=None, max_examples=60)
"""A law may take its time: a long game is one example."""


@LAW
@given(shorts())
def test_a_record_reads_back_and_replays_to_the_same_position(game: Short) -> None:
    end = game.end()
    record = record_of(end)
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert truth(replay(parse_record(text)).position) == truth(end.position)


@LAW
@given(shorts())
def test_a_position_and_every_view_of_it_read_back(game: Short) -> None:
    position = game.end().position
    if position.phase != ACT:
        return
    text = format_position(position)
    again = parse_position(text)
    assert sight_of(again) == sight_of(position)
    assert format_position(again) == text
    assert legal(again) == legal(position)
    for seat in (None, *range(game.seats)):
        seen = sight_of_view(view(position, seat))
        assert parse_sight(format_position(seen)) == seen


@LAW
@given(shorts())
def test_every_legal_action_is_found_by_its_own_text(game: Short) -> None:
    position = game.end().position
    for code in legal(position):
        text = format_action(position.ruleset.family, code)
        assert find_action(position, text) == code == parse_action(position.ruleset.family, text)


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> str:
    """A text in which something was cut out, put in, doubled or exchanged."""
    for _ in range(draw(st.integers(1, 3))):
        first, last = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        last = min(last, first + draw(st.sampled_from([0, 1, 5, 400])))
        stuff = st.text(st.sampled_from("?*-:;,|/[]# \t\r\n\x00\u2028²09azé="), max_size=4)
        words = st.sampled_from(["none", "?", "skull*3", "red", "order", "trim ?", text[first:last] * 2])
        text = text[:first] + draw(stuff | words) + text[last:]
    return text


def politely(parse: Callable[[str], object], text: str) -> None:
    """Reading either works or raises a NotationError that points into the text."""
    error = trouble(parse, text)
    if error is not None:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines) + 1
        assert 1 <= error.column <= max(map(len, lines)) + 1
        assert error.expected


def trouble(parse: Callable[[str], object], text: str) -> NotationError | None:
    try:
        parse(text)
    except NotationError as error:
        return error
    return None


@LAW
@given(spoilt(TEXT))
def test_a_spoilt_record_is_refused_politely(text: str) -> None:
    politely(parse_records, text)


@LAW
@given(spoilt(TORTUGA_TABLE) | spoilt(NEST_TABLE))
def test_a_spoilt_position_is_refused_politely(text: str) -> None:
    politely(parse_position, text)
    politely(parse_sight, text)


@LAW
@given(spoilt(PERFT))
def test_a_spoilt_perft_file_is_refused_politely(text: str) -> None:
    politely(parse_perft, text)


@LAW
@given(spoilt("jamaica pass_allowed=true quiet_rounds=12"))
def test_a_spoilt_ruleset_is_refused_politely(text: str) -> None:
    politely(parse_ruleset, text)


@LAW
@given(spoilt("play gold_compass sloop"))
def test_a_spoilt_action_is_refused_politely(text: str) -> None:
    politely(lambda typed: parse_action("nest", typed), text)
    politely(lambda typed: find_action(parse_position(NEST_TABLE), typed), text)
