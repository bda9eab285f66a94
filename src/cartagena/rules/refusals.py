"""Refusals: why an action is not possible, each with the rule that says so."""

import enum
from collections.abc import Callable


class Refusal(enum.Enum):
    """A reason, with its public code and the sentence of docs/rules that gives it.

    Two reasons may share a code where both games refuse the same thing, each by its own sentence.
    """

    GAME_OVER = ("game_over", "R6.15")
    ORDER_DUE = ("order_due", "R2.2")
    NO_SUCH_ACTION = ("no_such_action", "R2.4")
    NO_ACTIONS_LEFT = ("no_actions_left", "R2.3")
    MUST_ACT = ("must_act", "R2.8")
    TRIM_CARD_NOT_HELD = ("card_not_held", "R13.5")
    TRIM_FIRST = ("trim_first", "R13.8")
    NOTHING_TO_TRIM = ("nothing_to_trim", "R13.4")
    CARD_NOT_HELD = ("card_not_held", "R3.1")
    NO_PIRATE_THERE = ("no_pirate_there", "R3.1")
    PIRATE_IS_HOME = ("pirate_is_home", "R3.1")
    RETREAT_NO_PIRATE_THERE = ("no_pirate_there", "R4.1")
    NO_RETREAT_FROM_START = ("no_retreat_from_start", "R4.7")
    NO_RETREAT_FROM_SLOOP = ("no_retreat_from_sloop", "R4.8")
    NO_COMPANY_BEHIND = ("no_company_behind", "R4.6")
    NEST_CARD_NOT_HELD = ("card_not_held", "R10.1")
    NEST_NO_PIRATE_THERE = ("no_pirate_there", "R10.1")
    NEST_PIRATE_IS_HOME = ("pirate_is_home", "R10.12")
    SLOOP_AWAY = ("sloop_away", "R10.6")
    SLOOP_FULL = ("sloop_full", "R9.9")
    SLOOP_NOT_ACROSS = ("sloop_not_across", "R10.11")
    OWN_PIRATE = ("own_pirate", "R11.1")
    NO_SUCH_CREW = ("no_such_crew", "R11.1")
    NO_PUSH_ABOARD = ("no_push_aboard", "R11.8")
    NO_COMPANY_AHEAD = ("no_company_ahead", "R11.9")
    NOBODY_ABOARD = ("nobody_aboard", "R12.2")
    NOBODY_ON_ISLAND_ONE = ("nobody_on_island_one", "R12.3")
    NOT_CAPTAIN = ("not_captain", "R12.7")
    CROSSING_CLOSED = ("crossing_closed", "R12.10")
    NOTHING_TO_UNDO = ("nothing_to_undo", "R8.2")
    REVEALED = ("revealed", "R8.3")
    TOO_MANY_UNDOS = ("too_many_undos", "R8.9")

    def __init__(self, code: str, rule: str) -> None:
        self.code = code
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.code} (rule {self.rule})" if in_words is None else in_words(self)


in_words: Callable[[Refusal], str] | None = None
"""Says a reason in a sentence, with its rule. Only `import cartagena` sets it: the engine has no words."""


class CartagenaError(Exception):
    """The root of everything that Cartagena refuses."""


class IllegalAction(CartagenaError):
    """The rules refuse an action; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


class Fault(enum.Enum):
    """What is wrong with a table that was laid out by hand; the value is its public code."""

    SEATS = "seats"
    NO_SUCH_SEAT = "no_such_seat"
    OTHER_BOARD = "other_board"
    UNLIKE_LENGTHS = "unlike_lengths"
    MOST_HOME = "most_home"
    ACTIONS_USED = "actions_used"
    NO_SUCH_DOCK = "no_such_dock"
    TURN = "turn"
    QUIET = "quiet"
    CREW_SIZE = "crew_size"
    ALL_HOME = "all_home"
    ABOARD = "aboard"
    CROWDED = "crowded"
    DECK = "deck"
    ROW_LENGTH = "row_length"
    CROSSING = "crossing"


class PositionError(CartagenaError):
    """These pirates and cards cannot lie on one table.

    `fault` says what is wrong, None where no table was laid out; `values` are the numbers that belong to it.
    """

    def __init__(self, sentence: str, fault: Fault | None = None, **values: int) -> None:
        super().__init__(sentence)
        self.fault = fault
        self.values = values
