"""Text for people: actions, rulesets, positions and whole games, written and read."""

from cartagena.notation.action_text import format_action, parse_action
from cartagena.notation.names import COLOURS, card_word, place_word
from cartagena.notation.perft import PerftCase, PerftCount, check_perft, parse_perft, read_perft
from cartagena.notation.position_text import (
    format_position,
    format_ruleset,
    parse_position,
    parse_ruleset,
    parse_sight,
)
from cartagena.notation.record import Ending, Headers, Record, Result, Step, format_record, format_result
from cartagena.notation.record_reader import RecordVisitor, parse_record, parse_records, read_records
from cartagena.notation.replay import headers_of, record_of, record_of_view, replay
from cartagena.notation.sight import Sight, sight_of, sight_of_view
from cartagena.notation.tokens import AmbiguousAction, NotationError, ReplayError
from cartagena.notation.typed_action import find_action
from cartagena.rules.ruleset import RULES_VERSION

__all__ = [
    "COLOURS",
    "RULES_VERSION",
    "AmbiguousAction",
    "Ending",
    "Headers",
    "NotationError",
    "PerftCase",
    "PerftCount",
    "Record",
    "RecordVisitor",
    "ReplayError",
    "Result",
    "Sight",
    "Step",
    "card_word",
    "check_perft",
    "find_action",
    "format_action",
    "format_position",
    "format_record",
    "format_result",
    "format_ruleset",
    "headers_of",
    "parse_action",
    "parse_perft",
    "parse_position",
    "parse_record",
    "parse_records",
    "parse_ruleset",
    "parse_sight",
    "place_word",
    "read_perft",
    "read_records",
    "record_of",
    "record_of_view",
    "replay",
    "sight_of",
    "sight_of_view",
]
