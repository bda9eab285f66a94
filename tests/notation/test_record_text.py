"""Records as text: what is written, and what is refused."""

import datetime as dt
from dataclasses import replace

import pytest

from cartagena.notation import (
    Ending,
    Headers,
    NotationError,
    Record,
    RecordVisitor,
    Result,
    Step,
    format_record,
    format_result,
    parse_record,
    parse_records,
    read_records,
)
from cartagena.rules.board import Board
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, Ruleset

HASH = "0123456789abcdef" * 4
ISLANDS = Board.of_pieces([range(7)] * 5)
TUNNEL = Board.of_segments(range(6), [False] * 6)


def headers(ruleset: Ruleset = JAMAICA, board: Board = TUNNEL) -> Headers:
    """Plain headers of a game for two, with a sorted deck."""
    return Headers(ruleset=ruleset, board=board, names=("Ada", ""), first_seat=1, deal=tuple(ruleset.deck()))


FULL = replace(
    headers(),
    game_id="table 1",
    date=dt.date(2026, 10, 2),
    rules_version=7,
    commitment=HASH,
    nonce_hashes=(HASH, None),
    nonces=(bytes.fromhex(HASH), None),
    secret=bytes(range(32)),
)
RECORD = Record(
    headers=FULL,
    steps=(
        Step(turn=1, seat=1, code=38),
        Step(turn=1, seat=1, code=17, orders=((0, 0, 5), (4,))),
        Step(turn=1, seat=1, code=0),
        Step(turn=3, seat=1, code=37),
    ),
    result=Result(Ending.RUNNING),
)
TEXT = format_record(RECORD)
TRIMS = Record(
    headers=headers(PIRATES_NEST, ISLANDS),
    steps=(
        Step(turn=1, seat=1, code=38 * 10),
        Step(turn=1, seat=1, code=4),
        Step(turn=1, seat=0, code=None),
        Step(turn=1, seat=1, code=1),
    ),
    result=Result(Ending.ABANDONED),
)


def test_a_record_is_written_line_by_line() -> None:
    lines = TEXT.splitlines()
    assert lines[:4] == ["Cartagena record 1", "Rules: 7", "Game: table 1", "Date: 2026-10-02"]
    assert lines[4].startswith("Ruleset: jamaica hands_open=false")
    assert lines[5:7] == ["Seat: red Ada", "Seat: blue"]
    assert lines[7].startswith("Board: bottle pistol hat skull dagger key | skull")
    assert lines[8:10] == ["First: blue", "Deal: bottle*17 dagger*17 hat*17 key*17 pistol*17 skull*17"]
    assert lines[10:14] == [
        f"Commitment: {HASH}",
        f"Nonce hashes: {HASH} -",
        f"Nonces: {HASH} -",
        f"Secret: {bytes(range(32)).hex()}",
    ]
    assert lines[14:] == [
        "1 blue: play bottle start; retreat 17 [order: bottle*2 skull] [order: pistol]; end_turn",
        "3 blue: retreat sloop",
        "Result: running",
    ]


def test_a_record_does_not_print_what_a_running_game_keeps_secret() -> None:
    printed = repr(RECORD)
    for secret in ("deal=", "orders=", "nonces=", "secret="):
        assert secret not in printed


def test_others_trim_under_their_own_colour() -> None:
    text = format_record(TRIMS)
    assert text.splitlines()[-2:] == [
        "1 blue: play gold_compass start; trim chest; red trim ?; sail",
        "Result: abandoned",
    ]
    assert parse_record(text) == TRIMS


@pytest.mark.parametrize("record", [RECORD, TRIMS], ids=["full", "plain"])
def test_a_record_reads_back(record: Record) -> None:
    assert parse_record(format_record(record)) == record


def test_what_was_read_knows_its_line_and_column() -> None:
    steps = parse_record(TEXT).steps
    assert [(step.line, step.column) for step in steps] == [(15, 9), (15, 28), (15, 80), (16, 9)]


def test_comments_and_blanks_do_no_harm() -> None:
    text = TEXT.replace("\n", " # said somebody\r\n").replace("Result", "# the end\n\tResult")
    assert parse_record("# a comment\n\n" + text) == RECORD


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result(Ending.RUNNING), "running"),
        (Result(Ending.WON, 0), "red wins"),
        (Result(Ending.DEAD), "dead"),
        (Result(Ending.DEAD, 1), "dead, blue wins"),
        (Result(Ending.QUIET), "quiet"),
        (Result(Ending.RESIGNED), "resigned"),
        (Result(Ending.RESIGNED, 0), "resigned, red wins"),
        (Result(Ending.ABANDONED), "abandoned"),
    ],
)
def test_every_result_has_its_words(result: Result, text: str) -> None:
    assert format_result(result) == text
    assert parse_record(format_record(replace(RECORD, result=result))).result == result


def test_a_file_may_hold_several_records() -> None:
    text = "\n\n".join([TEXT, format_record(TRIMS), TEXT])
    assert parse_records(text) == (RECORD, TRIMS, RECORD)
    assert parse_records("# none\n") == ()
    second = text.index("Cartagena record 1", 1)
    line = text[:second].count("\n") + 1
    found = f"^line {line}, column 1: expected the end after one record, found 'Cartagena record 1'$"
    with pytest.raises(NotationError, match=found):
        parse_record(text)
    with pytest.raises(NotationError, match=r"^line 1, column 1: expected a record, found nothing$"):
        parse_record("# none\n")


def test_a_blank_line_inside_a_record_is_told_where_the_record_breaks_off() -> None:
    with pytest.raises(NotationError, match=r"'Result: \.\.\.'"):
        parse_record(TEXT.replace("\nResult", "\n\nResult"))


def test_a_long_line_is_cut_short_in_the_message() -> None:
    with pytest.raises(NotationError) as caught:
        parse_record("x" * 61)
    assert str(caught.value) == f"line 1, column 1: expected 'Cartagena record 1', found '{'x' * 60}...'"
    assert caught.value.text == "x" * 61
    with pytest.raises(NotationError, match=f"'{'x' * 60}'$"):
        parse_record("x" * 60)


class Lister(RecordVisitor):
    """Lists what it is told, and wants the actions of the Nest only."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def headers(self, headers: Headers) -> bool:
        self.told.append(headers.ruleset.key)
        return headers.ruleset.family == "nest"

    def action(self, step: Step) -> None:
        self.told.append(step.code)


def test_a_visitor_hears_what_it_wants() -> None:
    lister = Lister()
    read_records(f"{TEXT}\n{format_record(TRIMS)}", lister)
    assert lister.told == ["jamaica", "nest", 380, 4, None, 1]
    read_records(TEXT, RecordVisitor())


def test_a_visitor_that_skips_is_not_bothered_by_wrong_actions() -> None:
    lister = Lister()
    read_records(TEXT.replace("retreat sloop", "swim"), lister)
    assert lister.told == ["jamaica"]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "expected"),
    [
        ("Cartagena record 1", "Cartagena record 2", 1, 1, "'Cartagena record 1'"),
        ("Rules: 7\n", "", 13, 1, "also a line 'Rules'"),
        ("Rules: 7", "Rules: 0", 2, 8, "a rules version, from 1 on"),
        ("Rules: 7", "Rules: 7\nRules: 7", 3, 1, "Rules only once"),
        ("Rules: 7", "Rule: 7", 2, 1, "a header (Rules, Ruleset, Seat, Board, First, Deal, Game"),
        ("Rules: 7", "Rules 7", 2, 1, "a header ("),
        ("Game: table 1", "Game: tåble", 3, 7, "a game id in plain letters"),
        ("Game: table 1", "Game:", 3, 6, "a game id in plain letters"),
        ("2026-10-02", "2026-10-32", 4, 7, "a day of the calendar"),
        ("2026-10-02", "20261002", 4, 7, "a date as YYYY-MM-DD"),
        ("Seat: blue\n", "", 6, 7, "2 to 5 seats, not 1"),
        ("Seat: blue", "Seat: yellow", 7, 7, "blue and a name, or blue alone"),
        ("Seat: red Ada", "Seat: red A\u00a0a", 6, 7, "red and a name, or red alone"),
        (
            "Seat: blue",
            "Seat: blue\nSeat: yellow\nSeat: green\nSeat: violet\nSeat: x",
            11,
            7,
            "2 to 5 seats, not 6",
        ),
        ("First: blue", "First: green", 9, 8, "a crew that plays (red, blue)"),
        ("First: blue", "First: blue blue", 9, 13, "the end of the line"),
        ("Deal: bottle*17", "Deal: bottle*16", 10, 7, "the 102 cards of the deck"),
        ("Deal: bottle*17", "Deal: bottle*18", 10, 7, "the 102 cards of the deck"),
        ("Deal: bottle*17 dagger*17", "Deal: bottle*18 dagger*16", 10, 7, "the 102 cards of the deck"),
        ("Deal: bottle*17", "Deal: bottle*17 ;", 10, 17, "a card ("),
        ("Commitment: 0", "Commitment: A", 11, 13, "64 hexadecimal digits"),
        (" -\nNonces", "\nNonces", 12, 15, "for each of the 2 seats 64 hexadecimal digits, or '-'"),
        (" -\nNonces", " x\nNonces", 12, 15, "for each of the 2 seats 64 hexadecimal digits, or '-'"),
        ("1 blue: play", "0 blue: play", 15, 1, "a turn's number after 0"),
        ("3 blue", "1 blue", 16, 1, "a turn's number after 1"),
        ("3 blue", "3 green", 16, 3, "a crew that plays (red, blue)"),
        ("3 blue:", "3 blue", 16, 8, "':'"),
        ("3 blue: retreat sloop", "3 blue:", 16, 8, "an action ("),
        ("3 blue: retreat", "3 blue: red retreat", 16, 9, "an action ("),
        ("sloop\nRes", "sloop;\nRes", 16, 23, "an action ("),
        ("sloop\nRes", "sloop sloop\nRes", 16, 23, "';'"),
        ("sloop\nRes", "sloop; trim ?\nRes", 16, 24, "an action ("),
        ("end_turn", "green end_turn", 15, 80, "a crew that plays (red, blue)"),
        ("[order: pistol]", "[pistol]", 15, 64, "'order'"),
        ("[order: pistol]", "[order pistol]", 15, 70, "':'"),
        ("[order: pistol]", "[order: ]", 15, 71, "cards, or 'none'"),
        ("[order: pistol]", "[order: pistol", 15, 77, "a card ("),
        ("Result: running\n", "", 16, 1, "a turn, or at the end 'Result: ...'"),
        ("Result: running", "Result running", 17, 1, "a turn, or at the end 'Result: ...'"),
        ("Result: running", "Results: running", 17, 1, "a turn, or at the end 'Result: ...'"),
        ("Result: running", "Result: won", 17, 9, "a result (COLOUR wins, running, dead, quiet,"),
        ("Result: running", "Result: green wins", 17, 9, "a crew that plays (red, blue)"),
        ("Result: running", "Result: red won", 17, 13, "'wins'"),
        ("Result: running", "Result: red wins all", 17, 18, "the end of the line"),
        ("Result: running", "Result: running, red wins", 17, 16, "the end of the line"),
        ("Result: running", "Result: running\n4 red: end_turn", 17, 1, "a turn's number after 3"),
    ],
)
def test_what_is_no_record_is_pointed_at(old: str, new: str, line: int, column: int, expected: str) -> None:
    assert TEXT.count(old) >= 1
    with pytest.raises(NotationError) as caught:
        parse_record(TEXT.replace(old, new, 1))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.expected.startswith(expected)


def test_a_record_of_headers_alone_lacks_its_result() -> None:
    with pytest.raises(NotationError, match=r"line 14.* 'Result"):
        parse_record("\n".join(TEXT.splitlines()[:14]))
    with pytest.raises(NotationError, match=r"line 1, .*also a line 'Rules'"):
        parse_record("Cartagena record 1")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"names": ("Ada",)}, "2 to 5 seats, not 1"),
        ({"names": ("Ada", "#1")}, "a name is one printable line"),
        ({"names": ("Ada", " Bob")}, "a name is one printable line"),
        ({"names": ("Ada", "B\nob")}, "a name is one printable line"),
        ({"first_seat": 2}, "the first seat is one that plays"),
        ({"board": ISLANDS}, "different games"),
        ({"deal": (0,)}, "every card of the deck"),
        ({"game_id": "a#b"}, "a game id"),
        ({"rules_version": 0}, "count from 1"),
        ({"commitment": "ff"}, "have 32 bytes"),
        ({"nonce_hashes": (HASH,)}, "one for each seat"),
        ({"nonces": (b"short", None)}, "have 32 bytes"),
        ({"secret": b""}, "have 32 bytes"),
    ],
)
def test_headers_that_could_not_be_read_again_cannot_be_made(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        replace(headers(), **changes)  # type: ignore[arg-type]  # wrong on purpose


def test_a_record_as_a_string_is_its_text() -> None:
    assert str(RECORD) == format_record(RECORD)
    assert parse_record(f"{RECORD}") == RECORD


def test_turns_go_forward() -> None:
    assert parse_record(format_record(replace(RECORD, steps=()))).steps == ()
    back = (Step(turn=2, seat=0, code=0), Step(turn=1, seat=0, code=0))
    for steps in (back, (Step(turn=0, seat=0, code=0),)):
        with pytest.raises(ValueError, match="ascending"):
            Record(headers=headers(), steps=steps, result=Result(Ending.RUNNING))


def test_a_result_has_a_winner_or_not() -> None:
    with pytest.raises(ValueError, match="has a winner"):
        Result(Ending.WON)
    with pytest.raises(ValueError, match="quiet has no winner"):
        Result(Ending.QUIET, 0)
