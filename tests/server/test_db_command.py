"""`cartagena db` for programs: what was done, as JSON."""

import asyncio
import json

import pytest
from click.testing import CliRunner, Result

from cartagena.cli.db import command
from cartagena.server.resources import opened_resources
from cartagena.server.shared.settings_parsing import SettingsError
from cartagena.server.store import shard_migration
from cartagena.server.store.databases import NotConfirmed
from cartagena.server.store.migrations import DIRECTORY, SHARD
from cartagena.server.store.shards import Held
from tests.server.databases import empty_database, settings_for


def run(dsn: str, *arguments: str, shards: str = "") -> Result:
    return CliRunner().invoke(
        command, arguments, env={"CARTAGENA_DIRECTORY": dsn, "CARTAGENA_SHARDS": shards}
    )


async def test_upgrade_and_repair_tell_programs_what_they_did() -> None:
    async with empty_database() as dsn:
        made = await asyncio.to_thread(run, dsn, "upgrade", "--json")
        revisions = [entry["revision"] for entry in json.loads(made.output)]
        assert {DIRECTORY.head(), SHARD.head()} <= set(revisions)
        assert json.loads((await asyncio.to_thread(run, dsn, "upgrade", "--json")).output) == []
        repaired = await asyncio.to_thread(run, dsn, "repair", "--json")
        assert json.loads(repaired.output) == {"tables": 0, "strangers": 0, "ratings": 0}


async def test_buckets_are_listed_and_moved() -> None:
    async with empty_database() as one, empty_database() as two:
        shards = f"0-1023={one},none={two}"
        assert (await asyncio.to_thread(run, one, "upgrade", shards=shards)).exit_code == 0
        told = await asyncio.to_thread(run, one, "move", "5-6", "--to", "1", shards=shards)
        assert told.output.splitlines()[0].startswith("Bucket 5 has arrived: 0 games")
        listed = await asyncio.to_thread(run, one, "shards", shards=shards)
        assert [line.rpartition(": ")[2] for line in listed.output.splitlines()] == ["0-4,7-1023", "5-6"]
        again = await asyncio.to_thread(run, one, "move", "5", "--to", "1", "--json", shards=shards)
        assert json.loads(again.output) == []
        back = await asyncio.to_thread(run, one, "move", "5", "--back", shards=shards)
        assert "nothing to undo" in back.output
        for wrong in (["5", "--to", "2"], ["1024", "--to", "1"], ["5"], ["x-", "--to", "0"]):
            assert (await asyncio.to_thread(run, one, "move", *wrong, shards=shards)).exit_code != 0


async def test_a_check_fails_if_buckets_are_in_a_database_that_is_not_named() -> None:
    async with empty_database() as one, empty_database() as two:
        both, alone = f"0-1023={one},none={two}", f"0-1023={one}"
        await asyncio.to_thread(run, one, "upgrade", shards=both)
        await asyncio.to_thread(run, one, "move", "5-6", "--to", "1", shards=both)
        assert (await asyncio.to_thread(run, one, "check", shards=both)).exit_code == 0
        refused = await asyncio.to_thread(run, one, "check", shards=alone)
        with pytest.raises(SettingsError) as start:
            async with opened_resources(settings_for(one, CARTAGENA_SHARDS=alone), program="test"):
                pass
    assert refused.exit_code == 1
    assert "CARTAGENA_SHARDS does not name the database that now holds buckets 5-6 (" in refused.output
    assert "none=" in refused.output
    assert str(start.value) in refused.output


@pytest.mark.parametrize("trouble", [NotConfirmed("the standby is away"), TimeoutError()])
async def test_a_move_that_is_cut_short_says_what_to_do(
    trouble: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_confirmed(_: Held) -> None:
        raise trouble

    async with empty_database() as one, empty_database() as two:
        shards = f"0-1023={one},none={two}"
        await asyncio.to_thread(run, one, "upgrade", shards=shards)
        with monkeypatch.context() as patched:
            patched.setattr(shard_migration, "confirm_on", not_confirmed)
            told = await asyncio.to_thread(run, one, "move", "5", "--to", "1", shards=shards)
        assert (told.exit_code, "run the same command again" in told.output) == (1, True)
        assert (str(trouble) or "TimeoutError") in told.output
        again = await asyncio.to_thread(run, one, "move", "5", "--to", "1", shards=shards)
        assert again.output.startswith("Bucket 5 has arrived")
