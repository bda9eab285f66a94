"""After a change of the bots: games that they would play just the same still count, and no others."""

import pytest

from tools import arena_bars, carry_over, ledger, moments
from tools.arena_bars import Bar
from tools.bot_version import version_of

pytestmark = pytest.mark.usefixtures("own_results")

BAR = Bar(name="deckhand-random", bot="deckhand", against="random", games=4, at_least=0, leg=4)
WISH = ["--workers", "1", "--only", BAR.name]


@pytest.fixture(autouse=True)
def _one_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_bars, "BARS", (BAR,))
    monkeypatch.setattr("sys.argv", ["carry_over", "arena"])


def played_by(version: str, *, turns: int = 0) -> None:
    """Play the bar, and say that bots of `version` did, in `turns` more turns."""
    assert arena_bars.main(WISH) == 0
    (line,) = ledger.entries("arena")
    ledger.replace("arena", [{**line, "bots": version, "turns": line["turns"] + turns}])


def test_games_that_come_out_as_they_did_count_for_the_bots_of_today(
    capsys: pytest.CaptureFixture[str],
) -> None:
    played_by("before")
    carry_over.main()
    (line,) = ledger.entries("arena")
    assert line["bots"] == version_of("deckhand", "random")
    assert line["played_by"] == "before"
    assert "arena deckhand-random: as it was, 1 lines" in capsys.readouterr().out
    carry_over.main()
    assert capsys.readouterr().out == "", "nothing is left to be played again"


def test_games_that_come_out_otherwise_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    played_by("before", turns=1)
    carry_over.main()
    (line,) = ledger.entries("arena")
    assert line["bots"] == "before"
    assert "played_by" not in line
    assert "arena deckhand-random: not as it was" in capsys.readouterr().out


def test_tables_of_other_ledgers_are_played_again_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger.append("openspiel", bots="before", ruleset="tortuga", rival="mcts", number=1)
    ledger.append("openspiel", bots="before", ruleset="jamaica", rival="mcts", number=1)
    for ruleset, chances in (("tortuga", [500, 0]), ("jamaica", [400, 0])):
        ledger.append("moments", bots="before", ruleset=ruleset, seats=2, leg=1, moments=[chances])
    monkeypatch.setattr(moments, "play_leg", lambda leg: (leg, [[500, 0]]))
    monkeypatch.setattr("sys.argv", ["carry_over", "moments"])
    carry_over.main()
    assert capsys.readouterr().out.splitlines() == [
        "moments jamaica 2: not as it was",
        "moments tortuga 2: as it was, 1 lines",
    ]
    today = version_of("captain")
    for name in ("moments", "openspiel"):
        assert {line["ruleset"] for line in ledger.entries(name, bots=today)} == {"tortuga"}
