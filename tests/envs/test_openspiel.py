"""The game for OpenSpiel: its own tests pass, its own bots play it, and nobody foresees a card."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.tests import games_sim_test

from cartagena.envs.cartagena_v0 import raw_env
from cartagena.envs.openspiel import CartagenaGame, CartagenaState
from cartagena.rules.hidden.view import view
from cartagena.rules.position import OVER
from cartagena.rules.ruleset import PRESETS

TABLES = [(ruleset, players) for ruleset in PRESETS for players in (2, 4)]
SEED = 1672


def game_of(ruleset: str = "tortuga", players: int = 2, seed: int = SEED) -> CartagenaGame:
    game: CartagenaGame = pyspiel.load_game(f"cartagena(ruleset={ruleset},players={players},rng_seed={seed})")
    return game


def states_of(game: CartagenaGame, seed: int = SEED) -> Iterator[CartagenaState]:
    """A game by chance: every state of it, which must not be changed."""
    chance, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        state = state.clone()
        state.apply_action(chance.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [pytest.param(*table, marks=() if table[1] == 2 else pytest.mark.long) for table in TABLES],
)
def test_random_games_keep_the_promises_of_openspiel(ruleset: str, players: int) -> None:
    pyspiel.random_sim_test(game_of(ruleset, players), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("ruleset", PRESETS)
def test_its_simulations_in_python_pass(ruleset: str) -> None:
    # OpenSpiel cannot write down the state of chance in a game made in Python.
    games_sim_test.GamesSimTest().sim_game(
        game_of(ruleset, players=3), check_pyspiel_serialization=False, check_pickle_serialization=False
    )


def test_the_winner_has_what_the_others_pay() -> None:
    *_, last = states_of(game_of("tortuga", 3))
    assert sorted(last.returns()) == [-0.5, -0.5, 1.0]
    assert last.returns()[last.position.winner] == 1.0
    assert last.position.phase == OVER
    assert game_of().new_initial_state().returns() == [0.0, 0.0]


def test_a_seed_decides_everything() -> None:
    one, other = ([str(state) for state in states_of(game_of("nest", 3))] for _ in range(2))
    assert one == other
    assert one != [str(state) for state in states_of(game_of("nest", 3, seed=SEED + 1))]


def test_copies_draw_each_its_own_cards() -> None:
    """Searches look at many copies of a state; if those agreed, they would foresee the cards."""
    drawing = [state for state in states_of(game_of()) if state.truth.waiting is not None]
    assert drawing
    for state in drawing[:5]:
        seen = set()
        for _ in range(8):
            copy = state.clone()
            copy.apply_action(0)
            seen.add(copy.position.row())
        assert len(seen) > 1


@pytest.mark.parametrize("ruleset", ["tortuga", "jamaica", "nest"])
def test_what_is_resampled_looks_the_same_from_the_seat(ruleset: str) -> None:
    others = set()
    for state in list(states_of(game_of(ruleset, 3)))[5:60]:
        if state.current_player() < 0:
            continue
        seat = state.current_player()
        twin = state.resampled(seat)
        assert twin.observation_string(seat) == state.observation_string(seat)
        assert twin.observation_tensor(seat) == state.observation_tensor(seat)
        assert twin.legal_actions() == state.legal_actions()
        others.add(str(twin) == str(state))
    assert (False in others) == (ruleset != "tortuga")


def test_a_seat_is_shown_what_the_environment_shows() -> None:
    env = raw_env("jamaica", 3)
    env.reset(seed=SEED)
    for state in states_of(game_of("jamaica", 3)):
        if state.truth.position is None:
            assert not any(state.observation_tensor(0))
            continue
        env.position = state.position
        shown = env.observe("seat_1")["observation"]
        assert np.array_equal(np.array(state.observation_tensor(1), np.uint8), shown)


def test_an_observation_hides_what_a_view_hides() -> None:
    for state in list(states_of(game_of("jamaica", 2)))[1:40]:
        hidden = view(state.position, 0).hands[1]
        assert hidden is None
        assert "blue: ?" in state.observation_string(0) or not state.position.crews[1].hand_size()


@pytest.mark.parametrize("ruleset", ["tortuga", "jamaica", "nest"])
def test_the_bots_of_openspiel_play_it(ruleset: str) -> None:
    game = game_of(ruleset)
    evaluator = RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(SEED))
    by_state = MCTSBot(game, uct_c=1.4, max_simulations=4, evaluator=evaluator)
    by_sight = ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=1.4,
        max_simulations=4,
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
        random_state=np.random.RandomState(SEED),
    )
    by_sight.set_resampler(lambda state, seat: state.resampled(seat))
    state = game.new_initial_state()
    for _ in range(6):
        while state.is_chance_node():
            state.apply_action(0)
        for bot in (by_state, by_sight):
            assert bot.step(state) in state.legal_actions()
        state.apply_action(by_state.step(state))


def test_what_can_be_chosen_is_told() -> None:
    with pytest.raises(ValueError, match="no ruleset is called 'chess'; choose one of tortuga"):
        CartagenaGame({"ruleset": "chess"})
