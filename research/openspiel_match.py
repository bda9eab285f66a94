"""The captain against OpenSpiel's own searches, each given the captain's time.

`make openspiel-match` plays what the ledger does not hold yet; `make how-strong` then writes the table. Both
see what their seat sees: ISMCTS draws a fitting world for each simulation; MCTS, which knows neither hidden
cards nor chance, thinks in one world with fixed cards.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from rich.progress import Progress

from cartagena.arena.statistics import WinRate
from cartagena.bots.players.interface import UNHURRIED, Bot
from cartagena.bots.players.levels import captain
from cartagena.bots.version import version_of
from cartagena.envs.openspiel import CartagenaGame, CartagenaState, Chance
from cartagena.rules.hidden.view import view
from cartagena.rules.ruleset import PRESETS
from harness import ledger

LEDGER: Final = "openspiel"
GAMES: Final = 20
CURIOSITY: Final = 1.4
"""The weight of exploration that OpenSpiel's own examples use, for points from -1 to 1."""
FIRST_SIMULATIONS: Final = 20
FEWEST_SIMULATIONS: Final = 2
"""With only one simulation OpenSpiel's MCTS has looked at no choice."""

Decide = Callable[[CartagenaState, int], int]
"""Chooses for the seat to act; the number says how many simulations it may take."""


class Settled(Chance):
    """Chance with a fixed outcome: the same cards always come in the same order."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._seed = seed

    def shuffled(self, cards: tuple[int, ...] | list[int]) -> list[int]:
        """The one order of these cards."""
        return Random(self._seed).sample(sorted(cards), len(cards))


def mcts(game: CartagenaGame, seed: int) -> Decide:
    """OpenSpiel's tree search with random playouts."""
    bot = MCTSBot(game, CURIOSITY, FIRST_SIMULATIONS, _evaluator(seed), random_state=_chance(seed))
    worlds = Random(seed)

    def decide(state: CartagenaState, simulations: int) -> int:
        bot.max_simulations = simulations
        imagined = state.resampled(state.current_player())
        imagined.chance = Settled(worlds.getrandbits(30))
        return int(bot.step(imagined))

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
    bot.set_resampler(lambda state, seat: state.resampled(seat))

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


class Game(NamedTuple):
    """One game of the match; the captain sits on the first seat in every other game."""

    ruleset: str
    rival: str
    number: int

    @property
    def captains_seat(self) -> int:
        """Where the captain sits."""
        return self.number % 2


def play(wish: Game) -> dict[str, object]:
    """Play a game; return what the ledger keeps of it."""
    game: CartagenaGame = pyspiel.load_game(
        f"cartagena(ruleset={wish.ruleset},players=2,rng_seed={wish.number})"
    )
    bot, decide, chance = captain(), RIVALS[wish.rival](game, wish.number), Random(wish.number)
    ours, theirs = Clock(), Clock()
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(0)
        elif state.current_player() == wish.captains_seat:
            state.apply_action(_captains_choice(bot, state, chance, ours))
        else:
            state.apply_action(_rivals_choice(decide, state, ours, theirs))
    return {
        "score": (1 + state.returns()[wish.captains_seat]) / 2,
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


def key() -> dict[str, str]:
    """What two games must share to be added together: the same captain."""
    return {"bots": version_of("captain")}


def games_to_play(games: int) -> list[Game]:
    """What the ledger does not hold yet, one round after the other."""
    played = {(line["ruleset"], line["rival"], line["number"]) for line in ledger.entries(LEDGER, **key())}
    wanted = [
        Game(ruleset, rival, number) for number in range(games) for ruleset in PRESETS for rival in RIVALS
    ]
    return [game for game in wanted if game not in played]


def match_table() -> str:
    """What the ledger knows, as a table for the docs."""
    rows = [
        "| game, two seats | rival | games | captain's score | ms a choice: captain, rival | simulations |",
        "|---|---|---:|---|---|---:|",
    ]
    for ruleset in PRESETS:
        for rival in RIVALS:
            lines = ledger.entries(LEDGER, ruleset=ruleset, rival=rival, **key())
            if lines:
                rows.append(f"| {ruleset} | {rival.upper()} | {_figures(lines)} |")
    return "\n".join(rows)


def _figures(lines: list[dict[str, Any]]) -> str:
    def mean(key: str) -> float:
        return float(sum(line[key] for line in lines)) / len(lines)

    rate = WinRate(sum(line["score"] for line in lines), len(lines))
    times = f"{mean('captain_ms_a_choice'):.0f}, {mean('rival_ms_a_choice'):.0f}"
    return f"{len(lines)} | {rate} | {times} | {mean('rival_simulations_a_choice'):.0f}"


def main() -> None:
    """Continue the match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES, help="of each ruleset and rival")
    wish = parser.parse_args()
    games = games_to_play(wish.games)
    with Progress() as progress:
        task = progress.add_task("games", total=len(games))
        for game in games:
            ledger.append(LEDGER, **key(), **game._asdict(), **play(game))
            progress.advance(task)
    print(match_table())


if __name__ == "__main__":
    main()
