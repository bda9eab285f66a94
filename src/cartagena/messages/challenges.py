"""Challenges on the wire: one player asks another, person or bot, for a game of two."""

from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from cartagena.messages.lobby import LobbyAnswer
from cartagena.messages.requests import Hash, Keyed, TermsMessage

ChallengeWord: TypeAlias = Literal["open", "accepted", "declined", "withdrawn", "expired"]
DeclineReason: TypeAlias = Literal[
    "no", "later", "busy", "ruleset", "clock", "rated", "casual", "only_people", "only_bots"
]
"""Why a challenge is declined: no wish to, not now, too many games, or what about it does not fit."""


class MakeChallenge(Keyed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask a player for a game of two by these terms; with `ladder` it counts on the ladder of bots."""

    opponent: UUID
    terms: TermsMessage
    ladder: bool = False
    nonce_hash: Hash | None = None


class AcceptChallenge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Accept a challenge, and promise a number for the shuffle."""

    nonce_hash: Hash | None = None


class DeclineChallenge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Decline a challenge."""

    reason: DeclineReason = "no"


class ContenderMessage(LobbyAnswer, frozen=True, kw_only=True):
    """One of the two players of a challenge."""

    id: UUID
    name: str
    is_bot: bool


class ChallengeMessage(LobbyAnswer, frozen=True, kw_only=True):
    """A challenge: `reason` says why it was declined, `table` where an accepted one is played.

    An open one expires at the moment `expires`.
    """

    id: UUID
    challenger: ContenderMessage
    opponent: ContenderMessage
    terms: TermsMessage
    state: ChallengeWord
    reason: DeclineReason | None
    table: UUID | None
    created: int
    expires: int
    ladder: bool = False


class ChallengesMessage(LobbyAnswer, frozen=True, kw_only=True):
    """My challenges, the latest first: those that are open, and those decided in the last ten minutes."""

    challenges: tuple[ChallengeMessage, ...]
