"""Search what browsers received and kept for cards and secrets that their seats could not know.

The tests of the browser write down every answer that reached a page, byte by byte, and what the page kept.
Answers are compared with what the seat may know, as `harness.play.secrets` does; what was kept is searched.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
from msgspec import Struct

from cartagena.server.shared.settings import Settings
from cartagena.server.store.databases import Databases
from cartagena.server.store.games import Games
from cartagena.tables.frames import chat_message
from cartagena.tables.records import whole_record
from harness.play.checks import secrets_of, truth_of
from harness.play.clients import Exchange
from harness.play.secrets import Listener, Search, kind_of
from harness.play.traces import Secrets

PROGRAM = "cartagena browser tests"


class Received(Struct, kw_only=True):
    """An answer as it reached a page; the body as text, since all of ours are."""

    method: str
    path: str
    status: int
    headers: list[tuple[str, str]]
    body: str

    def exchange(self) -> Exchange:
        """Return this answer as the `Exchange` that the search reads."""
        return Exchange(
            method=self.method,
            path=self.path,
            status=self.status,
            headers=tuple((name.encode(), value.encode()) for name, value in self.headers),
            body=bytearray(self.body.encode()),
        )


class Page(Struct, kw_only=True):
    """One page: from which seat it looked, what it received while the game ran, and what it kept then."""

    name: str
    seat: int | None
    received: list[Received]
    kept: list[str] = []


class Evening(Struct, kw_only=True):
    """One game and the pages that followed it."""

    table: UUID
    pages: list[Page]


def read_evening(file: Path) -> Evening:
    """What the tests wrote down."""
    return msgspec.json.decode(file.read_bytes(), type=Evening)


async def leaks_in(settings: Settings, evening: Evening) -> list[str]:
    """Everything that a page should not have received or kept; a sentence each."""
    databases = await Databases.open(settings, program=PROGRAM)
    try:
        store = Games(databases)
        table = await store.load(evening.table)
        assert table is not None, "a table that the pages sat at is there"
        record = await whole_record(store, table)
        log = await store.past(table.id, -1)
        chat = tuple(map(chat_message, await store.chat(table.id, 0)))
    finally:
        await databases.close()
    truth, secrets, chance = truth_of(record, log), secrets_of(table, record), Random(1)
    return [
        leak
        for page in evening.pages
        for leak in (
            *Search(truth, _listener(page, evening.table), secrets, chat, chance).leaks(),
            *_kept_leaks(page, secrets),
        )
    ]


def _listener(page: Page, table: UUID) -> Listener:
    """What came from the table; the answers about other things have no room for cards."""
    exchanges = [received.exchange() for received in page.received]
    told = tuple(one for one in exchanges if str(table) in one.path and _is_told(one))
    assert told, f"{page.name} received nothing: the test listens in the wrong place"
    return Listener(name=page.name, seat=page.seat, exchanges=told)


def _is_told(exchange: Exchange) -> bool:
    """Whether the search knows this answer; a hint is left out, being made from the seat's own view."""
    streams = exchange.path.endswith(("/stream", "/record"))
    return streams or kind_of(exchange) is not None


def _kept_leaks(page: Page, secrets: Secrets) -> Iterator[str]:
    for text in page.kept:
        yield from (f"{page.name} keeps {leak}" for leak in secrets.found_in(text))
