"""Short records for laws: a ruleset, seats, a seed, a taste and a number of actions; never a state."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from cartagena.bots.random_games import Dice, random_board
from cartagena.rules.codes import FIRST_PUSH
from cartagena.rules.happenings import Happening
from cartagena.rules.legality import legal
from cartagena.rules.places import PLACES
from cartagena.rules.position import Position
from cartagena.rules.ruleset import OPTIONS, PRESETS, Ruleset
from cartagena.rules.setup import new
from cartagena.rules.undoable_game import UndoableGame

TASTES = ("any", "cards", "walks")
LIMITS_OF_QUIET = (40, 0, 1, 2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """The beginning of a game, played at random from a seed; a taste makes full or empty hands likely."""

    ruleset: Ruleset
    seats: int
    seed: int
    taste: str
    actions: int

    def opening(self, dice: Dice) -> Position:
        """A new game with a random board and deal."""
        order = self.ruleset.deck()
        dice.shuffle(order)
        seat = dice.below(self.seats)
        board = random_board(self.ruleset.family, dice)
        return new(self.ruleset, board, seats=self.seats, order=order, first_seat=seat)

    def moments(self) -> Iterator[tuple[UndoableGame, list[Happening]]]:
        """The game as it begins and after each action, with what was told last."""
        dice = Dice(self.seed)
        game = UndoableGame(self.opening(dice))
        yield game, []
        for _ in range(self.actions):
            if game.position.over:
                return
            yield game, game.act(chosen(game.position, self.taste, dice), lambda due: shuffled_by(dice, due))

    def end(self) -> UndoableGame:
        """The game after its last action."""
        *_, (game, _) = self.moments()
        return game


def shuffled_by(dice: Dice, due: object) -> list[int]:
    """The cards that are due, in a random order."""
    assert isinstance(due, list)
    order = list(due)
    dice.shuffle(order)
    return order


def chosen(position: Position, taste: str, dice: Dice) -> int:
    """A random legal code; two times in three one that the taste likes, if there is one."""
    codes = legal(position)
    liked = [code for code in codes if taste != "any" and brings_cards(position, code) == (taste == "cards")]
    choices = liked if liked and dice.below(3) else codes
    return choices[dice.below(len(choices))]


def brings_cards(position: Position, code: int) -> bool:
    """Whether the code is a retreat or a push."""
    return code >= FIRST_PUSH if position.facts.has_crossing else 0 < code < PLACES


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """A version of the game with any options."""
    preset = PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    options: dict[str, object] = {"quiet_rounds": draw(st.sampled_from(LIMITS_OF_QUIET))}
    for option in OPTIONS:
        values = option.values_in(preset.family)
        if option.name not in {"hands_open", "row_length", "quiet_rounds"} and len(values) > 1:
            options[option.name] = draw(st.sampled_from(values))
    return preset.with_options(**options)


@st.composite
def shorts(draw: st.DrawFn, most: int = 250) -> Short:
    """A short record."""
    return Short(
        ruleset=draw(rulesets()),
        seats=draw(st.integers(2, 5)),
        seed=draw(st.integers(0, 2**31 - 1)),
        taste=draw(st.sampled_from(TASTES)),
        actions=draw(st.integers(0, most)),
    )
