"""Cartagena and The Pirate's Nest for OpenSpiel: to import this is to register its game `cartagena`.

::

    game = pyspiel.load_game("cartagena(ruleset=jamaica,players=3)")

Chance is sampled: a chance node has one outcome, and to apply it is to draw. What is face down is drawn only
when it comes to light, from a source that all copies of a state share, so that no search foresees a card.
"""

from random import Random
from typing import Any, Final

import numpy as np
import pyspiel

from cartagena.envs.common import draw, points, preset
from cartagena.envs.observation import encoder_of, fields_of, size_of
from cartagena.fairness.shuffle import lone_shuffle, opening
from cartagena.notation import format_action
from cartagena.rules.codes import codes_of
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.hidden.knowledge import order_is_public
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import world
from cartagena.rules.play import advance, legal
from cartagena.rules.position import OVER, Position
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset

LONGEST: Final = 100_000
"""More choices than any game has: by the standard rules quiet rounds end it long before."""
SECRET_BYTES: Final = 32
DRAW: Final = 0
"""The one outcome of a chance node."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name="cartagena",
    long_name="Cartagena and The Pirate's Nest",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_SEATS,
    min_num_players=FEWEST_SEATS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "tortuga", "players": FEWEST_SEATS, "rng_seed": -1},
)


class Chance:
    """Where all states of a game draw from; a copy of a state draws from the same source."""

    def __init__(self, seed: int) -> None:
        self._random = Random(None if seed < 0 else seed)

    def __deepcopy__(self, memo: dict[int, object]) -> "Chance":
        return self

    def deal(self, ruleset: Ruleset, seats: int) -> Position:
        """A new game."""
        secret = self._random.randbytes(SECRET_BYTES)
        return opening(lone_shuffle("local", secret, ruleset, seats), ruleset, seats)

    def shuffled(self, cards: tuple[int, ...] | list[int]) -> list[int]:
        """Cards in another order."""
        return self._random.sample(cards, len(cards))

    def world(self, position: Position, seat: int) -> Position:
        """A position that this seat cannot tell from the given one."""
        return world(view(position, seat), self._random)


class Truth:
    """How a state stands: no position before the deal; a choice may wait for the draw of what it turns up."""

    def __init__(self, position: Position | None, waiting: int | None = None) -> None:
        self.position = position
        self.waiting = waiting

    def __deepcopy__(self, memo: dict[int, object]) -> "Truth":
        return Truth(None if self.position is None else self.position.copy(), self.waiting)

    @property
    def awaits_chance(self) -> bool:
        """Whether something is to be drawn now."""
        return self.position is None or self.waiting is not None or self.position.order_due


class CartagenaState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A game in progress. Copies share its chance and nothing else."""

    def __init__(self, game: "CartagenaGame", chance: Chance) -> None:
        super().__init__(game)
        self.chance = chance
        self.truth = Truth(None)

    @property
    def position(self) -> Position:
        """The position; there is none before the deal."""
        assert self.truth.position is not None, "nothing is dealt yet"
        return self.truth.position

    def current_player(self) -> int:
        """Whose choice is next."""
        if self.truth.awaits_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.to_act

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.truth.position is not None and self.truth.position.phase == OVER

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(legal(self.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The one outcome, which stands for all."""
        return [(DRAW, 1.0)]

    def _apply_action(self, action: int) -> None:
        truth = self.truth
        if truth.awaits_chance:
            self._draw()
            return
        after = self.position.copy()
        advance(after, action)
        if after.barriers > self.position.barriers:
            truth.waiting = action
        else:
            truth.position = after

    def _draw(self) -> None:
        truth = self.truth
        if truth.position is None:
            game = self.get_game()
            truth.position = self.chance.deal(game.ruleset, game.num_players())
        elif truth.waiting is not None:
            code, truth.waiting = truth.waiting, None
            hide_again(truth.position, self.chance)
            advance(truth.position, code)
        else:
            take_order(truth.position, self.chance.shuffled(cards_due(truth.position)))

    def returns(self) -> list[float]:
        """One point for the winner, which the others pay for in equal shares."""
        seats = self.num_players()
        has_winner = self.is_terminal() and self.position.winner >= 0
        return points(self.position.winner, seats) if has_winner else [0.0] * seats

    def resampled(self, seat: int) -> "CartagenaState":
        """A state that this seat cannot tell from this one, for searches over what is hidden."""
        twin: CartagenaState = self.clone()
        twin.truth.position = self.chance.world(self.position, seat)
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "draw"
        return format_action(self.get_game().ruleset.family, action)

    def __str__(self) -> str:
        if self.truth.position is None:
            return "not dealt yet"
        seats = range(self.num_players())
        return "\n\n".join(draw(view(self.truth.position, seat)) for seat in seats)


def hide_again(position: Position, chance: Chance) -> None:
    """Reorder the cards of the stock, unless everybody has seen them."""
    if not order_is_public(position, position.renewals):
        drawn = position.order[: position.stock_top]
        position.order = drawn + bytes(chance.shuffled(position.stock()))


class CartagenaObserver:
    """What a seat sees: as numbers like the PettingZoo environment, as text its drawing."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        fields = fields_of(ruleset, seats)
        self._size = size_of(fields)
        self._encoder = encoder_of(fields, ruleset.family)
        self.tensor = np.zeros(self._size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CartagenaState, player: int) -> None:
        """Look at a state from a seat."""
        position = state.truth.position
        if position is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = np.frombuffer(self._encoder.encode(position, player), np.uint8, self._size)

    def string_from(self, state: CartagenaState, player: int) -> str:
        """Return what a seat sees, as text."""
        position = state.truth.position
        return "" if position is None else draw(view(position, player))


class CartagenaGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """One ruleset for a number of players; a seed of -1 lets the operating system choose."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.ruleset = preset(chosen["ruleset"])
        players = chosen["players"]
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=codes_of(self.ruleset),
                max_chance_outcomes=1,
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            ),
            chosen,
        )
        self._chance = Chance(chosen["rng_seed"])

    def new_initial_state(self) -> CartagenaState:
        """A game that is not dealt yet."""
        return CartagenaState(self, self._chance)

    def max_chance_nodes_in_history(self) -> int:
        """Chance acts at the deal, and at most once for each choice and each renewal."""
        return 2 * LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CartagenaObserver | None:  # noqa: ARG002 - OpenSpiel hands it over
        """Return an observer of states; None if perfect recall is asked for."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return None
        return CartagenaObserver(self.ruleset, self.num_players())


pyspiel.register_game(GAME_TYPE, CartagenaGame)
