"""Requests about challenges. Each is a value; `Client.send` and `AsyncClient.send` ask it."""

from uuid import UUID

from cartagena.client.request import Request, key_or_new, look, post, reading
from cartagena.messages.challenges import (
    AcceptChallenge,
    ChallengeMessage,
    ChallengesMessage,
    DeclineChallenge,
    DeclineReason,
    MakeChallenge,
)
from cartagena.messages.requests import TermsMessage

_PATH = "/api/challenges"


def my_challenges() -> Request[ChallengesMessage]:
    """See the player's challenges: those that are open, and those decided in the last ten minutes."""
    return look(_PATH, reading(ChallengesMessage))


def see(challenge_id: UUID | str) -> Request[ChallengeMessage]:
    """See one of the player's challenges."""
    return look(f"{_PATH}/{challenge_id}", reading(ChallengeMessage))


def make(
    opponent: UUID | str,
    terms: TermsMessage,
    *,
    nonce_hash: str | None = None,
    ladder: bool = False,
    key: UUID | None = None,
) -> Request[ChallengeMessage]:
    """Challenge a player or a bot to a game of two; with `ladder` it counts on the ladder of bots."""
    body = MakeChallenge(
        opponent=UUID(str(opponent)),
        terms=terms,
        nonce_hash=nonce_hash,
        ladder=ladder,
        key=key_or_new(key),
    )
    return post(_PATH, reading(ChallengeMessage), body)


def accept(challenge_id: UUID | str, *, nonce_hash: str | None = None) -> Request[ChallengeMessage]:
    """Accept a challenge; the answer has its table, where both players sit."""
    body = AcceptChallenge(nonce_hash=nonce_hash)
    return post(f"{_PATH}/{challenge_id}/accept", reading(ChallengeMessage), body)


def decline(challenge_id: UUID | str, reason: DeclineReason = "no") -> Request[ChallengeMessage]:
    """Decline a challenge."""
    body = DeclineChallenge(reason=reason)
    return post(f"{_PATH}/{challenge_id}/decline", reading(ChallengeMessage), body)


def withdraw(challenge_id: UUID | str) -> Request[ChallengeMessage]:
    """Withdraw a challenge of the player's own."""
    return post(f"{_PATH}/{challenge_id}/withdraw", reading(ChallengeMessage))
