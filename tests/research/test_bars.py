"""The bars of the levels: what was promised, and how a measurement is judged."""

from collections import Counter

import pytest

from cartagena.rules.ruleset import PRESETS
from research import arena_bars
from research.arena_bars import (
    ARENA_BARS,
    BARS,
    BY_NAME,
    Bar,
    bars_table,
    figures,
    play,
    still_possible,
    table_of_bars,
    verdict,
)
from research.experiment import Game, Summary, summary_of

RUNNER = "tests.arena.players:Runner"
EASY = Bar(name="easy", preset="nest", bot=RUNNER, against="random", games=4, at_least=0.01)
SHARE = Bar(name="share", bot="a", against="b", games=100, at_least=0.10, at_most=0.25)


def measured(games: int, score: float) -> Summary:
    return Summary(games, Counter({"score": score}))


@pytest.mark.parametrize(
    ("score", "holds", "possible"),
    [(9, "NO", True), (10, "yes", True), (25, "yes", True), (26, "NO", True), (60, "NO", False)],
)
def test_a_bar_holds_by_its_rate_and_a_few_games_tell_what_is_possible(
    score: float, holds: str, *, possible: bool
) -> None:
    assert verdict(SHARE, measured(100, score)) == holds
    assert still_possible(SHARE, measured(100, score)) is possible


def test_too_few_games_tell_nothing() -> None:
    assert verdict(SHARE, measured(99, 15)) == "not yet told"


def test_a_game_of_a_bar_is_played_and_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_NAME, "easy", EASY)
    rows = [play(Game("bars", "easy", number, "1")) for number in range(4)]
    summary = Summary()
    for row in rows:
        summary.add(figures({"number": 7, **row}))
    assert summary.games == 4
    assert "number" not in summary.figures
    assert summary.figures["score"] == summary.figures["wins"] + summary.figures["without_winner"] / 2
    assert summary.figures["turns"] == sum(row["turns"] for row in rows) > 40
    head, ruler, line = table_of_bars({EASY: summary}).splitlines()
    assert head.startswith("| bar ")
    assert set(ruler) <= set("|-")
    assert len(head) == len(ruler) == len(line)
    assert line.startswith("| easy ")


def test_what_was_never_measured_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [row.split("|")[1].strip() for row in bars_table().splitlines()[2:]]
    assert names == [bar.name for bar in BARS if summary_of(ARENA_BARS, bar.name).games]
    monkeypatch.setattr(arena_bars, "BARS", ())
    assert len(bars_table().splitlines()) == 2


def test_the_bars_are_those_that_were_promised() -> None:
    promised = {(bar.preset, bar.seats, bar.bot, bar.against): bar.at_least for bar in BARS}
    assert promised["tortuga", 2, "captain", "sailor"] == 0.97
    assert promised["tortuga", 4, "captain", "sailor"] == 0.60
    assert promised["tortuga", 2, "captain", "research.first_captain:captain"] == 0.60
    for bar in BARS:
        assert bar.preset in PRESETS
        # Whole deals keep the seats balanced.
        assert 400 <= bar.games < 400 + bar.seats
        assert bar.games % bar.seats == bar.short % bar.seats == 0
