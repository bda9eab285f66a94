"""The messages of the wire: views, happenings and wishes as JSON, defined once and versioned.

How things are called: a card by the word of its sign (`key`, `gold_map`), an unknown card null. A place is
its number in travel order, 0 the start and 37 home; the `board` of a view is a list of 38 words that says
what is at each place, so that a screen needs no arithmetic. Seats and crews are numbers from 0. An action
has its code, which is what a client sends back.
"""

from cartagena.messages.errors import MessageError
from cartagena.messages.happenings import HappeningMessage, happening_message, happening_of
from cartagena.messages.updates import VERSION, Update, decode, encode, update_for
from cartagena.messages.views import ViewMessage, view_message, view_of
from cartagena.messages.wishes import WishMessage, wish_message

__all__ = [
    "VERSION",
    "HappeningMessage",
    "MessageError",
    "Update",
    "ViewMessage",
    "WishMessage",
    "decode",
    "encode",
    "happening_message",
    "happening_of",
    "update_for",
    "view_message",
    "view_of",
    "wish_message",
]
