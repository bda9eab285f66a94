"""Open data: only what every player gave away, without names, each game proved before it is written."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from click.testing import CliRunner
from msgspec.structs import replace as with_fields

from cartagena.cli.db import command
from cartagena.fairness.record import verify_record
from cartagena.notation import parse_record
from cartagena.rules.legality import legal
from cartagena.server.lobby.open_data import OpenGame, Withheld, open_games
from cartagena.server.lobby.open_data_files import CHOICES, GAMES, OpenDataFolder, choice_rows, game_row
from cartagena.server.store.databases import Databases
from cartagena.server.store.migrate import upgrade
from cartagena.tables import playing
from cartagena.tables.table import Change, Table
from tests.server.databases import empty_database, settings_for
from tests.server.lobby_world import LobbyWorld
from tests.server.tables_world import LIVE, Player, terms

AGREE = "UPDATE directory.players SET open_data = true WHERE player_id = ANY ($1)"
OWN = "INSERT INTO directory.bots (bot_id, owner_id, engine) VALUES ($1, $2, 'furthest')"
NEWER = "UPDATE shard.games SET rules_version = 30000 WHERE game_id = $1"
DAMAGED = "UPDATE shard.tables SET sheet = '\\x7b' WHERE game_id = $1"
LEAVE = "UPDATE directory.players SET deleted_at = now() WHERE player_id = $1"


class GivingWorld(LobbyWorld):
    """A lobby whose people may give their games away."""

    async def agree(self, people: Sequence[Player]) -> None:
        await self.directory.execute(AGREE, [player.id for player in people])

    async def played(self, people: Sequence[Player], *, spectators: bool = True) -> UUID:
        """A game of some choices that the last player resigned."""
        wanted = replace(terms(clock=LIVE), spectators=spectators)
        table, chance = await self.playing(people, wanted), Random(1672)
        for _ in range(6):
            seat, position = table.to_act, table.position
            assert seat is not None
            assert position is not None
            code = chance.choice(legal(position))
            act = partial(playing.act, seat=seat, code=code)
            table = (await self.change(table.id, act, people[seat])).table
        last = len(people) - 1
        await self.change(table.id, lambda now: playing.resign(now, last), people[last])
        return table.id

    async def take_over(self, game_id: UUID, player: Player, before: Player) -> None:
        """Let `before` have made the choices of `player`."""
        await self.databases.shard_of(game_id).execute(
            "UPDATE shard.events SET player = $2 WHERE game_id = $1 AND code IS NOT NULL AND player = $3",
            game_id,
            before.id,
            player.id,
        )

    async def given(self) -> list[OpenGame | Withheld]:
        """What may be given away now."""
        await self.told()
        return [game async for game in open_games(self.directory, self.store, batch=1)]


@pytest.fixture
def world(databases: Databases) -> GivingWorld:
    return GivingWorld(databases)


async def test_every_player_must_have_agreed(world: GivingWorld) -> None:
    both, other = await world.people(2), await world.people(1)
    game_id = await world.played(both)
    await world.played([both[0], *other])
    assert await world.given() == []
    await world.agree(both[:1])
    assert await world.given() == []
    await world.agree(both)
    (game,) = await world.given()
    assert isinstance(game, OpenGame)
    assert game.game_id == game_id
    assert game.record.headers.names == ("person", "person")
    assert both[0].name not in game.text
    assert verify_record(parse_record(game.text)).holds


async def test_who_left_for_good_gives_nothing(world: GivingWorld) -> None:
    people = await world.people(2)
    await world.agree(people)
    await world.played(people)
    assert len(await world.given()) == 1
    await world.directory.execute(LEAVE, people[0].id)
    assert await world.given() == []


async def test_a_bot_with_an_account_agrees_by_its_owner(world: GivingWorld) -> None:
    person, bot, owner = people = await world.people(3)
    await world.directory.execute(OWN, bot.id, owner.id)
    await world.played([person, bot])
    # Whatever the row of the bot says: it was asked nothing.
    await world.agree([person, bot])
    assert await world.given() == []
    await world.agree(people)
    (game,) = await world.given()
    assert isinstance(game, OpenGame)
    assert game.record.headers.names == ("person", "program")
    await world.directory.execute(LEAVE, owner.id)
    assert await world.given() == []


async def test_the_owner_of_a_bot_that_had_a_seat_before_is_asked_too(world: GivingWorld) -> None:
    *people, bot, owner = await world.people(4)
    await world.agree([*people, bot])
    await world.directory.execute(OWN, bot.id, owner.id)
    await world.take_over(await world.played(people), people[0], bot)
    assert await world.given() == [Withheld.OTHERS_PLAYED]
    await world.agree([owner])
    (game,) = await world.given()
    assert isinstance(game, OpenGame)
    assert game.record.headers.names == ("person", "person")


@pytest.mark.parametrize("change", [NEWER, DAMAGED])
async def test_a_game_that_cannot_be_read_keeps_no_other_back(world: GivingWorld, change: str) -> None:
    people = await world.people(2)
    await world.agree(people)
    odd, sound = await world.played(people), await world.played(people)
    await world.told()
    await world.databases.shard_of(odd).execute(change, odd)
    unreadable, game = await world.given()
    assert unreadable == Withheld.UNREADABLE
    assert isinstance(game, OpenGame)
    assert game.game_id == sound


async def test_private_games_stay_private(world: GivingWorld) -> None:
    people = await world.people(2)
    await world.agree(people)
    await world.played(people, spectators=False)
    assert await world.given() == [Withheld.NOT_WATCHED]
    await world.directory.execute("UPDATE directory.results SET listed = false")
    assert await world.given() == []


async def test_a_seat_that_somebody_else_had_before_counts(world: GivingWorld) -> None:
    people = await world.people(2)
    await world.agree(people)
    game_id = await world.played(people)
    (stranger,) = await world.people(1)
    await world.take_over(game_id, people[0], stranger)
    assert await world.given() == [Withheld.OTHERS_PLAYED]


async def test_a_game_that_its_record_does_not_prove_is_left_out(world: GivingWorld) -> None:
    people = await world.people(2)
    await world.agree(people)
    table = await world.playing(people, terms(clock=LIVE))

    def claim(now: Table) -> Change:
        resigned = playing.resign(now, 1)
        sheet = playing.ended(now.sheet, "won", 0)
        return with_fields(resigned, after=with_fields(resigned.after, sheet=sheet))

    await world.change(table.id, claim, people[1])
    assert await world.given() == [Withheld.UNPROVED]


def check_folder(place: Path, game_id: UUID, *, with_parquet: bool) -> None:
    """A folder `games` has this one game, and stands alone in its place."""
    assert [file.name for file in place.iterdir()] == ["games"]
    (record,) = place.glob("games/records/*/*.record")
    assert record.name == f"{game_id}.record"
    assert verify_record(parse_record(record.read_text())).holds
    card = (place / "games" / "README.md").read_text()
    assert "1 finished public games with 6 choices" in card
    assert ("### games.parquet" in card) == with_parquet
    # The id leads to the names: the card must not promise that nothing does.
    assert "not anonymous" in card


async def test_the_command_writes_a_folder_at_once(tmp_path: Path) -> None:
    async with empty_database() as dsn:
        settings = settings_for(dsn)
        await upgrade(settings, lambda _: None)
        databases = await Databases.open(settings, program="test")
        try:
            world = GivingWorld(databases)
            people = await world.people(2)
            await world.agree(people)
            game_id = await world.played(people)
            await world.told()
        finally:
            await databases.close()
        folder = tmp_path / "games"
        # What an interrupted dump left behind.
        (tmp_path / ".games.unfinished" / "records" / "old").mkdir(parents=True)
        environment = {"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": ""}

        def dump() -> tuple[int, str]:
            result = CliRunner().invoke(command, ["dump", str(folder), "--json"], env=environment)
            return result.exit_code, result.output

        code, output = await asyncio.to_thread(dump)
        assert code == 0, output
        told = json.loads(output)
        assert (told["games"], told["choices"], told["withheld"]) == (1, 6, {})
        check_folder(tmp_path, game_id, with_parquet=told["parquet"])
        again, said = await asyncio.to_thread(dump)
        assert (again, "exists already" in said) == (1, True)


def test_an_error_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="the disk is full"), OpenDataFolder(tmp_path / "games"):
        raise OSError("the disk is full")
    assert list(tmp_path.iterdir()) == []


async def test_the_tables_have_a_row_for_each_game_and_choice(world: GivingWorld, tmp_path: Path) -> None:
    people = await world.people(2)
    await world.agree(people)
    await world.played(people)
    (game,) = await world.given()
    assert isinstance(game, OpenGame)
    rows = list(choice_rows(game))
    assert [tuple(row) for row in (game_row(game, 6), rows[0])] == [
        tuple(column.name for column in columns) for columns in (GAMES, CHOICES)
    ]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow comes with the extra `research`")
    with OpenDataFolder(tmp_path / "games") as files:
        files.add(game)
    (read,) = parquet.read_table(tmp_path / "games" / "games.parquet").to_pylist()
    assert (read["players"], read["ending"], read["winner"], read["lost"]) == (
        ["person", "person"],
        "resigned",
        0,
        [False, True],
    )
    assert parquet.read_table(tmp_path / "games" / "choices.parquet").to_pylist() == rows
