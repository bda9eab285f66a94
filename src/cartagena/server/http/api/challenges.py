"""Challenges over HTTP: made, seen, accepted, declined, withdrawn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from cartagena.endpoints.callers import Scope
from cartagena.endpoints.kit import Kit, require_room, sitter_of
from cartagena.endpoints.limits import CREATING, PLAYING
from cartagena.endpoints.request import Call
from cartagena.endpoints.routing import Example, Route
from cartagena.endpoints.tables import terms_of
from cartagena.messages.challenges import (
    AcceptChallenge,
    ChallengeMessage,
    ChallengesMessage,
    ContenderMessage,
    DeclineChallenge,
    MakeChallenge,
)
from cartagena.messages.requests import TermsMessage
from cartagena.messages.tables import ClockSettings
from cartagena.server.accounts.challenges import (
    accept,
    challenge_of,
    challenges_of,
    decline,
    make_challenge,
    withdraw,
)
from cartagena.server.accounts.directory import Directory
from cartagena.server.store.challenge_tables import ChallengeTables
from cartagena.tables.errors import Problem

CHALLENGES: Final = "challenges"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeKit:
    """All that the handlers of challenges work with; `changed` lets players know."""

    tables: Kit
    directory: Directory
    opened: ChallengeTables
    changed: Callable[[tuple[UUID, ...]], None]


class ChallengeApi:
    """The handlers."""

    def __init__(self, kit: ChallengeKit) -> None:
        self._kit = kit
        self._directory = kit.directory

    async def mine(self, call: Call) -> ChallengesMessage:
        """The caller's challenges."""
        me = call.player.player_id
        found = (await challenges_of(self._directory, [me]))[me]
        return ChallengesMessage(challenges=tuple(found.values()))

    async def see(self, call: Call) -> ChallengeMessage:
        """One challenge of the caller's."""
        return await challenge_of(self._directory, call.player.player_id, call.uuid("challenge_id"))

    async def make(self, call: Call) -> ChallengeMessage:
        """Challenge a player."""
        body = call.body(MakeChallenge)
        terms = terms_of(self._kit.tables, body.terms)
        await require_room(self._kit.tables, call.player)
        await self._kit.tables.bot_games.check([call.player.player_id, body.opponent])
        return self._told(await make_challenge(self._directory, call.player.player_id, body, terms))

    async def accept(self, call: Call) -> ChallengeMessage:
        """Accept a challenge; both sit at its table then."""
        me, challenge_id = call.player.player_id, call.uuid("challenge_id")
        sitter = sitter_of(self._kit.tables, call, call.body(AcceptChallenge).nonce_hash)
        await require_room(self._kit.tables, call.player)
        asked = await challenge_of(self._directory, me, challenge_id)
        if asked.state == "open":
            await self._kit.tables.bot_games.check([asked.challenger.id, me])
        made = self._kit.tables.new()
        await accept(self._directory, me, challenge_id, game_id=made.id, nonce_hash=sitter.nonce_hash)
        await self._kit.opened.open(challenge_id, me, household=sitter.household)
        return await challenge_of(self._directory, me, challenge_id)

    async def decline(self, call: Call) -> ChallengeMessage:
        """Decline a challenge."""
        reason = call.body(DeclineChallenge).reason
        return self._told(
            await decline(self._directory, call.player.player_id, call.uuid("challenge_id"), reason)
        )

    async def withdraw(self, call: Call) -> ChallengeMessage:
        """Withdraw a challenge."""
        return self._told(await withdraw(self._directory, call.player.player_id, call.uuid("challenge_id")))

    def _told(self, challenge: ChallengeMessage) -> ChallengeMessage:
        self._kit.changed((challenge.challenger.id, challenge.opponent.id))
        return challenge


TERMS: Final = TermsMessage(ruleset="tortuga", clock=ClockSettings(kind="live", bank=600, increment=15))
CHALLENGE: Final = ChallengeMessage(
    id=UUID("01a1de9f-b2ad-71aa-b5a4-ea52740ae735"),
    challenger=ContenderMessage(id=UUID("01a1de9f-b28e-7042-a73e-e852050a4758"), name="Anne", is_bot=False),
    opponent=ContenderMessage(
        id=UUID("01a1de9f-b2a1-7a6e-8d5c-94f7a9c1e2d3"), name="Deep Blue Sea", is_bot=True
    ),
    terms=TERMS,
    state="open",
    reason=None,
    table=None,
    created=1_794_736_370_318,
    expires=1_794_736_970_318,
)
DECIDED: Final = (Problem.NO_SUCH_THING, Problem.FORBIDDEN, Problem.WRONG_STAGE)
BETWEEN: Final = (Problem.NO_SUCH_PLAYER, Problem.NEEDS_ACCOUNT, Problem.UNFIT, Problem.BLOCKED)


def challenge_routes(kit: ChallengeKit) -> tuple[Route, ...]:
    """Everything about challenges."""
    api = ChallengeApi(kit)
    return (*_reading_routes(api), *_challenger_routes(api), *_answer_routes(api))


def _reading_routes(api: ChallengeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="GET",
            path="/api/challenges",
            name="my_challenges",
            tag=CHALLENGES,
            summary="See your challenges",
            description="Those that are open, and those decided in the last ten minutes, the latest first.",
            handler=api.mine,
            answer=ChallengesMessage,
            scope=Scope.READ,
            example=Example(answer=ChallengesMessage(challenges=(CHALLENGE,))),
        ),
        Route(
            method="GET",
            path="/api/challenges/{challenge_id:uuid}",
            name="challenge",
            tag=CHALLENGES,
            summary="See one of your challenges",
            handler=api.see,
            answer=ChallengeMessage,
            scope=Scope.READ,
            example=Example(answer=CHALLENGE),
        ),
    )


def _challenger_routes(api: ChallengeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/challenges",
            name="make_challenge",
            tag=CHALLENGES,
            summary="Challenge a player or a bot to a game of two",
            description=(
                "Both must keep their names. With a live clock it is open for ten minutes, else for three "
                "days. At most 20 of yours are open at a time; three to the same player, with those "
                "declined in the last ten minutes."
            ),
            handler=api.make,
            body=MakeChallenge,
            answer=ChallengeMessage,
            status=201,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(*BETWEEN, Problem.FORBIDDEN),
            example=Example(
                body=MakeChallenge(
                    opponent=CHALLENGE.opponent.id,
                    terms=TERMS,
                    key=UUID("5b0d6a1e-8c3f-4e72-9a41-6d7e8f901b2c"),
                ),
                answer=CHALLENGE,
            ),
        ),
        Route(
            method="POST",
            path="/api/challenges/{challenge_id:uuid}/withdraw",
            name="withdraw_challenge",
            tag=CHALLENGES,
            summary="Withdraw a challenge of yours",
            handler=api.withdraw,
            answer=ChallengeMessage,
            scope=Scope.PLAY,
            limit=PLAYING,
            problems=DECIDED,
        ),
    )


def _answer_routes(api: ChallengeApi) -> tuple[Route, ...]:
    return (
        Route(
            method="POST",
            path="/api/challenges/{challenge_id:uuid}/accept",
            name="accept_challenge",
            tag=CHALLENGES,
            summary="Accept a challenge",
            description=(
                "Opens its `table`, where the challenger is the host and both of you sit. Sent again, it "
                "answers with the same table."
            ),
            handler=api.accept,
            body=AcceptChallenge,
            answer=ChallengeMessage,
            scope=Scope.PLAY,
            limit=CREATING,
            problems=(*DECIDED, *BETWEEN),
        ),
        Route(
            method="POST",
            path="/api/challenges/{challenge_id:uuid}/decline",
            name="decline_challenge",
            tag=CHALLENGES,
            summary="Decline a challenge",
            handler=api.decline,
            body=DeclineChallenge,
            answer=ChallengeMessage,
            scope=Scope.PLAY,
            limit=PLAYING,
            problems=DECIDED,
            example=Example(body=DeclineChallenge(reason="clock")),
        ),
    )
