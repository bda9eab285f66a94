"""Reading together: callers who ask for the same thing at the same time share one read."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Wish = TypeVar("_Wish")
_Answer = TypeVar("_Answer")


class Together(Generic[_Key, _Wish, _Answer]):
    """One read at a time for each key, for all who asked before it began; later callers get the next one.

    So an answer is never older than its question.
    """

    def __init__(self, read: Callable[[_Key, list[_Wish]], Awaitable[_Answer]]) -> None:
        self._read = read
        self._asked: dict[_Key, list[tuple[_Wish, asyncio.Future[_Answer]]]] = {}
        self._readers: dict[_Key, asyncio.Task[None]] = {}

    def ask(self, key: _Key, wish: _Wish) -> "asyncio.Future[_Answer]":
        """Return a future for the answer."""
        answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(key, []).append((wish, answer))
        if key not in self._readers:
            self._readers[key] = asyncio.create_task(self._serve(key))
        return answer

    async def close(self) -> None:
        """Stop reading; callers that wait for an answer are cancelled."""
        readers = list(self._readers.values())
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        for asked in self._asked.values():
            for _, answer in asked:
                answer.cancel()
        self._asked.clear()

    async def _serve(self, key: _Key) -> None:
        try:
            while asked := self._asked.pop(key, None):
                await self._answer(key, asked)
        finally:
            del self._readers[key]

    async def _answer(self, key: _Key, asked: "list[tuple[_Wish, asyncio.Future[_Answer]]]") -> None:
        try:
            result = await self._read(key, [wish for wish, _ in asked])
        except asyncio.CancelledError:
            for answer in _waiting(asked):
                answer.cancel()
            raise
        except Exception as error:  # noqa: BLE001  # it belongs to the callers
            for answer in _waiting(asked):
                answer.set_exception(error)
                # The caller may have gone; an exception that is never retrieved is no mistake then.
                answer.exception()
        else:
            for answer in _waiting(asked):
                answer.set_result(result)


def _waiting(asked: "list[tuple[_Wish, asyncio.Future[_Answer]]]") -> "list[asyncio.Future[_Answer]]":
    """The answers that a caller still waits for."""
    return [answer for _, answer in asked if not answer.done()]
