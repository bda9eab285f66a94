"""The captain against OpenSpiel's own searches, each given the captain's time.

Both see what their seat sees: ISMCTS draws a fitting world for each simulation; MCTS, which knows no hidden
cards, thinks in one such world. What lies face down comes by chance in both.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

from cartagena.arena.tally import WinRate
from cartagena.bots.players.interface import UNHURRIED, Bot
from cartagena.bots.players.levels import captain, version_of
from cartagena.envs.openspiel import CartagenaGame, CartagenaState
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import PRESETS
from research.experiment import Experiment, Game, Row, Summary, summary_of

GAMES: Final = 20
CURIOSITY: Final = 1.4
"""The weight of exploration that OpenSpiel's own examples use, for points from -1 to 1."""
FIRST_SIMULATIONS: Final = 20
FEWEST_SIMULATIONS: Final = 2
"""With only one simulation OpenSpiel's MCTS has looked at no choice."""

Decide = Callable[[CartagenaState, int], int]
"""Chooses for the seat to act; the number says how many simulations it may take."""


def mcts(game: CartagenaGame, seed: int) -> Decide:
    """OpenSpiel's tree search with random playouts."""
    bot = MCTSBot(game, CURIOSITY, FIRST_SIMULATIONS, _evaluator(seed), random_state=_chance(seed))
    worlds = Random(seed)

    def decide(state: CartagenaState, simulations: int) -> int:
        bot.max_simulations = simulations
        return int(bot.step(state.resampled(state.current_player(), worlds)))

    return decide


def ismcts(game: CartagenaGame, seed: int) -> Decide:
    """OpenSpiel's search over information sets with random playouts."""
    # Any: OpenSpiel has no types.
    bot: Any = ISMCTSBot(
        game=game,
        evaluator=_evaluator(seed),
        uct_c=CURIOSITY,
        max_simulations=FIRST_SIMULATIONS,
        random_state=_chance(seed),
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    worlds = Random(seed)
    bot.set_resampler(lambda state, seat: state.resampled(seat, worlds))

    def decide(state: CartagenaState, simulations: int) -> int:
        bot._max_simulations = simulations  # noqa: SLF001 - it has no other way to be told
        return int(bot.step(state))

    return decide


RIVALS: Final = {"mcts": mcts, "ismcts": ismcts}


def _evaluator(seed: int) -> Any:
    return RandomRolloutEvaluator(n_rollouts=1, random_state=_chance(seed))


def _chance(seed: int) -> np.random.RandomState:
    return np.random.RandomState(seed)


@dataclass(kw_only=True)
class Clock:
    """What a player has used so far."""

    seconds: float = 0.0
    choices: int = 0
    simulations: int = 0

    def add(self, seconds: float, simulations: int = 0) -> None:
        """One choice more."""
        self.seconds += seconds
        self.choices += 1
        self.simulations += simulations


def play(wish: Game) -> Row:
    """Play a game; the captain sits on the first seat in every other one."""
    ruleset, rival = wish.cell.split()
    seat, seed = wish.number % 2, wish.number
    game: CartagenaGame = pyspiel.load_game(f"cartagena(ruleset={ruleset},players=2)")
    bot, decide, chance = captain(), RIVALS[rival](game, seed), Random(seed)
    ours, theirs = Clock(), Clock()
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        elif state.current_player() == seat:
            state.apply_action(_captains_choice(bot, state, chance, ours))
        else:
            state.apply_action(_rivals_choice(decide, state, ours, theirs))
    return {
        "score": (1 + state.returns()[seat]) / 2,
        "captain_ms_a_choice": round(1000 * ours.seconds / ours.choices, 1),
        "rival_ms_a_choice": round(1000 * theirs.seconds / theirs.choices, 1),
        "rival_simulations_a_choice": round(theirs.simulations / theirs.choices),
        "choices": ours.choices + theirs.choices,
    }


def _captains_choice(bot: Bot, state: CartagenaState, chance: Random, clock: Clock) -> int:
    began = time.perf_counter()
    code = bot.choose(view(state.position, state.current_player()), chance, UNHURRIED)
    clock.add(time.perf_counter() - began)
    return code


def _rivals_choice(decide: Decide, state: CartagenaState, ours: Clock, theirs: Clock) -> int:
    """The rival's choice, with as many simulations as fit into the captain's average time so far."""
    simulations = FIRST_SIMULATIONS
    if ours.choices and theirs.simulations:
        allowed = ours.seconds / ours.choices * (theirs.choices + 1) - theirs.seconds
        simulations = max(FEWEST_SIMULATIONS, round(allowed * theirs.simulations / theirs.seconds))
    began = time.perf_counter()
    code = decide(state, simulations)
    # With only one legal choice there is no search.
    searched = simulations if len(state.legal_actions()) > 1 else 0
    theirs.add(time.perf_counter() - began, searched)
    return code


def figures(row: Row) -> dict[str, float]:
    """What the summary adds up: everything but the number."""
    return {name: value for name, value in row.items() if name != "number"}


def match_table() -> str:
    """What is known, in Markdown."""
    rows = [
        "| game, two seats | rival | games | captain's score | ms a choice: captain, rival | simulations |",
        "|---|---|---:|---|---|---:|",
    ]
    for cell in OPENSPIEL_MATCH.games:
        summary = summary_of(OPENSPIEL_MATCH, cell)
        if summary.games:
            ruleset, rival = cell.split()
            rows.append(f"| {ruleset} | {rival.upper()} | {_told(summary)} |")
    return "\n".join(rows)


def _told(summary: Summary) -> str:
    def mean(figure: str) -> float:
        return summary.figures[figure] / summary.games

    rate = WinRate(summary.figures["score"], summary.games)
    times = f"{mean('captain_ms_a_choice'):.0f}, {mean('rival_ms_a_choice'):.0f}"
    return f"{summary.games} | {rate} | {times} | {mean('rival_simulations_a_choice'):.0f}"


OPENSPIEL_MATCH: Final = Experiment(
    name="openspiel",
    games={f"{ruleset} {rival}": GAMES for ruleset in PRESETS for rival in RIVALS},
    bots=lambda _: version_of("captain"),
    play=play,
    figures=figures,
    table=match_table,
    batch=1,
)
