"""Simulated connections: the part of asyncpg's pool that the service uses, over a lossy network."""

import asyncio
import pickle
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, BinaryIO, Final

import asyncpg

from cartagena.server.store.databases import COMMAND_SECONDS
from cartagena.server.store.shard_migration import COPIED, NO_LONGER_ALONE, TRY_ALONE
from harness.simulation.bus import NetworkWeather
from harness.simulation.database import Database, Question, Session, Transaction
from harness.simulation.event_loop import MACHINE, Machine, SimulatedLoop
from harness.simulation.rows import Answer

HEARD: Final = 0.7
"""The share of questions that reach the database although their connection breaks."""
COMMIT: Final = "COMMIT"
COPY: Final = "COPY"


@dataclass(frozen=True, slots=True)
class Warned:
    """What PostgreSQL says besides its answer."""

    sqlstate: str = "01000"
    severity_en: str = "WARNING"


class SimulatedPool:
    """The connections of one machine to one database."""

    def __init__(
        self, database: Database, loop: SimulatedLoop, chance: Random, weather: NetworkWeather
    ) -> None:
        self.database = database
        self.loop = loop
        self.chance = chance
        self.weather = weather

    async def ask(self, question: Question, seconds: float | None) -> Answer:
        """Send a statement and wait for its answer; raises what asyncpg does if the connection breaks."""
        if self.loop.has_ended:
            # Coroutines are being closed, and what they ask at last is not answered.
            raise GeneratorExit
        loses, is_heard = self.weather.loses(), self.chance.random() < HEARD
        server, here = self.database.machine, MACHINE.get()
        answer: asyncio.Future[Answer] = self.loop.create_future()
        broken = partial(_break, answer)
        server.at_its_end.append(broken)
        if loses:
            self.loop.call_later(2 * self.weather.delay(), broken)
            if question.session is not None:
                question.session.is_cut = True
        if not loses or is_heard:
            if question.session is not None:
                question.session.under_way += 1
            self.loop.on(server, self._serve(question, answer, here, is_lost=loses))
        late = self.loop.call_later(
            COMMAND_SECONDS if seconds is None else seconds, _give_up, question, answer
        )
        try:
            return await answer
        finally:
            late.cancel()
            if broken in server.at_its_end:
                server.at_its_end.remove(broken)

    async def _serve(
        self, question: Question, answer: "asyncio.Future[Answer]", asker: Machine, *, is_lost: bool
    ) -> None:
        """Run the statement at the database, whether or not a client still waits for the answer."""
        await asyncio.sleep(self.weather.delay())
        result: Answer | BaseException
        try:
            result = await self._result(question)
        except (asyncpg.PostgresError, OSError) as error:
            result = error
        if question.session is not None:
            question.session.under_way -= 1
        await asyncio.sleep(self.weather.delay())
        if not is_lost and not asker.is_lost and not answer.done():
            if isinstance(result, BaseException):
                answer.set_exception(result)
            else:
                answer.set_result(result)

    async def _result(self, question: Question) -> Answer:
        within = question.within
        if within is not None and within.machine is not self.database.machine:
            raise ConnectionResetError("a database that began again knows nothing of it")
        if question.statement in {TRY_ALONE, NO_LONGER_ALONE}:
            assert question.session is not None
            change = self.database.try_lock if question.statement == TRY_ALONE else self.database.unlock
            return [{"is_done": change(question.args[0], question.session)}]
        if question.statement == COMMIT:
            assert within is not None
            await self.database.commit(within, question)
            return []
        if question.statement == COPY:
            assert within is not None
            await self.database.begin_to_write(within)
            return []
        return await self.database.run(question)

    # What asyncpg's pool has.

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator["SimulatedConnection"]:
        """One connection."""
        connection = SimulatedConnection(self)
        try:
            yield connection
        finally:
            connection.session.is_cut = True

    async def fetch(self, statement: str, *args: object, timeout: float | None = None) -> Answer:  # noqa: ASYNC109
        """All rows."""
        return await self.ask(Question(statement, args), timeout)

    async def fetchrow(self, statement: str, *args: object) -> dict[str, Any] | None:
        """The first row."""
        rows = await self.fetch(statement, *args)
        return rows[0] if rows else None

    async def fetchval(self, statement: str, *args: object) -> Any:
        """The first value of the first row."""
        row = await self.fetchrow(statement, *args)
        return None if row is None else next(iter(row.values()))

    async def execute(self, statement: str, *args: object) -> None:
        """Run a statement and drop its rows."""
        await self.fetch(statement, *args)

    async def copy_from_query(
        self,
        statement: str,
        *args: object,
        output: BinaryIO,
        format: str,  # noqa: A002 - asyncpg's word
    ) -> None:
        """Copy rows out for another database."""
        assert format == "binary"
        pickle.dump(await self.fetch(statement, *args), output)

    async def copy_to_table(
        self,
        name: str,
        *,
        schema_name: str,
        source: BinaryIO,
        format: str,  # noqa: A002
    ) -> None:
        """Copy in rows of another database, as one change."""
        async with self.acquire() as connection, connection.transaction():
            await connection.copy_to_table(name, schema_name=schema_name, source=source, format=format)


class SimulatedConnection(SimulatedPool):
    """One connection of a pool, with the transaction that is under way on it."""

    def __init__(self, pool: SimulatedPool) -> None:
        super().__init__(pool.database, pool.loop, pool.chance, pool.weather)
        self.session = Session(MACHINE.get())
        self._within: Transaction | None = None
        self._listeners: list[Callable[[object, Warned], None]] = []

    def add_log_listener(self, listener: Callable[[object, Warned], None]) -> None:
        """Call `listener` with every warning."""
        self._listeners.append(listener)

    def remove_log_listener(self, listener: Callable[[object, Warned], None]) -> None:
        """Stop calling `listener`."""
        self._listeners.remove(listener)

    async def fetch(self, statement: str, *args: object, timeout: float | None = None) -> Answer:  # noqa: ASYNC109
        """All rows."""
        if self.session.is_cut:
            raise ConnectionResetError("the connection broke")
        question = Question(statement, args, self._within, self.session)
        rows = await self.ask(question, timeout)
        if question.was_warned:
            for listener in list(self._listeners):
                listener(self, Warned())
        return rows

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Commit all statements of the block, or none."""
        database, machine = self.database, MACHINE.get()
        server = database.machine
        transaction = self._within = Transaction(server, database.now())

        def roll_back() -> None:
            # A database that began again has forgotten it anyway.
            if database.machine is server:
                database.roll_back(transaction)

        machine.at_its_end.append(roll_back)
        try:
            yield
            await self.fetch(COMMIT)
        except BaseException:
            roll_back()
            raise
        finally:
            if roll_back in machine.at_its_end:
                machine.at_its_end.remove(roll_back)
            self._within = None

    async def copy_to_table(
        self,
        name: str,
        *,
        schema_name: str,
        source: BinaryIO,
        format: str,  # noqa: A002
    ) -> None:
        """Copy in rows of another database."""
        assert (schema_name, format) == ("shard", "binary")
        if self._within is None:
            async with self.transaction():
                await self.copy_to_table(name, schema_name=schema_name, source=source, format=format)
            return
        await self.fetch(COPY)
        table = next(table for table in COPIED if table.name == name)
        self.database.copy_into(self._within, table, pickle.load(source))  # noqa: S301  # our own rows


def _give_up(question: Question, answer: "asyncio.Future[Answer]") -> None:
    """Do as asyncpg does when an answer takes too long: cancel the statement."""
    question.hurry()
    if not answer.done():
        answer.set_exception(TimeoutError())


def _break(answer: "asyncio.Future[Answer]") -> None:
    """Fail an answer that is still awaited, because its connection broke."""
    if not answer.done():
        answer.set_exception(ConnectionResetError("the connection broke"))
