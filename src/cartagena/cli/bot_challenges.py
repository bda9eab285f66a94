"""What `cartagena bot` does about challenges: it accepts those that fit, and declines the others."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from uuid import UUID

from cartagena.cli.bot_patience import Log, Persistence, is_refusal, short
from cartagena.client import AsyncClient, PlayerTold, Pledge, Refused, challenges
from cartagena.client.request import TOO_MANY
from cartagena.messages.challenges import ChallengeMessage, DeclineReason
from cartagena.messages.player_news import GameNewsMessage, MyStateMessage
from cartagena.messages.tables import ClockSettings

ANSWER_SECONDS: Final = 20.0
"""How long an answer to a challenge may take: the others, and their time, go on meanwhile."""

ClockWord: TypeAlias = Literal["live", "correspondence", "none"]
OpponentWord: TypeAlias = Literal["everybody", "people", "bots"]
Sit: TypeAlias = Callable[[str, Pledge | None], None]
"""Plays at a table where the bot sits by an accepted challenge, with what it promised if that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """Which challenges a bot accepts, and how many games of them it plays at once."""

    rulesets: frozenset[str]
    clocks: frozenset[ClockWord] = frozenset({"live"})
    opponents: OpponentWord = "everybody"
    at_once: int = 1

    def reason_against(self, challenge: ChallengeMessage, games: int) -> DeclineReason | None:
        """Why a bot that plays `games` declines a challenge; None if it accepts."""
        if not self._likes(is_bot=challenge.challenger.is_bot):
            return "only_bots" if self.opponents == "bots" else "only_people"
        if challenge.terms.ruleset not in self.rulesets:
            return "ruleset"
        if _clock_word(challenge.terms.clock) not in self.clocks:
            return "clock"
        return "busy" if games >= self.at_once else None

    def _likes(self, *, is_bot: bool) -> bool:
        return self.opponents == "everybody" or is_bot == (self.opponents == "bots")


def _clock_word(clock: ClockSettings | None) -> ClockWord:
    return "none" if clock is None else clock.kind


class BotChallenges:
    """Answers the challenges of one bot; `tables` are those where it plays by them."""

    def __init__(
        self, acceptance: Acceptance, client: AsyncClient, me: UUID, *, tables: set[str], sit: Sit, log: Log
    ) -> None:
        self._acceptance = acceptance
        self._client = client
        self._me = me
        self._tables = tables
        self._sit = sit
        self._accepted: set[UUID] = set()
        self._log = log

    async def listen(self, persistence: Persistence, on_away: Callable[[], None]) -> None:
        """Answer every challenge as it comes, over all breaks; ends only by what is final."""
        await persistence.through(lambda: self._hear(on_away), "", is_refusal)

    async def _hear(self, on_away: Callable[[], None]) -> None:
        async with aclosing(self._client.my_stream(on_away=on_away)) as heard:
            async for told in heard:
                for challenge in _challenges_in(told):
                    if challenge.opponent.id == self._me and challenge.id not in self._accepted:
                        await self._answer(challenge)

    async def _answer(self, challenge: ChallengeMessage) -> None:
        if challenge.table is not None:
            # Its acceptance was carried out, but the answer got lost.
            self._accepted.add(challenge.id)
            self._sit(str(challenge.table), None)
            return
        if challenge.state != "open":
            return
        reason = self._acceptance.reason_against(challenge, len(self._tables))
        if reason is None:
            reason = await self._accept(challenge)
        if reason is not None:
            await self._in_time(challenge, self._decline(challenge, reason))

    async def _accept(self, challenge: ChallengeMessage) -> DeclineReason | None:
        """Accept; returns a reason to decline instead, if the service lets the bot begin no game now."""
        pledge = Pledge.draw(secrets.token_bytes)
        request = challenges.accept(challenge.id, nonce_hash=pledge.nonce_hash)

        async def accept() -> None:
            accepted = await self._client.send(request)
            if accepted.table is not None:
                table_id, name = str(accepted.table), challenge.challenger.name
                self._log("bot.accepts", table=short(table_id), name=name)
                self._accepted.add(challenge.id)
                self._sit(table_id, pledge)

        # A service may ask to wait for hours: the challenger need not.
        return None if await self._in_time(challenge, accept()) else "later"

    async def _decline(self, challenge: ChallengeMessage, reason: DeclineReason) -> None:
        await self._client.send(challenges.decline(challenge.id, reason))
        self._log("bot.declines", name=challenge.challenger.name, reason=reason)

    async def _in_time(self, challenge: ChallengeMessage, doing: Awaitable[None]) -> bool:
        """Do it; False if that takes too long, or is too much. One that was decided meanwhile is done."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await doing
        except TimeoutError:
            return False
        except Refused as error:
            if error.status == TOO_MANY:
                return False
            if error.status not in DECIDED:
                raise
            self._log("bot.refused", table=short(str(challenge.id)), reason=error)
        return True


DECIDED: Final = frozenset({403, 404, 409})
"""Refusals of a challenge that was withdrawn or is no longer possible."""


def _challenges_in(told: PlayerTold) -> tuple[ChallengeMessage, ...]:
    """The challenges to look at, without those whose game is over."""
    match told:
        case MyStateMessage(challenges=several, games=games):
            tables = {None, *(game.table.id for game in games)}
            return tuple(challenge for challenge in several if challenge.table in tables)
        case ChallengeMessage():
            return (told,)
        case GameNewsMessage():
            return ()
