"""A game that need not end: two guests shuttle for hours, and whatever reads their game costs its length."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import pytest

from cartagena.messages.studies import MOST_ACTIONS
from cartagena.rules.codes import END_TURN
from cartagena.rules.ruleset import TORTUGA
from cartagena.server.http.streams.catch_up import Watching
from cartagena.tables import frames, records, seating
from cartagena.tables.frames import MOST_AGAIN, frames_since
from cartagena.tables.ports import Sender
from cartagena.tables.rulesets import MOST_QUIET_ROUNDS
from cartagena.tables.seating import Sitter, Terms, open_sheet
from cartagena.tables.table import Table
from tests.server.service_nodes import Node, Person, guest, listening
from tests.server.tables_world import repeat_event

ENDLESS = TORTUGA.with_options(quiet_rounds=0, pass_allowed=True)
BOUNDLESS = (0, MOST_QUIET_ROUNDS + 1, 1_000)


@dataclass(kw_only=True)
class Shuttle:
    """A game without end at a table that is older than the bound, and its two players."""

    node: Node
    id: UUID
    anne: Person
    mallory: Person

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"

    async def table(self) -> Table:
        loaded = await self.node.resources.store.load(self.id)
        assert loaded is not None
        return loaded

    async def pass_on(self) -> int:
        """Let the player to act do nothing."""
        seen = (await self.anne.get(self.path))["current"]
        player = (self.anne, self.mallory)[seen["view"]["to_act"]]
        told = await player.post(f"{self.path}/actions", seq=seen["seq"], code=END_TURN)
        seq: int = told["seq"]
        return seq

    async def pass_many(self, actions: int) -> None:
        """Let both do nothing for so long; the last action is a real one, so a turn begins with it."""
        seq = await self.pass_on()
        await repeat_event(self.node.resources.databases, self.id, seq, actions - 2)
        await self.pass_on()

    async def end(self) -> None:
        await self.mallory.post(f"{self.path}/resign")


@asynccontextmanager
async def shuttle(nodes: tuple[Node, Node]) -> AsyncIterator[Shuttle]:
    """A running game whose rules no new table may have."""
    here, there = nodes
    async with guest(here, "Anne") as anne, guest(there, "Mallory") as mallory:
        host = Sitter(player=UUID(anne.id), name="Anne", guest=True)
        terms = Terms(ruleset=ENDLESS, seats=2, clock=None, listed=True, rated=False, spectators=True)
        opened = await anne.post("/api/tables", status=201, terms={"ruleset": "tortuga", "seats": 2})
        normal = await here.resources.store.load(UUID(opened["id"]))
        assert normal is not None
        table_id = UUID(int=normal.id.int ^ 1)
        sheet = open_sheet(terms, host, invite=normal.sheet.invite, commitment=normal.sheet.commitment)
        await here.resources.store.open(
            table_id, sheet, normal.secret, Sender(player=host.player, key=table_id)
        )
        await mallory.post(f"/api/tables/{table_id}/sit")
        await anne.post(f"/api/tables/{table_id}/start")
        yield Shuttle(node=here, id=table_id, anne=anne, mallory=mallory)


@pytest.mark.parametrize("quiet", BOUNDLESS)
async def test_no_new_table_has_a_game_without_end(nodes: tuple[Node, Node], quiet: int) -> None:
    async with guest(nodes[0], "Mallory") as mallory:
        terms = {"ruleset": "tortuga", "seats": 2, "options": {"quiet_rounds": quiet, "pass_allowed": True}}
        refused = await mallory.post("/api/tables", status=422, terms=terms)
        assert refused["error"]["code"] == "unfit"
        assert f"1 to {MOST_QUIET_ROUNDS}" in refused["error"]["message"]
        fit = terms | {"options": {"quiet_rounds": MOST_QUIET_ROUNDS}}
        opened = await mallory.post("/api/tables", status=201, terms=fit)
        assert await mallory.status_of(f"/api/tables/{opened['id']}/terms", terms=terms) == 422


async def test_what_a_table_can_be_set_to_says_so(nodes: tuple[Node, Node]) -> None:
    async with guest(nodes[0], "Anne") as anne:
        told = await anne.get("/api/rulesets")
    for preset in told["rulesets"]:
        (quiet,) = [option for option in preset["options"] if option["name"] == "quiet_rounds"]
        assert (quiet["lowest"], quiet["highest"]) == (1, MOST_QUIET_ROUNDS)


async def test_an_old_game_without_end_goes_on_but_no_table_follows_it(nodes: tuple[Node, Node]) -> None:
    async with shuttle(nodes) as game:
        await game.pass_on()
        await game.end()
        for verb, body in (("rematch", {}), ("branch", {"step": 0})):
            refused = await game.anne.post(f"{game.path}/{verb}", status=422, **body)
            assert refused["error"]["code"] == "unfit"


async def test_the_analysis_of_a_game_that_is_too_long_is_refused(nodes: tuple[Node, Node]) -> None:
    async with shuttle(nodes) as game:
        await game.pass_many(MOST_ACTIONS)
        await game.pass_on()
        await game.end()
        refused = await game.anne.post(f"{game.path}/analysis", status=422)
        assert refused["error"]["code"] == "unfit"
        directory = game.node.resources.databases.directory
        assert await directory.fetchval("SELECT count(*) FROM directory.jobs") == 0


async def test_a_long_game_is_not_read_for_little_that_was_missed(
    nodes: tuple[Node, Node],
) -> None:
    async with shuttle(nodes) as game:
        await game.pass_many(MOST_AGAIN)
        table, resources = await game.table(), game.node.resources
        again = await frames_since(resources.store, table, table.sheet.watchers, table.seq - 8)
        assert [missed.seq for missed in again] == [table.seq]
        assert await Watching(resources.tables, resources.store).effort(table.id, table.seq - 8) == 1
        async with listening(game.anne, f"{game.path}/stream", last=f"{table.seq - 8}.0") as stream:
            await stream.until(table.seq)
        assert len(stream.events) == 1


async def test_what_is_read_for_who_missed_little_is_counted(nodes: tuple[Node, Node]) -> None:
    async with shuttle(nodes) as game:
        await game.pass_many(200)
        table, resources = await game.table(), game.node.resources
        watching = Watching(resources.tables, resources.store)
        read = len(await resources.store.past(table.id, -1))
        assert await watching.effort(table.id, table.seq - 1) == read == table.seq + 1
        assert await watching.effort(table.id, table.seq) == 0


async def test_a_long_game_is_played_again_beside_the_event_loop(
    nodes: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nodes of this test serve in its main thread."""
    async with guest(nodes[0], "Mallory") as mallory:
        opened = await mallory.post(
            "/api/tables", status=201, terms={"ruleset": "tortuga", "seats": 2}, bots=["deckhand"]
        )
        path = f"/api/tables/{opened['id']}"
        await mallory.post(f"{path}/start")
        await mallory.post(f"{path}/resign")
        threads: list[threading.Thread] = []
        for module in (seating, records, frames):
            monkeypatch.setattr(module, "dealt", _watched(module.dealt, threads))
        branch = await mallory.post(f"{path}/branch", status=201, step=0)
        path = f"/api/tables/{branch['id']}"
        async with listening(mallory, f"{path}/stream", last="0.0") as stream:
            await stream.until(branch["current"]["seq"])
        assert (await mallory.client.get(f"{path}/record", headers=mallory.headers)).status_code == 200
        assert len(threads) >= 4, "the game, the start of the branch, its stream, its record"
        assert threading.main_thread() not in threads


def _watched(deal: Callable[[Table], object], threads: list[threading.Thread]) -> Callable[[Table], object]:
    def watched(table: Table) -> object:
        threads.append(threading.current_thread())
        return deal(table)

    return watched
