"""What an engine and Cartagena say to each other beside the view and its choices: a line is a word and JSON.

`docs/engine-protocol.md` is the specification.
"""

from typing import Final

from msgspec import Struct

from cartagena.messages.views import RulesetMessage

PROTOCOL: Final = 1
"""The version of the engine protocol; it grows when an engine written for the old one would go wrong."""


class GreetingLine(Struct, frozen=True, kw_only=True):
    """`cartagena`: the first line, with the version of the protocol that is spoken."""

    protocol: int


class EngineLine(Struct, frozen=True, kw_only=True):
    """`engine`: who answers, and which version it speaks."""

    protocol: int
    name: str
    version: str = ""
    author: str = ""


class RulesLine(Struct, frozen=True, kw_only=True):
    """`rules`: the game that begins, the engine's seat in it, and a number to draw all its chance from."""

    ruleset: RulesetMessage
    seats: int
    seat: int
    seed: int


class GoLine(Struct, frozen=True, kw_only=True):
    """`go`: the seconds that the engine may think, and those after which it is too late."""

    seconds: float
    grace: float


class InfoLine(Struct, frozen=True, kw_only=True):
    """`info`: what the engine thinks; `chances` to win are one for each seat and add up to 1."""

    chances: tuple[float, ...] | None = None
    text: str = ""
