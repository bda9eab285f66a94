"""Everything that `import cartagena` offers, gathered in one place."""

from cartagena.rules.actions import Action, Kind, action_of, code_of
from cartagena.rules.board import Board
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due
from cartagena.rules.explain import Explanation, Wish, explain, wishes
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.hidden.world import world
from cartagena.rules.outcomes import Outcome, outcomes
from cartagena.rules.play import advance, apply, legal, refusal, shuffled
from cartagena.rules.position import CHANCE, NOBODY, Position
from cartagena.rules.refusals import CartagenaError, IllegalAction, Refusal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, PRESETS, TORTUGA, Ruleset
from cartagena.rules.setup import Layout, arrange, new
from cartagena.rules.undoable_game import Event, Game

__all__ = [
    "CHANCE",
    "END_TURN",
    "JAMAICA",
    "NOBODY",
    "PIRATES_NEST",
    "PRESETS",
    "TORTUGA",
    "Action",
    "Board",
    "CartagenaError",
    "Event",
    "Explanation",
    "Game",
    "IllegalAction",
    "Kind",
    "Layout",
    "Outcome",
    "Position",
    "Refusal",
    "Ruleset",
    "View",
    "Wish",
    "action_of",
    "advance",
    "apply",
    "arrange",
    "cards_due",
    "code_of",
    "explain",
    "legal",
    "new",
    "outcomes",
    "refusal",
    "seen",
    "shuffled",
    "view",
    "wishes",
    "world",
]
