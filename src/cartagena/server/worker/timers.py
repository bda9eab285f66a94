"""Wakes: the loop that claims games in which something is due, and attends to them."""

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog

from cartagena.server.store.databases import AWAY
from cartagena.server.store.due_games import DueGame
from cartagena.server.worker.due_tables import DueTables, TimerClaim

PATIENT_TRIES: Final = 5
"""How often a game is claimed in vain before an alert is raised."""

PUT_OFF_TRIES: Final = 60
"""How often we try to reschedule a game; after that its claim has expired by itself."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often to look, how many games to attend to at once, and how long to pause after failures (ms)."""

    poll_seconds: float = 0.5
    at_once: int = 8
    first_pause: int = 1_000
    longest_pause: int = 3_600_000

    def pause(self, tries: int) -> int:
        """How long a game is left alone after `tries` vain claims: twice as long each time."""
        return min(self.first_pause << min(tries - 1, 30), self.longest_pause)


class DueTimers:
    """Looks for what is due at intervals, and at once when nudged; a `Service`."""

    def __init__(self, attendant: DueTables, pace: Pace) -> None:
        self._place_of = attendant.claims.place_of
        self._players = attendant.players
        places = range(attendant.claims.places)
        share = max(1, pace.at_once // len(places))
        self._watches = [TimerLoop(place, attendant, pace, room=share) for place in places]
        self._is_done = asyncio.Event()
        self._is_done.set()

    def nudge(self, bucket: int) -> None:
        """Something is due in a game of this bucket; many nudges at once count as one."""
        self._watches[self._place_of(bucket)].nudge()

    async def run(self) -> None:
        """Work until stopped."""
        self._is_done.clear()
        try:
            async with asyncio.TaskGroup() as group:
                for watch in self._watches:
                    group.create_task(watch.run(group))
        finally:
            self._is_done.set()

    async def stop(self) -> None:
        """Claim nothing more; a bot that is thinking still acts, then its game is left to other workers."""
        for watch in self._watches:
            watch.stop()
        self._players.end()
        await self._is_done.wait()


class TimerLoop:
    """Attends to the games of one database; a database that is away does not delay the others."""

    def __init__(self, place: int, attendant: DueTables, pace: Pace, *, room: int) -> None:
        self._place = place
        self._attendant = attendant
        self._claims = attendant.claims
        self._metrics = attendant.metrics
        self._pace = pace
        self._room = room
        self._nudged = asyncio.Event()
        self._under_way: set[UUID] = set()
        self._again: dict[UUID, DueGame] = {}
        self._is_away = False
        self._is_stopping = False

    def nudge(self) -> None:
        """Look at once."""
        self._nudged.set()

    def stop(self) -> None:
        """Claim nothing more."""
        self._is_stopping = True
        self._nudged.set()

    async def run(self, group: asyncio.TaskGroup) -> None:
        """Claim what is due and attend to it, until stopped."""
        while not self._is_stopping:
            self._nudged.clear()
            for due in (claimed := await self._claim()):
                self._begin(due, group)
            if not claimed:
                await self._rest()

    async def _claim(self) -> list[DueGame]:
        """Claim as many games as there is room for."""
        room = self._room - len(self._under_way)
        if room <= 0:
            return []
        try:
            due = await self._claims.claim(self._place, room, self._attendant.lease)
        except Exception as error:  # noqa: BLE001 - whatever it is, the games of this database go on later
            self._note_away(type(error).__name__)
            # However many nudges come in, the database is not asked more often.
            await asyncio.sleep(self._pace.poll_seconds)
            return []
        self._note_away(None)
        self._metrics.claims.inc(len(due))
        return due

    def _note_away(self, trouble: str | None) -> None:
        if trouble is not None and not self._is_away:
            logger.warning("wakes_away", place=self._place, error=trouble)
        if trouble is None and self._is_away:
            logger.info("wakes_back", place=self._place)
        self._is_away = trouble is not None

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pace.poll_seconds):
                await self._nudged.wait()

    # Looking after one game.

    def _begin(self, due: DueGame, group: asyncio.TaskGroup) -> None:
        if due.game_id in self._under_way:
            # Its next turn was due before we had finished with the last one.
            self._again[due.game_id] = due
            return
        self._under_way.add(due.game_id)
        group.create_task(self._look_after(due))

    async def _look_after(self, due: DueGame) -> None:
        self._metrics.under_way.inc()
        try:
            await self._serve(due)
            while (more := self._again.pop(due.game_id, None)) is not None:
                await self._serve(more)
        finally:
            self._metrics.under_way.dec()
            if len(self._under_way) >= self._room:
                # There was no room for more, and now there is.
                self._nudged.set()
            self._under_way.discard(due.game_id)

    async def _serve(self, due: DueGame) -> None:
        claim = TimerClaim(due, asyncio.get_running_loop().time())
        try:
            if claim.tries > PATIENT_TRIES:
                await self._alert(claim)
            await self._attendant.attend(claim, is_stopping=lambda: self._is_stopping)
        except AWAY as error:
            logger.warning("wake_interrupted", game=str(claim.game_id), error=type(error).__name__)
            await self._put_off(claim)
        except Exception:
            self._metrics.failures.inc()
            logger.exception("wake_failed", game=str(claim.game_id), tries=claim.tries)
            await self._put_off(claim)

    async def _alert(self, claim: TimerClaim) -> None:
        """Raise an alert; should this try fail as well, even by our death, the game rests for long."""
        self._metrics.stuck.inc()
        logger.error("game_stuck", game=str(claim.game_id), seq=claim.seq, tries=claim.tries)
        pause = max(self._pace.pause(claim.tries), self._attendant.lease)
        await self._claims.postpone(claim.game_id, claim.seq, pause)

    async def _put_off(self, claim: TimerClaim) -> None:
        """Let the game be due again after a pause; if the database is away, retry until it is back."""
        pause = self._pace.pause(claim.tries)
        for _ in range(PUT_OFF_TRIES):
            with contextlib.suppress(*AWAY):
                await self._claims.postpone(claim.game_id, claim.seq, pause)
                return
            if self._is_stopping:
                return
            await asyncio.sleep(self._pace.poll_seconds)
