"""The game for OpenSpiel: its own tests pass, its own bots play it, and nobody foresees a card."""

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.tests import games_sim_test

from cartagena.envs.cartagena_v0 import raw_env
from cartagena.envs.chance_nodes import Deal, Reveal
from cartagena.envs.observation import decode
from cartagena.envs.openspiel import CartagenaGame, CartagenaState
from cartagena.envs.recall import LAID, recall_fields
from cartagena.rules.happenings import Drew, Played
from cartagena.rules.hidden.view import view
from cartagena.rules.position import OVER
from cartagena.rules.ruleset import PRESETS

TABLES = [(ruleset, players) for ruleset in PRESETS for players in (2, 4)]
SEED = 1672


def game_of(ruleset: str = "tortuga", players: int = 2) -> CartagenaGame:
    game: CartagenaGame = pyspiel.load_game(f"cartagena(ruleset={ruleset},players={players})")
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
    # It writes each state down, history and chance included, and compares what it reads again.
    pyspiel.random_sim_test(game_of(ruleset, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("ruleset", PRESETS)
def test_its_simulations_in_python_pass(ruleset: str) -> None:
    games_sim_test.GamesSimTest().sim_game(game_of(ruleset, players=3))


class TestLaws(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc] # OpenSpiel has no types
    """OpenSpiel's own laws for all its games, on a sample of our states."""

    game_name = "cartagena"
    game = pyspiel.load_game("cartagena(ruleset=jamaica,players=3)")


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_text_gives_a_state_back_at_any_step(ruleset: str) -> None:
    game = game_of(ruleset, 3)
    for state in list(states_of(game))[::40]:
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(state)
        assert again.history() == state.history()
        assert str(pickle.loads(pickle.dumps(state))) == str(state)  # noqa: S301 - our own bytes
        if not state.is_terminal():
            action = state.legal_actions()[-1]
            again.apply_action(action)
            assert str(again) == str(state.child(action))


def test_a_history_alone_gives_a_state_back() -> None:
    game = game_of("nest", 3)
    for state in list(states_of(game))[10:300:40]:
        _, again = pyspiel.build_state_from_history_string(str(game), str(state.history()))
        assert str(again) == str(state)


@pytest.mark.parametrize("ruleset", PRESETS)
def test_chance_tells_its_odds(ruleset: str) -> None:
    first, *_ = states_of(game_of(ruleset, 4))
    assert first.chance_outcomes() == [(seat, 0.25) for seat in range(4)]
    for state in states_of(game_of(ruleset, 4)):
        if not state.is_chance_node():
            continue
        outcomes = dict(state.chance_outcomes())
        assert sum(outcomes.values()) == pytest.approx(1)
        draws = state.truth.draws
        if isinstance(draws, Reveal):
            hidden = Counter(draws.stock) - Counter(draws.drawn)
            assert outcomes == {card: n / hidden.total() for card, n in hidden.items()}


def test_what_is_drawn_is_what_comes_to_light() -> None:
    for before, after in pairwise(states_of(game_of("jamaica", 3))):
        draws = before.truth.draws
        if isinstance(draws, Reveal) and not isinstance(after.truth.draws, (Deal, Reveal)):
            card = after.history()[-1]
            assert after.position.crews[before.position.seat].cards().count(card) > 0


@pytest.mark.parametrize("ruleset", PRESETS)
def test_a_seat_recalls_all_that_it_was_told_and_no_more(ruleset: str) -> None:
    game, chance = game_of(ruleset, 3), Random(SEED)
    texts: dict[str, list[tuple[str, int]]] = {}
    chosen: list[list[tuple[str, int]]] = []
    for seed in (1, 2):
        chosen = [[], [], []]
        for state, after in pairwise(states_of(game, seed)):
            seat = state.current_player()
            if seat < 0:
                continue
            text = state.information_state_string(seat)
            if len(chosen[seat]) % 5 == 0:
                twin = state.resampled(seat, chance)
                assert twin.information_state_string(seat) == text
                assert twin.information_state_tensor(seat) == state.information_state_tensor(seat)
            # Two ways to one information state would differ in nothing that the seat saw or did.
            assert texts.setdefault(f"{seat} {text}", chosen[seat]) == chosen[seat]
            chosen[seat] = [*chosen[seat], (text, after.history()[len(state.history())])]
    assert all(len(steps) > 5 for steps in chosen)


@pytest.mark.parametrize("ruleset", ["jamaica", "nest"])
def test_in_a_sampled_world_nobody_recalls_the_true_cards(ruleset: str) -> None:
    chance = Random(SEED)
    state = next(one for one in list(states_of(game_of(ruleset, 3)))[90:] if one.current_player() >= 0)
    seat = state.current_player()
    other = (seat + 1) % 3
    twins = [state.resampled(seat, chance) for _ in range(20)]
    # Two worlds in which a seat holds the same cards are the same to it, whatever it held in truth.
    assert len({twin.information_state_string(other) for twin in twins}) > 1
    for twin in twins:
        text = twin.information_state_string(other)
        assert text == f"Seat: {other}\n{twin.observation_string(other)}"
        past = twin.truth.past(other)
        assert past is not None
        drawn = [told for told in past.told if isinstance(told, Drew) and told.seat != seat]
        assert {told.card for told in drawn if not told.from_row and not told.turned_over} <= {None}
        # The seat that is asked next knows the sampled world, and the past goes on from there.
        again = twin.resampled(other, chance)
        assert again.information_state_string(other) == text
        assert again.information_state_tensor(other) == twin.information_state_tensor(other)
        again.apply_action(again.legal_actions()[0])
        assert again.information_state_string(other).startswith(text)
        assert state.truth.supposed == {}


def test_an_information_state_is_an_observation_and_the_past() -> None:
    game = game_of("jamaica", 3)
    *_, last = states_of(game)
    numbers = np.array(last.information_state_tensor(1))
    size = len(last.observation_tensor(1))
    assert numbers[:size].tolist() == last.observation_tensor(1)
    fields = decode(numbers, recall_fields(game.ruleset, 3))
    assert fields["turn"].tolist() == [last.position.turn % 256, last.position.turn // 256]
    assert fields["renewals"] == last.position.renewals
    mine = [told.card for told in last.truth.told if isinstance(told, Played) and told.seat == 1]
    laid = fields["past"].sum(axis=0)[0, LAID]
    assert laid.tolist() == [mine.count(card) for card in range(7)]


def test_the_winner_has_what_the_others_pay() -> None:
    *_, last = states_of(game_of("tortuga", 3))
    assert sorted(last.returns()) == [-0.5, -0.5, 1.0]
    assert last.returns()[last.position.winner] == 1.0
    assert last.position.phase == OVER
    assert game_of().new_initial_state().returns() == [0.0, 0.0]


def test_what_is_face_down_is_not_decided() -> None:
    """Searches look at many copies of a state; if those held an order of the stock, they would foresee it."""
    for state in states_of(game_of("jamaica", 3)):
        if state.truth.position is not None and state.truth.waiting is None:
            stock = state.position.stock()
            assert list(stock) == sorted(stock)


@pytest.mark.parametrize("ruleset", ["tortuga", "jamaica", "nest"])
def test_what_is_resampled_looks_the_same_from_the_seat(ruleset: str) -> None:
    others, chance = set(), Random(SEED)
    for state in list(states_of(game_of(ruleset, 3)))[60:120]:
        if state.current_player() < 0:
            continue
        seat = state.current_player()
        twin = state.resampled(seat, chance)
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
    for state in list(states_of(game_of("jamaica", 2)))[25:80]:
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
    chance = Random(SEED)
    by_sight.set_resampler(lambda state, seat: state.resampled(seat, chance))
    state = game.new_initial_state()
    for _ in range(3):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        for bot in (by_state, by_sight):
            assert bot.step(state) in state.legal_actions()
        state.apply_action(by_state.step(state))


def test_what_can_be_chosen_is_told() -> None:
    with pytest.raises(ValueError, match="no ruleset is called 'chess'; choose one of tortuga"):
        CartagenaGame({"ruleset": "chess"})
