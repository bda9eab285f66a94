"""Cartagena and The Pirate's Nest for OpenSpiel: to import this is to register its game `cartagena`.

::

    game = pyspiel.load_game("cartagena(ruleset=jamaica,players=3)")

Chance is explicit: the table is dealt piece by piece and card by card, and a choice that turns up cards is
followed by a draw of each. Nothing that lies face down is decided before, so no search foresees a card.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel

from cartagena.envs.chance_nodes import RENEWAL, Deal, Reveal, reveal_of
from cartagena.envs.common import draw, points
from cartagena.envs.observation import encoder_of, fields_of, size_of
from cartagena.envs.recall import Recollection, recall_fields, recall_numbers, recall_text
from cartagena.notation import format_action
from cartagena.notation.names import COLOURS, card_word
from cartagena.rules.codes import NEST_CARDS, codes_of
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import view
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import legal
from cartagena.rules.position import OVER, Position
from cartagena.rules.ruleset import FEWEST_SEATS, MOST_SEATS, Ruleset, ruleset_of

LONGEST: Final = 100_000
"""More choices than any game has: by the standard rules quiet rounds end it long before."""
MOST_REVEALED: Final = 16
"""More cards than any choice turns up: a whole row, and what is drawn beside it."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name="cartagena",
    long_name="Cartagena and The Pirate's Nest",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_SEATS,
    min_num_players=FEWEST_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "tortuga", "players": FEWEST_SEATS},
)


DEFAULT_KIND: Final = pyspiel.IIGObservationType(
    public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
)
"""What OpenSpiel calls an observation: what is public, and what the seat alone sees."""


class Truth:
    """How a state stands: a deal that goes on, or a position and what waits for cards to come to light."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.deal = Deal(ruleset=ruleset, seats=seats)
        self.opening: Position | None = None
        self.position: Position | None = None
        self.waiting: Reveal | None = None
        self.told: list[Happening] = []
        self.supposed: dict[int, Recollection] = {}

    def past(self, seat: int) -> Recollection | None:
        """What a seat was told, or is supposed to have been told in a sampled world; None before the deal."""
        if self.opening is None:
            return None
        return self.supposed.get(seat) or Recollection(opening=self.opening, told=self.told)

    def suppose(self, seat: int, chance: Random) -> None:
        """Deal out anew all that a seat cannot know, also what the other seats remember."""
        known = self.past(seat)
        assert known is not None, "nothing is dealt yet"
        assert self.position is not None, "nothing is dealt yet"
        self.position = world(view(self.position, seat), chance)
        for other in range(self.deal.seats):
            if other != seat:
                self.supposed[other] = known.as_seen(seat, self.position.copy())

    def __deepcopy__(self, memo: dict[int, object]) -> "Truth":
        twin = Truth(self.deal.ruleset, self.deal.seats)
        twin.deal.drawn = self.deal.drawn[:]
        twin.opening = self.opening
        twin.position = None if self.position is None else self.position.copy()
        if self.waiting is not None:
            waiting = self.waiting
            twin.waiting = Reveal(
                code=waiting.code, size=waiting.size, stock=waiting.stock, drawn=waiting.drawn[:]
            )
        twin.told = self.told[:]
        twin.supposed = {seat: replace(past, told=past.told[:]) for seat, past in self.supposed.items()}
        return twin

    @property
    def draws(self) -> Deal | Reveal | None:
        """What chance has to draw for now."""
        return self.deal if self.position is None else self.waiting

    def draw(self, outcome: int) -> None:
        """Chance draws; with its last draw the table is dealt, or what has waited is done."""
        if self.position is None:
            self.deal.drawn.append(outcome)
            if len(self.deal.drawn) == self.deal.size:
                self.opening = self.deal.position()
                self.position = self.opening.copy()
        elif self.waiting is not None:
            self.waiting.drawn.append(outcome)
            self._go_on(self.position, self.waiting)

    def choose(self, position: Position, code: int) -> None:
        """Do as a code says, as soon as the cards that this turns up are drawn."""
        self._go_on(position, reveal_of(position, code))

    def _go_on(self, position: Position, reveal: Reveal) -> None:
        while len(reveal.drawn) == reveal.size:
            happened = reveal.carry_out(position)
            for told in (self.told, *(past.told for past in self.supposed.values())):
                told.extend(happened)
            self.waiting = None
            if not position.order_due:
                return
            reveal = reveal_of(position, RENEWAL)
        self.waiting = reveal


class CartagenaState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A game in progress; copies share nothing that changes."""

    def __init__(self, game: "CartagenaGame") -> None:
        super().__init__(game)
        self.truth = Truth(game.ruleset, game.num_players())

    @property
    def position(self) -> Position:
        """The position; there is none before the deal."""
        assert self.truth.position is not None, "nothing is dealt yet"
        return self.truth.position

    def current_player(self) -> int:
        """Whose choice is next."""
        if self.truth.draws is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.to_act

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.truth.position is not None and self.truth.position.phase == OVER

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(legal(self.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be drawn, each with its probability."""
        assert self.truth.draws is not None, "chance has nothing to draw"
        odds = self.truth.draws.odds()
        return [(outcome, weight / odds.total()) for outcome, weight in sorted(odds.items())]

    def _apply_action(self, action: int) -> None:
        if self.truth.draws is not None:
            self.truth.draw(action)
        else:
            self.truth.choose(self.position, action)

    def returns(self) -> list[float]:
        """One point for the winner, which the others pay for in equal shares."""
        seats = self.num_players()
        has_winner = self.is_terminal() and self.position.winner >= 0
        return points(self.position.winner, seats) if has_winner else [0.0] * seats

    def resampled(self, seat: int, chance: Random) -> "CartagenaState":
        """A state that this seat cannot tell from this one, for searches over what is hidden.

        The other seats remember only what this seat saw too, and their hands as they are sampled: the text of
        their information state begins there, and none of them knows a card of the true game.
        """
        twin: CartagenaState = self.clone()
        twin.truth.suppose(seat, chance)
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return format_action(self.get_game().ruleset.family, action)
        deal = self.truth.deal
        if self.truth.position is None and not deal.drawn:
            return f"first {COLOURS[action]}"
        if self.truth.position is None and len(deal.drawn) < deal.first_card:
            return f"piece {action}"
        return f"draw {card_word(deal.ruleset.family, action)}"

    def __str__(self) -> str:
        return "\n\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """The table as each seat sees it, and what chance has drawn that nobody sees yet."""
        if self.truth.position is not None:
            for seat in range(self.num_players()):
                yield draw(view(self.truth.position, seat))
        draws = self.truth.draws
        if isinstance(draws, Reveal):
            yield f"waiting: {draws.code}, cards {draws.size}"
        if draws is not None:
            yield f"drawn: {draws.drawn}"


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
            shown = self._encoder.encode(position, player)
            self.tensor[: self._size] = np.frombuffer(shown, np.uint8, self._size)

    def string_from(self, state: CartagenaState, player: int) -> str:
        """Return what a seat sees, as text."""
        position = state.truth.position
        return "" if position is None else draw(view(position, player))


class CartagenaMemory(CartagenaObserver):
    """What a seat was ever told: as text all of it, as numbers what it sees and a summary of the past."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        super().__init__(ruleset, seats)
        self.tensor = np.zeros(size_of(recall_fields(ruleset, seats)), np.float32)
        self.dict = {"information_state": self.tensor}

    def set_from(self, state: CartagenaState, player: int) -> None:
        """Look back from a state, as a seat."""
        super().set_from(state, player)
        past = state.truth.past(player)
        if past is not None:
            self.tensor[self._size :] = recall_numbers(state.position, past.told, player)

    def string_from(self, state: CartagenaState, player: int) -> str:
        """Return all that a seat was told, as text."""
        past = state.truth.past(player)
        return "" if past is None else recall_text(past, player)


class CartagenaGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """One ruleset for a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.ruleset = ruleset_of(chosen["ruleset"])
        players = chosen["players"]
        super().__init__(
            GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=codes_of(self.ruleset),
                max_chance_outcomes=NEST_CARDS,
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=LONGEST,
            ),
            chosen,
        )

    def new_initial_state(self) -> CartagenaState:
        """A game that is not dealt yet."""
        return CartagenaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance draws for the deal, and for all that the choices of a game turn up."""
        return Deal(ruleset=self.ruleset, seats=self.num_players()).size + MOST_REVEALED * LONGEST

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CartagenaObserver | None:  # noqa: ARG002 - OpenSpiel hands it over
        """Return an observer of what a seat sees, or with perfect recall was told; None for others."""
        kind = iig_obs_type or DEFAULT_KIND
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        observer = CartagenaMemory if kind.perfect_recall else CartagenaObserver
        return observer(self.ruleset, self.num_players())


pyspiel.register_game(GAME_TYPE, CartagenaGame)
