"""Everything that `import cartagena` offers, gathered in one place."""

from cartagena import bots, notation
from cartagena.bots.analysis.comparison import hint
from cartagena.drawing import show_pictures, svg
from cartagena.game import Game
from cartagena.notation.action_text import Move
from cartagena.notation.position_text import described
from cartagena.notation.tokens import NotationError
from cartagena.rules import position as _position
from cartagena.rules import refusals as _refusals
from cartagena.rules.actions import Action, Kind, action_of, code_of
from cartagena.rules.board import Board
from cartagena.rules.codes import END_TURN
from cartagena.rules.draw import cards_due
from cartagena.rules.explain import Explanation, Wish, explain, wishes
from cartagena.rules.happenings import Happening
from cartagena.rules.hidden.view import View, seen, view
from cartagena.rules.hidden.world import world
from cartagena.rules.legality import advance, apply, legal, refusal, shuffled
from cartagena.rules.outcomes import Outcome, outcomes
from cartagena.rules.position import CHANCE, NOBODY, Position
from cartagena.rules.refusals import CartagenaError, IllegalAction, PositionError, Refusal
from cartagena.rules.ruleset import JAMAICA, PIRATES_NEST, PRESETS, TORTUGA, Ruleset
from cartagena.rules.setup import Layout, arrange, new
from cartagena.rules.undoable_game import Event, UndoableGame
from cartagena.words.sentences import refusal_in_english

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
    "Happening",
    "IllegalAction",
    "Kind",
    "Layout",
    "Move",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Refusal",
    "Ruleset",
    "UndoableGame",
    "View",
    "Wish",
    "action_of",
    "advance",
    "apply",
    "arrange",
    "bots",
    "cards_due",
    "code_of",
    "explain",
    "hint",
    "legal",
    "new",
    "notation",
    "outcomes",
    "refusal",
    "seen",
    "shuffled",
    "svg",
    "view",
    "wishes",
    "world",
]

# A program that imports the library may see the whole truth; the service never imports it.
_position.describe = described
_refusals.in_words = refusal_in_english
show_pictures()
