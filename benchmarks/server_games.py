"""Games for a load test: opened, filled and dealt through the use cases, and played out ahead of time.

    python -m benchmarks.server_games --games 2000 --moves 150 --out games.json

The database is the one that the environment names. The load generator then only sends what is prepared here.
"""

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final
from uuid import uuid4

import msgspec
from msgspec import Struct

from cartagena.fairness.shuffle import shuffler
from cartagena.rules import position as engine
from cartagena.rules.draw import cards_due, take_order
from cartagena.rules.legality import advance, legal
from cartagena.rules.ruleset import TORTUGA
from cartagena.server.accounts.players import become_guest
from cartagena.server.accounts.sessions.tokens import Admission, Arrival, SessionKind
from cartagena.server.resources import Resources, opened_resources
from cartagena.server.shared.settings import Settings
from cartagena.server.store.group_commit import DirectoryCreations
from cartagena.tables import seating
from cartagena.tables.creating import NewTable, open_table
from cartagena.tables.ports import Sender
from cartagena.tables.seating import Sitter, Terms
from cartagena.tables.sheet import SECOND, Clock
from cartagena.tables.table import Table

TERMS: Final = Terms(
    ruleset=TORTUGA,
    seats=2,
    # The clock is part of the path; its bank is too large to run out while we measure.
    clock=Clock(kind="live", bank=24 * 3600 * SECOND, increment=10 * SECOND),
    listed=True,
    rated=False,
    spectators=True,
)
AT_ONCE: Final = 16
SEED: Final = 1672


class PreparedGame(Struct, frozen=True, kw_only=True):
    """A running game: the tokens of its two players, the seq of its deal, and who then does what."""

    id: str
    tokens: tuple[str, ...]
    seq: int
    moves: tuple[tuple[int, int], ...]


async def prepare(settings: Settings, games: int, moves: int) -> list[PreparedGame]:
    """Prepare `games` running games, each with `moves` moves to come."""
    made: list[PreparedGame] = []
    numbers = iter(range(games))
    async with (
        opened_resources(settings, program="cartagena bench") as resources,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(AT_ONCE):
            group.create_task(_prepare_some(resources, numbers, moves, made))
    return made


async def _prepare_some(
    resources: Resources, numbers: Iterator[int], moves: int, made: list[PreparedGame]
) -> None:
    for number in numbers:
        game = await _prepare_one(resources, moves, Random(SEED + number))
        made.append(game)


async def _prepare_one(resources: Resources, moves: int, chance: Random) -> PreparedGame:
    arrival = Arrival(kind=SessionKind.BEARER, label="bench")
    host, other = [await become_guest(resources.directory, None, arrival) for _ in range(2)]
    table_id = await open_table(
        resources.store,
        DirectoryCreations(resources.databases.directory),
        TERMS,
        _sitter(host),
        key=uuid4(),
        made=NewTable(time.time_ns() // 1_000_000, os.urandom),
    )
    await resources.tables.change(
        table_id, _sender(other), lambda table: seating.sit(table, _sitter(other), None)
    )
    table = (await resources.tables.change(table_id, _sender(host), seating.start)).table
    return PreparedGame(
        id=str(table_id),
        tokens=(host.token, other.token),
        seq=table.seq,
        moves=tuple(played_out(table, moves, chance)),
    )


def _sitter(admission: Admission) -> Sitter:
    session = admission.session
    return Sitter(player=session.player_id, name=session.name, guest=session.is_guest)


def _sender(admission: Admission) -> Sender:
    return Sender(player=admission.session.player_id, key=uuid4())


def played_out(table: Table, most: int, chance: Random) -> list[tuple[int, int]]:
    """What the seats of a table may do next, at random: seats and codes. The game goes on after the last."""
    dealt = table.position
    assert dealt is not None, "the cards are not dealt yet"
    position, order = dealt.copy(), shuffler(seating.shuffle_of(table))
    moves: list[tuple[int, int]] = []
    while len(moves) < most:
        seat, code = position.to_act, chance.choice(legal(position))
        advance(position, code)
        while position.order_due:
            take_order(position, order(cards_due(position)))
        if position.over:
            break
        moves.append((seat, code))
    return moves


def main() -> None:
    """Prepare the games, write them to a file and print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--moves", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    wish = parser.parse_args()
    games = asyncio.run(prepare(Settings.read(os.environ), wish.games, wish.moves))
    wish.out.write_bytes(msgspec.json.encode(games))
    is_compiled = not str(engine.__file__).endswith(".py")
    print(json.dumps({"engine": "compiled" if is_compiled else "interpreted"}))


if __name__ == "__main__":
    main()
