"""The match with OpenSpiel's bots: equal time, seats in turns."""

import pytest

from cartagena.bots.players.levels import sailor
from research import openspiel_match
from research.experiment import Game, Summary, summed, write_summaries
from research.openspiel_match import OPENSPIEL_MATCH, match_table, play

pytestmark = pytest.mark.usefixtures("own_results")


@pytest.mark.parametrize("rival", ["mcts", "ismcts"])
def test_a_game_is_played_and_told(rival: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The sailor takes no time to think, so that the rival gets the fewest simulations.
    monkeypatch.setattr(openspiel_match, "captain", sailor)
    told = play(Game("openspiel", f"nest {rival}", 1, "1"))
    assert told["score"] in {0.0, 0.5, 1.0}
    summary = summed(OPENSPIEL_MATCH, [{"number": 1, **told}], Summary())
    write_summaries(OPENSPIEL_MATCH, {f"nest {rival}": summary}, "1", "a test")
    assert f"| nest | {rival.upper()} | 1 | " in match_table()
