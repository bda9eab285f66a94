"""A simulated PostgreSQL: one writer at a time, a synchronous standby that may lag, and a failover.

Coarser than the real one in one respect: a change locks the whole database, not single rows. So there is more
waiting than in reality, but no answer that the real one could not give.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from uuid import UUID

import asyncpg

from cartagena.server.store import statements
from cartagena.server.store.databases import LOCK_TIMEOUT
from cartagena.server.store.shard_migration import Copied
from harness.simulation.event_loop import Machine, SimulatedLoop
from harness.simulation.game_statements import READS, SIGHTS, WRITES, has_been_said
from harness.simulation.migration_statements import bring_in
from harness.simulation.rows import Answer, Asked, Rows

BEGINNING: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
LOCK_SECONDS: Final = float(LOCK_TIMEOUT.removesuffix("s"))
STANDBY_SECONDS: Final = (0.0005, 0.004)


BEGAN_AGAIN: Final = "BEGAN AGAIN"
COPIED_INTO: Final = "COPIED INTO "


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement, in the order in which changes became visible, for the replay on a real PostgreSQL.

    Two kinds are not statements: a database that BEGAN_AGAIN with other rows, and rows COPIED_INTO a table.
    """

    place: int
    statement: str
    args: Sequence[Any]
    now: dt.datetime
    answer: Answer | str


@dataclass(slots=True)
class Transaction:
    """What a connection changes before it commits; `rows` are its own until then."""

    machine: Machine
    began: dt.datetime
    rows: Rows | None = None
    heard: list[Heard] = field(default_factory=list)
    is_over: bool = False


@dataclass(slots=True, eq=False)
class Session:
    """A connection as the database sees it: it ends when the client has, and nothing of it is under way."""

    client: Machine
    is_cut: bool = False
    under_way: int = 0
    """How many statements of it are on their way or being carried out."""

    @property
    def has_ended(self) -> bool:
        """Whether the database knows that nothing more will come."""
        return (self.is_cut or self.client.is_lost) and not self.under_way


@dataclass(slots=True)
class Question:
    """One statement on its way through a database."""

    statement: str
    args: Sequence[Any] = ()
    within: Transaction | None = None
    session: Session | None = None
    is_hurried: bool = False
    was_warned: bool = False
    confirmed: "asyncio.Future[bool] | None" = None

    def hurry(self) -> None:
        """Stop waiting for the standby; the client is warned."""
        self.is_hurried = True
        if self.confirmed is not None and not self.confirmed.done():
            self.confirmed.set_result(False)


@dataclass(slots=True)
class Log:
    """What a primary has written and how much of it the standby has; a position is a number of commits."""

    written: int = 0
    confirmed: int = 0
    moments: dict[int, Rows] = field(default_factory=dict)
    """The rows after each commit that the standby does not have yet."""
    waiting: dict[int, Question] = field(default_factory=dict)


class Database:
    """One primary, with a synchronous standby or without."""

    def __init__(
        self,
        place: int,
        loop: SimulatedLoop,
        chance: Random,
        *,
        has_standby: bool,
        hear: Callable[[Heard], None],
        undone: Callable[[UUID, Iterable[int]], None],
    ) -> None:
        self.undone = undone
        self.place = place
        self.machine = loop.add(Machine(f"database {place}"))
        self.rows = Rows(UUID(int=chance.getrandbits(128), version=4))
        self.skew = 0.0
        """By how many seconds its clock is off."""
        self.has_standby = has_standby
        self.standby_is_stopped = False
        self._standby = self.rows
        self._log = Log()
        self._lock = asyncio.Lock()
        self._advisory: dict[int, Session] = {}
        self._loop = loop
        self._chance = chance
        self._hear = hear

    def now(self) -> dt.datetime:
        """What its clock says."""
        return BEGINNING + dt.timedelta(microseconds=round((self._loop.time() + self.skew) * 1_000_000))

    # Statements, run on the database's own machine.

    async def run(self, question: Question) -> Answer:
        """Carry a statement out."""
        statement, within = question.statement, question.within
        if statement in READS:
            rows = self.rows if within is None or within.rows is None else within.rows
            now = self.now() if within is None else within.began
            return self._answer(READS[statement], statement, Asked(rows, now, question.args), within)
        if statement in SIGHTS:
            return await self._see(question)
        if within is None:
            return await self._write(question)
        await self.begin_to_write(within)
        assert within.rows is not None
        asked = Asked(within.rows, within.began, question.args)
        return self._answer(WRITES[statement], statement, asked, within)

    async def _see(self, question: Question) -> Answer:
        rows = self.rows
        answer = self._answer(
            SIGHTS[question.statement], question.statement, Asked(rows, self.now(), question.args), None
        )
        if any(row.get("seq", row.get("number", 0)) is not None for row in answer):
            await self._confirm(self._log.moments.get(self._log.written, rows), question)
        return answer

    async def _write(self, question: Question) -> Answer:
        statement, now = question.statement, self.now()
        if statement == statements.CLAIM_WAKES and self._lock.locked():
            return []  # SKIP LOCKED
        # A condition on other rows is checked before waiting for the lock, and not again.
        said_before = statement == statements.SAY and has_been_said(Asked(self.rows, now, question.args))
        await self._take_lock()
        try:
            asked = Asked(self.rows.copy(), now, question.args)
            asked.said_before = said_before
            alone = Transaction(self.machine, now)
            answer = self._answer(WRITES[statement], statement, asked, alone)
            await self._publish(asked.rows, question, alone.heard)
        finally:
            self._lock.release()
        return answer

    def _answer(
        self, run: Callable[[Asked], Answer], statement: str, asked: Asked, within: Transaction | None
    ) -> Answer:
        try:
            answer = run(asked)
        except asyncpg.PostgresError as error:
            self._hear(Heard(self.place, statement, asked.args, asked.now, type(error).__name__))
            raise
        hear = self._hear if within is None else within.heard.append
        hear(Heard(self.place, statement, asked.args, asked.now, answer))
        return answer

    async def _take_lock(self) -> None:
        try:
            async with asyncio.timeout(LOCK_SECONDS):
                await self._lock.acquire()
        except TimeoutError:
            raise asyncpg.LockNotAvailableError("somebody holds it") from None

    async def _publish(self, rows: Rows, question: Question, heard: Iterable[Heard]) -> None:
        """Write a change down, wait for the standby, and make it visible."""
        await self._confirm(rows, question)
        self.rows = rows
        for one in heard:
            self._hear(one)

    async def _confirm(self, rows: Rows, question: Question) -> None:
        if self.has_standby:
            log = self._log
            log.written += 1
            log.moments[log.written] = rows
            self._loop.on(self.machine, self._replicate(log, log.written))
            question.was_warned = not await self._confirmation(log, question)

    async def _confirmation(self, log: Log, question: Question) -> bool:
        if question.is_hurried:
            return False
        number = log.written
        question.confirmed = self._loop.create_future()
        log.waiting[number] = question
        try:
            return await question.confirmed
        finally:
            del log.waiting[number]

    async def _replicate(self, log: Log, number: int) -> None:
        await asyncio.sleep(self._chance.uniform(*STANDBY_SECONDS))
        while self.standby_is_stopped:  # noqa: ASYNC110 - a standby asks again, too
            await asyncio.sleep(0.05)
        if number <= log.confirmed:
            return
        log.confirmed = number
        self._standby = log.moments[number]
        log.moments = {later: rows for later, rows in log.moments.items() if later > number}
        for waiting, question in log.waiting.items():
            if waiting <= number and question.confirmed is not None and not question.confirmed.done():
                question.confirmed.set_result(True)

    # Advisory locks, which sessions hold.

    def try_lock(self, number: int, session: Session) -> bool:
        """Give a session the lock `number`, unless another one holds it."""
        holder = self._advisory.get(number)
        if holder is not None and holder is not session and not holder.has_ended:
            return False
        self._advisory[number] = session
        return True

    def unlock(self, number: int, session: Session) -> bool:
        """Take a lock back; False if the session does not hold it."""
        holds = self._advisory.get(number) is session
        if holds:
            del self._advisory[number]
        return holds

    # Transactions.

    async def begin_to_write(self, transaction: Transaction) -> None:
        """Take the lock before a transaction's first change; others wait until it has ended."""
        if transaction.rows is None:
            await self._take_lock()
            if transaction.is_over:
                self._lock.release()
                raise ConnectionResetError("the writer is gone")
            transaction.rows = self.rows.copy()

    async def commit(self, transaction: Transaction, question: Question) -> None:
        """Commit a transaction."""
        rows, transaction.rows = transaction.rows, None
        if rows is not None:
            try:
                await self._publish(rows, question, transaction.heard)
            finally:
                self._lock.release()

    def copy_into(self, transaction: Transaction, table: Copied, rows: Answer) -> None:
        """Copy in rows of another database."""
        assert transaction.rows is not None
        bring_in(transaction.rows, table, rows)
        transaction.heard.append(Heard(self.place, f"{COPIED_INTO}{table.name}", rows, transaction.began, []))

    def roll_back(self, transaction: Transaction) -> None:
        """Forget what a transaction did."""
        transaction.is_over = True
        if transaction.rows is not None:
            transaction.rows = None
            self._lock.release()

    # Misfortune.

    def cancel_waits(self) -> None:
        """Make every commit that waits for the standby stop waiting."""
        for question in self._log.waiting.values():
            question.hurry()

    def fail_over(self, skew: float) -> None:
        """Lose the primary; the standby takes its place with what it has, and its clock may differ."""
        assert self.has_standby
        for game_id, log in self.rows.events.items():
            kept = len(self._standby.events.get(game_id, ()))
            self.undone(game_id, [event["seq"] for event in log[kept:]])
        self._begin_again(self._standby.copy(after_failover=True))
        self._standby = self.rows
        self.skew = skew
        self._log = Log()

    def restart(self) -> None:
        """Restart the primary: what was written is there, and all connections are cut."""
        log = self._log
        self._begin_again(log.moments.get(log.written, self.rows))
        log.waiting.clear()
        for number in log.moments:
            self._loop.on(self.machine, self._replicate(log, number))

    def _begin_again(self, rows: Rows) -> None:
        self.machine.lose()
        self.machine = self._loop.add(Machine(f"database {self.place}"))
        self.rows = rows
        self.standby_is_stopped = False
        self._lock = asyncio.Lock()
        self._advisory = {}
        self._hear(Heard(self.place, BEGAN_AGAIN, (rows,), self.now(), []))
