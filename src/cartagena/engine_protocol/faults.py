"""What an engine can do wrong, each with words that say what to do about it."""

from collections.abc import Sequence
from enum import StrEnum

from cartagena.bots.players.interface import BotGaveUp
from cartagena.words import Words


class EngineTrouble(StrEnum):
    """Each is the key of its words in the catalogue."""

    CANNOT_START = "engine.cannot_start"
    ENDED = "engine.ended"
    ENDED_BY_SIGNAL = "engine.ended_by_signal"
    CLOSED = "engine.closed"
    TOO_LATE = "engine.too_late"
    UNASKED = "engine.unasked"
    NO_LINE = "engine.no_line"
    NO_LINE_FEED = "engine.no_line_feed"
    TOO_LONG = "engine.too_long"
    LACKS = "engine.lacks"
    WRONG_MEMBER = "engine.wrong_member"
    NO_NUMBER = "engine.no_number"
    OTHER_PROTOCOL = "engine.other_protocol"
    NO_CHOICE = "engine.no_choice"
    WRONG_CHANCES = "engine.wrong_chances"
    STAYED = "engine.stayed"


class EngineFault(BotGaveUp):
    """An engine broke the protocol.

    `line` is the line that did, `complaint` the last lines of its standard error, and `detail` the one of all
    these that tells most. Each may tell a card.
    """

    def __init__(
        self, trouble: EngineTrouble, line: str = "", complaint: Sequence[str] = (), **values: object
    ) -> None:
        super().__init__(Words("en").say(trouble, **values), line or telling_line(complaint))
        self.trouble = trouble
        self.line = line
        self.complaint = tuple(complaint)
        self.values = values


def telling_line(complaint: Sequence[str]) -> str:
    """The last line that names an error, else the last one: Node.js ends a trace with its version.

    >>> telling_line(["TypeError: no such card", "    at go (engine.mjs:3:1)", "Node.js v22.0.0"])
    'TypeError: no such card'
    """
    said = [line.strip() for line in complaint if line.strip()]
    return next((line for line in reversed(said) if "Error" in line), said[-1] if said else "")
