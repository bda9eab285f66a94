"""The messages of the wire: views, happenings, wishes and tables as JSON, defined once and versioned.

How things are called: a card by the word of its sign (`key`, `gold_map`), an unknown card null. A place is
its number in travel order, 0 the start and 37 home; the `board` of a view is a list of 38 words that says
what is at each place, so that a screen needs no arithmetic. Seats and crews are numbers from 0. An action
has its code, which is what a client sends back. A moment is a number of milliseconds since 1970. What is
absent has its default: null, false, 0 or nothing.
"""

from cartagena.messages.cards import MessageError
from cartagena.messages.happenings import HappeningMessage, happening_message, happening_of
from cartagena.messages.tables import (
    ChairMessage,
    ChatMessage,
    ClockMessage,
    ClockSettings,
    NewsMessage,
    PresenceMessage,
    ProblemMessage,
    TableMessage,
)
from cartagena.messages.updates import (
    VERSION,
    ErrorMessage,
    Update,
    decode,
    encode,
    error_body,
    read,
    update_for,
    updates_for,
)
from cartagena.messages.views import (
    RulesetMessage,
    ViewMessage,
    ruleset_message,
    ruleset_of,
    view_message,
    view_of,
)
from cartagena.messages.wishes import (
    LegalMessage,
    RefusalMessage,
    RefusedMessage,
    WishesMessage,
    answer_to,
    wishes_message,
)

__all__ = [
    "VERSION",
    "ChairMessage",
    "ChatMessage",
    "ClockMessage",
    "ClockSettings",
    "ErrorMessage",
    "HappeningMessage",
    "LegalMessage",
    "MessageError",
    "NewsMessage",
    "PresenceMessage",
    "ProblemMessage",
    "RefusalMessage",
    "RefusedMessage",
    "RulesetMessage",
    "TableMessage",
    "Update",
    "ViewMessage",
    "WishesMessage",
    "answer_to",
    "decode",
    "encode",
    "error_body",
    "happening_message",
    "happening_of",
    "read",
    "ruleset_message",
    "ruleset_of",
    "update_for",
    "updates_for",
    "view_message",
    "view_of",
    "wishes_message",
]
