"""The match with OpenSpiel's bots: equal time, seats in turns, and what was played is not played again."""

import pytest

from cartagena.bots.players.levels import sailor
from harness import ledger
from research import openspiel_match
from research.openspiel_match import Game, Settled, games_to_play, key, match_table, play

pytestmark = pytest.mark.usefixtures("own_results")


def test_what_the_ledger_holds_is_not_played_again() -> None:
    assert len(games_to_play(2)) == 12
    ledger.append("openspiel", **key(), ruleset="tortuga", rival="mcts", number=1)
    ledger.append("openspiel", bots="another captain", ruleset="tortuga", rival="ismcts", number=1)
    assert len(games_to_play(2)) == 11
    assert Game("tortuga", "mcts", 1) not in games_to_play(2)


def test_a_settled_world_draws_the_same_again() -> None:
    cards = [1, 2, 3, 4, 5, 6]
    assert Settled(7).shuffled(cards) == Settled(7).shuffled(cards[::-1])
    assert len({tuple(Settled(seed).shuffled(cards)) for seed in range(9)}) > 1


@pytest.mark.parametrize("rival", ["mcts", "ismcts"])
def test_a_game_is_played_and_told(rival: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The sailor takes no time to think, so that the rival gets the fewest simulations.
    monkeypatch.setattr(openspiel_match, "captain", sailor)
    game = Game("nest", rival, 1)
    told = play(game)
    assert told["score"] in {0.0, 0.5, 1.0}
    ledger.append("openspiel", **key(), **game._asdict(), **told)
    assert f"| nest | {rival.upper()} | 1 | " in match_table()
